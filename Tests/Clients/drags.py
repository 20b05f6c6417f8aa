#!/usr/bin/env python3
"""A window out of which something is dragged: `drags.py with-source`, `drags.py again`, `drags.py without-source` or
`drags.py COUNT`.

Waits for a press into its window, starts a drag then, and prints "dragging"; after that it tries COUNT times to start another,
and prints "tried". Goes on until it is ended. With "again" each press starts a drag with the same source.
"""

import sys

from abuse import Session


def main():
    s = Session()
    connection = s.c
    seat = connection.bind("wl_seat")
    again = sys.argv[1] == "again"
    # Of the first version: a drop that nobody takes does not end the source.
    device = connection.bind("wl_data_device_manager", 1 if again else None)
    source = None
    if again or sys.argv[1] == "with-source":
        source = device.create_data_source()
        source.offer("text/plain")
        if not again:
            source.set_actions(1)
        source.on("cancelled", lambda: print("cancelled", flush=True))
    device = device.get_data_device(seat)
    surface, _, _ = s.toplevel()

    def pressed(serial, _time, _button, state):
        if state == 1:
            device.start_drag(source, surface, None, serial)
            connection.roundtrip()
            print("dragging", flush=True)
            for number in range(int(sys.argv[1]) if sys.argv[1].isdigit() else 0):
                device.start_drag(None, surface, None, serial)
                if number % 1000 == 0:
                    connection.roundtrip(30)
            connection.roundtrip(30)
            print("tried", flush=True)

    seat.get_pointer().on("button", pressed)
    while True:
        connection.dispatch(None)


if __name__ == "__main__":
    main()
