#!/usr/bin/env python3
"""Picture in Picture by its role (xx-pip), at the level of the wire.

    pip.py abuse WAY        breaks the protocol; `abuse --list` names the ways
    pip.py lifetimes        everything in the wrong order; nothing may come of it
    pip.py die WHEN         dies with a picture: `made`, `committed` or `shown`
"""

import os
import sys

import common
import rawclient


class Session(common.Session):
    def __init__(self):
        super().__init__()
        self.pips = self.c.bind("xx_pip_shell_v1")
        self.seat = self.c.bind("wl_seat")
        self.serials = []

    def pip(self, commits=True, shown=True, size=(160, 90)):
        surface, xdg = self.xdg()
        pip = self.pips.get_pip(xdg)
        told = {"closed": False, "bounds": None, "size": None}

        def configure(serial):
            self.serials.append(serial)
            if shown:
                xdg.ack_configure(serial)
                self.paint(surface, *size, 0x3355aa, 0xffffff)
        xdg.on("configure", configure)
        pip.on("configure_bounds", lambda *most: told.__setitem__("bounds", most))
        pip.on("configure_size", lambda *wanted: told.__setitem__("size", wanted))
        pip.on("closed", lambda: told.__setitem__("closed", True))
        if commits:
            surface.commit()
            self.until(lambda: self.serials)
            self.c.roundtrip()
        return surface, xdg, pip, told


# ---- breaking it ----

def two_pips(s):
    _, xdg, _, _ = s.pip(commits=False)
    s.pips.get_pip(xdg)


def pip_of_a_window(s):
    _, xdg, _ = s.toplevel()
    s.pips.get_pip(xdg)


def pip_of_a_window_that_was(s):
    surface, xdg, toplevel = s.toplevel()
    toplevel.destroy()
    xdg.destroy()
    surface.attach(None, 0, 0)
    surface.commit()
    s.pips.get_pip(s.shell.get_xdg_surface(surface))


def window_of_a_pip(s):
    _, xdg, _, _ = s.pip()
    xdg.get_toplevel()


def window_of_a_pip_that_was(s):
    surface, xdg, pip, _ = s.pip()
    pip.destroy()
    xdg.destroy()
    surface.attach(None, 0, 0)
    surface.commit()
    s.shell.get_xdg_surface(surface).get_toplevel()


def popup_of_a_pip(s):
    _, parent, _ = s.toplevel()
    _, xdg, _, _ = s.pip()
    positioner = s.shell.create_positioner()
    positioner.set_size(10, 10)
    positioner.set_anchor_rect(0, 0, 10, 10)
    xdg.get_popup(parent, positioner)


def content_first(s):
    surface, xdg = s.xdg()
    surface.attach(s.painter.buffer(20, 20, 0, 0), 0, 0)
    s.pips.get_pip(xdg)


def content_before_the_configure(s):
    surface, _, _, _ = s.pip(commits=False)
    surface.commit()
    s.paint(surface, 20, 20)


def answer_to_nothing(s):
    _, xdg, _, _ = s.pip()
    xdg.ack_configure(77)


def too_large(s):
    surface, _, _, told = s.pip()
    s.paint(surface, told["bounds"][0] + 1, 20)


def its_own_origin(s):
    surface, _, pip, _ = s.pip()
    pip.set_origin(surface)


def no_such_edge(s):
    _, _, pip, _ = s.pip()
    pip.resize(s.seat, 0, 3)


def edge_far_out(s):
    _, _, pip, _ = s.pip()
    pip.resize(s.seat, 0, 0xffffffff)


def move_before_the_configure(s):
    _, _, pip, _ = s.pip(commits=False)
    pip.move(s.seat, 1)


def geometry_of_nothing(s):
    _, xdg, _, _ = s.pip()
    xdg.set_window_geometry(0, 0, 0, -4)


def surface_gone_before_its_role(s):
    surface, _, _, _ = s.pip()
    surface.destroy()


def xdg_surface_gone_before_its_role(s):
    _, xdg, _, _ = s.pip()
    xdg.destroy()


def shell_gone_before_pips(s):
    s.pip()
    s.shell.destroy()


ABUSES = [two_pips, pip_of_a_window, pip_of_a_window_that_was, window_of_a_pip, window_of_a_pip_that_was, popup_of_a_pip,
          content_first, content_before_the_configure, answer_to_nothing, too_large, its_own_origin, no_such_edge,
          edge_far_out, move_before_the_configure, geometry_of_nothing, surface_gone_before_its_role,
          xdg_surface_gone_before_its_role, shell_gone_before_pips]


# ---- order ----

def ended_by(s, act):
    try:
        act()
        s.c.roundtrip()
        return False
    except rawclient.Disconnected:
        return True


def lifetimes():
    for commits, shown in ((False, False), (True, False), (True, True)):
        for order in ("pip xdg surface base", "pip surface xdg base", "manager pip xdg surface", "xdg pip surface",
                      "surface pip xdg", "surface xdg pip", "xdg surface pip", "base pip xdg surface", "base surface pip xdg",
                      "surface base pip xdg"):
            s = Session()
            surface, xdg, pip, _ = s.pip(commits, shown)
            things = {"pip": pip, "xdg": xdg, "surface": surface, "manager": s.pips, "base": s.shell}
            for name in order.split():
                # What still can be asked of it means nothing, and must break nothing.
                if ended_by(s, things[name].destroy):
                    break
                if name != "pip" and order.index("pip") > order.index(name):
                    if ended_by(s, lambda: (pip.set_app_id("gone"), pip.set_origin_rect(0, 0, 1, 1), pip.move(s.seat, 5),
                                            pip.resize(s.seat, 5, 10))):
                        break
            s.c.close()
    # One surface is a picture again and again, with names, popups, children and origins that go.
    s = Session()
    surface = s.compositor.create_surface()
    for number in range(3):
        xdg = s.shell.get_xdg_surface(surface)
        pip = s.pips.get_pip(xdg)
        pip.set_app_id(f"again {number}")
        origin = s.compositor.create_surface()
        pip.set_origin(origin)
        pip.set_origin_rect(-5, -5, 0xffffffff, 0)
        origin.destroy()
        xdg.on("configure", lambda serial, xdg=xdg: (xdg.ack_configure(serial), s.paint(surface, 60, 40)))
        surface.commit()
        s.c.roundtrip()
        s.c.roundtrip()
        positioner = s.shell.create_positioner()
        positioner.set_size(10, 10)
        positioner.set_anchor_rect(0, 0, 10, 10)
        menu, menu_xdg = s.xdg()
        popup = menu_xdg.get_popup(xdg, positioner)
        menu.commit()
        s.c.roundtrip()
        if number == 1:
            popup.destroy()
            menu_xdg.destroy()
        # Unmapped and mapped again.
        surface.attach(None, 0, 0)
        surface.commit()
        surface.commit()
        s.c.roundtrip()
        if number != 1:
            popup.destroy()
            menu_xdg.destroy()
        pip.destroy()
        xdg.destroy()
        surface.attach(None, 0, 0)
        surface.commit()
        s.c.roundtrip()
    # Many at once, and the client dies with them.
    for number in range(20):
        s.pip(size=(40 + number, 40))
    return common.attempt(s.c)


def die(when):
    s = Session()
    s.pip(commits=when != "made", shown=when != "committed")
    s.c.roundtrip()
    os._exit(0)


def main():
    if sys.argv[1] == "abuse":
        common.answer(common.abuse(ABUSES, Session, sys.argv[2]))
    elif sys.argv[1] == "die":
        die(sys.argv[2])
    common.answer(lifetimes())


if __name__ == "__main__":
    main()
