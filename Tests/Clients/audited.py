#!/usr/bin/env python3
"""An app for `mullion audit`: without options it keeps the rules; each option breaks one of them.

    audited.py [--breaks WAY[,WAY...]]

Ways before there is a window: ends, root, crashes, none, forks, floods.
Ways of its windows: small, smaller, fixed, silent, mute, sulks, closes, protocol, unasked, dialog, stays, hangs, trap, crash, blurred, differs,
deaf, outside, open, over, untitled, orphan, locked, busy, notifies, alarms, lost, aborts (half a second after its start), dies (once, in its
third second), pours (20 windows a second), blinks (windows that close again).
It moves: animates (as it should), draws (out of sight, too), stuck (not after it was hidden).
It plays, by a player on the session bus: plays (as it should), roleless (and without a player), game, deafplayer (hears no commands),
restarts (after a pause), eager (begins at the key for Play).
At the end: lingers (a process of its own session that ignores SIGTERM).

With WAYLAND_DEBUG it prints what it says and hears as libwayland does.
"""

import argparse
import os
import signal
import struct
import subprocess
import sys
import time

import rawclient
import window

KEY_ESC, KEY_CTRL, KEY_O = 1, 29, 24


class Connection(rawclient.Connection):
    """Prints requests and events as libwayland does."""

    def request(self, target, request, arguments):
        if os.environ.get("WAYLAND_DEBUG"):
            print(f"[{time.monotonic() * 1000 % 1e7:10.3f}]  -> {target.interface.name}@{target.number}.{request.name}("
                  f"{', '.join(str(a) for a in arguments)})", file=sys.stderr, flush=True)
        return super().request(target, request, arguments)


def seen(target, event, arguments):
    if os.environ.get("WAYLAND_DEBUG") and event != "global":
        print(f"[{time.monotonic() * 1000 % 1e7:10.3f}] {target.interface.name}@{target.number}.{event}("
              f"{', '.join(str(a) for a in arguments)})", file=sys.stderr, flush=True)


