#!/usr/bin/env python3
"""An X11 program with the windows "One" and "Two": `x11_input.py DISPLAY`. It prints the keys and buttons that they get, with their place in
the window, as in "Two key 25" and "One button 200,300". "Two" goes at its first key; the key h hides "One" as `wmctrl -b add,hidden` does.
Each key of "One" says whether the window is hidden by its state."""

import os
import struct
import sys

from x11 import Connection

x = Connection(sys.argv[1])
names = {}


def show(title):
    window = x.new_id()
    # CreateWindow with a background, and the events KeyPress and ButtonPress.
    x.request(1, 0, struct.pack("<IIhhHHHHIIII", window, x.root, 0, 0, 640, 480, 0, 1, 0, 0x2 | 0x800, 0x336699, 0x1 | 0x4))
    x.text_property(window, 39, title)
    x.text_property(window, 67, "input\0Input\0")
    pid = x.atom(b"_NET_WM_PID")
    x.request(18, 0, struct.pack("<IIIB3xII", window, pid, 6, 32, 1, os.getpid()))
    x.map(window)
    x.sync()
    names[window] = title
    return window


def state(window):
    """The atoms of _NET_WM_STATE."""
    x.request(20, 0, struct.pack("<IIIII", window, x.atom(b"_NET_WM_STATE"), 4, 0, 64))
    answer = x.reply()
    return struct.unpack_from("<%dI" % struct.unpack_from("<I", answer, 16)[0], answer, 32)


def hide(window):
    # SendEvent of a ClientMessage to the root: 1 adds the state.
    message = struct.pack("<BBHIIIIIII", 33, 32, 0, window, x.atom(b"_NET_WM_STATE"), 1, hidden, 0, 1, 0)
    x.request(25, 0, struct.pack("<II", x.root, 0x180000) + message)


hidden = x.atom(b"_NET_WM_STATE_HIDDEN")
one, two = show("One"), show("Two")
while True:
    event = x.take(32)
    if event[0] & 0x7F in (2, 4):
        window, = struct.unpack_from("<I", event, 12)
        left, top = struct.unpack_from("<hh", event, 24)
        isKey = event[0] & 0x7F == 2
        note = ", hidden" if isKey and window == one and hidden in state(one) else ""
        print(names[window], f"key {event[1] - 8}{note}" if isKey else f"button {left},{top}", flush=True)
        if isKey and window == one and event[1] - 8 == 35:
            hide(one)
        if isKey and window == two:
            # DestroyWindow
            x.request(4, 0, struct.pack("<I", two))
