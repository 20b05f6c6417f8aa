#!/usr/bin/env python3
"""Switches the screen off and on (output-power-management): `power.py off|on|bad|gone`. Prints the modes it was told."""

import json
import sys

import rawclient


def main():
    c = rawclient.Connection()
    manager = c.bind("zwlr_output_power_manager_v1")
    power = manager.get_output_power(c.bind("wl_output"))
    modes = []
    power.on("mode", modes.append)
    c.roundtrip()
    out = {}
    if sys.argv[1] == "bad":
        power.set_mode(7)
    elif sys.argv[1] == "gone":
        manager.destroy()
        c.roundtrip()
        power.destroy()
    else:
        power.set_mode(0 if sys.argv[1] == "off" else 1)
    try:
        c.roundtrip()
        c.roundtrip()
        out["ended"] = False
    except rawclient.Disconnected:
        out = {"ended": True, "error": list(c.error or ())}
    print(json.dumps({**out, "steps": {"modes": modes}}))


if __name__ == "__main__":
    main()
