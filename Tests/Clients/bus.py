# On the session bus, for tests: asks the bus to start a service, or stands for services that a test needs.
#
#   bus.py start NAME      has the bus start it
#   bus.py told NAME FILE  the service itself: writes what it was started with, one variable a line, takes its name and ends
#   bus.py owned NAME      says whether somebody has the name: yes or no
#   bus.py manager FILE    a service manager: writes what it is told by SetEnvironment, one variable a line
#   bus.py portal FILE     the portal of wlroots' compositors: writes the names of what it is asked
#   bus.py feedback FILE   a feedback service (feedbackd): writes each event that it is asked for
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
SERVICES = {
    "manager": ("org.freedesktop.systemd1", "/org/freedesktop/systemd1", """
        <node><interface name="org.freedesktop.systemd1.Manager">
        <method name="SetEnvironment"><arg type="as" direction="in"/></method></interface></node>"""),
    "feedback": ("org.sigxcpu.Feedback", "/org/sigxcpu/Feedback", """
        <node><interface name="org.sigxcpu.Feedback"><method name="TriggerFeedback">
        <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
        <arg type="i" direction="in"/><arg type="u" direction="out"/></method></interface></node>"""),
}

if sys.argv[1] == "owned":
    answer = bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
        GLib.Variant("(s)", (sys.argv[2],)), None, Gio.DBusCallFlags.NONE, 5000, None)
    print("yes" if answer.unpack()[0] else "no")
    sys.exit(0)
if sys.argv[1] == "start":
    bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName",
        GLib.Variant("(su)", (sys.argv[2], 0)), None, Gio.DBusCallFlags.NONE, 60_000, None)
    sys.exit(0)
if sys.argv[1] == "told":
    with open(sys.argv[3] + ".new", "w") as file:
        file.write("".join(f"{key}={value}\n" for key, value in os.environ.items()))
    os.rename(sys.argv[3] + ".new", sys.argv[3])
    # The bus waits until it has the name, and starts it again when it has gone.
    bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        GLib.Variant("(su)", (sys.argv[2], 0)), None, Gio.DBusCallFlags.NONE, 60_000, None)
    sys.exit(0)

if sys.argv[1] == "portal":
    def asked(connection, message, incoming):
        if incoming and message.get_message_type() == Gio.DBusMessageType.METHOD_CALL:
            with open(sys.argv[2], "a") as file:
                file.write(f"{message.get_member()}\n")
        return message

    bus.add_filter(asked)
    Gio.bus_own_name_on_connection(bus, "org.freedesktop.impl.portal.desktop.wlr", Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()

name, path, description = SERVICES[sys.argv[1]]


def called(connection, sender, object_path, interface, method, arguments, invocation):
    with open(sys.argv[2], "a") as file:
        if method == "SetEnvironment":
            file.write("\n".join(arguments.unpack()[0]) + "\n")
            invocation.return_value(None)
        else:
            file.write(" ".join(str(value) for value in arguments.unpack()) + "\n")
            invocation.return_value(GLib.Variant("(u)", (1,)))


bus.register_object(path, Gio.DBusNodeInfo.new_for_xml(description).interfaces[0], called, None, None)
# The shell serves feedback where no other program does, and lets go of it.
Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.REPLACE, lambda *_: open(sys.argv[2], "a").close(), None)
GLib.MainLoop().run()
