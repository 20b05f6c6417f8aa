#!/usr/bin/env python3
"""Xwayland that does not come up: its Wayland connection ends, and a second later it. For WLR_XWAYLAND."""

import os
import sys
import time

os.close(int(os.environ["WAYLAND_SOCKET"]))
time.sleep(1)
sys.exit(1)
