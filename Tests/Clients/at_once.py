#!/usr/bin/env python3
"""Windows that come at once: all are asked for, then all are shown, each in one go.

`at_once.py COUNT`; prints "shown" when they are, and stays until it is ended.
"""

import sys

import common

s = common.Session()
windows, serials = [], {}
for number in range(int(sys.argv[1])):
    surface, xdg = s.xdg()
    toplevel = xdg.get_toplevel()
    toplevel.set_title(f"window {number + 1}")
    toplevel.set_app_id("test.script")
    windows.append((surface, xdg))


def configure(number):
    def handle(serial):
        windows[number][1].ack_configure(serial)
        serials[number] = serial
    return handle


for number, (surface, xdg) in enumerate(windows):
    xdg.on("configure", configure(number))
    surface.commit()
s.until(lambda: len(serials) == len(windows))
buffer = s.painter.buffer(400, 300, 0x557755, 0x335533)
for surface, _ in windows:
    surface.attach(buffer, 0, 0)
    surface.damage(0, 0, 400, 300)
    surface.commit()
s.c.roundtrip()
print("shown", flush=True)
while True:
    s.c.dispatch(1)
