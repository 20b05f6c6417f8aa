"""An app with a window that speaks to the session manager (org.gnome.SessionManager) as toolkits do.

    session.py SAID APPID [STEP...] [-- the options of window.py]

Each step is done in turn before the window opens: "restore" (the very call that GTK 4.22 makes as an app starts; it waits for
the answer), "fall" (ends with an error if the restored state is "bad", and the app is not told to start without), "inhibit FLAGS REASON", "register ANSWER" (to each question whether the session may end: "yes", "no REASON" or
"never"). SAID gets a line for each answer and signal. Commands through the FIFO of window.py: "draft TEXT" (the toolkit writes
its state), "leave" (ends as an app should), "uninhibit", "answer ANSWER" (from now on, and to a question that waits).
"""
import os
import sys
import threading
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

import window  # noqa: E402

NAME, PATH = "org.gnome.SessionManager", "/org/gnome/SessionManager"
CLIENT = NAME + ".ClientPrivate"


class Session:
    def __init__(self, said, app):
        self.said, self.app = open(said, "a", buffering=1), app
        self.instance = self.cookie = self.client = self.question = None
        self.answer = "yes"
        self.bus = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)

    def say(self, *words):
        self.said.write(" ".join(str(word) for word in words) + "\n")

    def call(self, method, signature, *arguments, path=PATH, interface=NAME):
        packed = GLib.Variant(signature, arguments)
        return self.bus.call_sync(NAME, path, interface, method, packed, None, Gio.DBusCallFlags.NONE, -1, None).unpack()

    def file(self, instance):
        return f"{os.environ['XDG_STATE_HOME']}/{self.app}#{instance}.state"

    def restore(self):
        began = time.monotonic()
        try:
            reason, self.instance, discarded = self.call("RegisterRestore", "(ss)", self.app, "")
        except GLib.Error as error:
            return self.say("no restore:", error.message)
        took = time.monotonic() - began
        try:
            with open(self.file(self.instance), encoding="utf-8") as file:
                state = file.read()
        except FileNotFoundError:
            state = "-"
        name = ["pristine", "launch", "recover", "restore"][reason]
        self.falls = name != "pristine" and state == "bad"
        self.say("restore", name, self.instance, state, "soon" if took < 0.5 else f"after {took} s")
        for old in discarded:
            if os.path.exists(self.file(old)):
                os.unlink(self.file(old))
        if discarded:
            self.call("DeletedInstanceIds", "(sas)", self.app, discarded)

    def do(self, step):
        name, _, rest = step.partition(" ")
        if name == "restore":
            self.restore()
        elif name == "fall":
            if self.falls:
                os._exit(3)
        elif name == "inhibit":
            flags, _, reason = rest.partition(" ")
            self.cookie = self.call("Inhibit", "(susu)", self.app, 0, reason, int(flags))[0]
            self.say("inhibitor", self.cookie)
        elif name == "uninhibit":
            self.call("Uninhibit", "(u)", self.cookie)
        elif name == "register":
            self.answer = rest
            self.bus.signal_subscribe(NAME, CLIENT, None, None, None, Gio.DBusSignalFlags.NONE, self.heard)
            self.client = self.call("RegisterClient", "(ss)", self.app, "")[0]
            self.say("client", self.client)
        elif name == "answer":
            self.answer = rest
            if self.question:
                self.reply()
        elif name == "draft":
            with open(self.file(self.instance), "w", encoding="utf-8") as file:
                file.write(rest)
            self.say("wrote", rest)
        else:
            return False
        return True

    def heard(self, bus, sender, path, interface, member, arguments):
        self.say("signal", member, *arguments.unpack())
        if member == "QueryEndSession":
            self.question = path
            self.reply()
        elif member == "EndSession":
            self.call("EndSessionResponse", "(bs)", True, "", path=path, interface=CLIENT)

    def reply(self):
        word, _, reason = self.answer.partition(" ")
        if word != "never":
            self.call("EndSessionResponse", "(bs)", word == "yes", reason, path=self.question, interface=CLIENT)


class App(window.App):
    def command(self, line):
        if line == "leave":
            session.call("UnregisterRestore", "(ss)", session.app, session.instance)
            self.quits = True
        elif not session.do(line):
            super().command(line)


if __name__ == "__main__":
    said, app, *rest = sys.argv[1:]
    cut = rest.index("--") if "--" in rest else len(rest)
    session = Session(said, app)
    for step in rest[:cut]:
        session.do(step)
    threading.Thread(target=GLib.MainLoop().run, daemon=True).start()
    window.App = App
    sys.argv[1:] = ["--app-id", app] + rest[cut + 1:]
    sys.exit(window.main())
