#!/usr/bin/env python3
"""A window with a dialog that is marked as one (xdg-dialog).

    dialog.py modal COMMANDS        two windows, the second modal over the first; does what the fifo says: modal, free, destroy
    dialog.py twice                 marks a window twice; prints the error
    dialog.py lifetimes             mark, manager, window and surface go in every order
"""

import sys

import common


class Windows(common.Session):
    def __init__(self):
        super().__init__()
        self.dialogs = self.c.bind("xdg_wm_dialog_v1")


def modal(commands):
    w = Windows()
    _, _, parent = w.toplevel("parent")
    surface, _, child = w.toplevel("child", parent=parent, mapped=False)
    dialog = w.dialogs.get_xdg_dialog(child)
    dialog.set_modal()
    surface.commit()
    act = {"modal": dialog.set_modal, "free": dialog.unset_modal, "destroy": dialog.destroy}
    for words in common.follow(w.c, commands):
        for word in words:
            act[word]()


def twice():
    w = Windows()
    _, _, toplevel = w.toplevel("one")
    w.dialogs.get_xdg_dialog(toplevel)
    w.dialogs.get_xdg_dialog(toplevel)
    return common.attempt(w.c)


def lifetimes():
    for order in ("dialog toplevel xdg surface", "toplevel dialog xdg surface", "toplevel xdg dialog surface",
                  "toplevel xdg surface dialog", "manager toplevel xdg dialog surface"):
        for mapped in (True, False):
            w = Windows()
            surface, xdg, toplevel = w.toplevel("one", mapped=mapped)
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
    _, _, toplevel = w.toplevel("one")
    w.dialogs.get_xdg_dialog(toplevel).destroy()
    w.dialogs.get_xdg_dialog(toplevel).set_modal()
    w.c.roundtrip()
    return common.attempt(w.c)


def main():
    if sys.argv[1] == "modal":
        modal(sys.argv[2])
    else:
        common.answer({"twice": twice, "lifetimes": lifetimes}[sys.argv[1]]())


if __name__ == "__main__":
    main()
