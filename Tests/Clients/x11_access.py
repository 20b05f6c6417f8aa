#!/usr/bin/env python3
"""Tries ways to X11, and what is to be had there.

    x11_access.py DISPLAY knock         without the cookie
    x11_access.py DISPLAY guess         with a cookie that is not the one
    x11_access.py DISPLAY abstract      by the address that needs no file
    x11_access.py DISPLAY look          reads titles and pictures of all windows again and again: a line each time
    x11_access.py DISPLAY hold          the same, after it has asked to have the server for itself

The first three print "let in", or why not.
"""

import struct
import sys
import time

import x11


def windows(x):
    x.request(15, 0, struct.pack("<I", x.root))
    reply = x.reply()
    count = struct.unpack_from("<H", reply, 16)[0]
    return struct.unpack_from("<%dI" % count, reply, 32)


def read(x, code, detail, body):
    """The answer, or None for an error."""
    x.request(code, detail, body)
    while True:
        head = x.take(32)
        if head[0] == 0:
            return None
        if head[0] == 1:
            return head + x.take(4 * struct.unpack_from("<I", head, 4)[0])


def look(x):
    count = 0
    while True:
        titles, pictures = 0, 0
        for window in windows(x):
            title = read(x, 20, 0, struct.pack("<IIIII", window, 39, 0, 0, 100))
            titles += title is not None and struct.unpack_from("<I", title, 16)[0] > 0
            pictures += read(x, 73, 2, struct.pack("<IhhHHI", window, 0, 0, 4, 4, 0xffffffff)) is not None
        count += 1
        print("look %d: %d titles, %d pictures" % (count, titles, pictures), flush=True)
        time.sleep(0.05)


def main():
    display, way = sys.argv[1:3]
    secrets = {"knock": b"", "guess": b"x" * 16}
    address = "\0/tmp/.X11-unix/X" + display.lstrip(":") if way == "abstract" else None
    try:
        x = x11.Connection(display, secrets.get(way), address)
    except OSError as error:
        print("no way in:", error)
        return
    if way == "look":
        look(x)
    if way == "hold":
        x.request(36, 0, b"")
        x.sync()
        look(x)
    print("let in")


main()
