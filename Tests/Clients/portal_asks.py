#!/usr/bin/python3
"""Makes requests of xdg-desktop-portal as an app does, and prints the answers. Waits for lines on the pipe of the first argument.

    portal_asks.py PIPE

    inhibit PARENT FLAGS REASON     keeps something from happening; "close" ends it
    monitor PARENT                  prints the states of the session
    wallpaper PARENT ADDRESS SHOW   offers a picture; SHOW is "preview" or "at-once"
    file PARENT PATH                offers an open file
    screenshot PARENT HOW           wants a picture of the screen; HOW is "interactive" or "at-once"
    colour PARENT                   wants a colour of the screen
    mail PARENT TEXT                begins a mail with these options, in GVariant's text form
    attach PARENT PATH TEXT         the same with an open file
    session                         begins a session for shortcuts
    bind PARENT TEXT                wants these shortcuts, in GVariant's text form
    list                            prints its shortcuts
    close-session                   ends the session
    backend INTERFACE MEMBER TEXT   calls the shell's backend itself, with arguments in GVariant's text form
    close                           takes the last request back
    end                             leaves the bus without a word
"""

import os
import sys

from gi.repository import Gio, GLib

PORTAL, OBJECT = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
bus = Gio.bus_get_sync(Gio.BusType.SESSION)
loop = GLib.MainLoop()
session = f"{OBJECT}/session/{bus.get_unique_name()[1:].replace('.', '_')}/keys"
last = None


def say(*words):
    print(*words, flush=True)


def heard(_connection, _sender, _path, interface, signal, parameters):
    say(signal if signal != "Response" else "response", *parameters.unpack())


for interface, signal in [("Request", "Response"), ("Inhibit", "StateChanged")] + [
    ("GlobalShortcuts", name) for name in ["Activated", "Deactivated", "ShortcutsChanged"]
]:
    bus.signal_subscribe(None, f"org.freedesktop.portal.{interface}", signal, None, None, 0, heard)


def call(interface, member, form, *values, files=None):
    global last
    answer, _ = bus.call_with_unix_fd_list_sync(
        PORTAL, OBJECT, f"org.freedesktop.portal.{interface}", member, GLib.Variant(form, values), None, 0, 20000, files, None)
    last = (answer.unpack() or (None,))[0]
    return last


def text(value):
    return GLib.Variant("s", value)


def perform(words):
    way, rest = words[0], words[1:]
    if way == "inhibit":
        say("inhibits", call("Inhibit", "Inhibit", "(sua{sv})", rest[0], int(rest[1]), {"reason": text(" ".join(rest[2:]))}))
    elif way == "monitor":
        call("Inhibit", "CreateMonitor", "(sa{sv})", rest[0], {"session_handle_token": text("monitor")})
    elif way == "wallpaper":
        options = {"show-preview": GLib.Variant("b", rest[2] == "preview"), "set-on": text(rest[3] if len(rest) > 3 else "background")}
        call("Wallpaper", "SetWallpaperURI", "(ssa{sv})", rest[0], rest[1], options)
    elif way == "file":
        files = Gio.UnixFDList.new()
        number = files.append(os.open(rest[1], os.O_RDONLY))
        call("Wallpaper", "SetWallpaperFile", "(sha{sv})", rest[0], number, {"show-preview": GLib.Variant("b", True)}, files=files)
    elif way == "screenshot":
        call("Screenshot", "Screenshot", "(sa{sv})", rest[0], {"interactive": GLib.Variant("b", rest[1] == "interactive")})
    elif way == "colour":
        call("Screenshot", "PickColor", "(sa{sv})", rest[0], {})
    elif way in ("mail", "attach"):
        options = GLib.Variant.parse(GLib.VariantType.new("a{sv}"), " ".join(rest[1 if way == "mail" else 2:]), None, None)
        options = {options.get_child_value(i).get_child_value(0).get_string(): options.get_child_value(i).get_child_value(1).get_variant()
                   for i in range(options.n_children())}
        files = Gio.UnixFDList.new()
        if way == "attach":
            options["attachment_fds"] = GLib.Variant("ah", [files.append(os.open(rest[1], os.O_PATH | os.O_CLOEXEC))])
        call("Email", "ComposeEmail", "(sa{sv})", rest[0], options, files=files)
    elif way == "session":
        call("GlobalShortcuts", "CreateSession", "(a{sv})", {"session_handle_token": text("keys")})
    elif way == "bind":
        wishes = GLib.Variant.parse(GLib.VariantType.new("a(sa{sv})"), " ".join(rest[1:]), None, None)
        values = [GLib.Variant("o", session), wishes, text(rest[0]), GLib.Variant("a{sv}", {})]
        bus.call_sync(
            PORTAL, OBJECT, "org.freedesktop.portal.GlobalShortcuts", "BindShortcuts", GLib.Variant.new_tuple(*values), None, 0, 20000, None)
    elif way == "list":
        call("GlobalShortcuts", "ListShortcuts", "(oa{sv})", session, {})
    elif way == "close-session":
        bus.call_sync(PORTAL, session, "org.freedesktop.portal.Session", "Close", None, None, 0, 20000, None)
        say("closed")
    elif way == "backend":
        answer = bus.call_sync(
            "org.freedesktop.impl.portal.desktop.mullion", OBJECT, f"org.freedesktop.impl.portal.{rest[0]}", rest[1],
            GLib.Variant.parse(None, " ".join(rest[2:]), None, None), None, 0, 20000, None)
        say("backend", *answer.unpack())
    elif way == "close":
        bus.call_sync(PORTAL, last, "org.freedesktop.portal.Request", "Close", None, None, 0, 20000, None)
        say("closed")
    elif way == "end":
        os._exit(0)


def read(channel, _condition):
    line = channel.readline()
    if line:
        # A word "-" is an empty one.
        words = ["" if word == "-" else word for word in line.strip().split(" ")]
        try:
            perform(words)
        except GLib.Error as error:
            say("error", error.message)
    return True


# Kept open by itself, so that it never ends.
pipe = os.open(sys.argv[1], os.O_RDWR)
channel = os.fdopen(pipe, "r", buffering=1)
GLib.io_add_watch(pipe, GLib.IO_IN, lambda *_: read(channel, None))
say("ready")
loop.run()
