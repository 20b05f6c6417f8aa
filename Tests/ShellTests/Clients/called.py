# On the session bus, for tests of frozen apps:
#
#   called.py app FILE     owns a name, answers calls, and asks `slow` something that it answers only later; appends to FILE
#                          what happens
#   called.py slow FILE    answers that after three seconds
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

APP, SLOW = "org.mullion.test.Called", "org.mullion.test.Slow"
DESCRIPTION = """<node><interface name="org.mullion.test.Called">
    <method name="Answer"><arg type="s" direction="out"/></method></interface></node>"""
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
role, path = sys.argv[1:3]


def note(text):
    with open(path, "a") as file:
        file.write(text + "\n")


def called(connection, sender, object_path, interface, method, arguments, invocation):
    def answer():
        note(f"{role} answers")
        invocation.return_value(GLib.Variant("(s)", ("answered",)))
        return False

    if role == "slow":
        note("slow is asked")
        GLib.timeout_add(3000, answer)
    else:
        answer()


def ready(*_):
    note(f"{role} is there as {bus.get_unique_name()}")
    if role == "app":
        bus.call(SLOW, "/", APP, "Answer", None, None, Gio.DBusCallFlags.NO_AUTO_START, -1, None, lambda *_: note("app has an answer"))


bus.register_object("/", Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0], called, None, None)
Gio.bus_own_name_on_connection(bus, APP if role == "app" else SLOW, Gio.BusNameOwnerFlags.NONE, ready, None)
GLib.MainLoop().run()
