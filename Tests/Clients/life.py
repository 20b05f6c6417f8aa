#!/usr/bin/env python3
"""The life of apps over Wayland (mullion-life).

    life.py app --log F --commands F [--app-id ID] [--name NAME] [--text TEXT] [--answer yes|no|never]
        A window with a state. What happens is logged as lines of JSON, with milliseconds. Commands by lines:
        text TEXT, changed, answer yes|no|never, submit (answers the last request now), task NAME, progress X, end, quit
    life.py count --log F
        Hands over another state each time that it is asked, and says so in the log before it does; it goes on from what it has
        back. If the file F.die names a step (asked, gave, restored, resumed), it is killed at that step, once.
    life.py crashes --log F
        A window that hands over a state, and aborts when it gets it back.
    life.py abuse WAY
        Breaks the protocol; `abuse --list` names the ways.
    life.py harmless
        What is no error: late and made-up answers, objects that outlive their window.
"""

import argparse
import hashlib
import json
import os
import signal
import sys
import time

import common


class App(common.Session):
    def __init__(self, app_id="test.life", seen=None):
        super().__init__(seen=seen)
        self.manager = self.c.bind("mullion_life_manager_v1")
        self.app_id = app_id
        self.serials = []

    def window(self, mapped=True):
        surface, xdg, toplevel = self.toplevel("Life", self.app_id, mapped=False)
        self.surface, self.toplevel_object = surface, toplevel
        if mapped:
            surface.commit()
        self.c.roundtrip()
        return toplevel

    def offer(self, toplevel, name="main"):
        state = self.manager.get_window_state(toplevel, name)
        state.on("save", self.serials.append)
        return state

    def asked(self, state):
        """The serial of a request, made to come."""
        state.changed()
        self.until(lambda: self.serials)
        return self.serials[-1]


def file_of(data):
    fd = os.memfd_create("state")
    os.write(fd, data)
    return fd


def submit(state, serial, data, size=None):
    fd = file_of(data)
    state.submit(serial, fd, len(data) if size is None else size)
    state.connection.flush()
    os.close(fd)


# ---- an app ----

def run(options):
    log = open(options.log, "w", buffering=1)
    begin = time.monotonic()

    def say(event, **more):
        log.write(json.dumps({"e": event, "t": int((time.monotonic() - begin) * 1000), **more}) + "\n")

    app = App(options.app_id)
    text, answer, ended, last, tasks = [options.text], [options.answer], [], [0], []
    surface, xdg, toplevel = app.toplevel("Life", options.app_id, mapped=False)
    toplevel.on("close", lambda: ended.append(True))
    xdg.on("configure", lambda serial: (say("configure"), xdg.ack_configure(serial), app.paint(surface, 300, 200)))
    state = app.offer(toplevel, options.name)

    def restored(fd, size):
        data = os.pread(fd, size, 0)
        try:
            os.write(fd, b"x")
            writable = True
        except OSError:
            writable = False
        os.close(fd)
        text[0] = data.decode()
        say("restore", text=text[0], size=size, writable=writable)

    def give(serial):
        if answer[0] == "no":
            state.no_state(serial)
        else:
            submit(state, serial, text[0].encode())
        say("gave", serial=serial)

    def save(serial):
        last[0] = serial
        say("save", serial=serial)
        if answer[0] != "never":
            give(serial)

    state.on("restore", restored).on("fresh", lambda: say("fresh")).on("save", save)
    life = app.manager.get_app()
    life.on("phase", lambda phase: say("phase", phase=phase))
    life.on("resumed", lambda time: say("resumed", ms=time)).on("memory_low", lambda: say("memory-low"))
    surface.commit()
    app.c.roundtrip()
    for word, *rest in common.follow(app.c, options.commands, lambda: ended):
        if word == "text":
            text[0] = " ".join(rest)
        elif word == "changed":
            state.changed()
        elif word == "answer":
            answer[0] = rest[0]
        elif word == "submit":
            give(last[0])
        elif word == "task":
            task = life.begin_task(" ".join(rest))
            task.on("expires", lambda time: say("expires", ms=time)).on("expired", lambda: say("expired"))
            tasks.append(task)
        elif word == "progress":
            tasks[-1].set_progress(float(rest[0]))
        elif word == "end":
            tasks.pop().destroy()
        elif word == "quit":
            return
        app.c.roundtrip()
        say("did", command=word)


