#!/usr/bin/env python3
"""A client with one or more windows of one colour, for tests: it logs every event it gets, and does what it is told.

    window.py [--app-id ID] [--title TEXT] [--colour RRGGBB] [--edge RRGGBB] [--minimum WxH] [--count N] [--bare]
              [--token TOKEN] [--hang-after N] [--sharp] [--animate] [--popup-on-press] [--log FILE] [--commands FIFO]

The log has one JSON object a line: {"t": seconds, "o": "wl_touch#9", "e": "down", "a": [...]}. Commands come as lines
through the FIFO: open TITLE, close, hang, answer, animate, still, token, token-own, token-unasked, activate TOKEN, popup,
title TEXT, minimum W H, unmap, map, fullscreen, quit, sync TEXT (writes TEXT into the log when everything that the shell sent has
arrived).
"""

import argparse
import json
import os
import select
import struct
import sys
import time

import rawclient


class Window:
    """An xdg_toplevel that fills whatever it is given."""

    # Of popups: how they are kept on the screen, and whether they stay when they are dismissed.
    adjustment = 0
    keeps_popups = False

    def __init__(self, app, title, token=None):
        self.app = app
        self.size = (0, 0)
        self.buffer = None
        self.configures = 0
        self.popups = []
        self.frame = None
        self.mapped = True
        self.surface = app.compositor.create_surface()
        self.xdg = app.shell.get_xdg_surface(self.surface)
        self.toplevel = self.xdg.get_toplevel()
        self.toplevel.on("configure", self.told)
        self.toplevel.on("close", self.asked)
        self.xdg.on("configure", self.configure)
        self.toplevel.set_app_id(app.options.app_id)
        self.toplevel.set_title(title)
        self.decoration = app.decorations.get_toplevel_decoration(self.toplevel) if app.decorations else None
        if app.options.minimum:
            self.toplevel.set_min_size(*app.options.minimum)
        if token:
            app.activate(token, self.surface)
        self.surface.commit()
        self.wanted = (0, 0)

    def told(self, width, height, states):
        self.wanted = (width, height)

    def configure(self, serial):
        if not self.mapped:
            return
        self.configures += 1
        most = self.app.options.hang_after
        if self.app.hangs or (most is not None and self.configures > most):
            return
        self.xdg.ack_configure(serial)
        least = self.app.options.minimum or (1, 1)
        width = max(self.wanted[0] or 400, least[0])
        height = max(self.wanted[1] or 300, least[1])
        self.draw(width, height)

    def draw(self, width, height):
        if (width, height) != self.size or self.buffer is None:
            self.size = (width, height)
            self.buffer = self.app.buffer(width, height)
            self.surface.set_buffer_scale(self.app.scale)
            self.surface.attach(self.buffer, 0, 0)
            self.surface.damage_buffer(0, 0, width * self.app.scale, height * self.app.scale)
        if self.app.animates and self.frame is None:
            self.request_frame()
        self.surface.commit()

    def request_frame(self):
        self.frame = self.surface.frame().on("done", self.next_frame)

    def next_frame(self, _):
        self.frame = None
        self.app.log("client", "frame", [])
        if self.app.animates and self.mapped:
            self.request_frame()
            self.surface.attach(self.buffer, 0, 0)
            self.surface.damage_buffer(0, 0, 8, 8)
            self.surface.commit()

    def open_popup(self, serial, x=20, y=20, width=160, height=120):
        positioner = self.app.shell.create_positioner()
        positioner.set_size(width, height)
        positioner.set_anchor_rect(x, y, 1, 1)
        positioner.set_anchor(8)
        positioner.set_gravity(8)
        if self.adjustment:
            positioner.set_constraint_adjustment(self.adjustment)
        surface = self.app.compositor.create_surface()
        xdg = self.app.shell.get_xdg_surface(surface)
        popup = xdg.get_popup(self.xdg, positioner)
        if serial is not None:
            popup.grab(self.app.seat, serial)
        entry = (surface, xdg, popup)

        def configure(number):
            xdg.ack_configure(number)
            surface.attach(self.app.painter.buffer(width, height, 0xffffff, 0x000000), 0, 0)
            surface.damage_buffer(0, 0, width, height)
            surface.commit()

        def done():
            # wlroots 0.15 says it again when the popup is destroyed in answer.
            if entry in self.popups and not self.keeps_popups:
                self.close_popup(entry)

        xdg.on("configure", configure)
        popup.on("popup_done", done)
        surface.commit()
        self.popups.append(entry)

    def close_popup(self, entry):
        self.popups.remove(entry)
        for part in reversed(entry):
            part.destroy()

    def unmap(self):
        self.mapped = False
        self.frame = None
        self.surface.attach(None, 0, 0)
        self.surface.commit()

    def map(self):
        self.mapped = True
        self.buffer = None
        self.surface.commit()

    def asked(self):
        if not self.app.options.stays:
            self.close()

    def close(self):
        for entry in list(reversed(self.popups)):
            self.close_popup(entry)
        if self.decoration:
            self.decoration.destroy()
        self.toplevel.destroy()
        self.xdg.destroy()
        self.surface.destroy()
        self.app.windows.remove(self)
        if not self.app.windows:
            self.app.quits = True


