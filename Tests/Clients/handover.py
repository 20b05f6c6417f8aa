#!/usr/bin/python3
"""A program of which one process runs: a second start hands what it is to show to the first by a socket, as browsers do.

    handover.py SOCKET first WORD...    the window; its title is what it was told last
        asks        it asks to come forward when it is told something
        early       ... but only after the second start has ended
        opens       it opens another window
    handover.py SOCKET second TEXT      tells it, and ends when it has an answer
    handover.py SOCKET version          ends without telling anything
    handover.py SOCKET holds TEXT       tells it, and keeps the connection
"""

import os
import socket
import sys
import time

path, way, words = sys.argv[1], sys.argv[2], sys.argv[3:]

if way == "version":
    time.sleep(0.3)
    print("handover 1.0")
    sys.exit(0)

if way != "first":
    time.sleep(0.2)
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    connection.sendall(words[0].encode())
    connection.recv(3)
    if way == "holds":
        time.sleep(600)
    sys.exit(0)

import gi  # noqa: E402

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

GLib.set_prgname("org.mullion.test.Handover")
windows = []


def show(title):
    window = Gtk.Window(title=title)
    window.show_all()
    windows.append(window)


def accepted(*_):
    connection, _ = server.accept()
    text = connection.recv(100).decode()
    if "opens" in words:
        show(text)
    else:
        windows[0].set_title(text)
    if "asks" in words:
        windows[0].present()
    GLib.timeout_add(60, answer, connection)
    return True


def answer(connection):
    connection.sendall(b"ACK")
    if "early" in words:
        GLib.timeout_add(300, windows[0].present)
    return False


show("first")
server = socket.socket(socket.AF_UNIX)
server.bind(path)
server.listen()
GLib.io_add_watch(server.fileno(), GLib.IO_IN, accepted)
Gtk.main()
