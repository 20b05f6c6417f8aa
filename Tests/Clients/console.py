#!/usr/bin/env python3
"""Runs a program on a text console: `console.py SCREEN LOG PROGRAM…`.

The program has a controlling terminal, whose output goes to the file SCREEN. Its standard output and error go to the file LOG, as
those of a session do."""

import os
import pty
import sys
import time

screen, log, *command = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    output = os.open(log, os.O_WRONLY | os.O_CREAT, 0o600)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.execvp(command[0], command)
with open(screen, "wb", buffering=0) as file:
    ended = (0, 0)
    while ended == (0, 0):
        try:
            file.write(os.read(terminal, 4096))
        except OSError:
            # Nobody has the terminal open at the moment.
            time.sleep(0.05)
        ended = os.waitpid(child, os.WNOHANG)
sys.exit(os.waitstatus_to_exitcode(ended[1]))
