#!/usr/bin/python3
"""State, a task and the phase of an app over the session bus (org.mullion.Life1), in Python without a toolkit.

    life.py [SECONDS]

Counts seconds, as a background task of so many (60 if left out), and goes on where it was when it is started again, also after
kill -9. Run it in a terminal: the terminal is the app that stays awake. Needs the GLib bindings for Python (python3-gi).
"""
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH = "org.mullion.Life1", "/org/mullion/Life1"


class Counter:
    def __init__(self, seconds):
        self.seconds = seconds
        self.loop = GLib.MainLoop()
        # State and tasks belong to this connection, so it stays.
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.bus.signal_subscribe(NAME, NAME, None, PATH, None, Gio.DBusSignalFlags.NONE, self.heard)
        self.state, kept = self.call("OfferState", "(s)", "counter")
        self.count = int(bytes(kept) or b"0")
        print("begins at", self.count, flush=True)
        print("phase", self.call("Watch")[0], flush=True)
        self.task, self.tries = None, 0
        if self.begin_task():
            GLib.timeout_add(250, self.begin_task)
        GLib.timeout_add(1000, self.step)

    def begin_task(self):
        """Returns whether to try again."""
        try:
            self.task = self.call("BeginTask", "(s)", f"Counting to {self.seconds}")[0]
        except GLib.Error as error:
            self.tries += 1
            # The window of a terminal that has just started comes later than what runs in it.
            if Gio.DBusError.get_remote_error(error) == f"{NAME}.Error.NoApp" and self.tries < 20:
                return True
            # Outside an app with a window it counts all the same.
            print(error.message, file=sys.stderr)
        return False

    def call(self, method, signature=None, *arguments):
        packed = GLib.Variant(signature, arguments) if signature else None
        return self.bus.call_sync(NAME, PATH, NAME, method, packed, None, Gio.DBusCallFlags.NONE, -1, None).unpack()

    def heard(self, bus, sender, path, interface, member, arguments):
        values = arguments.unpack()
        if member == "SaveState":
            self.call("SubmitState", "(tuay)", *values, str(self.count).encode())
        elif member == "TaskExpired":
            self.task = None
        else:
            print(member, *values, flush=True)

    def step(self):
        self.count += 1
        # The shell asks for it about a second later.
        self.call("StateChanged", "(t)", self.state)
        if self.task:
            self.call("SetProgress", "(td)", self.task, min(1, self.count / self.seconds))
        if self.count < self.seconds:
            return True
        print("done", flush=True)
        if self.task:
            self.call("EndTask", "(t)", self.task)
        self.loop.quit()
        return False


try:
    Counter(int(sys.argv[1]) if len(sys.argv) > 1 else 60).loop.run()
except GLib.Error as error:
    sys.exit(f"no shell answers on the session bus: {error.message}")
