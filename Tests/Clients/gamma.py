#!/usr/bin/env python3
"""Sets the colours of the screen as wlsunset does: `gamma.py RED GREEN BLUE`, the ends of the ramps, up to 65535. `gamma.py short`: a file
that is too short. Prints "set" or "failed", and keeps its control until it is killed."""

import os
import signal
import struct
import sys

import rawclient


def main():
    c = rawclient.Connection()
    said = []
    control = c.bind("zwlr_gamma_control_manager_v1").get_gamma_control(c.bind("wl_output"))
    sizes = []
    control.on("gamma_size", sizes.append)
    control.on("failed", lambda: said.append("failed"))
    c.roundtrip()
    if sizes:
        file = os.memfd_create("ramps")
        if sys.argv[1] == "short":
            os.write(file, b"12")
        else:
            for top in map(int, sys.argv[1:4]):
                os.write(file, struct.pack(f"={sizes[0]}H", *(top * i // (sizes[0] - 1) for i in range(sizes[0]))))
        os.lseek(file, 0, os.SEEK_SET)
        control.set_gamma(file)
        c.roundtrip()
    print(said[0] if said else "set", flush=True)
    signal.pause()


main()
