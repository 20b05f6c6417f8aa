"""A GTK 3 app with a window that sends a notification and answers its taps. The bus can start it.

  chat.py APP FILE [notify] [called=NAME] [--gapplication-service]

called=NAME: the app id of its windows is another one than APP.

It writes "startup", "window" for each window that it opens, "activate", and "action NAME PARAMETER" to FILE.
Run with /usr/bin/python3."""
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gio, GLib, Gtk  # noqa: E402

APP, FILE = sys.argv[1], sys.argv[2]


def say(text):
    with open(FILE, "a") as file:
        file.write(text + "\n")


def show(app):
    window = app.get_active_window()
    if not window:
        say("window")
        window = Gtk.ApplicationWindow(application=app, title="Chat")
        window.add(Gtk.Label(label="Chat"))
        window.show_all()
    window.present()


def startup(app):
    say("startup")
    if "notify" in sys.argv:
        notification = Gio.Notification.new("Anna")
        notification.set_default_action_and_target("app.open", GLib.Variant("(si)", ("chat", 7)))
        app.send_notification("chat-1", notification)


def activate(app):
    say("activate")
    show(app)


def opened(action, value):
    say("action open " + value.print_(False))
    show(app)


# GTK 3's id on Wayland.
GLib.set_prgname(([APP] + [word[7:] for word in sys.argv if word.startswith("called=")])[-1])
app = Gtk.Application(application_id=APP)
action = Gio.SimpleAction.new("open", GLib.VariantType.new("(si)"))
action.connect("activate", opened)
app.add_action(action)
app.connect("startup", startup)
app.connect("activate", activate)
app.run([sys.argv[0]] + [word for word in sys.argv[3:] if word.startswith("--")])
