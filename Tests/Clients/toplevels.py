#!/usr/bin/env python3
"""Looks at the list of windows (ext-foreign-toplevel-list).

    toplevels.py list               prints every window as [identifier, title, app id]
    toplevels.py watch LOG          logs every change as a line of JSON until it is ended
    toplevels.py taskbar FIFO LOG   the same of wlr-foreign-toplevel-management, as a taskbar sees it; does what the lines of the
                                    fifo say: `activate TITLE`, `minimize TITLE`, `close TITLE`
    toplevels.py lifetimes          the list and its handles go in every order; nothing may come of it
"""

import json
import struct
import sys

import common
import rawclient


class Lister:
    def __init__(self, say=lambda *_: None):
        self.c = rawclient.Connection()
        self.windows = {}
        self.finished = False
        self.say = say
        self.list = self.c.bind("ext_foreign_toplevel_list_v1")
        self.list.on("toplevel", self.added)
        self.list.on("finished", lambda: setattr(self, "finished", True))
        self.c.roundtrip()

    def added(self, handle):
        told = {"identifier": None, "title": None, "app_id": None}
        self.windows[handle] = told
        for name in told:
            handle.on(name, lambda value, name=name: told.__setitem__(name, value))
        handle.on("done", lambda: self.say("done", told))
        handle.on("closed", lambda: (self.windows.pop(handle, None), self.say("closed", told)))

    def report(self):
        return [[w["identifier"], w["title"], w["app_id"]] for w in self.windows.values()]


STATES = ["maximized", "minimized", "activated", "fullscreen"]


def taskbar(commands, log):
    c = rawclient.Connection()
    seat = c.bind("wl_seat")
    c.bind("wl_output")
    out = open(log, "a", buffering=1)
    handles = {}

    def added(handle):
        told = {"title": "", "states": [], "on": False}
        handle.on("title", lambda title: (handles.__setitem__(title, handle), told.__setitem__("title", title)))
        handle.on("output_enter", lambda _: told.__setitem__("on", True))
        handle.on("output_leave", lambda _: told.__setitem__("on", False))
        handle.on("state", lambda states: told.__setitem__(
            "states", sorted(STATES[n] for n in struct.unpack(f"={len(states) // 4}I", states))))
        handle.on("done", lambda: out.write(json.dumps({"e": "done", **told}) + "\n"))
        handle.on("closed", lambda: out.write(json.dumps({"e": "closed", **told}) + "\n"))

    c.bind("zwlr_foreign_toplevel_manager_v1").on("toplevel", added)
    c.roundtrip()
    for word, title in common.follow(c, commands):
        handle = handles[title]
        {"activate": lambda: handle.activate(seat), "minimize": handle.set_minimized, "close": handle.close}[word]()


def lifetimes():
    l = Lister()
    handles = list(l.windows)
    handles[0].destroy()
    l.c.roundtrip()
    l.list.stop()
    l.c.roundtrip()
    finished = l.finished
    l.list.destroy()
    l.c.roundtrip()
    for handle in handles[1:]:
        handle.destroy()
    l.c.roundtrip()
    # The list goes first, the handles stay.
    l = Lister()
    l.list.destroy()
    l.c.roundtrip()
    count = len(l.windows)
    for handle in list(l.windows):
        handle.destroy()
    l.c.roundtrip()
    # Stopped twice, and the client dies with everything.
    l = Lister()
    l.list.stop()
    l.list.stop()
    l.c.roundtrip()
    return {"finished": finished, "count": count}


def main():
    if sys.argv[1] == "list":
        print(json.dumps({"steps": {"windows": Lister().report()}}))
    elif sys.argv[1] == "taskbar":
        taskbar(*sys.argv[2:])
    elif sys.argv[1] == "watch":
        out = open(sys.argv[2], "a", buffering=1)
        l = Lister(lambda event, told: out.write(json.dumps({"e": event, **told}) + "\n"))
        while True:
            l.c.dispatch(1)
    else:
        print(json.dumps({"steps": lifetimes()}))


if __name__ == "__main__":
    main()
