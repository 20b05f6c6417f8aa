#!/usr/bin/python3
"""A window of GTK 3 with a dialog, as unmodified apps have them.

    gtk3_dialog.py modal        asks whether to save; goes when it is asked to close
    gtk3_dialog.py modeless     the same beside its window
    gtk3_dialog.py keeps        stays when it is asked to close
    gtk3_dialog.py asks         asks once more on top of itself when it is asked to close
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

way = sys.argv[1]
window = Gtk.Window(title="Letter")
text = Gtk.TextView()
text.get_buffer().set_text("What was written. " * 40)
text.set_wrap_mode(Gtk.WrapMode.WORD)
window.add(text)
window.connect("destroy", Gtk.main_quit)
window.show_all()


def message(parent, title, question, modal=True):
    dialog = Gtk.MessageDialog(
        transient_for=parent, modal=modal, message_type=Gtk.MessageType.QUESTION, buttons=Gtk.ButtonsType.YES_NO, text=question)
    dialog.set_title(title)
    return dialog


def closed(dialog, _):
    if way == "asks":
        message(dialog, "Really", "Discard what you wrote?").show()
    return way in ("keeps", "asks")


def ask():
    dialog = message(window, "Question", "Save changes to “Letter” before closing?", way != "modeless")
    dialog.connect("delete-event", closed)
    dialog.connect("response", lambda dialog, number: number != Gtk.ResponseType.DELETE_EVENT and dialog.destroy())
    if way not in ("keeps", "asks"):
        dialog.connect("response", lambda dialog, _: dialog.destroy())
    dialog.show()


GLib.timeout_add(400, ask)
Gtk.main()
