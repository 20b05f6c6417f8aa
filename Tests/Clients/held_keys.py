#!/usr/bin/env python3
"""Holds keys of a virtual keyboard, as a remote viewer or a script does, until it is killed: `held_keys.py CODE...`."""

import os
import sys
import time

import rawclient
import textfield

connection = rawclient.Connection()
textfield.know(connection)
keyboard = connection.bind("zwp_virtual_keyboard_manager_v1").create_virtual_keyboard(connection.bind("wl_seat"))
data = textfield.KEYMAP.encode() + b"\0"
fd = os.memfd_create("keymap")
os.write(fd, data)
keyboard.keymap(1, fd, len(data))
os.close(fd)
for number, code in enumerate(sys.argv[1:]):
    keyboard.key(number, int(code), 1)
connection.roundtrip()
print("held", flush=True)
time.sleep(60)
