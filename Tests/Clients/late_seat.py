#!/usr/bin/env python3
"""Takes up the seat a second after its window is there; prints which devices said that they are on the window."""

import time

import abuse


def main():
    session = abuse.Session()
    session.toplevel()
    time.sleep(1)
    session.c.roundtrip()
    entered = []
    seat = session.c.bind("wl_seat")
    seat.get_pointer().on("enter", lambda *_: entered.append("pointer"))
    seat.get_keyboard().on("enter", lambda *_: entered.append("keyboard"))
    end = time.monotonic() + 10
    while len(entered) < 2 and time.monotonic() < end:
        session.c.roundtrip()
        time.sleep(0.05)
    print(sorted(entered))


if __name__ == "__main__":
    main()
