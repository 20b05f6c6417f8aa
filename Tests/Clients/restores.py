#!/usr/bin/env python3
"""An app that opens its windows again by itself, as browsers do: `restores.py FILE`.

The first time it opens "page 1" to "page 3" and writes FILE. If FILE is there, it opens as many windows in another order, all named
"Browser", and they get their titles half a second later. It stays until it is ended.
"""

import argparse
import os
import select
import sys
import time

import rawclient
import window

PAGES = ["page 1", "page 2", "page 3"]


def main(file):
    again = os.path.exists(file)
    app = window.App(argparse.Namespace(
        app_id="test.browser", title="", colour=0x3366cc, edge=0xffcc00, minimum=None, count=0, token=None, hang_after=None, sharp=False,
        animate=False, popup_on_press=False, log=None, commands=None))
    token = os.environ.get("XDG_ACTIVATION_TOKEN")
    pages = PAGES[1:] + PAGES[:1] if again else PAGES
    for number, page in enumerate(pages):
        app.windows.append(window.Window(app, "Browser" if again else page, token if number == 0 else None))
        app.connection.roundtrip()
    open(file, "w").close()
    named = time.monotonic() + 0.5 if again else None
    while not app.quits:
        app.connection.flush()
        ready, _, _ = select.select([app.connection.socket], [], [], max(0, named - time.monotonic()) if named else None)
        if ready:
            app.connection.dispatch(0)
        if named and time.monotonic() >= named:
            for each, page in zip(app.windows, pages):
                each.toplevel.set_title(page)
            named = None


try:
    main(sys.argv[1])
except rawclient.Disconnected:
    pass
