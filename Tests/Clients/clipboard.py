#!/usr/bin/env python3
"""Asks for what an X11 program has copied while that program is stopped: `clipboard.py TIMES PROCESS`.

xclip copies in the X11 display of the environment; an X11 window has to be the active one. Prints one JSON object: how many
descriptors the process (the shell) had more while nobody answered, and what was pasted when xclip went on.
"""

import json
import os
import signal
import subprocess
import sys
import time

import rawclient


def offers(connection):
    """What the clipboard has, for a clipboard manager: each offer with its types."""
    seat = connection.bind("wl_seat")
    device = connection.bind("zwlr_data_control_manager_v1").get_data_device(seat)
    found = []
    device.on("data_offer", lambda offer: (found.append((offer, [])), offer.on("offer", found[-1][1].append)))
    return found


def main():
    times, process = int(sys.argv[1]), int(sys.argv[2])
    copier = subprocess.Popen(["xclip", "-quiet", "-selection", "clipboard", "-i"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    copier.stdin.write(b"copied")
    copier.stdin.close()
    connection = rawclient.Connection()
    found = offers(connection)
    deadline = time.monotonic() + 60
    while not any(types for _, types in found) and time.monotonic() < deadline:
        connection.roundtrip()
        time.sleep(0.05)
    offer, types = found[-1]
    os.kill(copier.pid, signal.SIGSTOP)
    count = lambda: len(os.listdir(f"/proc/{process}/fd"))
    before = count()
    for _ in range(times):
        reading, writing = os.pipe()
        offer.receive(types[0], writing)
        connection.flush()
        os.close(writing)
        os.close(reading)
    connection.roundtrip()
    more = count() - before
    os.kill(copier.pid, signal.SIGCONT)
    while count() > before + 8 and time.monotonic() < deadline:
        connection.roundtrip()
        time.sleep(0.05)
    reading, writing = os.pipe()
    offer.receive(types[0], writing)
    connection.flush()
    os.close(writing)
    print(json.dumps({"more": more, "pasted": os.read(reading, 4096).decode()}))
    copier.kill()


if __name__ == "__main__":
    main()
