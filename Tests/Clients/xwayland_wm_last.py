#!/usr/bin/env python3
"""Xwayland whose window manager's connection outlives its Wayland one by a second, whatever ends it: for WLR_XWAYLAND.

Which of them a shell sees end first is chance otherwise: both end with the process.
"""

import os
import sys
import time

kept = int(sys.argv[sys.argv.index("-wm") + 1])
server = os.getpid()
if os.fork() == 0:
    os.closerange(0, kept)
    os.closerange(kept + 1, 1024)
    while os.getppid() == server:
        time.sleep(0.05)
    time.sleep(1)
    os._exit(0)
os.execvp("Xwayland", ["Xwayland"] + sys.argv[1:])
