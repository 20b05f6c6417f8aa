#!/usr/bin/env python3
"""Session management, in both dialects: `sessions.py xdg|xx STORY`. Prints what was seen, by steps.

    new         a new session, and the same one again after its client was there before
    take        another client takes the session over
    windows     windows are added, restored, renamed, removed
    abuse WAY   breaks the protocol; `abuse --list` names the ways
    lifetimes   everything in the wrong order
    stay FILE   an app with the windows "left" and "right", which stays; it finds its session again by FILE. Windows that
                are restored come in the opposite order and under other titles.
"""

import os
import struct
import sys

import common

LAUNCH, RECOVER = 1, 2


class App(common.Session):
    def __init__(self, dialect):
        self.dialect = dialect
        self.events = []
        super().__init__(seen=self.seen)
        self.manager = self.c.bind(f"{dialect}_session_manager_v1")

    def seen(self, target, name, arguments):
        kind = target.interface.name
        if "session" in kind or (kind, name) == ("xdg_toplevel", "configure"):
            self.events.append((target, name, arguments))

    def heard(self, target, name):
        return [a for t, n, a in self.events if t is target and n == name]

    def session(self, wanted=None, reason=LAUNCH):
        """The session, its name if it is new, and whether it was restored."""
        session = request(self.manager, "get_session", reason, wanted)
        self.c.roundtrip()
        created = self.heard(session, "created")
        return session, created[0][0] if created else None, bool(self.heard(session, "restored"))

    def toplevel(self):
        surface, xdg = self.xdg()
        return surface, xdg, xdg.get_toplevel()

    def restored(self, member):
        return len(self.heard(member, "restored"))


def request(target, name, *arguments):
    """A string may be left out (None), which the wire writes as a length of 0."""
    if None not in arguments:
        return getattr(target, name)(*arguments)
    made = target.connection.make(target.interface.requests[name].arguments[0][1], target.version)
    body = struct.pack("=III", made.number, arguments[0], 0)
    target.connection.raw(target.number, target.interface.requests[name].opcode, body)
    return made


# ---- stories ----

def new(d):
    first = App(d)
    session, name, restored = first.session()
    other, other_name, _ = first.session()
    unknown, fresh, _ = first.session("nobody knows this")
    first.c.close()
    second = App(d)
    _, again, known = second.session(name, RECOVER)
    removed, _, _ = second.session(other_name)
    removed.remove()
    _, after_removal, _ = second.session(other_name)
    return {"steps": {
        "named": bool(name) and not restored, "differ": name != other_name, "unknown": fresh not in (None, "nobody knows this"),
        "restored": known and again is None, "removed": after_removal is not None and after_removal != other_name}}


def take(d):
    first, second = App(d), App(d)
    session, name, _ = first.session()
    _, _, toplevel = first.toplevel()
    member = session.add_toplevel(toplevel, "main")
    _, _, known = second.session(name)
    first.c.roundtrip()
    replaced = len(first.heard(session, "replaced"))
    # What is left of the first one means nothing, and is no error.
    _, _, another = first.toplevel()
    session.add_toplevel(another, "main")
    if d == "xdg":
        member.rename("other")
        session.remove_toplevel("main")
    session.remove()
    first.c.roundtrip()
    _, _, third_known = App(d).session(name)
    return {"steps": {"taken": known, "replaced": replaced, "kept": third_known}}


def windows(d):
    app = App(d)
    session, name, _ = app.session()
    surface, xdg, toplevel = app.toplevel()
    added = session.add_toplevel(toplevel, "main")
    surface.commit()
    app.c.roundtrip()
    out = {"added": app.restored(added) == 0}
    app.c.close()

    app = App(d)
    session, _, _ = app.session(name, RECOVER)
    surface, xdg, toplevel = app.toplevel()
    main = session.restore_toplevel(toplevel, "main")
    app.c.roundtrip()
    early = app.restored(main)
    surface.commit()
    app.c.roundtrip()
    order = [n for t, n, _ in app.events if t in (main, toplevel)]
    out["restored"] = (early, order[:2]) == (0, ["restored", "configure"])
    if d == "xx":
        out["restored"] = out["restored"] and app.heard(main, "restored")[0] == [toplevel]
    # One that was never there is a new one.
    surface, xdg, toplevel = app.toplevel()
    unknown = session.restore_toplevel(toplevel, "second")
    surface.commit()
    app.c.roundtrip()
    out["unknown"] = app.restored(unknown) == 0
    if d == "xdg" or session.version >= 2:
        main.rename("first")
    app.c.roundtrip()
    if d == "xdg":
        session.remove_toplevel("second")
    else:
        unknown.remove()
    app.c.roundtrip()
    app.c.close()

    app = App(d)
    session, _, _ = app.session(name)
    heard = []
    for text in ("first", "second", "main"):
        surface, xdg, toplevel = app.toplevel()
        member = session.restore_toplevel(toplevel, text)
        surface.commit()
        app.c.roundtrip()
        heard.append(app.restored(member))
    out["renamed and removed"] = heard == [1, 0, 0]
    return {"steps": out}


