"""The life of apps over the session bus (org.mullion.Life1), as a toolkit without Wayland would use it. Prints what
happens, line by line, and then goes on answering. Run with /usr/bin/python3 in a terminal of the shell."""
import os
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH = "org.mullion.Life1", "/org/mullion/Life1"


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Client:
    def __init__(self):
        self.bus = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.bus.signal_subscribe(NAME, NAME, None, PATH, None, Gio.DBusSignalFlags.NONE, self.heard)

    def call(self, method, signature=None, *arguments):
        packed = GLib.Variant(signature, arguments) if signature else None
        return self.bus.call_sync(NAME, PATH, NAME, method, packed, None, Gio.DBusCallFlags.NONE, 20000, None).unpack()

    def refused(self, what, *call):
        try:
            say(f"{what}: granted {self.call(*call)}")
        except GLib.Error as error:
            say(f"{what}: {refusal(error)}")

    def heard(self, bus, sender, path, interface, member, arguments):
        values = arguments.unpack()
        say(" ".join(["signal", member] + [str(value) for value in values]))
        if member == "SaveState":
            self.call("SubmitState", "(tuay)", values[0], values[1], b"kept over the bus")


def refusal(error):
    name = (Gio.DBusError.get_remote_error(error) or "?").removeprefix(NAME + ".Error.")
    return f"{name} {error.message.split(': ', 1)[-1]}"


def until_refused(call):
    count = 0
    try:
        while count < 100:
            call(count)
            count += 1
    except GLib.Error as error:
        return f"{count}, then {refusal(error)}"
    return f"{count}"


say(f"process {os.getpid()}")
end = time.monotonic() + 60
while True:
    try:
        client = Client()
        phase = client.call("Watch")[0]
        if phase:
            break
    except GLib.Error:
        # The shell may still be starting.
        pass
    if time.monotonic() > end:
        raise SystemExit("no shell")
    time.sleep(0.05)
say(f"phase {phase}")
task = client.call("BeginTask", "(s)", "Export")[0]
say(f"task {task}")
client.call("SetProgress", "(td)", task, 0.5)
state, kept = client.call("OfferState", "(s)", "main")
say(f"offered {state} '{bytes(kept).decode()}'")
client.refused("empty name", "BeginTask", "(s)", "")
client.refused("long name", "OfferState", "(s)", "n" * 300)
client.refused("progress", "SetProgress", "(td)", task, 2)
client.refused("not a number", "SetProgress", "(td)", task, float("nan"))
client.refused("unknown task", "EndTask", "(t)", 77)
client.refused("unknown state", "WithdrawState", "(t)", 77)
client.refused("again", "OfferState", "(s)", "main")
client.refused("too large", "SubmitState", "(tuay)", state, 1, b"x" * ((1 << 20) + 1))
client.call("SubmitState", "(tuay)", state, 99, b"nobody asked")
client.call("NoState", "(tu)", state, 99)
other = Client()
other.refused("another's task", "EndTask", "(t)", task)
say("tasks: " + until_refused(lambda number: other.call("BeginTask", "(s)", f"task {number}")))
say("states: " + until_refused(lambda number: other.call("OfferState", "(s)", f"state {number}")))
# What it has ends with its connection.
other.bus.close_sync(None)
say("ready")
GLib.MainLoop().run()
