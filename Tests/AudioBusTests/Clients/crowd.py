"""So many connections, each with the name of a media player. Argument: how many."""
import json
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

connections = []
for index in range(int(sys.argv[1])):
    connection = Gio.DBusConnection.new_for_address_sync(
        os.environ["DBUS_SESSION_BUS_ADDRESS"],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    info = Gio.DBusNodeInfo.new_for_xml(
        '<node><interface name="org.mpris.MediaPlayer2.Player">'
        '<property name="PlaybackStatus" type="s" access="read"/></interface></node>').interfaces[0]
    connection.register_object("/org/mpris/MediaPlayer2", info, None, lambda *_: GLib.Variant("s", "Playing"), None)
    Gio.bus_own_name_on_connection(
        connection, "org.mpris.MediaPlayer2.crowd%d" % index, Gio.BusNameOwnerFlags.NONE, None, None)
    connections.append(connection)
print(json.dumps({"ready": True}))
sys.stdout.flush()
GLib.MainLoop().run()
