"""What the small clients here begin and end with: a connection, something to paint with, a window, and the answer to
whether the shell ended it. Each prints one JSON object on its last line."""

import json
import os
import sys
import time

import rawclient


class Session:
    """A connection and the globals that every client with a surface wants. `seen`: as for rawclient.Connection."""

    def __init__(self, seen=None, windows=True):
        self.c = rawclient.Connection(seen=seen)
        self.compositor = self.c.bind("wl_compositor")
        self.painter = rawclient.Painter(self.c)
        if windows:
            self.shell = self.c.bind("xdg_wm_base")
            self.shell.on("ping", lambda serial: self.shell.pong(serial))

    def xdg(self):
        surface = self.compositor.create_surface()
        return surface, self.shell.get_xdg_surface(surface)

    def paint(self, surface, width, height, colour=0x557755, edge=0x335533):
        surface.attach(self.painter.buffer(width, height, colour, edge), 0, 0)
        surface.damage(0, 0, width, height)
        surface.commit()

    def toplevel(self, title="window", app_id="test.script", parent=None, mapped=True, size=(400, 300)):
        """A window that keeps its size; `mapped`: its first commit is made, too."""
        surface, xdg = self.xdg()
        toplevel = xdg.get_toplevel()
        toplevel.set_title(title)
        toplevel.set_app_id(app_id)
        if parent:
            toplevel.set_parent(parent)

        def configure(serial):
            xdg.ack_configure(serial)
            self.paint(surface, *size)
        xdg.on("configure", configure)
        if mapped:
            surface.commit()
        self.c.roundtrip()
        return surface, xdg, toplevel

    def until(self, what, seconds=20):
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                raise TimeoutError
            self.c.dispatch(0.1)


def attempt(connection):
    """Whether the shell ended the connection, and by which error."""
    try:
        connection.roundtrip()
        return {"ended": False}
    except rawclient.Disconnected:
        return {"ended": True, "error": list(connection.error or ())}


def follow(connection, commands, over=lambda: False):
    """The words of each line that comes through the fifo `commands`, while the connection is served, until it is over."""
    fifo = os.fdopen(os.open(commands, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0)
    waiting = b""
    while not over():
        connection.dispatch(0.02)
        waiting += fifo.read() or b""
        while b"\n" in waiting:
            line, waiting = waiting.split(b"\n", 1)
            yield line.decode().split()


def abuse(ways, begin, name):
    """Breaks the protocol in the way of that name, `ways` being functions of what `begin` makes."""
    known = {way.__name__.replace("_", "-"): way for way in ways}
    if name == "--list":
        return {"ways": list(known)}
    made = begin()
    try:
        known[name](made)
    except rawclient.Disconnected:
        return {"ended": True, "error": list(made.c.error or ())}
    return attempt(made.c)


def answer(value):
    print(json.dumps(value))
    sys.exit(0)
