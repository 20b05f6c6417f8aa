#!/usr/bin/python3
"""A window of GTK 4 with a modal dialog, as unmodified apps have them.

    gtk4_dialog.py gtk      Gtk.MessageDialog
    gtk4_dialog.py adw      Adw.MessageDialog of libadwaita
    gtk4_dialog.py inside   a dialog inside its window, as libadwaita has from 1.5 on (an overlay stands in for older ones)
"""

import sys

import gi

way = sys.argv[1]
gi.require_version("Gtk", "4.0")
if way != "gtk":
    gi.require_version("Adw", "1")
    from gi.repository import Adw
from gi.repository import GLib, Gtk  # noqa: E402


def show(app):
    # Only a window of libadwaita's own has its dialogs inside.
    window = (Adw if way == "inside" else Gtk).ApplicationWindow(application=app, title="Letter")
    text = Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD)
    text.get_buffer().set_text("What was written. " * 40)
    overlay = Gtk.Overlay(child=text)
    if way == "inside":
        window.set_content(overlay)
    else:
        window.set_child(overlay)
    window.present()

    def ask():
        if way == "gtk":
            dialog = Gtk.MessageDialog(transient_for=window, modal=True, title="Question", text="Save changes to “Letter”?", buttons=Gtk.ButtonsType.YES_NO)
            dialog.connect("response", lambda dialog, _: dialog.destroy())
            dialog.present()
        elif way == "adw":
            dialog = Adw.MessageDialog(transient_for=window, heading="Save changes to “Letter”?", title="Question")
            dialog.add_response("discard", "Discard")
            dialog.add_response("save", "Save")
            dialog.present()
        elif hasattr(Adw, "AlertDialog"):
            dialog = Adw.AlertDialog(heading="Save changes to “Letter”?")
            dialog.add_response("save", "Save")
            dialog.present(window)
        else:
            overlay.add_overlay(Gtk.Button(label="Save", halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER))

    GLib.timeout_add(400, ask)


app = (Gtk if way == "gtk" else Adw).Application(application_id="test.letter")
app.connect("activate", show)
app.run()
