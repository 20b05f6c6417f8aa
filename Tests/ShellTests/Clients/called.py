# On the session bus, for tests of frozen apps:
#
#   called.py app FILE     owns a name, answers calls, and asks `slow` something that it answers only later; appends to FILE
#                          what happens
#   called.py player FILE  a media player, which says that it plays until it is told to pause
#   called.py notifier FILE    owns org.freedesktop.Notifications; Emit(NAME) makes it tell everybody of a notification that is used
#   called.py stranger FILE NAME    tells everybody the same without owning that name, and calls it without a destination
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


def play():
    root, path = "org.mpris.MediaPlayer2", "/org/mpris/MediaPlayer2"
    state = {"status": "Playing"}
    values = {"CanControl": True, "CanPlay": True, "CanPause": True}
    node = Gio.DBusNodeInfo.new_for_xml(
        f'<node><interface name="{root}"><property name="Identity" type="s" access="read"/></interface><interface name="{root}.Player">'
        + "".join(f'<method name="{name}"/>' for name in ("Play", "Pause", "PlayPause", "Stop"))
        + "".join(f'<property name="{name}" type="b" access="read"/>' for name in values)
        + '<property name="PlaybackStatus" type="s" access="read"/><property name="Metadata" type="a{sv}" access="read"/>'
        + "</interface></node>")

    def get(connection, sender, path, interface, name):
        if name == "Metadata":
            return GLib.Variant("a{sv}", {"xesam:title": GLib.Variant("s", "Still Life")})
        return GLib.Variant("b", True) if name in values else GLib.Variant("s", state["status"] if name == "PlaybackStatus" else "Called")

    def told(connection, sender, object_path, interface, method, arguments, invocation):
        note(f"player: {method}")
        state["status"] = "Playing" if method == "Play" or method == "PlayPause" and state["status"] != "Playing" else "Paused"
        invocation.return_value(None)
        changed = {"PlaybackStatus": GLib.Variant("s", state["status"])}
        bus.emit_signal(
            None, path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            GLib.Variant("(sa{sv}as)", (f"{root}.Player", changed, [])))

    for interface in node.interfaces:
        bus.register_object(path, interface, told, get, None)
    Gio.bus_own_name_on_connection(bus, root + ".called", Gio.BusNameOwnerFlags.NONE, ready, None)


NOTIFICATIONS = "org.freedesktop.Notifications"


def used(name):
    bus.emit_signal(None, "/org/freedesktop/Notifications", *name.rsplit(".", 1), GLib.Variant("(us)", (7, "default")))


def notify():
    node = Gio.DBusNodeInfo.new_for_xml(
        '<node><interface name="org.mullion.test.Notifier"><method name="Emit"><arg type="s" direction="in"/></method></interface></node>')

    def told(connection, sender, object_path, interface, method, arguments, invocation):
        used(*arguments.unpack())
        invocation.return_value(None)

    bus.register_object("/", node.interfaces[0], told, None, None)
    Gio.bus_own_name_on_connection(bus, NOTIFICATIONS, Gio.BusNameOwnerFlags.NONE, ready, None)


if role == "stranger":
    used(sys.argv[3])
    call = Gio.DBusMessage.new_method_call(None, "/org/freedesktop/Notifications", *sys.argv[3].rsplit(".", 1))
    bus.send_message(call, Gio.DBusSendMessageFlags.NONE)
    bus.flush_sync(None)
    sys.exit(0)
if role in ("player", "notifier"):
    play() if role == "player" else notify()
    GLib.MainLoop().run()
bus.register_object("/", Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0], called, None, None)
Gio.bus_own_name_on_connection(bus, APP if role == "app" else SLOW, Gio.BusNameOwnerFlags.NONE, ready, None)
GLib.MainLoop().run()