class App:
    def __init__(self, options):
        self.options = options
        self.out = open(options.log, "a", buffering=1) if options.log else None
        self.hangs = False
        self.animates = options.animate
        self.quits = False
        self.windows = []
        self.buffers = {}
        self.press = None
        self.connection = c = rawclient.Connection(seen=self.seen)
        self.compositor = c.bind("wl_compositor")
        self.shell = c.bind("xdg_wm_base")
        self.shell.on("ping", lambda serial: None if self.hangs else self.shell.pong(serial))
        self.decorations = c.bind("zxdg_decoration_manager_v1") if getattr(self.options, "bare", False) else None
        self.painter = rawclient.Painter(c)
        self.seat = c.bind("wl_seat").on("capabilities", self.capabilities)
        self.scale = 1
        output = c.bind("wl_output")
        if options.sharp:
            output.on("scale", self.rescale)
        self.activation = c.bind("xdg_activation_v1") if "xdg_activation_v1" in c.globals else None
        self.devices = {}
        c.roundtrip()
        for number in range(options.count):
            title = options.title if options.count == 1 else f"{options.title} {number + 1}"
            self.windows.append(Window(self, title, options.token if number == 0 else None))

    def buffer(self, width, height):
        """One for all windows of a size: five hundred of them would fill the memory."""
        size = (width * self.scale, height * self.scale)
        if size not in self.buffers:
            if len(self.buffers) > 64:
                self.buffers.clear()
            self.buffers[size] = self.painter.buffer(*size, self.options.colour, self.options.edge)
        return self.buffers[size]

    def rescale(self, factor):
        self.scale = factor
        for window in self.windows:
            if window.buffer:
                window.buffer = None
                window.draw(*window.size)

    def capabilities(self, bits):
        for bit, name in ((1, "pointer"), (2, "keyboard"), (4, "touch")):
            if bits & bit and name not in self.devices:
                device = self.devices[name] = getattr(self.seat, f"get_{name}")()
                if name == "touch":
                    device.on("down", lambda serial, *rest: self.pressed(serial))
                if name == "pointer":
                    device.on("button", lambda serial, t, button, state: state and self.pressed(serial))
                if name == "keyboard":
                    device.on("key", lambda serial, t, key, state: state and self.pressed(serial, False))

    def pressed(self, serial, opens=True):
        self.press = serial
        if opens and self.options.popup_on_press and self.windows and not self.windows[0].popups:
            self.windows[0].open_popup(serial)

    def activate(self, token, surface):
        self.activation.activate(token, surface)

    def ask_token(self, serial):
        token = self.activation.get_activation_token()
        if serial is not None:
            token.set_serial(serial, self.seat)
        token.set_surface(self.windows[0].surface)
        token.on("done", lambda text: self.log("client", "token", [text]))
        token.commit()

    # ---- what happened ----

    def log(self, source, event, arguments):
        if self.out:
            self.out.write(json.dumps({"t": time.monotonic(), "o": source, "e": event, "a": arguments}) + "\n")

    def seen(self, target, event, arguments):
        def plain(value):
            if isinstance(value, bytes):
                if target.interface.name == "xdg_toplevel" and len(value) % 4 == 0:
                    return list(struct.unpack(f"={len(value) // 4}I", value))
                return value.hex()
            return value if isinstance(value, (int, float, str)) or value is None else repr(value)

        if self.out and event != "global" and event != "delete_id":
            self.log(repr(target), event, [plain(a) for a in arguments])

    # ---- what it is told ----

    def command(self, line):
        words = line.split()
        if not words:
            return
        name, rest = words[0], words[1:]
        window = self.windows[0] if self.windows else None
        if name == "open":
            self.windows.append(Window(self, " ".join(rest) or "another", None))
        elif name == "close":
            window.close()
        elif name == "hang":
            self.hangs = True
        elif name == "answer":
            self.hangs = False
        elif name == "animate":
            self.animates = True
            for each in self.windows:
                each.draw(*each.size)
        elif name == "still":
            self.animates = False
        elif name == "token":
            self.ask_token(self.press)
        elif name == "token-zero":
            self.ask_token(0)
        elif name == "token-own":
            # That of its own launch, which its first window has used.
            self.log("client", "token", [self.options.token])
        elif name == "token-unasked":
            self.ask_token(None)
        elif name == "activate":
            self.activate(rest[0], self.windows[-1].surface)
        elif name == "popup":
            window.open_popup(self.press if "grab" in rest else None)
        elif name == "title":
            window.toplevel.set_title(" ".join(rest))
        elif name == "minimum":
            self.options.minimum = (int(rest[0]), int(rest[1]))
            window.toplevel.set_min_size(*self.options.minimum)
            window.surface.commit()
        elif name == "unmap":
            window.unmap()
        elif name == "map":
            window.map()
        elif name == "fullscreen":
            window.toplevel.set_fullscreen(None)
        elif name == "sync":
            self.connection.roundtrip()
            self.log("client", "synced", rest)
        elif name == "quit":
            self.quits = True
        else:
            self.log("client", "unknown command", words)

    def run(self):
        fifo = os.open(self.options.commands, os.O_RDWR | os.O_NONBLOCK) if self.options.commands else None
        pending = b""
        while not self.quits:
            self.connection.flush()
            wait = [self.connection.socket] + ([fifo] if fifo is not None else [])
            ready, _, _ = select.select(wait, [], [])
            if self.connection.socket in ready:
                self.connection.dispatch(0)
            if fifo in ready:
                pending += os.read(fifo, 4096)
                *lines, pending = pending.split(b"\n")
                for line in lines:
                    self.command(line.decode())
        self.connection.flush()


