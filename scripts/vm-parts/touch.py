"""A touch screen made through uinput: to the kernel, libinput and the shell it is a device as any other.

Reads lines from the FIFO that is named: down ID X Y, move ID X Y, up ID. Places are from 0 to 32767."""

import fcntl
import os
import struct
import sys
import time

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
BTN_TOUCH, ABS_X, ABS_Y = 0x14A, 0, 1
SLOT, MT_X, MT_Y, TRACKING = 0x2F, 0x35, 0x36, 0x39
SET_EVENT, SET_KEY, SET_ABS, SET_PROPERTY, CREATE = 0x40045564, 0x40045565, 0x40045567, 0x4004556E, 0x5501


def make():
    device = os.open("/dev/uinput", os.O_WRONLY)
    for kind in (EV_SYN, EV_KEY, EV_ABS):
        fcntl.ioctl(device, SET_EVENT, kind)
    fcntl.ioctl(device, SET_KEY, BTN_TOUCH)
    fcntl.ioctl(device, SET_PROPERTY, 1)   # direct: what is touched is what is seen
    most = [0] * 64
    for axis, limit in ((ABS_X, 32767), (ABS_Y, 32767), (SLOT, 9), (MT_X, 32767), (MT_Y, 32767), (TRACKING, 65535)):
        fcntl.ioctl(device, SET_ABS, axis)
        most[axis] = limit
    os.write(device, struct.pack("80sHHHHI64i64i64i64i", b"Mullion touch screen", 6, 1, 1, 1, 0, *most, *[0] * 192))
    fcntl.ioctl(device, CREATE)
    return device


def send(device, *events):
    now = time.time()
    for kind, code, value in (*events, (EV_SYN, 0, 0)):
        os.write(device, struct.pack("llHHi", int(now), int(now % 1 * 1e6), kind, code, value))


def main(path):
    if not os.path.exists(path):
        os.mkfifo(path, 0o600)
    device = make()
    down, tracking = set(), 0
    # Opened for both, so that it does not end when nobody writes.
    with os.fdopen(os.open(path, os.O_RDWR), "r") as fifo:
        for line in fifo:
            words = line.split()
            slot = int(words[1])
            events = [(EV_ABS, SLOT, slot)]
            if words[0] == "up":
                down.discard(slot)
                events += [(EV_ABS, TRACKING, -1)] + ([] if down else [(EV_KEY, BTN_TOUCH, 0)])
            else:
                x, y = int(words[2]), int(words[3])
                if words[0] == "down":
                    tracking += 1
                    events += [(EV_ABS, TRACKING, tracking)]
                events += [(EV_ABS, MT_X, x), (EV_ABS, MT_Y, y)]
                if words[0] == "down" and not down:
                    events += [(EV_KEY, BTN_TOUCH, 1)]
                    down.add(slot)
                if slot == 0:
                    events += [(EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y)]
                down.add(slot)
            send(device, *events)


main(sys.argv[1])
