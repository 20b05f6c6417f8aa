#!/usr/bin/env python3
"""An X11 program that pastes the clipboard in the name of a window in its window, as xterm does: `x11_paste.py DISPLAY`.

Prints how many bytes of UTF8_STRING came, in how many pieces, and their SHA-1.
"""

import hashlib
import struct
import sys

from x11 import Connection

x = Connection(sys.argv[1])
clipboard, kind, incremental, place = (x.atom(name) for name in (b"CLIPBOARD", b"UTF8_STRING", b"INCR", b"PASTED"))
window = x.window(300, 200)
x.text_property(window, 67, "paste\0Paste\0")
inner = x.new_id()
PROPERTY_CHANGE = 0x400000
x.request(1, 0, struct.pack("<IIhhHHHHIII", inner, window, 0, 0, 200, 100, 0, 1, 0, 0x800, PROPERTY_CHANGE))
x.map(inner)
FOCUS_CHANGE = 0x200000
x.request(2, 0, struct.pack("<III", window, 0x800, FOCUS_CHANGE))
x.map(window)


def event(code):
    """The next one of this kind."""
    while True:
        head = x.take(32)
        if head[0] == 0:
            sys.exit("X error %d" % head[1])
        if head[0] & 0x7F == code:
            return head
        if head[0] == 1:
            x.take(4 * struct.unpack_from("<I", head, 4)[0])


def read():
    """Reads and deletes what is in the property: its type and its bytes."""
    x.request(20, 1, struct.pack("<IIIII", inner, place, 0, 0, 1 << 24))
    reply = x.reply()
    found, _, count = struct.unpack_from("<III", reply, 8)
    return found, reply[32:32 + count * reply[1] // 8]


event(9)   # it has the keyboard: who has not is told nothing of the clipboard
x.request(24, 0, struct.pack("<IIIII", inner, clipboard, kind, place, 0))
if struct.unpack_from("<I", event(31), 20)[0] == 0:
    sys.exit("refused")
found, data = read()
pieces = 1
if found == incremental:
    pieces, data = 0, b""
    while True:
        while event(28)[16] != 0:   # until there is a new value
            pass
        _, piece = read()
        if not piece:
            break
        data += piece
        pieces += 1
print(len(data), "bytes,", pieces, "pieces,", hashlib.sha1(data).hexdigest(), flush=True)
