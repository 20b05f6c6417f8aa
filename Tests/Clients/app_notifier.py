"""An app without windows that names its notifications, as GTK apps do: org.gtk.Notifications by GNotification, or the portal's backend.

  app_notifier.py APP FILE            answers its actions, and writes what it is told to FILE: "activate", "action NAME PARAMETER",
                                      "invoked ACTION PARAMETERS"
  app_notifier.py APP FILE notify     sends "Anna" first, with a default action and a button
  app_notifier.py APP FILE portal     calls the portal's backend, as xdg-desktop-portal would
  app_notifier.py APP FILE bad        what no app should send; writes "ok" or "error NAME" for each
  app_notifier.py APP FILE plain      sends one by org.freedesktop.Notifications that names no app; its first call on the bus

Run with /usr/bin/python3."""
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

APP, FILE, WHAT = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ""
BACKEND, PATH = "org.freedesktop.impl.portal.desktop.mullion.Notices", "/org/freedesktop/portal/desktop"
PORTAL = "org.freedesktop.impl.portal.Notification"


def say(text):
    with open(FILE, "a") as file:
        file.write(text + "\n")


if WHAT == "plain":
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    bus.call_sync(
        "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify",
        GLib.Variant("(susssasa{sv}i)", ("Somebody", 0, "", "Plain", "", [], {}, -1)), None, Gio.DBusCallFlags.NONE, 30000, None)
    say("sent")
    GLib.MainLoop().run()

if WHAT == "bad":
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    text = lambda value: GLib.Variant("s", value)
    deep = GLib.Variant("s", "x")
    for _ in range(30):
        deep = GLib.Variant("v", deep)
    bad = [
        ("", {"title": text("no name")}), ("x" * 600, {"title": text("long name")}), ("types", {"title": GLib.Variant("i", 3), "body": GLib.Variant("as", [])}),
        ("buttons", {"title": text("buttons"), "buttons": GLib.Variant("as", ["a", "b"])}),
        ("many", {"title": text("many"), "buttons": GLib.Variant("aa{sv}", [{"label": text("B%d" % n), "action": text("app.b")} for n in range(500)])}),
        ("target", {"title": text("target"), "default-action": text("app.x"), "default-action-target": text("y" * 100000)}),
        ("deep", {"title": text("deep"), "default-action": text("app.x"), "default-action-target": deep}),
        ("icon", {"title": text("icon"), "icon": GLib.Variant("(sv)", ("bytes", GLib.Variant("ay", b"no picture")))}),
        ("icon2", {"title": text("icon2"), "icon": GLib.Variant("(sv)", ("file-descriptor", GLib.Variant("h", 7)))}),
        ("turned", {"title": text("\u202egnp.exe"), "body": text("<b><i>never closed & <")}), ("empty", {}),
    ]
    for interface, name, path in [("org.gtk.Notifications", "org.gtk.Notifications", "/org/gtk/Notifications"), (PORTAL, BACKEND, PATH)]:
        for key, fields in bad:
            try:
                bus.call_sync(name, path, interface, "AddNotification", GLib.Variant("(ssa{sv})", (APP, key, fields)), None, Gio.DBusCallFlags.NONE, 30000, None)
                say(key + " ok")
            except GLib.Error as error:
                say(key[:8] + " error " + (Gio.DBusError.get_remote_error(error) or str(error)))
    say("end")
    sys.exit(0)

if WHAT == "portal":
    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    bus.signal_subscribe(
        None, PORTAL, "ActionInvoked", PATH, None, Gio.DBusSignalFlags.NO_MATCH_RULE,
        lambda c, s, p, i, m, arguments: say("invoked " + arguments.print_(False)))
    image = GLib.Variant("(sv)", ("themed", GLib.Variant("as", ["mail-unread"])))
    notification = {
        "title": GLib.Variant("s", "Ben"), "markup-body": GLib.Variant("s", "<b>Are</b> you there?"), "icon": image,
        "category": GLib.Variant("s", "im.received"), "display-hint": GLib.Variant("as", ["hide-content-on-lockscreen"]),
        "default-action": GLib.Variant("s", "open"),
        "buttons": GLib.Variant("aa{sv}", [
            {"label": GLib.Variant("s", "Answer"), "action": GLib.Variant("s", "answer"), "target": GLib.Variant("(ut)", (9, 2**63)),
             "purpose": GLib.Variant("s", "im.reply-with-text")},
            {"label": GLib.Variant("s", "Mute"), "action": GLib.Variant("s", "mute")}]),
    }
    for name in ["one", "two"]:
        bus.call_sync(
            BACKEND, PATH, PORTAL, "AddNotification", GLib.Variant("(ssa{sv})", (APP, name, notification)), None, Gio.DBusCallFlags.NONE, 30000, None)
    bus.call_sync(BACKEND, PATH, PORTAL, "RemoveNotification", GLib.Variant("(ss)", (APP, "one")), None, Gio.DBusCallFlags.NONE, 30000, None)
    say("sent")
    GLib.MainLoop().run()

app = Gio.Application(application_id=APP, flags=Gio.ApplicationFlags.FLAGS_NONE)
app.connect("activate", lambda app: say("activate"))
for name, kind in [("open", "(si)"), ("read", None)]:
    action = Gio.SimpleAction.new(name, GLib.VariantType.new(kind) if kind else None)
    action.connect("activate", lambda action, value: say("action " + action.get_name() + " " + (value.print_(False) if value else "-")))
    app.add_action(action)


def started(app):
    app.hold()
    if WHAT != "notify":
        return
    notification = Gio.Notification.new("Anna")
    notification.set_body("Lunch at <one>?")
    notification.set_default_action_and_target("app.open", GLib.Variant("(si)", ("chat", 7)))
    notification.add_button("Read", "app.read")
    app.send_notification("chat-1", notification)
    say("sent")


app.connect("startup", started)
app.run([sys.argv[0]])
