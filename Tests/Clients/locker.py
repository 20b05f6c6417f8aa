#!/usr/bin/env python3
"""Locks the session, at the level of the wire.

    locker.py hold LOG COMMANDS     locks, covers the screen with one colour, logs every event of input and of the lock as
                                    a line of JSON, and does what the lines of the fifo COMMANDS say: `unlock`, `die`,
                                    `hide` (destroys its surface), `sync WORD`
    locker.py second                locks while another holds the session: prints whether it was finished
    locker.py abuse WAY             breaks the protocol; `abuse --list` names the ways
    locker.py lifetimes             everything in the wrong order, several times; unlocks at the end

Options before the command: --colour RRGGBB; --manner MANNER, how `hold` answers a new size: `prompt`, with a picture; `empty`, first with a
commit that brings no picture; `late`, only the last of what came, and after some time
"""

import json
import os
import sys

import common
import rawclient


class Locker(common.Session):
    def __init__(self, colour=0x336699, say=None, manner="prompt"):
        self.colour, self.manner, self.painted, self.owed = colour, manner, False, 0
        self.say = say or (lambda *_: None)
        super().__init__(seen=self.seen, windows=False)
        self.output = self.c.bind("wl_output")
        self.seat = self.c.bind("wl_seat")
        self.pointer, self.keyboard, self.touch = self.seat.get_pointer(), self.seat.get_keyboard(), self.seat.get_touch()
        self.manager = self.c.bind("ext_session_lock_manager_v1")
        self.locked = self.finished = False
        self.size = None

    def seen(self, target, name, arguments):
        kind = target.interface.name
        if kind.startswith("ext_session") or kind in ("wl_keyboard", "wl_pointer", "wl_touch", "wl_surface"):
            plain = [a if isinstance(a, (int, float, str)) else repr(a) for a in arguments if not isinstance(a, bytes)]
            self.say(f"{kind}.{name}", plain)

    def lock(self):
        lock = self.lock_object = self.manager.lock()
        lock.on("locked", lambda: setattr(self, "locked", True))
        lock.on("finished", lambda: setattr(self, "finished", True))
        return lock

    def cover(self, answers=True):
        """A surface on the output, painted in the size that it is told, now and later."""
        surface = self.surface = self.compositor.create_surface()
        lock_surface = self.lock_surface = self.lock_object.get_lock_surface(surface, self.output)

        def configure(serial, width, height):
            self.serial, self.size = serial, (width, height)
            if answers and self.manner == "late" and self.painted:
                self.owed += 1
                self.after(12, lambda: self.pay(lock_surface, surface))
            elif answers:
                lock_surface.ack_configure(serial)
                if self.manner == "empty" and self.painted:
                    surface.frame()
                    surface.commit()
                self.paint(surface, width, height, self.colour, self.colour)
                self.painted = True
        lock_surface.on("configure", configure)
        self.c.roundtrip()
        return surface, lock_surface

    def after(self, turns, what):
        """Does it after so many answers of the shell."""
        self.c.display.sync().on("done", lambda _: self.after(turns - 1, what) if turns else what())

    def pay(self, lock_surface, surface):
        self.owed -= 1
        if not self.owed:
            lock_surface.ack_configure(self.serial)
            self.paint(surface, *self.size, self.colour, self.colour)

    def until_locked(self):
        self.until(lambda: self.locked or self.finished)


def hold(colour, manner, log, commands):
    out = open(log, "a", buffering=1)
    locker = Locker(colour, lambda event, arguments: out.write(json.dumps({"e": event, "a": arguments}) + "\n"), manner)
    locker.lock()
    locker.cover()
    for word, *rest in common.follow(locker.c, commands, over=lambda: locker.finished):
        if word == "unlock":
            locker.lock_object.unlock_and_destroy()
            locker.c.roundtrip()
            return
        if word == "die":
            os._exit(0)
        if word == "hide":
            locker.lock_surface.destroy()
            locker.surface.destroy()
        if word == "sync":
            locker.c.roundtrip()
            out.write(json.dumps({"e": "synced", "a": rest}) + "\n")


# ---- breaking it: each ends its connection before the screen stays locked, or after ----

def unlock_before_locked(l):
    l.manager.lock().unlock_and_destroy()


def destroy_while_locked(l):
    l.lock()
    l.cover()
    l.until_locked()
    l.lock_object.destroy()


def two_surfaces_on_an_output(l):
    l.lock()
    l.cover()
    l.cover()


