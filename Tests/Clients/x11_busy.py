#!/usr/bin/env python3
"""An X11 program that keeps the X server busy: with few requests that take SECONDS each, and a new title between them.

`x11_busy.py DISPLAY SECONDS COUNT [WINDOWS]`. It has a window, and so many more are mapped between the requests. Prints
"busy" once the first of the requests that take long is sent, and "free" when all of them are done.
"""

import struct
import sys
import time

from x11 import Connection

x = Connection(sys.argv[1])
seconds, count, windows = float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 0
SIDE = 4000
MOST = 16000   # as many rectangles as one request holds


def named_window(name):
    window = x.window(300, 200)
    x.text_property(window, 67, "busy\0Busy\0")
    x.text_property(window, 39, name)
    x.map(window)
    return window


window = named_window("begins")
pixmap, gc = x.new_id(), x.new_id()
x.request(53, x.depth, struct.pack("<IIHH", pixmap, x.root, SIDE, SIDE))
x.request(55, 0, struct.pack("<III", gc, pixmap, 0x5) + struct.pack("<II", 6, 0xA5A5A5))   # xor, a colour
x.sync()


def fill(times):
    """Requests of at most MOST rectangles over the whole of a large picture."""
    x.request(70, 0, struct.pack("<II", pixmap, gc) + struct.pack("<hhHH", 0, 0, SIDE, SIDE) * times)


began = time.monotonic()
fill(20)
x.sync()
each = (time.monotonic() - began) / 20
times = max(1, min(MOST, int(seconds / each)))
for number in range(count):
    x.text_property(window, 39, "busy %d" % number)
    if number < windows:
        named_window("late %d" % number)
    fill(times)
    if number == 0:
        print("busy", flush=True)
x.text_property(window, 39, "ends")
x.sync()
print("free", flush=True)
time.sleep(3600)
