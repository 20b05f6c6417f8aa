# A sensor proxy (iio-sensor-proxy) for tests, on the bus of DBUS_SYSTEM_BUS_ADDRESS:  sensors.py FOLDER
#
# Writes what happens to FOLDER/log: "is there", "claimed", and "released" when the claiming connection goes. Each line of FOLDER/commands is
# done once: "AccelerometerOrientation left-up" changes that property, "leave" gives up the name, "return" takes it again.
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

NAME, PATH = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"
DESCRIPTION = f"""<node><interface name="{NAME}"><method name="ClaimAccelerometer"/><method name="ReleaseAccelerometer"/>
    <property name="HasAccelerometer" type="b" access="read"/><property name="AccelerometerOrientation" type="s" access="read"/>
    <property name="AccelerometerTilt" type="s" access="read"/></interface></node>"""
folder = sys.argv[1]
bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
words = {"AccelerometerOrientation": "undefined", "AccelerometerTilt": "undefined"}
owner = 0
done = 0
claims = {}


def note(text):
    with open(f"{folder}/log", "a") as file:
        file.write(text + "\n")


def left(connection, name, *_):
    if name in claims:
        Gio.bus_unwatch_name(claims.pop(name))
        note("released")


def called(connection, sender, path, interface, method, arguments, invocation):
    if method == "ClaimAccelerometer" and sender not in claims:
        claims[sender] = Gio.bus_watch_name_on_connection(bus, sender, Gio.BusNameWatcherFlags.NONE, None, left)
        note("claimed")
    if method == "ReleaseAccelerometer":
        left(bus, sender)
    invocation.return_value(None)


def asked(connection, sender, path, interface, name):
    return GLib.Variant("b", True) if name == "HasAccelerometer" else GLib.Variant("s", words[name])


def look():
    global done, owner
    try:
        with open(f"{folder}/commands") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        lines = []
    for line in lines[done:]:
        done += 1
        if line == "leave":
            Gio.bus_unown_name(owner)
            claims.clear()
        elif line == "return":
            owner = own()
        else:
            name, word = line.split()
            words[name] = word
            # To those only who claimed it, as the proxy does.
            for claimant in claims:
                bus.emit_signal(claimant, PATH, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                                GLib.Variant("(sa{sv}as)", (NAME, {name: GLib.Variant("s", word)}, [])))
    return True


def own():
    return Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: note("is there"), None)


bus.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(DESCRIPTION).interfaces[0], called, asked, None)
owner = own()
GLib.timeout_add(20, look)
GLib.MainLoop().run()
