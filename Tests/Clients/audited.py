#!/usr/bin/env python3
"""An app for `mullion audit`: without options it keeps the rules; each option breaks one of them.

    audited.py [--breaks WAY[,WAY...]]

Ways before there is a window: ends, root, crashes, none, forks, floods.
Ways of its windows: small, smaller, fixed, silent, closes, protocol, unasked, dialog, stays, trap, crash, blurred, differs, deaf,
outside, open, untitled, orphan, locked, busy, notifies, lost.
At the end: lingers (a process of its own session that ignores SIGTERM).

With WAYLAND_DEBUG it prints what it says and hears as libwayland does.
"""

import argparse
import os
import signal
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
        super().__init__(app, title)
        if parent and not app.has("orphan"):
            self.toplevel.set_parent(parent.toplevel)
        if parent:
            self.toplevel.set_min_size(320, 200)
            self.toplevel.set_max_size(320, 200)
            self.surface.commit()

    def configure(self, serial):
        app, (width, height) = self.app, self.wanted
        small = 0 < width < 500
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
                self.app.options.colour = 0x3366cc if self.resized % 2 else 0xcc6633
                self.app.buffers.clear()
        super().draw(width, height)

    def asked(self):
        app = self.app
        if app.has("crash"):
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.parent and app.has("locked"):
            return
        if app.has("trap"):
            if not self.parent and len(app.windows) < 2:
                app.windows.append(Window(app, "Really?", self))
            return
        if not app.has("stays") or self.parent:
            self.close()

    def open_popup(self, serial, x=20, y=20, width=160, height=120):
        positioner = self.app.shell.create_positioner()
        positioner.set_size(width, height)
        positioner.set_anchor_rect(x, y, 1, 1)
        positioner.set_anchor(8)
        positioner.set_gravity(8)
        if not self.app.has("outside"):
            positioner.set_constraint_adjustment(1 | 2 | 4 | 8)
        surface = self.app.compositor.create_surface()
        xdg = self.app.shell.get_xdg_surface(surface)
        popup = xdg.get_popup(self.xdg, positioner)
        popup.grab(self.app.seat, serial)
        entry = (surface, xdg, popup)

        def configure(number):
            xdg.ack_configure(number)
            surface.attach(self.app.painter.buffer(width, height, 0xffffff, 0x000000), 0, 0)
            surface.damage_buffer(0, 0, width, height)
            surface.commit()

        def done():
            if entry in self.popups and not self.app.has("open"):
                self.popups.remove(entry)
                popup.destroy()
                xdg.destroy()
                surface.destroy()

        xdg.on("configure", configure)
        popup.on("popup_done", done)
        surface.commit()
        self.popups.append(entry)


class App(window.App):
    def __init__(self, options):
        self.ways = set(options.breaks.split(",")) if options.breaks else set()
        self.held = set()
        self.touched = None
        for name, value in {"log": None, "animate": False, "colour": 0x3366cc, "edge": 0xffcc00, "sharp": not self.has("blurred"),
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

    def has(self, way):
        return way in self.ways

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
            for each in list(main.popups):
                main.popups.remove(each)
                for part in reversed(each):
                    part.destroy()
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
            self.windows.append(Window(self, "" if self.has("untitled") else "Open", self.windows[0]))
        if state and code == KEY_ESC and len(self.windows) > 1 and not self.has("locked") and not self.has("trap"):
            self.windows[-1].close()

    def run(self):
        opened = notified = False
        while not self.quits:
            self.connection.flush()
            self.connection.dispatch(0 if self.has("busy") else 0.1)
            if self.has("busy"):
                until = time.monotonic() + 0.05
                while time.monotonic() < until:
                    pass
            age = time.monotonic() - self.began
            if age > 1 and not opened and self.windows:
                opened = True
                if self.has("unasked"):
                    self.windows.append(Window(self, "News"))
                if self.has("dialog"):
                    self.windows.append(Window(self, "Tip", self.windows[0]))
            if age > 0.5 and not notified and self.has("notifies"):
                notified = True
                subprocess.Popen(["gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications", "--object-path",
                                  "/org/freedesktop/Notifications", "--method", "org.freedesktop.Notifications.Notify", "audited", "0", "",
                                  "News", "Nothing new", "[]", "{}", "0"], stdout=subprocess.DEVNULL)
        self.connection.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--breaks", default="")
    parser.add_argument("--app-id", default="test.audited")
    options = parser.parse_args()
    ways = set(options.breaks.split(","))
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
    try:
        App(options).run()
    except rawclient.Disconnected as error:
        print(f"disconnected: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
