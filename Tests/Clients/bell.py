#!/usr/bin/env python3
"""Rings the bell in every way that there is, for its window and for none: `bell.py`. Prints {"ended": ..., "error": ...}."""

import time

import common
import rawclient

session = common.Session()
surface = session.toplevel("bell")[0]
gtk, xdg = session.c.bind("gtk_shell1"), session.c.bind("xdg_system_bell_v1")
RINGS = [lambda: gtk.system_bell(gtk.get_gtk_surface(surface)), lambda: gtk.system_bell(None), lambda: xdg.ring(surface),
         lambda: xdg.ring(None)]
try:
    session.c.roundtrip()
    for ring in RINGS:
        ring()
        session.c.roundtrip()
        # Two bells within 100 ms are one.
        time.sleep(0.2)
except rawclient.Disconnected:
    pass
common.answer(common.attempt(session.c))
