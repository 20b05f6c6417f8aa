#!/usr/bin/env python3
"""What an app says wrongly of its windows (mullion-windows): prints the protocol error.

    hints.py --list             the ways
    hints.py WAY
"""

import sys

import common


class Windows(common.Session):
    def __init__(self):
        super().__init__()
        self.manager = self.c.bind("mullion_window_manager_v1")
        self.surface, self.role, self.top = self.toplevel("one", mapped=False)
        self.said = self.manager.get_window(self.top)


def style(w):
    w.said.set_style(3, 0)


def occasion(w):
    w.said.set_style(0, 9)


def role(w):
    w.said.set_role(2)


def flag(w):
    w.said.set_at_top(2)


def presentation(w):
    w.said.set_modal(5)


def anchor(w):
    w.said.set_anchor(0, 0, 0, 20)


def far_anchor(w):
    w.said.set_anchor(70000, 0, 20, 20)


def pinchable(w):
    w.said.set_pinchable(3, 0, 0, 20, -1)


def far_pinchable(w):
    w.said.set_pinchable(4, -70000, 0, 20, 20)


def many_pinchables(w):
    for number in range(65):
        w.said.set_pinchable(number, 0, number, 20, 20)


def again_pinchables(w):
    """No error: the same ids again are moves, and an id that is not set is nothing."""
    for number in range(640):
        w.said.set_pinchable(number % 64, 0, number, 20, 20)
    w.said.unset_pinchable(7)
    w.said.unset_pinchable(7)
    w.said.unset_pinchable(4000000000)
    w.said.set_pinchable(64, 0, 0, 20, 20)


def same_surface(w):
    w.manager.get_window_of_surface(w.surface)


def surfaces(w):
    """No error: surfaces that are no toplevels, and that go first."""
    surface = w.c.bind("wl_compositor").create_surface()
    said = w.manager.get_window_of_surface(surface)
    said.set_style(0, 1)
    said.set_role(1)
    said.set_pinchable(1, 0, 0, 10, 10)
    said.set_unsaved("Title", None, "Discard", None, "Cancel")
    surface.commit()
    surface.destroy()
    said.set_pinchable(1, 0, 0, 10, 20)
    said.set_modal(1)
    w.c.roundtrip()
    said.destroy()
    w.manager.destroy()
    w.said.set_pinchable(1, 0, 0, 10, 10)


def empty_title(w):
    w.said.set_unsaved("", None, "Discard", None, "Cancel")


def long_message(w):
    w.said.set_unsaved("Title", "x" * 2049, "Discard", None, "Cancel")


def twice(w):
    w.manager.get_window(w.top)


def too_late(w):
    w.toplevel("two")
    surface, xdg, top = w.toplevel("three")
    w.c.roundtrip()
    w.manager.get_window(top).set_style(1, 0)


def gone(w):
    """No error: the window is gone, and what is said of it means nothing."""
    w.top.destroy()
    w.role.destroy()
    w.said.set_role(1)
    w.said.set_modal(3)
    w.said.set_anchor(0, 0, 1, 1)
    w.said.set_at_top(1)
    w.said.set_style(1, 1)
    w.said.set_pinchable(1, 0, 0, 1, 1)
    w.said.unset_pinchable(1)
    w.said.destroy()


if __name__ == "__main__":
    common.answer(common.abuse(
        [style, occasion, role, flag, presentation, anchor, far_anchor, pinchable, far_pinchable, many_pinchables,
         again_pinchables, same_surface, surfaces, empty_title, long_message, twice, too_late, gone], Windows, sys.argv[1]))
