"""Remote controls, gamepads and switches made through uinput: to the kernel, libinput and the shell they are devices as any other.

Reads lines from the FIFO that is named; codes are those of linux/input-event-codes.h:

    new NAME KIND           remote, gamepad or switch
    gone NAME               pulled out, as it is: nothing is released
    key NAME CODE VALUE     1: down, 0: up, 2: repeated
    press NAME CODE [S]     down, and up after so many seconds (0.06)
    axis NAME CODE VALUE
    nudge NAME CODE VALUE   there, and back to 0 after 0.06 s
    switch NAME CODE VALUE
    storm NAME S            the left stick trembles for so many seconds, with a thousand reports a second
"""

import fcntl
import os
import struct
import sys
import time

EV_SYN, EV_KEY, EV_ABS, EV_SW = 0, 1, 3, 5
SET_EVENT, SET_KEY, SET_ABS, SET_SWITCH, CREATE, DESTROY = 0x40045564, 0x40045565, 0x40045567, 0x4004556D, 0x5501, 0x5502

# The keys of a remote control of a television, as the kernel's keymap of HDMI-CEC has them, with arrows, OK, play and pause.
REMOTE = [2, 3, 4, 11, 28, 103, 105, 106, 108, 113, 114, 115, 116, 119, 128, 139, 158, 163, 164, 165, 172, 174, 207,
          0x160, 0x161, 0x166, 0x16A, 0x16D, 0x18E, 0x18F, 0x190, 0x191, 0x192, 0x193, *range(0x200, 0x20A)]
# As xpad has them: A, B, X, Y, shoulders, Select, Start, Mode, sticks.
GAMEPAD = [0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x13A, 0x13B, 0x13C, 0x13D, 0x13E]
STICKS, CROSS = (0, 1, 3, 4), (0x10, 0x11)
TABLET_MODE = 1
KINDS = {
    "remote": ([(SET_KEY, code) for code in REMOTE], {}),
    "gamepad": ([(SET_KEY, code) for code in GAMEPAD],
                {**{code: 32767 for code in STICKS}, **{code: 1 for code in CROSS}, 2: 255, 5: 255}),
    "switch": ([(SET_SWITCH, TABLET_MODE)], {}),
}


def make(name, kind):
    device = os.open("/dev/uinput", os.O_WRONLY)
    bits, axes = KINDS[kind]
    for event in {SET_KEY: EV_KEY, SET_SWITCH: EV_SW}[bits[0][0]], *([EV_ABS] if axes else []):
        fcntl.ioctl(device, SET_EVENT, event)
    for request, code in bits:
        fcntl.ioctl(device, request, code)
    most, least = [0] * 64, [0] * 64
    for axis, limit in axes.items():
        fcntl.ioctl(device, SET_ABS, axis)
        most[axis], least[axis] = limit, 0 if limit == 255 else -limit - (limit > 1)
    os.write(device, struct.pack("80sHHHHI64i64i64i64i", f"Mullion {name}".encode(), 3, 0x1209, 0x4D75, 1, 0, *most, *least, *[0] * 128))
    fcntl.ioctl(device, CREATE)
    return device


def send(device, *events):
    for event in (*events, (EV_SYN, 0, 0)):
        os.write(device, struct.pack("llHHi", 0, 0, *event))


def storm(device, seconds):
    """Nothing in it is a push of the stick, but every report is a change."""
    start, count = time.monotonic(), 0
    while time.monotonic() < start + seconds:
        count += 1
        send(device, (EV_ABS, 0, 9000 * (1 if count % 2 else -1) + count % 97))
        time.sleep(max(0, start + count / 1000 - time.monotonic()))
    send(device, (EV_ABS, 0, 0))
    with open("/run/gadgets.storm", "w") as file:
        file.write(f"{count}\n")


def main(path):
    if not os.path.exists(path):
        os.mkfifo(path, 0o600)
    devices = {}
    # Opened for both, so that it does not end when nobody writes.
    with os.fdopen(os.open(path, os.O_RDWR), "r") as fifo:
        for line in fifo:
            word, name, *rest = line.split()
            if word == "new":
                if name in devices:
                    os.close(devices[name])
                devices[name] = make(name, rest[0])
                continue
            device = devices[name]
            if word == "gone":
                os.close(devices.pop(name))
            elif word == "storm":
                storm(device, float(rest[0]))
            elif word == "press":
                send(device, (EV_KEY, int(rest[0], 0), 1))
                time.sleep(float(rest[1]) if len(rest) > 1 else 0.06)
                send(device, (EV_KEY, int(rest[0], 0), 0))
            elif word == "nudge":
                send(device, (EV_ABS, int(rest[0], 0), int(rest[1])))
                time.sleep(0.06)
                send(device, (EV_ABS, int(rest[0], 0), 0))
            else:
                kind = {"key": EV_KEY, "axis": EV_ABS, "switch": EV_SW}[word]
                send(device, (kind, int(rest[0], 0), int(rest[1])))


main(sys.argv[1])
