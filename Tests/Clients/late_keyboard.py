"""An on-screen keyboard on the session bus that owns its name before it can answer: `late_keyboard.py N`. The first N questions are answered
with an error. It says "asked" for each, and "shown" or "hidden" for each wish. Run with /usr/bin/python3."""
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH = "sm.puri.OSK0", "/sm/puri/OSK0"
left = int(sys.argv[1])
visible = False
INTERFACES = Gio.DBusNodeInfo.new_for_xml("""<node><interface name="org.freedesktop.DBus.Properties">
  <method name="Get"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
  </interface><interface name="sm.puri.OSK0"><method name="SetVisible"><arg type="b" direction="in"/></method></interface></node>""").interfaces


def say(text):
    print(text, flush=True)


def called(connection, sender, path, interface, method, arguments, invocation):
    global left, visible
    if method == "SetVisible":
        visible = arguments.unpack()[0]
        say("shown" if visible else "hidden")
        invocation.return_value(None)
        return
    say("asked")
    if left > 0:
        left -= 1
        invocation.return_dbus_error("org.freedesktop.DBus.Error.UnknownObject", "not yet")
    else:
        invocation.return_value(GLib.Variant("(v)", (GLib.Variant("b", visible),)))


bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
for interface in INTERFACES:
    bus.register_object(PATH, interface, called, None, None)
Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
