#!/usr/bin/python3
"""An editor of GTK 3 for `mullion audit`: without options it keeps the rules that need a toolkit; each option breaks one of them.

    audited_gtk.py [--breaks WAY[,WAY...]]

nameless, tiny (controls), tabless, bright (in the dark appearance), still (whatever the size of text), ltr (in every language),
untouchable, unclickable (its controls), described (buttons without names, by tooltips), splash
(a picture of its start comes first), untitled, huge (the dialog that Ctrl+O opens), loses (what was typed), asks (before it loses it).
"""

import argparse
import os

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--breaks", default="")
ways = set(parser.parse_args().breaks.split(","))
GLib.set_prgname("test.audited.gtk")
file = os.path.join(os.environ.get("XDG_DATA_HOME", os.environ["HOME"]), "audited.txt")

if "ltr" in ways:
    Gtk.Widget.set_default_direction(Gtk.TextDirection.LTR)
style = ""
if "tiny" in ways:
    style += "button, check { min-width: 4px; min-height: 4px; padding: 0; margin: 0; font-size: 8px; border: none }"
if "bright" in ways:
    style += "* { background: white; color: black }"
if "still" in ways:
    style += "* { font-family: sans-serif; font-size: 13px }"
if style:
    provider = Gtk.CssProvider()
    provider.load_from_data(style.encode())
    Gtk.StyleContext.add_provider_for_screen(Gdk.Screen.get_default(), provider, Gtk.STYLE_PROVIDER_PRIORITY_USER)

window = Gtk.Window(title="audited")
column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
row = Gtk.Box(spacing=6)
text = Gtk.TextView(accepts_tab=False, wrap_mode=Gtk.WrapMode.WORD)


def button(label, kind=Gtk.Button):
    # Words of the toolkit itself, which every translation has.
    made = kind()
    if "described" in ways:
        made.set_tooltip_text(label)
    if "nameless" in ways:
        made.add(Gtk.Image.new_from_icon_name("image-missing", Gtk.IconSize.BUTTON))
    else:
        made.set_property("use-stock", True)
        made.set_label(label)
    return made


first = button("gtk-bold", Gtk.ToggleButton)
row.pack_start(first, False, False, 0)
row.pack_start(button("gtk-italic", Gtk.ToggleButton), False, False, 0)
row.pack_end(button("gtk-find"), False, False, 0)
if "tiny" in ways:
    row.set_halign(Gtk.Align.START)
    row.set_valign(Gtk.Align.START)
column.pack_start(row, False, False, 0)
column.pack_start(text, True, True, 0)
window.add(column)
window.set_size_request(200, 200)

unfelt = {"untouchable": Gdk.InputSource.TOUCHSCREEN, "unclickable": Gdk.InputSource.MOUSE}
for way, source in unfelt.items():
    if way in ways:
        def ignore(widget, event, source=source):
            device = event.get_source_device()
            return device is not None and device.get_source() == source
        for each in row.get_children():
            each.connect("event", ignore)

buffer = text.get_buffer()
if os.path.exists(file) and "loses" not in ways and "asks" not in ways:
    with open(file) as kept:
        buffer.set_text(kept.read())


def save(_):
    if "loses" not in ways and "asks" not in ways:
        with open(file, "w") as out:
            out.write(buffer.get_text(*buffer.get_bounds(), True))


def ask(question, title, then=None):
    dialog = Gtk.MessageDialog(
        transient_for=window, modal=True, message_type=Gtk.MessageType.QUESTION, buttons=Gtk.ButtonsType.YES_NO, text=question)
    dialog.set_title(title)
    if "huge" in ways:
        dialog.set_size_request(3000, 3000)
    dialog.connect("response", lambda dialog, answer: then() if then and answer == Gtk.ResponseType.YES else dialog.destroy())
    dialog.show()


def closed(*_):
    if "asks" not in ways or not buffer.get_char_count():
        return False
    ask("Close without saving?", "Close", Gtk.main_quit)
    return True


def pressed(_, event):
    if "tabless" in ways and event.keyval == Gdk.KEY_Tab:
        window.set_focus(None)
        return True
    if event.keyval == Gdk.KEY_o and event.state & Gdk.ModifierType.CONTROL_MASK:
        ask("Open another text?", "" if "untitled" in ways else "Open")
        return True
    return False


buffer.connect("changed", save)
window.connect("key-press-event", pressed)
window.connect("delete-event", closed)
window.connect("destroy", Gtk.main_quit)


def show():
    window.show_all()
    (window.set_focus(None) if "tabless" in ways else text.grab_focus())


if "splash" in ways:
    splash = Gtk.Window(title="Starting", resizable=False)
    splash.add(Gtk.Image.new_from_icon_name("image-missing", Gtk.IconSize.DIALOG))
    splash.set_size_request(400, 200)
    splash.show_all()
    GLib.timeout_add(2500, lambda: (show(), splash.destroy()) and False)
else:
    show()
Gtk.main()
