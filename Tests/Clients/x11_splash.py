#!/usr/bin/env python3
"""An X11 program with a splash: `x11_splash.py DISPLAY`. It shows a window of the type splash, its child process opens the window
"Main" a second later, and the splash goes after another two seconds. Both stay in one group of processes, as with LibreOffice."""

import os
import struct
import sys
import time

from x11 import Connection

ATOM, CARDINAL = 4, 6


def numbers(x, window, name, kind, *values):
    x.request(18, 0, struct.pack("<IIIB3xI", window, x.atom(name), kind, 32, len(values)) + struct.pack(f"<{len(values)}I", *values))


def show(x, title, kind, width, height):
    window = x.window(width, height)
    x.text_property(window, 39, title)
    numbers(x, window, b"_NET_WM_PID", CARDINAL, os.getpid())
    numbers(x, window, b"_NET_WM_WINDOW_TYPE", ATOM, x.atom(kind))
    if kind.endswith(b"NORMAL"):
        x.text_property(window, 67, "main\0Main\0")
    x.map(window)
    x.sync()
    return window


if os.fork() == 0:
    time.sleep(1)
    x = Connection(sys.argv[1])
    show(x, "Main", b"_NET_WM_WINDOW_TYPE_NORMAL", 640, 480)
    time.sleep(3600)
x = Connection(sys.argv[1])
splash = show(x, "Splash", b"_NET_WM_WINDOW_TYPE_SPLASH", 400, 200)
time.sleep(3)
x.request(4, 0, struct.pack("<I", splash))
x.sync()
time.sleep(3600)
