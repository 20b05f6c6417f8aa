#!/usr/bin/env python3
"""A window with a dialog that is marked as one (xdg-dialog).

    dialog.py modal COMMANDS        two windows, the second modal over the first; does what the fifo says: modal, free, destroy
    dialog.py twice                 marks a window twice; prints the error
    dialog.py lifetimes             mark, manager, window and surface go in every order
"""

import json
import os
import sys

import rawclient


class Windows:
    def __init__(self):
        self.c = rawclient.Connection()
        self.compositor = self.c.bind("wl_compositor")
        self.shell = self.c.bind("xdg_wm_base")
        self.shell.on("ping", lambda serial: self.shell.pong(serial))
        self.painter = rawclient.Painter(self.c)
        self.dialogs = self.c.bind("xdg_wm_dialog_v1")

    def window(self, title, parent=None, mapped=True):
        surface = self.compositor.create_surface()
        xdg = self.shell.get_xdg_surface(surface)
        toplevel = xdg.get_toplevel()
        toplevel.set_title(title)
        toplevel.set_app_id("dialog")
        if parent:
            toplevel.set_parent(parent)

        def configure(serial):
            xdg.ack_configure(serial)
            surface.attach(self.painter.buffer(400, 300, 0x557755, 0x335533), 0, 0)
            surface.damage(0, 0, 400, 300)
            surface.commit()
        xdg.on("configure", configure)
        if mapped:
            surface.commit()
        self.c.roundtrip()
        return surface, xdg, toplevel


def modal(commands):
    w = Windows()
    _, _, parent = w.window("parent")
    surface, _, child = w.window("child", parent, mapped=False)
    dialog = w.dialogs.get_xdg_dialog(child)
    dialog.set_modal()
    surface.commit()
    fifo = os.fdopen(os.open(commands, os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0)
    act = {b"modal": dialog.set_modal, b"free": dialog.unset_modal, b"destroy": dialog.destroy}
    while True:
        w.c.dispatch(0.05)
        for word in (fifo.read() or b"").split():
            act[word]()


def attempt(w):
    try:
        w.c.roundtrip()
        return {"ended": False}
    except rawclient.Disconnected:
        return {"ended": True, "error": list(w.c.error or ())}


def twice():
    w = Windows()
    _, _, toplevel = w.window("one")
    w.dialogs.get_xdg_dialog(toplevel)
    w.dialogs.get_xdg_dialog(toplevel)
    return attempt(w)


def lifetimes():
    for order in ("dialog toplevel xdg surface", "toplevel dialog xdg surface", "toplevel xdg dialog surface",
                  "toplevel xdg surface dialog", "manager toplevel xdg dialog surface"):
        for mapped in (True, False):
            w = Windows()
            surface, xdg, toplevel = w.window("one", mapped=mapped)
            dialog = w.dialogs.get_xdg_dialog(toplevel)
            dialog.set_modal()
            things = {"dialog": dialog, "toplevel": toplevel, "xdg": xdg, "surface": surface, "manager": w.dialogs}
            for name in order.split():
                things[name].destroy()
                if name == "toplevel" and order.index("dialog") > order.index("toplevel"):
                    dialog.unset_modal()   # means nothing any more
                w.c.roundtrip()
            w.c.close()
    # Marked, given back, marked again; then the client dies.
    w = Windows()
    _, _, toplevel = w.window("one")
    w.dialogs.get_xdg_dialog(toplevel).destroy()
    w.dialogs.get_xdg_dialog(toplevel).set_modal()
    w.c.roundtrip()
    return attempt(w)


def main():
    if sys.argv[1] == "modal":
        modal(sys.argv[2])
    else:
        print(json.dumps({"twice": twice, "lifetimes": lifetimes}[sys.argv[1]]()))


if __name__ == "__main__":
    main()
