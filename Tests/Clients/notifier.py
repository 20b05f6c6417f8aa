"""A program that notifies over the session bus, call by call from its arguments (JSON objects), and then writes what it is told.

  {"title": "...", "body": "...", "actions": [...], "hints": {"urgency": ["y", 2]}, "timeout": -1, "replaces": 0, "app": "...", "icon": ""}
  {"pixels": [width, height, stride, bytes]} in one of these adds image-data
  {"close": 3}    CloseNotification
  {"flood": N}    N notifications without waiting; the line "flood IDS ERRORS" when all are answered
  {"renew": N}    one notification, and N updates of it, each as soon as the one before is answered, the last one named "renewed N"; the same line
  {"photo": [PATH, TYPE, width, height]} in a call writes such a file first ("jpeg", "png") and adds image-path; without a path it adds image-data

Lines: "id N", "error NAME", "ActivationToken N TOKEN", "ActionInvoked N KEY", "NotificationClosed N REASON". Run with /usr/bin/python3."""
import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NAME, PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)


def told(connection, sender, path, interface, member, arguments):
    say(member + " " + " ".join(str(word) for word in arguments.unpack()))


# No match: these signals are for this connection alone, and arrive without one.
bus.signal_subscribe(None, NAME, None, PATH, None, Gio.DBusSignalFlags.NO_MATCH_RULE, told)


def photo(path, kind, width, height):
    gi.require_version("GdkPixbuf", "2.0")
    from gi.repository import GdkPixbuf
    picture = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, width, height)
    picture.fill(0xc82828ff)
    picture.savev(path, kind, [], [])


def arguments(call):
    hints = {key: GLib.Variant(*value) for key, value in call.get("hints", {}).items()}
    if "pixels" in call:
        width, height, stride, count = call["pixels"]
        data = bytes([200, 40, 40, 255]) * (count // 4)
        hints["image-data"] = GLib.Variant("(iiibiiay)", (width, height, stride, True, 8, 4, data))
    if "photo" in call:
        path, kind, width, height = call["photo"]
        if path:
            photo(path, kind, width, height)
            hints["image-path"] = GLib.Variant("s", path)
        else:
            pixels = GLib.Bytes(bytes([200, 40, 40]) * (width * height))
            hints["image-data"] = GLib.Variant.new_tuple(
                *[GLib.Variant("i", number) for number in (width, height, 3 * width)], GLib.Variant("b", False), GLib.Variant("i", 8),
                GLib.Variant("i", 3), GLib.Variant.new_from_bytes(GLib.VariantType("ay"), pixels, True))
    return GLib.Variant("(susssasa{sv}i)", (
        call.get("app", "Notifier"), call.get("replaces", 0), call.get("icon", ""), call.get("title", ""), call.get("body", ""),
        call.get("actions", []), hints, call.get("timeout", -1)))


for text in sys.argv[1:]:
    call = json.loads(text)
    try:
        if "close" in call:
            bus.call_sync(NAME, PATH, NAME, "CloseNotification", GLib.Variant("(u)", (call["close"],)), None, Gio.DBusCallFlags.NONE, 60000, None)
            say("closed %d" % call["close"])
        elif "renew" in call:
            own, taken, refused = 0, 0, 0
            for number in range(call["renew"] + 1):
                title = arguments({"title": "renewed %d" % number, "replaces": own, "app": "Renewer"})
                try:
                    own = bus.call_sync(NAME, PATH, NAME, "Notify", title, None, Gio.DBusCallFlags.NONE, 60000, None).unpack()[0]
                    taken += number > 0
                except GLib.Error:
                    refused += 1
            say("flood %d %d" % (taken, refused))
        elif "flood" in call:
            answers = {"id": 0, "error": 0}

            def answered(connection, result):
                try:
                    connection.call_finish(result)
                    answers["id"] += 1
                except GLib.Error:
                    answers["error"] += 1
                if sum(answers.values()) == call["flood"]:
                    say("flood %d %d" % (answers["id"], answers["error"]))

            for number in range(call["flood"]):
                bus.call(NAME, PATH, NAME, "Notify", arguments({"title": "flood %d" % number}), None, Gio.DBusCallFlags.NONE, 60000, None, answered)
        else:
            say("id %d" % bus.call_sync(NAME, PATH, NAME, "Notify", arguments(call), None, Gio.DBusCallFlags.NONE, 60000, None).unpack()[0])
    except GLib.Error as error:
        say("error " + (Gio.DBusError.get_remote_error(error) or str(error)))

GLib.MainLoop().run()
