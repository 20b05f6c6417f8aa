#!/usr/bin/env python3
"""Connects as a sandbox engine has its apps connect (security-context), and prints what is seen from there.

    sandbox.py globals                     the globals that this program itself is shown
    sandbox.py within [ENGINE] APP         those of an app in a context of that name
    sandbox.py bind GLOBAL [APP]           takes up a global that it was not shown (in a context, if an app is named)
    sandbox.py abuse WAY                   breaks the protocol; `abuse --list` names the ways
    sandbox.py lifetimes                   everything in the wrong order; nothing may come of it
    sandbox.py snatch                      takes a connection that the shell has heard of from its own socket, which it has made to wait

Prints one JSON object: {"globals": {name: version}} or {"ended": ..., "error": [object, code, text]}.
"""

import fcntl
import os
import select
import signal
import socket
import struct
import sys
import tempfile
import time

import common
import rawclient

MANAGER = "wp_security_context_manager_v1"


class Engine:
    """A sandbox engine's connection, its listening socket and the pipe that ends the context."""

    def __init__(self):
        self.c = rawclient.Connection()
        self.manager = self.c.bind(MANAGER)
        self.path = os.path.join(tempfile.mkdtemp(), "socket")
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listening.bind(self.path)
        self.listening.listen(8)
        self.end, self.kept = os.pipe()

    def context(self):
        # The descriptor that hangs up is the end that is read.
        return self.manager.create_listener(self.listening.fileno(), self.end)

    def committed(self, engine="org.example.engine", app="org.example.App"):
        context = self.context()
        context.set_sandbox_engine(engine)
        context.set_app_id(app)
        context.set_instance_id("1")
        context.commit()
        self.c.roundtrip()
        return context


def names(connection):
    return {name: version for name, found in connection.globals.items() for _, version in found}


def globals_of(path=None):
    return names(rawclient.Connection(path))


def bind_hidden(connection, name, number):
    """Takes up a global by its number, though it was never announced."""
    text = name.encode() + b"\0"
    body = struct.pack("=II", number, len(text)) + text + b"\0" * (-len(text) % 4)
    made = connection.make("wl_callback", 1)
    body += struct.pack("=II", 1, made.number)
    connection.raw(connection.registry.number, connection.registry.interface.requests["bind"].opcode, body)
    return common.attempt(connection)


# ---- breaking it ----

def not_a_socket(e):
    e.manager.create_listener(e.end, e.kept)


def not_listening(e):
    other = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    e.manager.create_listener(other.fileno(), e.end)


def network_socket(e):
    other = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    other.bind(("127.0.0.1", 0))
    other.listen(1)
    e.manager.create_listener(other.fileno(), e.end)


def said_twice(e):
    context = e.context()
    context.set_app_id("one")
    context.set_app_id("two")


def said_after_commit(e):
    e.committed().set_instance_id("2")


def committed_twice(e):
    e.committed().commit()


ABUSES = [not_a_socket, not_listening, network_socket, said_twice, said_after_commit, committed_twice]


def lifetimes():
    """Clients, contexts, managers and engines go in every order; what is there goes on."""
    seen = []
    e = Engine()
    context = e.committed()
    first = rawclient.Connection(e.path)
    context.destroy()
    second = rawclient.Connection(e.path)
    e.manager.destroy()
    e.c.roundtrip()
    third = rawclient.Connection(e.path)
    os.close(e.kept)
    e.c.roundtrip()
    # The context is over: nobody takes the connection, who is there stays.
    late = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    late.settimeout(0.5)
    e.listening.close()
    try:
        late.connect(e.path)
        late.sendall(struct.pack("=IHHI", 1, 0, 12, 2))
        seen.append(len(late.recv(100)))
    except OSError:
        seen.append(0)
    for client in (first, second, third):
        client.roundtrip()
    e.c.close()
    for client in (third, first, second):
        client.roundtrip()
        client.close()
    # Never committed, and the engine dies.
    e = Engine()
    e.context()
    e.c.roundtrip()
    e.c.close()
    # The engine dies, its apps go on.
    e = Engine()
    e.committed()
    app = rawclient.Connection(e.path)
    e.c.close()
    app.roundtrip()
    app.roundtrip()
    again = rawclient.Connection(e.path)
    app.close()
    again.roundtrip()
    return {"late": seen[0]}


KEYMAP = """xkb_keymap { xkb_keycodes { include "evdev" }; xkb_types { include "complete" };
    xkb_compatibility { include "complete" }; xkb_symbols { include "pc+us+inet(evdev)" }; };"""


def snatch():
    """In one turn of its loop the shell hears of much work for one client, and of a connection, which is gone when it comes to it.

    Tried until it is: how long the shell takes is not known."""
    e = Engine()
    e.committed()
    keymap = os.memfd_create("keymap")
    os.write(keymap, KEYMAP.encode() + b"\0")
    shell, _, _ = struct.unpack("iII", e.c.socket.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    mine = in_a_row = 0
    for attempt in range(80):
        # A new one each time: nobody may have many keymaps in a second.
        worker = rawclient.Connection()
        keyboard = worker.bind("zwp_virtual_keyboard_manager_v1").create_virtual_keyboard(worker.bind("wl_seat"))
        worker.roundtrip()
        fcntl.fcntl(e.listening.fileno(), fcntl.F_SETFL, os.O_RDWR)
        os.kill(shell, signal.SIGSTOP)
        try:
            for _ in range(15):
                keyboard.keymap(1, os.dup(keymap), len(KEYMAP) + 1)
            worker.flush()
            visitor = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            visitor.connect(e.path)
        finally:
            os.kill(shell, signal.SIGCONT)
        time.sleep(0.001 * (attempt % 12 + 1))
        if select.select([e.listening], [], [], 0)[0]:
            e.listening.accept()
            mine += 1
            in_a_row += 1
        else:
            in_a_row = 0
        worker.roundtrip()
        worker.close()
        visitor.close()
        # Nobody but us takes it any more: the shell has given it up.
        if in_a_row == 10:
            break
    # Another of the same kind, to see that the shell goes on.
    rawclient.Connection().roundtrip()
    return {"mine": mine}


def main():
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "globals":
        out = {"globals": globals_of()}
    elif command == "within":
        engine, app = (["org.example.engine"] + arguments)[-2:]
        e = Engine()
        e.committed(engine, app)
        out = {"globals": globals_of(e.path)}
    elif command == "bind":
        e = Engine()
        number = e.c.globals[arguments[0]][0][0]
        e.committed(app=arguments[1] if len(arguments) > 1 else "")
        out = bind_hidden(rawclient.Connection(e.path), arguments[0], number)
    elif command == "abuse":
        out = common.abuse(ABUSES, Engine, arguments[0])
    elif command == "snatch":
        out = snatch()
    else:
        out = lifetimes()
    common.answer(out)


if __name__ == "__main__":
    main()
