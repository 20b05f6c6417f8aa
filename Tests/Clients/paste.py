#!/usr/bin/env python3
"""Pastes what the clipboard has, as a clipboard manager: `paste.py TYPE [leave]`.

Prints one JSON object: the types, and what came for TYPE. With `leave`, it first asks forty times and reads nothing.
"""

import fcntl
import json
import os
import sys
import time

import rawclient


def small_pipe():
    """Takes one page at once, so the shell has to come back."""
    reading, writing = os.pipe()
    fcntl.fcntl(writing, 1031, 4096)  # F_SETPIPE_SZ
    return reading, writing


def main():
    connection = rawclient.Connection()
    seat = connection.bind("wl_seat")
    device = connection.bind("zwlr_data_control_manager_v1").get_data_device(seat)
    found = []
    device.on("data_offer", lambda offer: (found.append((offer, [])), offer.on("offer", found[-1][1].append)))
    deadline = time.monotonic() + 20
    while not any(types for _, types in found) and time.monotonic() < deadline:
        connection.roundtrip()
        time.sleep(0.05)
    offer, types = found[-1]
    kept = []
    for _ in range(40 if len(sys.argv) > 2 else 0):
        reading, writing = small_pipe()
        offer.receive(sys.argv[1], writing)
        connection.flush()
        os.close(writing)
        kept.append(reading)
    connection.roundtrip()
    reading, writing = small_pipe()
    offer.receive(sys.argv[1], writing)
    connection.flush()
    os.close(writing)
    got = b""
    while chunk := os.read(reading, 65536):
        got += chunk
    print(json.dumps({"types": types, "got": got.decode()}))


if __name__ == "__main__":
    main()
