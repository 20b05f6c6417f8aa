#!/usr/bin/env python3
"""A panel along one edge that keeps its room for itself: `panel.py top|bottom|left|right SIZE [COLOUR]`.

Prints "down" for each finger and "button" for each press of a button that it gets.
"""

import sys

import rawclient

ANCHORS = {"top": 1 | 4 | 8, "bottom": 2 | 4 | 8, "left": 4 | 1 | 2, "right": 8 | 1 | 2}


def main():
    edge, size = sys.argv[1], int(sys.argv[2])
    colour = int(sys.argv[3], 16) if len(sys.argv) > 3 else 0x884422
    c = rawclient.Connection()
    painter = rawclient.Painter(c)
    seat = c.bind("wl_seat")
    seat.get_touch().on("down", lambda *_: print("down", flush=True))
    seat.get_pointer().on("button", lambda serial, time, button, state: state and print("button", flush=True))
    surface = c.bind("wl_compositor").create_surface()
    layer = c.bind("zwlr_layer_shell_v1").get_layer_surface(surface, None, 2, "panel")
    layer.set_anchor(ANCHORS[edge])
    layer.set_size(*((0, size) if edge in ("top", "bottom") else (size, 0)))
    layer.set_exclusive_zone(size)

    def configure(serial, width, height):
        layer.ack_configure(serial)
        surface.attach(painter.buffer(width, height, colour, colour), 0, 0)
        surface.damage_buffer(0, 0, width, height)
        surface.commit()

    layer.on("configure", configure)
    surface.commit()
    while True:
        c.dispatch()


if __name__ == "__main__":
    try:
        main()
    except (rawclient.Disconnected, KeyboardInterrupt):
        pass
