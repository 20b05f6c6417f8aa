#!/usr/bin/env python3
"""Stands for an Xwayland that is not ready yet: says its process in $XWAYLAND_SAYS, and goes on until the shell's end of its
Wayland connection is closed."""

import os
import socket

connection = socket.socket(fileno=int(os.environ["WAYLAND_SOCKET"]))
with open(os.environ["XWAYLAND_SAYS"], "w", encoding="ascii") as file:
    file.write("%d\n" % os.getpid())
while connection.recv(4096):
    pass
