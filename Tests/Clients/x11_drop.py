#!/usr/bin/env python3
"""An X11 window "Target" that accepts every drop: `x11_drop.py DISPLAY`. It prints the text that was dropped, as in "dropped 'dragged'"."""

import struct
import sys

from x11 import Connection

x = Connection(sys.argv[1])
window = x.window(400, 400)
x.text_property(window, 39, "Target")
x.text_property(window, 67, "drop\0Drop\0")
# XdndAware with version 5, of the type ATOM.
x.request(18, 0, struct.pack("<IIIB3xII", window, x.atom(b"XdndAware"), 4, 32, 1, 5))
position, drop, status, finished, selection, copy, text, room = (
    x.atom(name) for name in (
        b"XdndPosition", b"XdndDrop", b"XdndStatus", b"XdndFinished", b"XdndSelection", b"XdndActionCopy", b"TEXT", b"DROPPED"))
x.map(window)
x.sync()
source = 0


def tell(kind, *numbers):
    # SendEvent with a ClientMessage.
    x.request(25, 0, struct.pack("<II", source, 0) + struct.pack("<BBHII5I", 33, 32, 0, source, kind, *numbers))


while True:
    event = x.take(32)
    code = event[0] & 0x7F
    if code == 33:
        kind, source, _, _, time, _ = struct.unpack_from("<6I", event, 8)
        if kind == position:
            tell(status, window, 3, 0, 0, copy)
        elif kind == drop:
            # ConvertSelection. The time is the third number of this message.
            x.request(24, 0, struct.pack("<IIIII", window, selection, text, room, struct.unpack_from("<I", event, 20)[0]))
    elif code == 31:
        # GetProperty
        x.request(20, 0, struct.pack("<IIIII", window, room, 0, 0, 1000))
        reply = x.reply()
        print("dropped", repr(reply[32:32 + struct.unpack_from("<I", reply, 16)[0]].decode()), flush=True)
        tell(finished, window, 1, copy, 0, 0)
