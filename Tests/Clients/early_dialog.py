#!/usr/bin/env python3
"""A window and its dialog, which names the window before that is shown: before its first commit, or only before its first picture.

`early_dialog.py created|configured`; prints "shown" when both are, and stays until it is ended.
"""

import sys

import common

s = common.Session()
if sys.argv[1] == "created":
    window, _, toplevel = s.toplevel("window", mapped=False)
else:
    serials = []
    window, xdg = s.xdg()
    xdg.on("configure", serials.append)
    toplevel = xdg.get_toplevel()
    toplevel.set_title("window")
    window.commit()
    s.until(lambda: serials)
dialog, dialog_xdg = s.xdg()
dialog_toplevel = dialog_xdg.get_toplevel()
dialog_toplevel.set_title("dialog")
dialog_toplevel.set_parent(toplevel)
if sys.argv[1] == "created":
    window.commit()
else:
    xdg.ack_configure(serials[0])
    s.paint(window, 400, 300)


def configure(serial):
    dialog_xdg.ack_configure(serial)
    s.paint(dialog, 200, 150)


s.c.roundtrip()
dialog_xdg.on("configure", configure)
dialog.commit()
s.c.roundtrip()
s.c.roundtrip()
print("shown", flush=True)
while True:
    s.c.dispatch(1)
