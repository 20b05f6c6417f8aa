"""What no program may ask of the session manager: prints each answer, and "ready" at the end. Then it goes on, so that the test
can look at what it has. Run with /usr/bin/python3 in a terminal of the shell, with the bus of the shell."""
import os
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH = "org.gnome.SessionManager", "/org/gnome/SessionManager"


class Client:
    def __init__(self):
        self.bus = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def call(self, method, signature=None, *arguments, path=PATH, interface=NAME):
        packed = GLib.Variant(signature, arguments) if signature else None
        return self.bus.call_sync(NAME, path, interface, method, packed, None, Gio.DBusCallFlags.NONE, 20000, None).unpack()


def refusal(error):
    name = (Gio.DBusError.get_remote_error(error) or "?").rpartition(".")[2]
    return f"{name}: {error.message.split(': ', 1)[-1]}"


def refused(what, *call, **more):
    try:
        say(f"{what}: granted {client.call(*call, **more)}")
    except GLib.Error as error:
        say(f"{what}: {refusal(error)}")


def until_refused(call):
    for count in range(2000):
        try:
            call(count)
        except GLib.Error as error:
            return f"{count}, then {refusal(error)}"
        # A hundred calls in a second are granted.
        time.sleep(0.011)
    return "no end"


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


end = time.monotonic() + 60
while True:
    try:
        client, other = Client(), Client()
        client.call("IsSessionRunning")
        break
    except GLib.Error:
        # The shell may still be starting.
        if time.monotonic() > end:
            raise
        time.sleep(0.05)
mine = client.call("Inhibit", "(susu)", "test.abuse", 0, "work", 4)[0]
theirs = other.call("Inhibit", "(susu)", "test.abuse", 0, "", 8)[0]
instance = other.call("RegisterRestore", "(ss)", "test.abuse", "")[1]
registered = other.call("RegisterClient", "(ss)", "test.abuse", "")[0]
refused("no flags", "Inhibit", "(susu)", "a", 0, "", 0)
refused("unknown flags", "Inhibit", "(susu)", "a", 0, "", 32)
refused("long reason", "Inhibit", "(susu)", "a", 0, "r" * 513, 1)
refused("long app", "Inhibit", "(susu)", "a" * 257, 0, "", 1)
refused("wrong types", "Inhibit", "(ss)", "a", "b")
refused("unknown inhibitor", "Uninhibit", "(u)", 4000000)
refused("another's inhibitor", "Uninhibit", "(u)", theirs)
refused("no app", "RegisterRestore", "(ss)", "", "")
refused("long id", "RegisterRestore", "(ss)", "a" * 257, "")
refused("no connection", "RegisterRestore", "(ss)", "a", "org.example.Name")
refused("no such connection", "RegisterRestore", "(ss)", "a", ":1.4000000")
refused("another's instance", "UnregisterRestore", "(ss)", "test.abuse", instance)
refused("unknown instance", "UnregisterRestore", "(ss)", "test.abuse", "x")
refused("many ids", "DeletedInstanceIds", "(sas)", "test.abuse", ["x"] * 1000)
refused("another's client", "UnregisterClient", "(o)", registered)
refused("answer for another", "EndSessionResponse", "(bs)", True, "", path=registered, interface=NAME + ".ClientPrivate")
refused("unknown client", "UnregisterClient", "(o)", "/org/gnome/SessionManager/Client99")
refused("unknown mode", "Logout", "(u)", 4)
refused("unknown method", "Shutdown")
refused("unknown object", "GetReason", path=PATH + "/Inhibitor99", interface=NAME + ".Inhibitor")
refused("is inhibited", "IsInhibited", "(u)", 12)
refused("is not inhibited", "IsInhibited", "(u)", 1)
refused("reason", "GetReason", path=f"{PATH}/Inhibitor{mine}", interface=NAME + ".Inhibitor")
refused("flags", "GetFlags", path=f"{PATH}/Inhibitor{mine}", interface=NAME + ".Inhibitor")
say(f"inhibitors: {len(client.call('GetInhibitors')[0])}")
say("inhibitors of one program: " + until_refused(lambda number: client.call("Inhibit", "(susu)", "a", 0, "", 16)))
say("clients of one program: " + until_refused(lambda number: client.call("RegisterClient", "(ss)", "a", "")))
say("instances of one program: " + until_refused(lambda number: client.call("RegisterRestore", "(ss)", f"app{number}", "")))
# What it has ends with its connection.
other.bus.close_sync(None)
time.sleep(0.2)
say(f"inhibitors: {len(client.call('GetInhibitors')[0])}")
say("ready")
GLib.MainLoop().run()
