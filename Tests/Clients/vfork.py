#!/usr/bin/env python3
"""A process whose child of vfork runs for 20 seconds. Until then the parent sleeps where no signal reaches it."""

import ctypes
import os
import time

if ctypes.CDLL(None).vfork() == 0:
    time.sleep(20)
    os._exit(0)
