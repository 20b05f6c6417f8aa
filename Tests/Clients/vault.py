#!/usr/bin/python3
"""A window whose key press copies a secret, which it takes back by a timer of its own, as password managers do: `vault.py TOOLKIT SECONDS [WORD...]`.

TOOLKIT is gtk3, gtk4, qt5 or x11 (GTK 3 on X11). Words:

primary     the primary selection
idle        the timer comes after all else in the main loop
script      another program takes it back, as `pass` does it: a shell that sleeps, and then runs `wl-copy --clear`
replaces    something else is copied instead

Prints "copied" and "cleared".
"""

import os
import subprocess
import sys

toolkit, seconds, words = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
SECRET = "the password"


def say(text):
    print(text, flush=True)


def script():
    subprocess.Popen(["sh", "-c", f"sleep {seconds}; sleep 0.01; wl-copy --clear; echo cleared"])


def with_gtk(version):
    os.environ["GDK_BACKEND"] = "x11" if toolkit == "x11" else "wayland"
    import gi
    gi.require_version("Gdk", version)
    gi.require_version("Gtk", version)
    from gi.repository import Gdk, GLib, Gtk

    def clear(board):
        if version == "4.0":
            board.set_content(None)
        elif "replaces" in words:
            board.set_text("something else", -1)
        else:
            board.clear()
        say("cleared")
        return False

    def copy(window):
        if version == "4.0":
            board = window.get_primary_clipboard() if "primary" in words else window.get_clipboard()
            board.set_content(Gdk.ContentProvider.new_for_value(SECRET))
        else:
            board = Gtk.Clipboard.get(Gdk.SELECTION_PRIMARY if "primary" in words else Gdk.SELECTION_CLIPBOARD)
            board.set_text(SECRET, -1)
        say("copied")
        if "script" in words:
            return script()
        priority = GLib.PRIORITY_DEFAULT_IDLE if "idle" in words else GLib.PRIORITY_DEFAULT
        GLib.timeout_add(int(seconds * 1000), clear, board, priority=priority)

    if version == "3.0":
        window = Gtk.Window(title="vault")
        window.connect("key-press-event", lambda window, _: copy(window))
        window.connect("destroy", Gtk.main_quit)
        window.show_all()
        return Gtk.main()

    def show(app):
        window = Gtk.ApplicationWindow(application=app, title="vault")
        keys = Gtk.EventControllerKey()
        keys.connect("key-pressed", lambda *_: copy(window))
        window.add_controller(keys)
        window.present()

    app = Gtk.Application(application_id="org.mullion.test.Vault")
    app.connect("activate", show)
    app.run([])


def with_qt():
    os.environ["QT_QPA_PLATFORM"] = "wayland"
    from PyQt5 import QtCore, QtGui, QtWidgets
    mode = QtGui.QClipboard.Selection if "primary" in words else QtGui.QClipboard.Clipboard

    class Window(QtWidgets.QWidget):
        def keyPressEvent(self, event):
            board = QtWidgets.QApplication.clipboard()
            board.setText(SECRET, mode)
            say("copied")
            if "script" in words:
                return script()

            def clear():
                board.clear(mode)
                say("cleared")

            QtCore.QTimer.singleShot(int(seconds * 1000), clear)

    app = QtWidgets.QApplication(["vault"])
    window = Window()
    window.setWindowTitle("vault")
    window.show()
    app.exec_()


if toolkit == "qt5":
    with_qt()
else:
    with_gtk("4.0" if toolkit == "gtk4" else "3.0")
