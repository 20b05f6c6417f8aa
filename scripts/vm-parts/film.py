#!/usr/bin/env python3
"""A film that fills the screen, in memory of the display itself (dumb buffers, passed on by linux-dmabuf).

    film.py LOG [FRAMES]

Each frame has a colour of its own and a bar that moves; after the last one it stands still in GREEN. The log gets a line
for everything that happens: size, released, presented FLAGS, still."""

import fcntl
import mmap
import os
import struct
import sys

import rawclient

CREATE_DUMB, MAP_DUMB, HANDLE_TO_FD = 0xC02064B2, 0xC01064B3, 0xC00C642D
XRGB8888 = 0x34325258
GREEN = 0x20A060


class Frame:
    """A buffer of the screen's size."""

    def __init__(self, film, width, height):
        card = film.card
        asked = fcntl.ioctl(card, CREATE_DUMB, struct.pack("=IIIIIIQ", height, width, 32, 0, 0, 0, 0))
        _, _, _, _, handle, self.pitch, size = struct.unpack("=IIIIIIQ", asked)
        _, _, offset = struct.unpack("=IIQ", fcntl.ioctl(card, MAP_DUMB, struct.pack("=IIQ", handle, 0, 0)))
        _, _, fd = struct.unpack("=IIi", fcntl.ioctl(card, HANDLE_TO_FD, struct.pack("=IIi", handle, os.O_CLOEXEC | os.O_RDWR, -1)))
        self.memory = mmap.mmap(card, size, offset=offset)
        self.width, self.height = width, height
        params = film.dmabuf.create_params()
        params.add(fd, 0, 0, self.pitch, 0, 0)   # linear
        self.buffer = params.create_immed(width, height, XRGB8888, 0)
        self.buffer.on("release", self.released)
        params.destroy()
        film.connection.flush()
        os.close(fd)
        self.free = True
        self.film = film

    def released(self):
        self.free = True
        self.film.log("released")

    def paint(self, colour, bar):
        pixel, white = struct.pack("=I", colour), struct.pack("=I", 0xFFFFFF)
        row = bytearray((pixel * self.width).ljust(self.pitch, b"\0"))
        if bar is not None:
            row[4 * bar:4 * bar + 4 * 40] = white * 40
        self.memory[0:self.pitch * self.height] = bytes(row) * self.height


class Film:
    def __init__(self, log, count):
        self.out = open(log, "w", buffering=1)
        self.left = count
        self.frames = []
        self.waits = False
        self.connection = c = rawclient.Connection()
        self.card = os.open("/dev/dri/card0", os.O_RDWR | os.O_CLOEXEC)
        self.dmabuf = c.bind("zwp_linux_dmabuf_v1", 3)
        self.presentation = c.bind("wp_presentation")
        shell = c.bind("xdg_wm_base")
        shell.on("ping", shell.pong)
        self.surface = c.bind("wl_compositor").create_surface()
        self.xdg = shell.get_xdg_surface(self.surface).on("configure", self.configure)
        self.size = (0, 0)
        self.toplevel = self.xdg.get_toplevel().on("configure", self.told)
        self.toplevel.on("close", lambda: sys.exit(0))
        self.toplevel.set_app_id("test.film")
        self.toplevel.set_title("Film")
        self.toplevel.set_fullscreen(None)
        self.surface.commit()

    def log(self, *words):
        self.out.write(" ".join(str(word) for word in words) + "\n")

    def told(self, width, height, _):
        self.size = (width, height)

    def configure(self, serial):
        self.xdg.ack_configure(serial)
        if not self.frames or (self.frames[0].width, self.frames[0].height) != self.size:
            self.log("size", *self.size)
            self.frames = [Frame(self, *self.size) for _ in range(3)]
            self.show()
        else:
            self.surface.commit()

    def show(self, _=None):
        frame = next((frame for frame in self.frames if frame.free), None)
        self.waits = frame is None
        if frame is None:
            return
        self.left -= 1
        last = self.left <= 0
        frame.paint(GREEN if last else 0x401080 + 0x30 * (self.left % 4), None if last else self.left * 16 % (frame.width - 40))
        frame.free = False
        self.surface.attach(frame.buffer, 0, 0)
        self.surface.damage_buffer(0, 0, frame.width, frame.height)
        self.presentation.feedback(self.surface).on("presented", self.presented)
        if last:
            self.log("still")
        else:
            self.surface.frame().on("done", self.show)
        self.surface.commit()

    def presented(self, *arguments):
        self.log("presented", arguments[-1])

    def run(self):
        while True:
            self.connection.dispatch()
            if self.waits:
                self.show()


if __name__ == "__main__":
    Film(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200).run()