def run(make, options):
    """Runs an app to its end. Returns the status of its process."""
    try:
        make(options).run()
    except rawclient.Disconnected as error:
        print(f"disconnected: {error}", file=sys.stderr)
        return 1
    return 0


def size(text):
    return tuple(int(n) for n in text.split("x"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--app-id", default="test.window")
    parser.add_argument("--title", default="window")
    parser.add_argument("--colour", type=lambda t: int(t, 16), default=0x3366cc)
    parser.add_argument("--edge", type=lambda t: int(t, 16), default=0xffcc00)
    parser.add_argument("--minimum", type=size)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--bare", action="store_true", help="let the shell draw title bars")
    parser.add_argument("--token")
    parser.add_argument("--hang-after", type=int)
    parser.add_argument("--sharp", action="store_true", help="draw in the output's scale")
    parser.add_argument("--crisp", action="store_true", help="(lively.py) draw stripes in the fractional scale")
    parser.add_argument("--animate", action="store_true")
    parser.add_argument("--popup-on-press", action="store_true")
    parser.add_argument("--stays", action="store_true", help="a window that is asked to close stays")
    parser.add_argument("--log")
    parser.add_argument("--commands")
    options = parser.parse_args()
    if options.token is None:
        options.token = os.environ.get("XDG_ACTIVATION_TOKEN")
    return run(App, options)


if __name__ == "__main__":
    sys.exit(main())