# ---- an app that its own state ends ----

def crashes(options):
    log = open(options.log, "a", buffering=1)
    app = App(options.app_id)
    surface, xdg, toplevel = app.toplevel("Crash", options.app_id, mapped=False)
    state = app.offer(toplevel)
    state.on("restore", lambda fd, size: (log.write("restore\n"), os.kill(os.getpid(), signal.SIGABRT)))
    state.on("fresh", lambda: log.write("fresh\n"))
    state.on("save", lambda serial: (submit(state, serial, b"poison"), log.write("gave\n")))
    surface.commit()
    app.c.roundtrip()
    state.changed()
    app.until(lambda: False, seconds=600)


# ---- an app that counts ----

def counted(number):
    """The state of that number: its size differs from the last one's, and no part of it can be missing unseen."""
    size = number * 7919 % 60_000 if number % 10 else number * 104_729 % ((1 << 20) - 200)
    body = (f"{number}." * (size // len(f"{number}.") + 1))[:size].encode()
    return f"{number}:{size}:{hashlib.sha1(body).hexdigest()}:".encode() + body


def count(options):
    # Each line is one write: a kill leaves it there or not.
    log = os.open(options.log, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    end = os.lseek(log, 0, os.SEEK_END)
    lines = os.pread(log, 4096, max(0, end - 4096)).decode().splitlines()
    # No number is used twice, whatever it has back.
    number = [max([json.loads(line).get("last", 0) for line in lines if line.startswith("{")], default=0)]

    def say(event, **more):
        os.write(log, (json.dumps({"e": event, "last": number[0], **more}) + "\n").encode())

    def step(name):
        try:
            wanted = open(f"{options.log}.die").read().strip()
        except FileNotFoundError:
            return
        if wanted == name:
            os.unlink(f"{options.log}.die")
            os.kill(os.getpid(), signal.SIGKILL)

    say("start", process=os.getpid(), runtime=os.environ.get("XDG_RUNTIME_DIR"))
    app = App("test.count")
    surface, xdg, toplevel = app.toplevel("Count", "test.count", mapped=False)
    ended = []
    toplevel.on("close", lambda: ended.append(True))
    xdg.on("configure", lambda serial: (xdg.ack_configure(serial), app.paint(surface, 300, 200)))
    state = app.offer(toplevel)

    def restored(fd, size):
        data = os.pread(fd, size, 0)
        os.close(fd)
        had = data.split(b":", 1)[0].decode(errors="replace")
        whole = had.isdigit() and len(data) == size and data == counted(int(had))
        say("restore", n=int(had) if whole else None)
        step("restored")

    def save(serial):
        step("asked")
        number[0] += 1
        say("gives", n=number[0], serial=serial)
        submit(state, serial, counted(number[0]))
        step("gave")

    state.on("restore", restored).on("fresh", lambda: say("fresh")).on("save", save)
    life = app.manager.get_app()
    life.on("resumed", lambda time: (say("resumed"), step("resumed")))
    surface.commit()
    while not ended:
        app.c.dispatch(1)


# ---- what is forbidden ----

def too_large(app):
    state = app.offer(app.window())
    submit(state, 1, b"", (1 << 20) + 1)


def lying_size(app):
    state = app.offer(app.window())
    submit(state, app.asked(state), b"short", 4096)


def shrunk_file(app):
    """It had its size when it was sent. Whoever maps it dies."""
    state = app.offer(app.window())
    serial = app.asked(state)
    fd = file_of(b"x" * 500_000)
    state.submit(serial, fd, 500_000)
    os.ftruncate(fd, 0)
    app.c.roundtrip()
    # The shell may have read it in time.
    state.changed()
    app.serials.clear()
    serial = app.asked(state)
    os.ftruncate(fd, 10)
    state.submit(serial, fd, 500_000)


def pipe_for_file(app):
    state = app.offer(app.window())
    serial = app.asked(state)
    state.submit(serial, os.pipe()[0], 10)


def device_for_file(app):
    state = app.offer(app.window())
    serial = app.asked(state)
    state.submit(serial, os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY), 10)


def folder_for_file(app):
    state = app.offer(app.window())
    serial = app.asked(state)
    state.submit(serial, os.open("/", os.O_RDONLY), 10)


def unreadable_file(app):
    state = app.offer(app.window())
    serial = app.asked(state)
    name = f"{os.environ['XDG_RUNTIME_DIR']}/unreadable"
    fd = os.open(name, os.O_CREAT | os.O_WRONLY, 0o600)
    os.write(fd, b"x" * 10)
    state.submit(serial, fd, 10)


def empty_name(app):
    app.offer(app.window(), "")


def long_name(app):
    app.offer(app.window(), "n" * 257)


def name_twice(app):
    app.offer(app.window())
    app.offer(app.window())


def no_toplevel(app):
    app.window()
    app.manager.get_window_state(app.surface, "main")


def unknown_toplevel(app):
    """An object that this client does not have, such as another client's window."""
    app.window()
    app.manager.get_window_state(4711, "main")


def too_many_states(app):
    toplevel = app.window()
    for number in range(65):
        app.offer(toplevel, f"state {number}")
        app.c.roundtrip()


def empty_task(app):
    app.manager.get_app().begin_task("")


def long_task(app):
    app.manager.get_app().begin_task("ü" * 129)


def too_much_progress(app):
    app.window()
    app.manager.get_app().begin_task("Task").set_progress(1.5)


def negative_progress(app):
    app.window()
    app.manager.get_app().begin_task("Task").set_progress(-0.1)


ABUSES = [too_large, lying_size, shrunk_file, pipe_for_file, device_for_file, folder_for_file, unreadable_file, empty_name, long_name,
          name_twice, no_toplevel, unknown_toplevel, too_many_states, empty_task, long_task, too_much_progress, negative_progress]


# ---- what is allowed ----

def harmless():
    expired = []
    app = App()
    # Without a window a task is refused, and nothing worse.
    life = app.manager.get_app()
    life.begin_task("Too early").on("expired", lambda: expired.append("early"))
    app.c.roundtrip()
    toplevel = app.window()
    state = app.offer(toplevel)
    submit(state, 0, b"nobody asked")
    submit(state, 4711, b"nobody asked")
    state.no_state(4711)
    first = app.asked(state)
    app.serials.clear()
    second = app.asked(state)
    submit(state, first, b"old")
    submit(state, second, b"new")
    submit(state, second, b"newer, and not asked for")
    # A file on a disk, and one of the largest size.
    app.serials.clear()
    name = f"{os.environ['HOME']}/state"
    with open(name, "wb") as file:
        file.write(b"y" * 1000)
    fd = os.open(name, os.O_RDONLY)
    state.submit(app.asked(state), fd, 1000)
    app.c.roundtrip()
    app.serials.clear()
    submit(state, app.asked(state), b"z" * (1 << 20))
    app.serials.clear()
    submit(state, app.asked(state), b"")
    tasks = [life.begin_task(f"Task {number}").on("expired", lambda: expired.append("many")) for number in range(17)]
    app.c.roundtrip()
    for task in tasks:
        task.set_progress(1)
    toplevel.destroy()
    state.changed()
    submit(state, second, b"no window any more")
    state.destroy()
    app.c.roundtrip()
    # The name is free again.
    app.offer(app.window()).changed()
    app.manager.destroy()
    return {**common.attempt(app.c), "steps": {"expired": expired}}


def main():
    story, *arguments = sys.argv[1:]
    if story == "abuse":
        common.answer(common.abuse(ABUSES, App, arguments[0]))
    if story == "harmless":
        common.answer(harmless())
    if story in ("count", "crashes"):
        options = argparse.ArgumentParser()
        options.add_argument("--log", required=True)
        options.add_argument("--app-id", default="test.life")
        return (count if story == "count" else crashes)(options.parse_args(arguments))
    parser = argparse.ArgumentParser()
    for name, standard in [("log", None), ("commands", None), ("app-id", "test.life"), ("name", "main"), ("text", "first"), ("answer", "yes")]:
        parser.add_argument(f"--{name}", default=standard)
    run(parser.parse_args(arguments))


if __name__ == "__main__":
    main()