# ---- breaking it ----

def in_use(app):
    _, name, _ = app.session()
    app.manager.get_session(LAUNCH, name)


def bad_reason(app):
    request(app.manager, "get_session", 9, None)


def bad_session_name(app):
    made = app.c.make(f"{app.dialect}_session_v1", 1)
    app.c.raw(app.manager.number, 1, struct.pack("=III", made.number, LAUNCH, 3) + b"\xff\xfe\0\0")


def name_in_use(app):
    session, _, _ = app.session()
    for _ in range(2):
        session.add_toplevel(app.toplevel()[2], "main")


def name_in_use_by_restore(app):
    session, _, _ = app.session()
    session.add_toplevel(app.toplevel()[2], "main")
    session.restore_toplevel(app.toplevel()[2], "main")


def name_in_use_by_rename(app):
    session, _, _ = app.session()
    session.add_toplevel(app.toplevel()[2], "main")
    session.add_toplevel(app.toplevel()[2], "other").rename("main")


def restored_too_late(app):
    session, _, _ = app.session()
    surface, _, toplevel = app.toplevel()
    surface.commit()
    session.restore_toplevel(toplevel, "main")


def bad_name(app):
    session, _, _ = app.session()
    toplevel = app.toplevel()[2]
    made = app.c.make(f"{app.dialect}_toplevel_session_v1", 1)
    app.c.raw(session.number, session.interface.requests["add_toplevel"].opcode,
              struct.pack("=III", made.number, toplevel.number, 3) + b"\xc0\x80\0\0")


ABUSES = [in_use, bad_reason, bad_session_name, name_in_use, name_in_use_by_restore, name_in_use_by_rename, restored_too_late,
          bad_name]


def lifetimes(d):
    for order in ("member toplevel xdg surface session manager", "toplevel xdg surface member session manager",
                  "session member toplevel xdg surface manager", "manager session toplevel member xdg surface",
                  "toplevel session xdg surface manager member"):
        for restores in (False, True):
            for committed in (False, True):
                app = App(d)
                session, name, _ = app.session()
                if restores:
                    first = app.toplevel()
                    session.add_toplevel(first[2], "main").destroy()
                surface, xdg, toplevel = app.toplevel()
                member = (session.restore_toplevel if restores else session.add_toplevel)(toplevel, "main" if restores else "x")
                if committed:
                    surface.commit()
                app.c.roundtrip()
                things = {"member": member, "toplevel": toplevel, "xdg": xdg, "surface": surface, "session": session,
                          "manager": app.manager}
                for thing in order.split():
                    things[thing].destroy()
                    app.c.roundtrip()
                app.c.close()
    # Many sessions and many names: old ones are forgotten, nothing else.
    app = App(d)
    for _ in range(600):
        request(app.manager, "get_session", LAUNCH, None).destroy()
    session, _, _ = app.session()
    toplevel = app.toplevel()[2]
    for number in range(600):
        session.add_toplevel(toplevel, f"name {number}").destroy()
    app.c.roundtrip()
    return common.attempt(app.c)


def stay(d, file):
    app = App(d)
    known = os.path.exists(file)
    session, name, restored = app.session(open(file).read() if known else None, RECOVER if known else LAUNCH)
    if not known:
        with open(file, "w") as out:
            out.write(name)
    for text in ("right", "left") if known else ("left", "right"):
        surface, _, toplevel = common.Session.toplevel(app, f"{text} again" if restored else text, "test.sessions", mapped=False)
        (session.restore_toplevel if known else session.add_toplevel)(toplevel, text)
        surface.commit()
        app.c.roundtrip()
    while True:
        app.c.dispatch(1)


def main():
    dialect, story, *arguments = sys.argv[1:]
    if story == "stay":
        stay(dialect, *arguments)
    if story == "abuse":
        common.answer(common.abuse(ABUSES, lambda: App(dialect), arguments[0]))
    common.answer({"new": new, "take": take, "windows": windows, "lifetimes": lifetimes}[story](dialect))


if __name__ == "__main__":
    main()
