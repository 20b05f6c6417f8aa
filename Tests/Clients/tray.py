"""A program that looks for a tray as Qt does, and registers an item. Prints what it finds, and what the bus says of items.

Lines: "host yes|no", "protocol N", "items [...]", "Registered ITEM", "Unregistered ITEM". Run with /usr/bin/python3."""
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)


def say(text):
    print(text, flush=True)


def get(name):
    return bus.call_sync(
        NAME, PATH, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (NAME, name)), None, Gio.DBusCallFlags.NONE, 5000, None).unpack()[0]


def told(connection, sender, path, interface, member, arguments):
    say(f"{member.removeprefix('StatusNotifierItem')} {arguments.unpack()[0].lstrip(':0123456789.')}")


bus.signal_subscribe(NAME, NAME, None, PATH, None, Gio.DBusSignalFlags.NONE, told)
say("host " + ("yes" if get("IsStatusNotifierHostRegistered") else "no"))
say(f"protocol {get('ProtocolVersion')}")
for name in sys.argv[1:]:
    # An item of another program, which ends at once.
    other = Gio.DBusConnection.new_for_address_sync(
        Gio.dbus_address_get_for_bus_sync(Gio.BusType.SESSION), Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    other.call_sync(NAME, PATH, NAME, "RegisterStatusNotifierItem", GLib.Variant("(s)", (name,)), None, Gio.DBusCallFlags.NONE, 5000, None)
    say(f"items {[item.lstrip(':0123456789.') for item in get('RegisteredStatusNotifierItems')]}")
    other.close_sync()
GLib.timeout_add(3000, lambda: sys.exit(0))
GLib.MainLoop().run()
