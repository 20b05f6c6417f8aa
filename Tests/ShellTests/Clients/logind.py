# A login manager (logind) for tests, on the bus of DBUS_SYSTEM_BUS_ADDRESS:  logind.py FOLDER
#
# Writes what happens to FOLDER/log: "inhibits WHAT MODE", "lets go", and "locked true" or "locked false". Each line of FOLDER/commands is done once:
# "PrepareForSleep true" sends that signal, "Lock session" and "Unlock session" those of the session, "leave" gives up the name, "return" takes it again.
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

SESSION = "/org/freedesktop/login1/session/_31"
NAME, PATH, INTERFACE = "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
DESCRIPTION = f"""<node><interface name="{INTERFACE}"><method name="Inhibit"><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="h" direction="out"/></method>
    <method name="GetSession"><arg type="s" direction="in"/><arg type="o" direction="out"/></method></interface>
    <interface name="{NAME}.Session"><method name="SetLockedHint"><arg type="b" direction="in"/></method></interface></node>"""
folder = sys.argv[1]
bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
owner = 0
done = 0
held = []


def note(text):
    with open(f"{folder}/log", "a") as file:
        file.write(text + "\n")


def ended(fd, condition):
    note("lets go")
    held.remove(fd)
    os.close(fd)
    return False


def called(connection, sender, path, interface, method, arguments, invocation):
    if method == "GetSession":
        return invocation.return_value(GLib.Variant("(o)", (SESSION,)))
    what, who, why, mode = arguments.unpack()
    ours, theirs = os.pipe()
    files = Gio.UnixFDList.new()
    index = files.append(theirs)
    os.close(theirs)
    held.append(ours)
    # Readable, at its end, when the other end is closed everywhere.
    GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, ours, GLib.IOCondition.HUP, ended)
    note(f"inhibits {what} {mode}")
    invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (index,)), files)


def session_called(connection, sender, path, interface, method, arguments, invocation):
    note(f"locked {'true' if arguments.unpack()[0] else 'false'}")
    invocation.return_value(None)


def look():
    global done, owner
    try:
        with open(f"{folder}/commands") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        lines = []
    for line in lines[done:]:
        done += 1
        if line == "leave":
            Gio.bus_unown_name(owner)
            # It ends: nobody is waited for any more.
            for fd in list(held):
                note("ends what was held")
        elif line == "return":
            owner = own()
        elif line.split()[0] in ("Lock", "Unlock"):
            bus.emit_signal(None, SESSION, f"{NAME}.Session", line.split()[0], None)
        else:
            signal, value = line.split()
            bus.emit_signal(None, PATH, INTERFACE, signal, GLib.Variant("(b)", (value == "true",)))
    return True


def own():
    return Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: note("is there"), None)


interfaces = Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces
bus.register_object(PATH, interfaces[0], called, None, None)
bus.register_object(f"{PATH}/session/auto", interfaces[1], session_called, None, None)
owner = own()
GLib.timeout_add(20, look)
GLib.MainLoop().run()
