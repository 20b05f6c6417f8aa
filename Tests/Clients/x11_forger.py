#!/usr/bin/env python3
"""An X11 program that says in Xwayland's name which Wayland object its window's surface is: one that is none.

Speaks the wire protocol itself: Xlib would need a package. `x11_forger.py NUMBER`: the display's. Prints "sent" at the end.
"""

import socket
import struct
import sys
import time

connection = socket.socket(socket.AF_UNIX)
connection.connect("/tmp/.X11-unix/X" + sys.argv[1].lstrip(":"))


def take(count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            sys.exit("the X server closed the connection")
        data += more
    return data


def reply():
    """The next one; events between are passed over."""
    while True:
        head = take(32)
        if head[0] == 0:
            sys.exit("X error %d" % head[1])
        if head[0] == 1:
            return head + take(4 * struct.unpack_from("<I", head, 4)[0])


connection.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
head = take(8)
setup = take(4 * struct.unpack_from("<H", head, 6)[0])
if head[0] != 1:
    sys.exit("the X server refused: %r" % setup)
base, vendor, formats = struct.unpack_from("<I", setup, 4)[0], struct.unpack_from("<H", setup, 16)[0], setup[21]
screen = 32 + (vendor + 3) // 4 * 4 + 8 * formats
root = struct.unpack_from("<I", setup, screen)[0]

name = b"WL_SURFACE_ID"
connection.sendall(struct.pack("<BBHHxx", 16, 0, 2 + (len(name) + 3) // 4, len(name)) + name + b"\0" * (-len(name) % 4))
atom = struct.unpack_from("<I", reply(), 8)[0]

window = base + 1
connection.sendall(struct.pack("<BBHIIhhHHHHII", 1, 0, 8, window, root, 0, 0, 200, 100, 0, 1, 0, 0))
connection.sendall(struct.pack("<BBHI", 8, 0, 2, window))
time.sleep(0.5)
for number in range(1, 64):
    event = struct.pack("<BBHII5I", 33, 32, 0, window, atom, number, 0, 0, 0, 0)
    connection.sendall(struct.pack("<BBHII", 25, 0, 11, root, 0x180000) + event)
    connection.sendall(struct.pack("<BBHII", 25, 0, 11, window, 0) + event)
connection.sendall(struct.pack("<BBH", 43, 0, 1))
reply()
time.sleep(0.5)
print("sent")
