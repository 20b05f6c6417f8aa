#!/usr/bin/env python3
"""Shares files or a text through the shell: `share.py OUTPUT [--text TEXT] [--file-text FILE] [NAME=PATH...]`.

A path "!PATH" is a file that is removed once it is open, "-" a pipe, "w:PATH" is open for writing alone, "65*PATH" is sent 65
times, "?" is a file that the message names and does not bring. What the shell answers goes to OUTPUT, one line: the outcome and the app, or the error.

An app that is opened with something writes the words to OUTPUT: `share.py --opened OUTPUT WORD...`.
"""

import json
import os
import sys
import time


def share(output, arguments):
    from gi.repository import Gio, GLib

    text, names = "", []
    while arguments:
        word = arguments.pop(0)
        if word == "--text":
            text = arguments.pop(0)
        elif word == "--file-text":
            with open(arguments.pop(0), encoding="utf-8") as file:
                text = file.read()
        else:
            names.append(word)
    handles, pairs = Gio.UnixFDList.new(), []
    for file in names:
        name, path = file.split("=", 1)
        times = 1
        if path == "?":
            pairs.append((99, name))
            continue
        if path == "-":
            descriptor = os.pipe()[0]
        elif path.startswith("w:"):
            descriptor = os.open(path[2:], os.O_WRONLY)
        elif path.startswith("!"):
            descriptor = os.open(path[1:], os.O_RDONLY)
            os.unlink(path[1:])
        else:
            if "*" in path:
                count, path = path.split("*", 1)
                times = int(count)
            descriptor = os.open(path, os.O_RDONLY)
        handle = handles.append(descriptor)
        pairs += [(handle, name)] * times
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    try:
        answer = " ".join(bus.call_with_unix_fd_list_sync(
            "org.mullion.Views1", "/org/mullion/Views1", "org.mullion.Views1", "Share",
            GLib.Variant("(a(hs)sa{sv})", (pairs, text, {})), GLib.VariantType("(ss)"), Gio.DBusCallFlags.NONE, GLib.MAXINT, handles,
            None)[0].unpack()).strip()
    except GLib.Error as error:
        answer = error.message
    put(output, answer)


def put(output, line):
    with open(output + ".part", "w", encoding="utf-8") as file:
        file.write(line + "\n")
    os.rename(output + ".part", output)


if sys.argv[1] == "--opened":
    put(sys.argv[2], json.dumps(sys.argv[3:]))
    time.sleep(600)
else:
    share(sys.argv[1], sys.argv[2:])
