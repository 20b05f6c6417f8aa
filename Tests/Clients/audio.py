"""Audio sessions of a running shell, over the session bus: two apps, of which the second interrupts the first.

Run twice at once with /usr/bin/python3, whose GLib bindings are those of the distribution: with "prompt" as the second
app, without as the first, which prints {"steps": {...}}. Neither may have started the other: they would be one app.
"""
import json
import os
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, ROOT = "org.mullion.AudioSession1", "/org/mullion/AudioSession1"
context = GLib.MainContext.default()
steps = {}


class App:
    def __init__(self):
        self.heard = []
        end = time.monotonic() + 60
        while True:
            try:
                self.bus = Gio.DBusConnection.new_for_address_sync(
                    os.environ["DBUS_SESSION_BUS_ADDRESS"],
                    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
                self.path = self.call(ROOT, "Manager", "CreateSession")[0]
                break
            except GLib.Error:
                # The shell may still be starting.
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
        self.bus.signal_subscribe(
            NAME, None, None, self.path, None, Gio.DBusSignalFlags.NONE,
            lambda c, s, p, i, member, arguments: self.heard.append([member] + list(arguments.unpack())))

    def call(self, path, interface, method, signature=None, *arguments):
        packed = GLib.Variant(signature, arguments) if signature else None
        return self.bus.call_sync(
            NAME, path, NAME + "." + interface, method, packed, None, Gio.DBusCallFlags.NONE, 20000, None).unpack()

    def session(self, method, signature=None, *arguments):
        try:
            self.call(self.path, "Session", method, signature, *arguments)
            return "done"
        except GLib.Error as error:
            return Gio.DBusError.get_remote_error(error)

    def state(self):
        answer = self.bus.call_sync(
            NAME, self.path, "org.freedesktop.DBus.Properties", "Get",
            GLib.Variant("(ss)", (NAME + ".Session", "State")), None, Gio.DBusCallFlags.NONE, 20000, None)
        return answer.unpack()[0]

    def hears(self, member):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            context.iteration(False)
            for signal in self.heard:
                if signal[0] == member:
                    return signal[1:]
            time.sleep(0.005)
        return None


def wait_for(name):
    end = time.monotonic() + 60
    while not os.path.exists(place + name):
        if time.monotonic() > end:
            sys.exit("nothing happens: " + name)
        time.sleep(0.02)


def done(name):
    open(place + name, "w").close()


place = os.environ["XDG_RUNTIME_DIR"] + "/audio-"
if sys.argv[1:] == ["prompt"]:
    wait_for("playing")
    prompt = App()
    prompt.session("SetCategory", "(ssas)", "playback", "voicePrompt", ["interruptSpokenAudioAndMix"])
    prompt.session("Activate")
    wait_for("interrupted")
    prompt.session("Deactivate", "(b)", True)
    sys.exit(0)

podcast = App()
steps["refused"] = podcast.session("SetCategory", "(ssas)", "ambient", "", ["mixWithOthers", "defaultToSpeaker"])
steps["category"] = podcast.session("SetCategory", "(ssas)", "playback", "spokenAudio", [])
podcast.session("SetNowPlaying", "(a{sv})", {"title": GLib.Variant("s", "Episode"), "status": GLib.Variant("s", "playing")})
steps["activated"] = podcast.session("Activate")
steps["state"] = podcast.state()
done("playing")
steps["began"] = podcast.hears("InterruptionBegan")
steps["interrupted"] = podcast.state()
done("interrupted")
steps["ended"] = podcast.hears("InterruptionEnded")
steps["closed"] = podcast.session("Close")
print(json.dumps({"steps": steps}))