def surface_with_a_role(l):
    l.lock()
    surface = l.compositor.create_surface()
    shell = l.c.bind("xdg_wm_base")
    shell.get_xdg_surface(surface).get_toplevel()
    l.lock_object.get_lock_surface(surface, l.output)


def surface_with_a_buffer(l):
    l.lock()
    surface = l.compositor.create_surface()
    surface.attach(l.painter.buffer(10, 10, 0, 0), 0, 0)
    surface.commit()
    l.lock_object.get_lock_surface(surface, l.output)


def commit_before_answer(l):
    l.lock()
    surface, _ = l.cover(answers=False)
    surface.attach(l.painter.buffer(*l.size, 0, 0), 0, 0)
    surface.commit()


def commit_without_buffer(l):
    l.lock()
    surface, _ = l.cover()
    surface.attach(None, 0, 0)
    surface.commit()


def wrong_size(l):
    l.lock()
    surface, lock_surface = l.cover(answers=False)
    lock_surface.ack_configure(l.serial)
    surface.attach(l.painter.buffer(20, 20, 0, 0), 0, 0)
    surface.commit()


def wrong_serial(l):
    l.lock()
    _, lock_surface = l.cover(answers=False)
    lock_surface.ack_configure(l.serial + 7)


def answered_twice(l):
    l.lock()
    _, lock_surface = l.cover()
    lock_surface.ack_configure(l.serial)


ABUSES = [unlock_before_locked, destroy_while_locked, two_surfaces_on_an_output, surface_with_a_role, surface_with_a_buffer,
          commit_before_answer, commit_without_buffer, wrong_size, wrong_serial, answered_twice]


def free():
    """The screen may be locked by one that died: take over and unlock."""
    l = Locker()
    l.lock()
    l.until_locked()
    l.lock_object.unlock_and_destroy()
    l.c.roundtrip()
    l.c.close()


def lifetimes():
    # wl_surface first: newer libraries call that an error, older ones do not. The screen stays locked.
    l = Locker()
    l.lock()
    l.cover()
    l.until_locked()
    l.surface.destroy()
    try:
        l.c.roundtrip()
        l.lock_surface.destroy()
        l.c.roundtrip()
        l.c.close()
    except rawclient.Disconnected:
        pass
    # Surfaces come and go, and the manager goes before the lock.
    l = Locker()
    l.lock()
    l.cover()
    l.until_locked()
    l.lock_surface.destroy()
    l.surface.destroy()
    l.c.roundtrip()
    l.cover()
    l.lock_surface.destroy()
    l.cover()
    l.manager.destroy()
    l.c.roundtrip()
    l.lock_object.unlock_and_destroy()
    l.c.roundtrip()
    # What is left of it means nothing any more.
    l.surface.commit()
    l.lock_surface.destroy()
    l.surface.destroy()
    l.c.roundtrip()
    # Locked again by the same client, that dies without a surface; taken over; and again, dying with one.
    l.manager = l.c.bind("ext_session_lock_manager_v1")
    l.locked = False
    l.lock()
    l.until_locked()
    l.c.close()
    for _ in range(2):
        l = Locker()
        l.lock()
        l.cover()
        l.until_locked()
        l.c.close()
    # Given up before it was locked for certain.
    l = Locker()
    lock = l.lock()
    l.c.flush()
    l.until_locked()
    lock.unlock_and_destroy()
    l.c.roundtrip()
    l.c.close()
    return {"ended": False}


def main():
    arguments = sys.argv[1:]
    colour, manner = 0x336699, "prompt"
    while arguments[0].startswith("--"):
        if arguments[0] == "--colour":
            colour = int(arguments[1], 16)
        else:
            manner = arguments[1]
        arguments = arguments[2:]
    command, arguments = arguments[0], arguments[1:]
    out = {}
    if command == "hold":
        hold(colour, manner, *arguments)
        return
    if command == "second":
        l = Locker(colour)
        l.lock()
        l.cover()
        l.until_locked()
        l.lock_surface.destroy()
        l.lock_object.destroy()
        out = {"ended": l.finished, **({} if l.finished else common.attempt(l.c))}
        l.c.roundtrip()
    elif command == "abuse":
        out = common.abuse(ABUSES, lambda: Locker(colour), arguments[0])
        if "ended" in out:
            free()
    else:
        out = lifetimes()
    common.answer(out)


if __name__ == "__main__":
    main()
