"""Shares the screen by wlr-screencopy, as programs that record or show it elsewhere do.

    sharer.py moving    takes one picture after the other, ten in a second
    sharer.py still     asks once for the next picture that differs, and waits for it

Prints "shares" once it has asked. On SIGUSR1 it destroys its pictures, prints "rests", and stays connected."""
import os
import signal
import sys
import time

from rawclient import Connection

c = Connection()
output, shm, manager = c.bind("wl_output"), c.bind("wl_shm"), c.bind("zwlr_screencopy_manager_v1")
c.roundtrip()


class Picture:
    def __init__(self, differs):
        self.frame, self.is_ready, facts = manager.capture_output(0, output), False, []
        self.frame.on("buffer", lambda *shape: facts.append(shape))
        self.frame.on("ready", lambda *_: setattr(self, "is_ready", True))
        c.roundtrip()
        kind, width, height, stride = facts[0]
        fd = os.memfd_create("picture")
        os.ftruncate(fd, stride * height)
        pool = shm.create_pool(fd, stride * height)
        self.buffer = pool.create_buffer(0, width, height, stride, kind)
        pool.destroy()
        os.close(fd)
        (self.frame.copy_with_damage if differs else self.frame.copy)(self.buffer)
        c.roundtrip()

    def end(self):
        self.frame.destroy()
        self.buffer.destroy()
        c.roundtrip()


is_moving, picture, wants = sys.argv[1] == "moving", None, [True]
signal.signal(signal.SIGUSR1, lambda *_: wants.clear())
while wants:
    if picture is None or picture.is_ready or is_moving:
        if picture:
            picture.end()
        else:
            print("shares", flush=True)
        picture = Picture(differs=not is_moving)
    c.roundtrip()
    time.sleep(0.1)
picture.end()
print("rests", flush=True)
while True:
    time.sleep(60)
