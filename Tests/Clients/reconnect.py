#!/usr/bin/env python3
"""A window that comes back when the shell does: the program outlives a shell that failed, and connects to the next one.

    reconnect.py --log F [--stays-away]
        Adds a line to F when it starts and at each connection. `--stays-away`: it does not connect again.
"""

import argparse
import os
import sys
import time

import common
import rawclient


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", required=True)
    parser.add_argument("--stays-away", action="store_true")
    options = parser.parse_args()

    def say(text):
        with open(options.log, "a") as log:
            print(text, file=log)

    say("started")
    while True:
        try:
            client = common.Session()
            client.toplevel("Reconnects", "test.reconnect")
            say("connected")
            while True:
                client.c.dispatch(0.2)
        except (rawclient.Disconnected, OSError) as error:
            say("disconnected")
            # Until the test and its folder are gone.
            while options.stays_away:
                if not os.path.exists(options.log):
                    sys.exit()
                time.sleep(1)
            # Like Qt, it connects at once, and waits for the next shell to answer: the socket stays open.
            if not isinstance(error, rawclient.Disconnected):
                time.sleep(0.1)


main()
