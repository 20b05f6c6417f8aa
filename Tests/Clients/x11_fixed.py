#!/usr/bin/env python3
"""An X11 program whose window can have one size and no other. `x11_fixed.py DISPLAY WIDTH HEIGHT`; it stays until it is ended."""

import struct
import sys
import time

from x11 import Connection

x = Connection(sys.argv[1])
width, height = int(sys.argv[2]), int(sys.argv[3])
window = x.window(width, height)
x.text_property(window, 67, "fixed\0Fixed\0")
# WM_NORMAL_HINTS of type WM_SIZE_HINTS: flags (least and largest size), four of old, and those two.
hints = struct.pack("<18I", 16 | 32, 0, 0, 0, 0, width, height, width, height, *[0] * 9)
x.request(18, 0, struct.pack("<IIIB3xI", window, 40, 41, 32, 18) + hints)
x.map(window)
x.sync()
print("mapped", flush=True)
time.sleep(3600)
