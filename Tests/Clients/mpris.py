# A media player on the session bus that plays nothing and stays as its arguments say: pictures are taken of its card.
#
#   mpris.py '{"title": …, "artist": …, "artwork": …, "seconds": …, "position": …, "can": ["GoNext", …]}'
#
# What is left out it does not say or cannot. It says that it plays at the rate 0, so that its position is the same for ever.
import json
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

PATH, ROOT = "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2"
wanted = json.loads(sys.argv[1])
metadata = {"mpris:trackid": GLib.Variant("o", "/track/1")}
for key, name in (("title", "xesam:title"), ("artwork", "mpris:artUrl")):
    if key in wanted:
        metadata[name] = GLib.Variant("s", wanted[key])
if "artist" in wanted:
    metadata["xesam:artist"] = GLib.Variant("as", [wanted["artist"]])
if "seconds" in wanted:
    metadata["mpris:length"] = GLib.Variant("x", wanted["seconds"] * 1_000_000)
values = {
    "Identity": GLib.Variant("s", "Player"), "PlaybackStatus": GLib.Variant("s", "Playing"),
    "Rate": GLib.Variant("d", 0.0), "Metadata": GLib.Variant("a{sv}", metadata),
    "Position": GLib.Variant("x", wanted.get("position", 0) * 1_000_000),
}
for ability in ("GoNext", "GoPrevious", "Play", "Pause", "Seek", "Control"):
    values["Can" + ability] = GLib.Variant("b", ability == "Control" or ability in wanted.get("can", []))
methods = "".join(f'<method name="{name}"/>' for name in ("Play", "Pause", "Stop", "Next", "Previous"))
properties = "".join(f'<property name="{name}" type="{value.get_type_string()}" access="read"/>' for name, value in values.items())
node = Gio.DBusNodeInfo.new_for_xml(
    f'<node><interface name="{ROOT}"><property name="Identity" type="s" access="read"/></interface>'
    f'<interface name="{ROOT}.Player">{methods}{properties}</interface></node>')
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
for interface in node.interfaces:
    bus.register_object(
        PATH, interface, lambda *call: call[-1].return_value(None), lambda connection, sender, path, interface, name: values[name], None)
Gio.bus_own_name_on_connection(bus, ROOT + ".player", Gio.BusNameOwnerFlags.NONE, None, None)
GLib.MainLoop().run()
