#!/usr/bin/env python3
"""A panel along one edge that keeps its room for itself: `panel.py top|bottom|left|right SIZE [COLOUR [KEYS]]`, where KEYS is
`none`, `exclusive` or `on-demand`.

Prints "size W H" for each configure, "down" and "up" for each finger, "cancel" when they are taken back, "button" for each press of a button and "key N" for each press of a key that it gets, and
"keys" and "no keys" when the keyboard's focus comes and goes.
"""

import sys

import rawclient

ANCHORS = {"top": 1 | 4 | 8, "bottom": 2 | 4 | 8, "left": 4 | 1 | 2, "right": 8 | 1 | 2}


def main():
    edge, size = sys.argv[1], int(sys.argv[2])
    colour = int(sys.argv[3], 16) if len(sys.argv) > 3 else 0x884422
    c = rawclient.Connection()
    keys = ["none", "exclusive", "on-demand"].index(sys.argv[4]) if len(sys.argv) > 4 else 0
    painter = rawclient.Painter(c)

    def say(text):
        print(text, flush=True)

    seat = c.bind("wl_seat")
    touch = seat.get_touch()
    for name in ("down", "up", "cancel"):
        touch.on(name, lambda *_, name=name: say(name))
    seat.get_pointer().on("button", lambda serial, time, button, state: state and say("button"))
    keyboard = seat.get_keyboard()
    keyboard.on("enter", lambda *_: say("keys"))
    keyboard.on("leave", lambda *_: say("no keys"))
    keyboard.on("key", lambda serial, time, key, state: state and say(f"key {key}"))
    surface = c.bind("wl_compositor").create_surface()
    layer = c.bind("zwlr_layer_shell_v1").get_layer_surface(surface, None, 2, "panel")
    layer.set_anchor(ANCHORS[edge])
    layer.set_size(*((0, size) if edge in ("top", "bottom") else (size, 0)))
    layer.set_exclusive_zone(size)
    layer.set_keyboard_interactivity(keys)

    def configure(serial, width, height):
        say(f"size {width} {height}")
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
