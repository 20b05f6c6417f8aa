#!/usr/bin/python3
"""Calls xdg-desktop-portal as an app does, and prints what a person answered.

    portal.py account PARENT            who is the person?
    portal.py open PARENT FILE          with which app is the file to be opened?
    portal.py background PARENT         may it run in the background, and begin with the session?
    portal.py choose PARENT FILE        asks the backend for an app, of none
    portal.py states PARENT             prints the backend's states of apps, and what becomes of one that runs in the background
    portal.py close PARENT              asks as `account`, and takes the question back after half a second
"""

import os
import sys

from gi.repository import Gio, GLib

PORTAL = "org.freedesktop.portal.Desktop"
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
loop = GLib.MainLoop()


def responded(_connection, _sender, _path, _interface, _signal, parameters):
    print("response", *parameters.unpack(), flush=True)
    loop.quit()


bus.signal_subscribe(None, "org.freedesktop.portal.Request", "Response", None, None, 0, responded)
way, parent = sys.argv[1:3]
if way == "open":
    files = Gio.UnixFDList.new()
    number = files.append(os.open(sys.argv[3], os.O_RDONLY))
    answer, _ = bus.call_with_unix_fd_list_sync(
        PORTAL, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.OpenURI", "OpenFile",
        GLib.Variant("(sha{sv})", (parent, number, {"ask": GLib.Variant("b", True)})), None, 0, 20000, files, None)
elif way == "background":
    answer = bus.call_sync(
        PORTAL, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Background", "RequestBackground",
        GLib.Variant("(sa{sv})", (parent, {"reason": GLib.Variant("s", "To fetch mail."), "autostart": GLib.Variant("b", True)})), None, 0, 20000, None)
elif way in ("choose", "states"):
    def ask(interface, member, parameters):
        return bus.call_sync(
            "org.freedesktop.impl.portal.desktop.mullion", "/org/freedesktop/portal/desktop", f"org.freedesktop.impl.portal.{interface}", member,
            parameters, None, 0, 60000, None).unpack()
    handle = "/org/freedesktop/portal/desktop/request/1"
    if way == "choose":
        print("chosen", *ask("AppChooser", "ChooseApplication", GLib.Variant(
            "(ossasa{sv})", (handle, "", parent, [], {"filename": GLib.Variant("s", sys.argv[3])}))), flush=True)
    else:
        print("states", *ask("Background", "GetAppState", None), flush=True)
        print("notified", *ask("Background", "NotifyBackground", GLib.Variant("(oss)", (handle, "org.example.App", "App"))), flush=True)
    sys.exit()
else:
    answer = bus.call_sync(
        PORTAL, "/org/freedesktop/portal/desktop", "org.freedesktop.portal.Account", "GetUserInformation",
        GLib.Variant("(sa{sv})", (parent, {"reason": GLib.Variant("s", "To sign your letters.")})), None, 0, 20000, None)
if way == "close":
    def close():
        bus.call_sync(PORTAL, answer.unpack()[0], "org.freedesktop.portal.Request", "Close", None, None, 0, 20000, None)
        print("closed", flush=True)
        GLib.timeout_add(500, loop.quit)
    GLib.timeout_add(1500, close)
GLib.timeout_add_seconds(60, loop.quit)
loop.run()
