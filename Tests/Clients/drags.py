#!/usr/bin/env python3
"""A window out of which something is dragged: `drags.py [WORD...]`.

Waits for a press into its window, starts a drag then, and prints "dragging", and "tried" when all the rest is done. Goes on until it is
ended. Words:

with-source     the text "dragged" is dragged; else nothing that anybody else could see
finger          the drag is one by touch. It prints "touch cancelled" and "touch up"
COUNT           after that it tries so often to start another
other-source    ... of another source
spent           ... of one that is cancelled already, when it is pressed for the second time
again           each press starts a drag with the same source
selected        the source is the selection first
selects         it is made the selection afterwards
release-seat    then the seat is given back
no-drag         nothing is dragged, the rest is done
popup           then a popup grabs, and goes
"""

import os
import sys

from abuse import Session


def popup(s, parent, seat, serial):
    surface = s.compositor.create_surface()
    role = s.shell.get_xdg_surface(surface)
    popup = role.get_popup(parent, s.positioner())
    popup.grab(seat, serial)
    serials = []
    role.on("configure", serials.append)
    surface.commit()
    while not serials:
        s.c.dispatch(1)
    role.ack_configure(serials[-1])
    surface.attach(s.painter.buffer(50, 50, 0xaa00, 0), 0, 0)
    surface.commit()
    s.c.roundtrip()
    popup.destroy()
    role.destroy()
    surface.destroy()


def main():
    words = set(sys.argv[1:])
    count = next((int(word) for word in words if word.isdigit()), 0)
    tries, spent = count, []
    again = "again" in words

    def cancelled():
        spent.append(True)
        print("cancelled", flush=True)

    def send(_, file):
        os.write(file, b"dragged")
        os.close(file)

    s = Session()
    connection = s.c
    seat = connection.bind("wl_seat")
    # Of the first version: a drop that nobody takes does not end the source.
    manager = connection.bind("wl_data_device_manager", 1 if again else None)
    source = None
    other = manager.create_data_source() if "other-source" in words else None
    if other:
        other.on("cancelled", lambda: None)
    if words & {"with-source", "spent", "again", "selected", "selects"}:
        source = manager.create_data_source()
        source.offer("text/plain")
        if not again:
            source.set_actions(1)
        source.on("cancelled", cancelled)
        source.on("send", send)
    device = manager.get_data_device(seat)
    # Before the window is there to be pressed.
    presses = []
    if "finger" in words:
        touch = seat.get_touch()
        touch.on("down", lambda serial, *_: presses.append(serial))
        touch.on("cancel", lambda: print("touch cancelled", flush=True))
        touch.on("up", lambda *_: print("touch up", flush=True))
    else:
        seat.get_pointer().on("button", lambda serial, _time, _button, state: presses.append(serial) if state == 1 else None)
    surface, role, _ = s.toplevel()

    def pressed(serial):
        nonlocal source, other, count
        if "spent" in words:
            if spent:
                source, other = None, source
            count = tries if spent else 0
        if "selected" in words:
            device.set_selection(source, serial)
        if "no-drag" not in words:
            device.start_drag(source, surface, None, serial)
        connection.roundtrip()
        print("dragging", flush=True)
        if "selects" in words:
            device.set_selection(source, serial)
        for number in range(count):
            device.start_drag(other, surface, None, serial)
            if number % 1000 == 0:
                connection.roundtrip(30)
        if "release-seat" in words:
            seat.release()
        if "popup" in words:
            popup(s, role, seat, serial)
        connection.roundtrip(30)
        print("tried", flush=True)

    while True:
        while presses:
            pressed(presses.pop(0))
        connection.dispatch(None)


if __name__ == "__main__":
    main()
