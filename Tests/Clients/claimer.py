"""A program that says it is many others, over many connections to the session bus (P-06). One thing, by its first argument:

  flood COUNT CONNECTIONS      so many notifications, each of another app          -> "flood TAKEN REFUSED"
  schedules COUNT CONNECTIONS  so many deliveries in a day, each of another app    -> "schedules TAKEN REFUSED"
  tray COUNT CONNECTIONS       so many items of trays                              -> "tray TAKEN REFUSED"
  inhibit COUNT CONNECTIONS    so many inhibitors, each of another app             -> "inhibit TAKEN REFUSED"
  sessions COUNT CONNECTIONS   so many sessions of sound                           -> "sessions TAKEN REFUSED"
  claim JSON                   one notification as `notifier.py` takes it          -> "id N"
  schedule NAME APP            one delivery in a day                               -> "scheduled" or "refused WHY"

It stays until it is ended, unless the last argument is "leave". Run with /usr/bin/python3."""
import json
import os
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

NOTES, NOTES_PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
OWN, OWN_PATH = "org.mullion.Notices1", "/org/mullion/Notices1"
TRAY, TRAY_PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
SESSION, SESSION_PATH = "org.gnome.SessionManager", "/org/gnome/SessionManager"
SOUND, SOUND_PATH = "org.mullion.AudioSession1", "/org/mullion/AudioSession1"


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def connect():
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SESSION_BUS_ADDRESS"], flags, None, None)


def notification(app, title, body="", icon="", hints=None, actions=()):
    values = {key: GLib.Variant(*value) for key, value in (hints or {}).items()}
    return GLib.Variant("(susssasa{sv}i)", (app, 0, icon, title, body, list(actions), values, -1))


def many(what, count, connections, call):
    """`call(connection, number, done)`; as many at once as there are connections."""
    buses = [connect() for _ in range(connections)]
    loop, seen = GLib.MainLoop(), {"taken": 0, "refused": 0}

    def answered(connection, result):
        try:
            connection.call_finish(result)
            seen["taken"] += 1
        except GLib.Error:
            seen["refused"] += 1
        if sum(seen.values()) == count:
            loop.quit()

    for number in range(count):
        call(buses[number % connections], number, answered)
    loop.run()
    say("%s %d %d" % (what, seen["taken"], seen["refused"]))
    return buses


def asks(name, path, interface, member, arguments):
    def call(connection, number, answered):
        connection.call(name, path, interface, member, arguments(number), None, Gio.DBusCallFlags.NONE, 60000, None, answered)
    return call


def schedule(name, app):
    fields = {"title": GLib.Variant("s", "Later " + name), "app": GLib.Variant("s", app)}
    return GLib.Variant("(sxssa{sv})", (name, int(time.time()) + 86400, "", "", fields))


what, rest = sys.argv[1], sys.argv[2:]
if what == "flood":
    kept = many(what, int(rest[0]), int(rest[1]), asks(NOTES, NOTES_PATH, NOTES, "Notify", lambda n: notification(
        "Claimed %d" % n, "flood %d" % n, hints={"desktop-entry": ("s", "org.example.Claimed%d" % n), "urgency": ("y", 2)})))
elif what == "schedules":
    kept = many(what, int(rest[0]), int(rest[1]), asks(OWN, OWN_PATH, OWN, "Schedule", lambda n: schedule("n%d" % n, "org.example.Claimed%d" % n)))
elif what == "tray":
    kept = many(what, int(rest[0]), int(rest[1]), asks(
        TRAY, TRAY_PATH, TRAY, "RegisterStatusNotifierItem", lambda n: GLib.Variant("(s)", ("/item%d" % n,))))
elif what == "inhibit":
    kept = many(what, int(rest[0]), int(rest[1]), asks(
        SESSION, SESSION_PATH, SESSION, "Inhibit", lambda n: GLib.Variant("(susu)", ("org.example.Claimed%d" % n, 0, "because", 4))))
elif what == "sessions":
    kept = many(what, int(rest[0]), int(rest[1]), asks(SOUND, SOUND_PATH, SOUND + ".Manager", "CreateSession", lambda n: None))
elif what == "claim":
    call, kept = json.loads(rest[0]), connect()
    arguments = notification(call.get("app", ""), call["title"], call.get("body", ""), call.get("icon", ""), call.get("hints"), call.get("actions", ()))
    answer = kept.call_sync(NOTES, NOTES_PATH, NOTES, "Notify", arguments, None, Gio.DBusCallFlags.NONE, 60000, None)
    say("id %d" % answer.unpack()[0])
else:
    kept = connect()
    try:
        kept.call_sync(OWN, OWN_PATH, OWN, "Schedule", schedule(rest[0], rest[1]), None, Gio.DBusCallFlags.NONE, 60000, None)
        say("scheduled")
    except GLib.Error as error:
        say("refused " + error.message)

if rest[-1] != "leave":
    GLib.MainLoop().run()
