#!/usr/bin/env python3
"""Copies something as wl-copy does, and says what it is asked for: `copying.py WAY [TEXT]`.

    text TEXT       a text, and a web page of it
    secret TEXT     a text that is marked as a secret
    picture BYTES   a picture of so many bytes
    never TEXT      a text that it never hands over
    forever TEXT    a text without an end
    long BYTES      a text of so many bytes
    withdraw TEXT   a text that it takes back when it reads a line, by destroying its source; it ends at the second line
    empty TEXT      the same, but it empties the clipboard
    flood TEXT      the text two hundred times, the last one for good; each has its number
    clear           empties the clipboard, whoever copied, and ends

Prints a line for each step: `copied`, `asked TYPE`, `gone`.
"""

import os
import select
import signal
import sys
import threading

import rawclient

PLAIN = ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING"]


def say(text):
    print(text, flush=True)


def main():
    way, text = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    connection = rawclient.Connection()
    manager = connection.bind("zwlr_data_control_manager_v1")
    device = manager.get_data_device(connection.bind("wl_seat"))
    if way == "clear":
        device.set_selection(None)
        return connection.roundtrip()
    kept = []

    def content(kind):
        if way == "picture":
            return bytes(range(256)) * (int(text) // 256)
        if way == "long":
            return b"x" * (1 << 20)
        return (f"<b>{text}</b>" if kind == "text/html" else text).encode()

    def write(pipe, kind):
        try:
            with os.fdopen(pipe, "wb") as file:
                left = int(text) >> 20 if way == "long" else 1
                while left > 0 or way == "forever":
                    file.write(content(kind))
                    left -= 1
        except BrokenPipeError:
            say("broken " + kind)

    def send(kind, pipe):
        say("asked " + kind)
        if way == "never":
            kept.append(pipe)
        else:
            threading.Thread(target=write, args=(pipe, kind), daemon=True).start()

    def copy(types):
        source = manager.create_data_source()
        for kind in types:
            source.offer(kind)
        source.on("send", send)
        source.on("cancelled", lambda: say("gone"))
        device.set_selection(source)
        return source

    types = ["image/png", "image/x-other"] if way == "picture" else ["application/x-own"] + PLAIN + ["text/html"]
    if way == "flood":
        # The names of all count against the client's limit.
        types = PLAIN
    if way == "secret":
        types.append("x-kde-passwordManagerHint")
    words = text
    for number in range(200 if way == "flood" else 1):
        text = f"{words} {number}" if way == "flood" else words
        source = copy(types)
    connection.roundtrip()
    say("copied")
    lines = 0
    while True:
        connection.flush()
        ready, _, _ = select.select([connection.socket] + ([sys.stdin] if way in ("withdraw", "empty") else []), [], [])
        if sys.stdin in ready:
            sys.stdin.readline()
            lines += 1
            if lines == 2:
                return
            if way == "withdraw":
                source.destroy()
            else:
                device.set_selection(None)
            connection.roundtrip()
            say("withdrawn")
        if connection.socket in ready:
            connection.roundtrip()


if __name__ == "__main__":
    try:
        main()
    except rawclient.Disconnected:
        say("disconnected")