class Window(window.Window):
    """One of the app's windows. A dialog has a fixed size and a parent."""

    def __init__(self, app, title, parent=None):
        self.parent = parent
        self.resized = 0
        self.sulking = self.hid = False
        self.adjustment = 0 if app.has("outside") else 1 | 2 | 4 | 8
        self.keeps_popups = app.has("open")
        super().__init__(app, title)
        if parent and not app.has("orphan"):
            self.toplevel.set_parent(parent.toplevel)
        if parent:
            self.toplevel.set_min_size(320, 200)
            self.toplevel.set_max_size(320, 200)
            self.surface.commit()

    def told(self, width, height, states):
        super().told(width, height, states)
        self.states = states
        self.hid = self.hid or (self.resized > 0 and not self.app.active(states))

    def configure(self, serial):
        app, (width, height) = self.app, self.wanted
        small = 0 < width < 500
        if app.has("sulks") and self.resized and not app.active(self.states):
            self.sulking = True
        if self.sulking or app.has("mute") and self.resized > 2:
            return
        if small and app.has("closes"):
            app.quits = True
            return
        if small and app.has("silent"):
            return
        if small and app.has("protocol"):
            # Of a configure that never was.
            self.xdg.ack_configure(serial + 1000)
            return
        self.xdg.ack_configure(serial)
        if self.parent:
            return self.draw(320, 200)
        if app.has("fixed"):
            return self.draw(900, 600)
        least = (700, 500) if app.has("small") or app.has("smaller") else (1, 1)
        self.draw(max(width or 400, least[0]), max(height or 300, least[1]))

    def draw(self, width, height):
        if (width, height) != self.size:
            self.resized += 1
            if self.app.has("differs"):
                self.app.options.colour = 0x102030 * (self.resized % 7 + 1)
                self.app.buffers.clear()
        super().draw(width, height)

    def close_popups(self):
        for entry in list(reversed(self.popups)):
            self.close_popup(entry)

    def asked(self):
        app = self.app
        if app.has("crash"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.parent and app.has("locked"):
            return
        if app.has("hangs"):
            app.hangs = True
            return
        if app.has("trap"):
            if not self.parent and len(app.windows) < 2:
                app.windows.append(Window(app, "Really?", self))
            return
        if not app.has("stays") or self.parent:
            self.close()


class App(window.App):
    def __init__(self, options):
        self.ways = set(options.breaks.split(",")) if options.breaks else set()
        self.held = set()
        self.touched = None
        animates = self.has("animates") or self.has("stuck")
        for name, value in {"log": None, "animate": animates, "colour": 0x3366cc, "edge": 0xffcc00, "sharp": not self.has("blurred"),
                            "count": 0, "token": None, "minimum": (700, 500) if self.has("small") else None, "hang_after": None,
                            "popup_on_press": False, "stays": False, "commands": None, "title": "audited"}.items():
            setattr(options, name, value)
        plain, rawclient.Connection = rawclient.Connection, lambda seen=None: Connection(seen=globals()["seen"])
        try:
            super().__init__(options)
        finally:
            rawclient.Connection = plain
        self.windows.append(Window(self, "audited"))
        self.began = time.monotonic()
        self.poured = 0.0

    def has(self, way):
        return way in self.ways

    @staticmethod
    def active(states):
        numbers = struct.unpack(f"={len(states) // 4}I", bytes(states))
        return 4 in numbers

    def capabilities(self, bits):
        if self.has("deaf"):
            bits &= 2
        for bit, name in ((1, "pointer"), (2, "keyboard"), (4, "touch")):
            if bits & bit and name not in self.devices:
                device = self.devices[name] = getattr(self.seat, f"get_{name}")()
                if name == "touch":
                    device.on("down", self.down)
                    device.on("up", self.up)
                if name == "keyboard":
                    device.on("key", self.key)

    def down(self, serial, when, surface, touch, x, y):
        main = self.windows[0] if self.windows else None
        if main and main.popups and not self.has("open") and surface is main.surface:
            main.close_popups()
            return
        self.touched = (serial, time.monotonic(), int(x), int(y), surface)

    def up(self, serial, when, touch):
        if not self.touched:
            return
        pressed, at, x, y, surface = self.touched
        self.touched = None
        main = self.windows[0] if self.windows else None
        if main and surface is main.surface and time.monotonic() - at > 0.5 and not main.popups:
            main.open_popup(serial, x, y)

    def key(self, serial, when, code, state):
        (self.held.add if state else self.held.discard)(code)
        if state and code == KEY_O and KEY_CTRL in self.held and len(self.windows) == 1:
            if not self.has("over"):
                self.windows[0].close_popups()
            self.windows.append(Window(self, "" if self.has("untitled") else "Open", self.windows[0]))
        if state and code == KEY_ESC and len(self.windows) == 1:
            self.windows[0].close_popups()
        if state and code == KEY_ESC and len(self.windows) > 1 and not self.has("locked") and not self.has("trap"):
            self.windows[-1].close()

    def run(self):
        opened = notified = False
        while not self.quits:
            self.connection.flush()
            quick = self.has("pours") or self.has("blinks")
            self.connection.dispatch(0 if self.has("busy") else 0.03 if self.has("draws") else 0.05 if quick else 0.1)
            if self.has("draws") and self.windows and self.windows[0].buffer:
                main = self.windows[0]
                main.surface.attach(main.buffer, 0, 0)
                main.surface.damage_buffer(0, 0, 8, 8)
                main.surface.commit()
            if self.has("stuck") and self.animates and self.windows and self.windows[0].resized and self.windows[0].hid:
                self.animates = False
            if self.has("busy"):
                until = time.monotonic() + 0.05
                while time.monotonic() < until:
                    pass
            age = time.monotonic() - self.began
            if self.has("aborts") and age > 0.5:
                os.abort()
            if self.has("dies") and age > 3 and not os.path.exists(mark := os.path.join(os.environ["HOME"], "audited-died")):
                open(mark, "w").close()
                os.kill(os.getpid(), signal.SIGSEGV)
            # Windows that close again are there for longer than the audit needs to see one.
            pause = 0.25 if self.has("blinks") else 0.05
            if quick and age > 0.5 and len(self.windows) < 400 and age - self.poured >= pause:
                self.poured = age
                if self.has("blinks") and len(self.windows) > 1:
                    self.windows[-1].close()
                self.windows.append(Window(self, "More"))
            if age > 1 and not opened and self.windows:
                opened = True
                if self.has("unasked"):
                    self.windows.append(Window(self, "News"))
                if self.has("dialog"):
                    self.windows.append(Window(self, "Tip", self.windows[0]))
            if age > 0.5 and not notified and (self.has("notifies") or self.has("alarms")):
                notified = True
                subprocess.Popen(["gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
                                  "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "audited", "0", "",
                                  "News", "Nothing new", "[]", "{'urgency': <byte 2>}" if self.has("alarms") else "{}", "0"], stdout=subprocess.DEVNULL)
        self.connection.flush()


def play(ways):
    """A player on the session bus (MPRIS), whose sound comes from pw-cat."""
    import wave

    import gi

    gi.require_version("Gio", "2.0")
    from gi.repository import Gio, GLib  # noqa: E402

    file = os.path.join(os.environ["HOME"], "tone.wav")
    with wave.open(file, "wb") as tone:
        tone.setparams((1, 2, 8000, 0, "NONE", ""))
        tone.writeframes(b"".join((b"\0\4" if i // 10 % 2 else b"\0\xfc") for i in range(8000)) * 120)
    name, root, sounding = "org.mpris.MediaPlayer2.audited", "org.mpris.MediaPlayer2", []
    role = ["--media-role", "Other" if "roleless" in ways else "Game" if "game" in ways else "Music"]

    def status():
        return GLib.Variant("s", "Playing" if sounding else "Paused")

    def change(plays):
        if plays == bool(sounding):
            return
        if plays:
            sounding.append(subprocess.Popen(["pw-cat", "-p", *role, file], stdout=subprocess.DEVNULL))
        else:
            sounding[0].kill()
            sounding.pop().wait()
        bus.emit_signal(None, "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties", "PropertiesChanged",
                        GLib.Variant("(sa{sv}as)", (root + ".Player", {"PlaybackStatus": status()}, [])))

    def called(connection, sender, path, interface, method, arguments, call):
        call.return_value(None)
        if method in ("Play", "Pause", "Stop", "PlayPause"):
            change(method == "Play" or method == "PlayPause" and not sounding)
            if "restarts" in ways and not sounding:
                GLib.timeout_add(1200, lambda: change(True))

    values = {"Identity": lambda: GLib.Variant("s", "Audited"), "PlaybackStatus": status, "Metadata": lambda: GLib.Variant("a{sv}", {})}
    for can in ("Play", "Pause", "Control"):
        values["Can" + can] = lambda: GLib.Variant("b", True)
    node = Gio.DBusNodeInfo.new_for_xml(
        f'<node><interface name="{root}"><property name="Identity" type="s" access="read"/></interface><interface name="{root}.Player">'
        + "".join(f'<method name="{each}"/>' for each in ("Play", "Pause", "Stop", "PlayPause"))
        + "".join(f'<property name="{each}" type="{values[each]().get_type_string()}" access="read"/>' for each in values if each != "Identity")
        + "</interface></node>")
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    if not ways & {"deafplayer", "roleless"}:
        for interface in node.interfaces:
            bus.register_object("/org/mpris/MediaPlayer2", interface, called, lambda *call: values[call[4]](), None)
        Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, None, None)
    if "eager" not in ways:
        GLib.timeout_add(700, lambda: change(True))
    signal.signal(signal.SIGTERM, lambda *_: (change(False), os._exit(0)))
    # Its own end comes with that of the app.
    parent = os.getppid()
    GLib.timeout_add(300, lambda: os.getppid() == parent or (change(False), os._exit(0)))
    GLib.MainLoop().run()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--breaks", default="")
    parser.add_argument("--app-id", default="test.audited")
    parser.add_argument("--player", action="store_true", help="only the part that plays")
    options = parser.parse_args()
    ways = set(options.breaks.split(","))
    if options.player:
        return play(ways)
    if "ends" in ways:
        print("audited: there is no display for me", file=sys.stderr)
        return 3
    if "root" in ways:
        print("audited: must be run as another user", file=sys.stderr)
        return 1
    if "crashes" in ways:
        os.kill(os.getpid(), signal.SIGABRT)
    if "none" in ways:
        time.sleep(600)
    if "lost" in ways:
        # It starts only once in a home.
        mark = os.path.join(os.environ["HOME"], "audited-ran")
        if os.path.exists(mark):
            return 4
        open(mark, "w").close()
    if "floods" in ways:
        line = b"x" * 65535 + b"\n"
        while True:
            os.write(2, line)
    if "lingers" in ways and os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                signal.signal(number, signal.SIG_IGN)
            # By this name a test looks for it.
            open(os.path.join("/proc/self/comm"), "w").write("audit-lingers")
            time.sleep(600)
        os._exit(0)
    if "forks" in ways and os.fork():
        return 0
    if ways & {"plays", "roleless", "game", "deafplayer", "restarts", "eager"}:
        subprocess.Popen([sys.executable, os.path.abspath(__file__), "--player", "--breaks", options.breaks])
    return window.run(App, options)


if __name__ == "__main__":
    sys.exit(main())
