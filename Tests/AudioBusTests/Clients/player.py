"""A media player on the session bus that plays nothing: says what it is told to say, and prints the commands it gets.

Arguments: name (after org.mpris.MediaPlayer2.), PlaybackStatus. Requests are lines of JSON: {"set": {"PlaybackStatus":
["s", "Paused"]}}: changes properties and tells so. {"quiet": {..}}: changes them and tells nothing. {"seeked": µs}.
{"junk": megabytes}: a signal with that much metadata. {"flood": n}: n signals at once. {"drop": 1}: gives the name up.
"""
import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

XML = """<node><interface name="org.mpris.MediaPlayer2">
<property name="Identity" type="s" access="read"/><property name="DesktopEntry" type="s" access="read"/></interface>
<interface name="org.mpris.MediaPlayer2.Player">
<method name="Play"/><method name="Pause"/><method name="PlayPause"/><method name="Stop"/><method name="Next"/>
<method name="Previous"/><method name="Seek"><arg type="x" direction="in"/></method>
<method name="SetPosition"><arg type="o" direction="in"/><arg type="x" direction="in"/></method>
<signal name="Seeked"><arg type="x"/></signal>
<property name="PlaybackStatus" type="s" access="read"/><property name="Rate" type="d" access="readwrite"/>
<property name="MinimumRate" type="d" access="read"/><property name="MaximumRate" type="d" access="read"/>
<property name="Metadata" type="a{sv}" access="read"/><property name="Position" type="x" access="read"/>
<property name="CanGoNext" type="b" access="read"/><property name="CanGoPrevious" type="b" access="read"/>
<property name="CanPlay" type="b" access="read"/><property name="CanPause" type="b" access="read"/>
<property name="CanSeek" type="b" access="read"/><property name="CanControl" type="b" access="read"/>
</interface></node>"""
PATH, PLAYER = "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"
name, status = sys.argv[1], sys.argv[2]
values = {
    "Identity": GLib.Variant("s", name.capitalize()), "DesktopEntry": GLib.Variant("s", "bank"),
    "PlaybackStatus": GLib.Variant("s", status), "Rate": GLib.Variant("d", 1.0),
    "MinimumRate": GLib.Variant("d", 0.5), "MaximumRate": GLib.Variant("d", 2.0),
    "Metadata": GLib.Variant("a{sv}", {
        "mpris:trackid": GLib.Variant("o", "/track/1"), "xesam:title": GLib.Variant("s", "Title of " + name),
        "xesam:artist": GLib.Variant("as", ["One", "Two"]), "mpris:length": GLib.Variant("x", 180_000_000)}),
    "Position": GLib.Variant("x", 5_000_000),
    "CanGoNext": GLib.Variant("b", True), "CanGoPrevious": GLib.Variant("b", False), "CanPlay": GLib.Variant("b", True),
    "CanPause": GLib.Variant("b", True), "CanSeek": GLib.Variant("b", True), "CanControl": GLib.Variant("b", True),
}


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def tell(changed):
    bus.emit_signal(None, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                    GLib.Variant("(sa{sv}as)", (PLAYER, changed, [])))


def called(connection, sender, path, interface, member, arguments, call):
    say({"command": member, "args": list(arguments.unpack())})
    call.return_value(None)
    follows = {"Play": "Playing", "Pause": "Paused", "Stop": "Stopped"}.get(member)
    if member == "PlayPause":
        follows = "Paused" if values["PlaybackStatus"].unpack() == "Playing" else "Playing"
    if follows:
        values["PlaybackStatus"] = GLib.Variant("s", follows)
        tell({"PlaybackStatus": values["PlaybackStatus"]})


def written(connection, sender, path, interface, member, value):
    say({"command": "set " + member, "args": [value.unpack()]})
    values[member] = value
    tell({member: value})
    return True


def arrived(channel, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    request = json.loads(line)
    for key in ("set", "quiet"):
        changed = {each: GLib.Variant(kind, value) for each, (kind, value) in request.get(key, {}).items()}
        values.update(changed)
        if changed and key == "set":
            tell(changed)
    if "seeked" in request:
        values["Position"] = GLib.Variant("x", request["seeked"])
        bus.emit_signal(None, PATH, PLAYER, "Seeked", GLib.Variant("(x)", (request["seeked"],)))
    if "junk" in request:
        tell({"Metadata": GLib.Variant("a{sv}", {
            "xesam:title": GLib.Variant("s", "x" * (request["junk"] << 20)),
            "xesam:artist": GLib.Variant("as", ["y" * 100_000] * 20),
            "mpris:artUrl": GLib.Variant("s", "data:image/png;base64," + "z" * (request["junk"] << 20))})})
    for index in range(request.get("flood", 0)):
        tell({"Metadata": GLib.Variant("a{sv}", {"xesam:title": GLib.Variant("s", "Title %d" % index)})})
    if "drop" in request:
        Gio.bus_unown_name(owned)
    return True


bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
for described in Gio.DBusNodeInfo.new_for_xml(XML).interfaces:
    bus.register_object(PATH, described, called, lambda c, s, p, i, member: values[member], written)
owned = Gio.bus_own_name_on_connection(
    bus, "org.mpris.MediaPlayer2." + name, Gio.BusNameOwnerFlags.NONE, lambda *_: say({"owned": name}), None)
loop = GLib.MainLoop()
GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, arrived)
loop.run()
