#!/usr/bin/env python3
"""An X11 program with the windows "One" and "Two" in one group: `x11_group.py DISPLAY [WORD...]`. SIGUSR1: it opens the window "Dialog" of the type
dialog, which names no parent; with "utility" or "toolbar" it is of that type, and with "root", "none" or "self" it names that as its parent and is of no
type. SIGUSR2: it opens a red menu of 200 x 150 points, 100 points right of and below where "Two" is on the screen. With "grab" it takes the pointer and the
keyboard for the menu. With "focus" it gives the menu the focus right after mapping it, and prints the keys that the menu gets. With "steal" it opens no
menu: it gives the focus to "One", and says half a second later which window has it."""

import os
import select
import signal
import struct
import sys
import time

from x11 import Connection

ATOM, CARDINAL, WINDOW = 4, 6, 33
x = Connection(sys.argv[1])
leader = x.window(1, 1)


def numbers(window, name, kind, *values):
    x.request(18, 0, struct.pack("<IIIB3xI", window, x.atom(name), kind, 32, len(values)) + struct.pack(f"<{len(values)}I", *values))


def show(title, kind, width, height, transient=None):
    window = x.window(width, height)
    x.text_property(window, 39, title)
    x.text_property(window, 67, "group\0Group\0")
    numbers(window, b"_NET_WM_PID", CARDINAL, os.getpid())
    if transient is None:
        numbers(window, b"_NET_WM_WINDOW_TYPE", ATOM, x.atom(b"_NET_WM_WINDOW_TYPE_" + kind))
    else:
        numbers(window, b"WM_TRANSIENT_FOR", WINDOW, window if transient == "self" else transient)
    # WM_HINTS: the flag WindowGroupHint, and the group last.
    numbers(window, b"WM_HINTS", 35, 64, 0, 0, 0, 0, 0, 0, 0, leader)
    x.map(window)
    x.sync()
    return window


def dialog(*_):
    word = next((word for word in sys.argv[2:] if word in ("utility", "toolbar", "root", "none", "self")), "dialog")
    show("Dialog", word.upper().encode(), 400, 200, {"root": x.root, "none": 0, "self": "self"}.get(word))


def steal():
    x.request(42, 0, struct.pack("<II", one, 0))
    x.sync()
    time.sleep(0.5)
    # GetInputFocus
    x.request(43, 0, b"")
    focused = struct.unpack_from("<I", x.reply(), 8)[0]
    print("focus", {one: "One", two: "Two"}.get(focused, focused), flush=True)


def menu(*_):
    if "steal" in sys.argv:
        return steal()
    # TranslateCoordinates to the root.
    x.request(40, 0, struct.pack("<IIhh", two, x.root, 0, 0))
    left, top = struct.unpack_from("<hh", x.reply(), 12)
    window = x.new_id()
    x.request(1, 0, struct.pack("<IIhhHHHHIIIII", window, x.root, left + 100, top + 100, 200, 150, 0, 1, 0, 0x2 | 0x200 | 0x800, 0xFF0000, 1, 1))
    if "focus" in sys.argv:
        x.map(window)
        # SetInputFocus, before anybody can know the menu.
        x.request(42, 0, struct.pack("<II", window, 0))
        x.sync()
        return print("focused", flush=True)
    numbers(window, b"_NET_WM_PID", CARDINAL, os.getpid())
    x.map(window)
    x.sync()
    if "grab" in sys.argv:
        # GrabPointer and GrabKeyboard, both asynchronous.
        x.request(26, 0, struct.pack("<IHBBIII", window, 4, 1, 1, 0, 0, 0))
        pointer = x.reply()
        x.request(31, 0, struct.pack("<IIBBxx", window, 0, 1, 1))
        keyboard = x.reply()
        print("grabbed" if pointer[1] == keyboard[1] == 0 else "refused", flush=True)


# A signal that comes while a window is being shown waits for its turn.
acts = {signal.SIGUSR1: dialog, signal.SIGUSR2: menu}
signal.pthread_sigmask(signal.SIG_BLOCK, acts)
one = show("One", b"NORMAL", 640, 480)
two = show("Two", b"NORMAL", 640, 480)
while True:
    asked = signal.sigtimedwait(acts, 0.1)
    if asked:
        acts[asked.si_signo]()
    while "focus" in sys.argv and select.select([x.socket], [], [], 0)[0]:
        event = x.take(32)
        if event[0] & 0x7F == 2:
            print("key", event[1] - 8, flush=True)
