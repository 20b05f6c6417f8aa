#!/usr/bin/env python3
"""A client that overdoes modal windows: `modals.py WAY COUNT`.

    tower       sheets, each on the one before, of every presentation in turn
    storm       popovers on one window, and a menu on each
    circle      windows that name each other as parents
    dead        a sheet whose parent goes while it comes, and comes back, again and again
    flicker     a dialog that changes its presentation and its anchor two thousand times
"""

import sys

import common

COUNT = int(sys.argv[2])


class Modals(common.Session):
    def __init__(self):
        super().__init__()
        self.manager = self.c.bind("mullion_window_manager_v1")
        self.surface, self.role, self.top = self.toplevel("base", size=(900, 700))

    def modal(self, title, parent, presentation, anchor=(300, 200, 40, 40)):
        surface, xdg, top = self.toplevel(title, parent=parent, mapped=False, size=(240, 160))
        said = self.manager.get_window(top)
        said.set_modal(presentation)
        said.set_anchor(*anchor)
        surface.commit()
        return surface, xdg, top, said


def tower(m):
    above = m.top
    for number in range(COUNT):
        above = m.modal(f"modal {number}", above, 1 + number % 4)[2]
    m.c.roundtrip()


def storm(m):
    for number in range(COUNT):
        surface, xdg, top, said = m.modal(f"popover {number}", m.top, 3, (number * 8, number * 6, 20, 20))
        m.c.roundtrip()
        place = m.shell.create_positioner()
        place.set_size(80, 60)
        place.set_anchor_rect(0, 0, 1, 1)
        menu, role = m.xdg()
        popup = role.get_popup(xdg, place)
        role.on("configure", role.ack_configure)
        menu.commit()


def circle(m):
    made = [m.modal(f"modal {number}", m.top, 1 + number % 4) for number in range(4)]
    for turn in range(20):
        for number, (_, _, top, _) in enumerate(made):
            top.set_parent(made[(number + turn + 1) % 4][2])
            # xdg-shell calls a circle an error in its later versions, so the shell may end this.
            m.top.set_parent(top if turn % 2 else None)
    m.c.roundtrip()


def dead(m):
    for turn in range(COUNT // 2):
        parent = m.toplevel(f"parent {turn}")
        modal = m.modal(f"modal {turn}", parent[2], 1 + turn % 4)
        parent[2].destroy()
        parent[1].destroy()
        parent[0].destroy()
        m.c.roundtrip()
        modal[2].set_parent(m.top)
        m.c.roundtrip()
        modal[3].set_modal(0)
        modal[2].destroy()
        modal[1].destroy()
        modal[0].destroy()


def flicker(m):
    _, _, top, said = m.modal("modal", m.top, 3)
    m.c.roundtrip()
    for turn in range(2000):
        said.set_modal(turn % 5)
        said.set_anchor(turn % 900, turn % 700, 1 + turn % 40, 1)
        if turn % 100 == 0:
            m.c.roundtrip()


if __name__ == "__main__":
    def stay(way):
        def body(m):
            way(m)
            m.c.roundtrip()
        body.__name__ = way.__name__
        return body
    common.answer(common.abuse([stay(way) for way in (tower, storm, circle, dead, flicker)], Modals, sys.argv[1]))
