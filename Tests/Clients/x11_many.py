#!/usr/bin/env python3
"""An X11 program with COUNT windows that are mapped at once. `x11_many.py DISPLAY COUNT`; prints "mapped" when all are, and stays."""

import sys
import time

from x11 import Connection

x = Connection(sys.argv[1])
for _ in range(int(sys.argv[2])):
    x.map(x.window(50, 50))
x.sync()
print("mapped", flush=True)
time.sleep(3600)
