# UPower, NetworkManager, BlueZ, logind, power profiles and the accelerometer for tests, on the bus of DBUS_SYSTEM_BUS_ADDRESS:
# device.py FOLDER
#
# Writes each call to FOLDER/log: "upower GetAll". Each line of FOLDER/commands is done once:
#   battery PERCENT STATE [SECONDS]   UPower's display device, and a signal of it
#   flood N                           N signals of it, as fast as they go
#   wifi STRENGTH HEX                 the primary connection is this access point, its name in hexadecimal
#   wired | offline | portal          another primary connection, none, or a page that asks for a login
#   headphones NAME PERCENT | nothing a device of Bluetooth is connected, or none is
#   point HEX STRENGTH FLAGS RSN      an access point of that name
#   points N                          so many of them
#   save HEX KEYS                     a profile of a network
#   ask HEX FLAGS | cancel HEX        NetworkManager asks for the password of a profile, or does not need it any more
#   near NAME ICON                    a device of Bluetooth comes near
#   warn LEVEL                        UPower's level of warning
#   block WHAT WHO WHY                a program keeps the machine from it
#   reboots                           the machine can restart, too
#   sensor | hold WAY                 the machine has an accelerometer, and is held that way
#   refuse                            what is set is refused from now on
#   hang NAME | answer NAME           calls to upower, network or bluez get no answer, or get one again
#   leave NAME | return NAME          gives up the name, or takes it again
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

sys.dont_write_bytecode = True
from radios import Radios, interface

folder = sys.argv[1]
bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
PROPERTIES = "org.freedesktop.DBus.Properties"
SEAT = "/org/freedesktop/DisplayManager/Seat0"
inhibitors, able, broken = [], {"CanPowerOff", "CanSuspend"}, set()
NAMES = {
    "upower": "org.freedesktop.UPower", "network": "org.freedesktop.NetworkManager", "bluez": "org.bluez", "logind": "org.freedesktop.login1",
    "profiles": "net.hadess.PowerProfiles"}
SENSOR = "net.hadess.SensorProxy"
sensor = {"HasAccelerometer": GLib.Variant("b", True), "AccelerometerOrientation": GLib.Variant("s", "normal")}
profiles = {
    "ActiveProfile": GLib.Variant("s", "balanced"),
    "Profiles": GLib.Variant("aa{sv}", [{"Profile": GLib.Variant("s", name)} for name in ("power-saver", "balanced")]),
}
DISPLAY = "/org/freedesktop/UPower/devices/DisplayDevice"
MANAGER, ACTIVE, POINT = (f"/org/freedesktop/NetworkManager{part}" for part in ("", "/ActiveConnection/1", "/AccessPoint/1"))
hanging = set()
refuses = False
radio = {"Powered": GLib.Variant("b", True)}
owners = {}
done = 0
battery = {
    "IsPresent": GLib.Variant("b", True), "Type": GLib.Variant("u", 2), "State": GLib.Variant("u", 2),
    "Percentage": GLib.Variant("d", 80.0), "TimeToEmpty": GLib.Variant("x", 0), "TimeToFull": GLib.Variant("x", 0),
    "WarningLevel": GLib.Variant("u", 1), "UpdateTime": GLib.Variant("t", 1),
}
network = {
    "RadioFlags": GLib.Variant("u", 1), "WirelessEnabled": GLib.Variant("b", True), "State": GLib.Variant("u", 70),
    "Connectivity": GLib.Variant("u", 4), "PrimaryConnection": GLib.Variant("o", ACTIVE),
    "PrimaryConnectionType": GLib.Variant("s", "802-11-wireless"),
}
active = {"SpecificObject": GLib.Variant("o", POINT)}
point = {"Ssid": GLib.Variant("ay", b"Home"), "Strength": GLib.Variant("y", 80)}
devices = {}


def note(text):
    with open(f"{folder}/log", "a") as file:
        file.write(text + "\n")


def changed(path, interface, table):
    bus.emit_signal(None, path, PROPERTIES, "PropertiesChanged", GLib.Variant("(sa{sv}as)", (interface, table, [])))


def serve(name, path, table):
    description = f"""<node><interface name="{PROPERTIES}">
        <method name="GetAll"><arg type="s" direction="in"/><arg type="a{{sv}}" direction="out"/></method>
        <method name="Set"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="in"/></method>
        <method name="Get"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
        </interface></node>"""

    def called(connection, sender, path, interface, method, arguments, invocation):
        note(f"{name} {method}")
        if name in hanging:
            return
        if method == "Set":
            interface, key, value = arguments.unpack()
            note(f"{name} {key} {value}")
            if refuses:
                return invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "it is not allowed here")
            table[key] = GLib.Variant("s" if isinstance(value, str) else "b", value)
            changed(path, interface, {key: table[key]})
            invocation.return_value(None)
        elif method == "GetAll":
            invocation.return_value(GLib.Variant("(a{sv})", (table,)))
        else:
            invocation.return_value(GLib.Variant("(v)", (table[arguments.unpack()[1]],)))

    bus.register_object(path, Gio.DBusNodeInfo.new_for_xml(description).interfaces[0], called, None, None)


def objects(connection, sender, path, interface, method, arguments, invocation):
    note(f"bluez {method}")
    if "bluez" in hanging:
        return
    tree = {"/org/bluez/hci0": {"org.bluez.Adapter1": radio}}
    tree.update({path: {"org.bluez.Device1": table} for path, table in radios.near.items()})
    for index, (alias, percent) in enumerate(devices.items()):
        tree[f"/org/bluez/hci0/dev_{index}"] = {
            "org.bluez.Device1": {"Connected": GLib.Variant("b", True), "Alias": GLib.Variant("s", alias)},
            "org.bluez.Battery1": {"Percentage": GLib.Variant("y", percent)},
        }
    invocation.return_value(GLib.Variant("(a{oa{sa{sv}}})", (tree,)))


def light(connection, sender, path, interface, method, arguments, invocation):
    subsystem, name, value = arguments.unpack()
    note(f"logind {subsystem} {name} {value}")
    if refuses:
        return invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "it is not allowed here")
    with open(f"{folder}/lights/{name}/brightness", "w") as file:
        file.write(f"{value}\n")
    invocation.return_value(None)


def power(connection, sender, path, interface, method, arguments, invocation):
    anyway = " anyway" if arguments.n_children() and arguments.unpack()[0] is True else ""
    note(f"logind {method}{anyway}")
    if method == "ListInhibitors":
        delay = ("sleep:shutdown", "Other", "It waits", "delay", 0, 1)
        return invocation.return_value(GLib.Variant("(a(ssssuu))", ([delay] + inhibitors,)))
    if method.startswith("Can"):
        if method in broken:
            return invocation.return_dbus_error("org.freedesktop.DBus.Error.FileNotFound", "No such file or directory")
        is_held = bool(inhibitors) and method != "CanSuspend"
        return invocation.return_value(GLib.Variant("(s)", ("yes" if method in able and not is_held else "challenge",)))
    invocation.return_value(None)


def machine(connection, sender, path, interface, method, arguments, invocation):
    """PackageKit's offline updates, and the seat of a display manager."""
    note(f"{interface.split('.')[2]} {method} {' '.join(map(str, arguments.unpack()))}".strip())
    invocation.return_value(GLib.Variant("(v)", (GLib.Variant("b", True),)) if method == "Get" else None)


def sensing(connection, sender, path, interface, method, arguments, invocation):
    note(f"sensor {method}")
    invocation.return_value(GLib.Variant("(a{sv})", (sensor,)) if method == "GetAll" else None)


def own(name):
    owners[name] = Gio.bus_own_name_on_connection(bus, NAMES[name], Gio.BusNameOwnerFlags.NONE, lambda *_: note(f"{name} is there"), None)


def do(word, *rest):
    if word == "battery":
        battery["Percentage"] = GLib.Variant("d", float(rest[0]))
        battery["State"] = GLib.Variant("u", int(rest[1]))
        battery["TimeToEmpty"] = battery["TimeToFull"] = GLib.Variant("x", int(rest[2]) if len(rest) > 2 else 0)
        changed(DISPLAY, "org.freedesktop.UPower.Device", {"Percentage": battery["Percentage"], "UpdateTime": battery["UpdateTime"]})
    elif word == "flood":
        for step in range(int(rest[0])):
            changed(DISPLAY, "org.freedesktop.UPower.Device", {"Percentage": GLib.Variant("d", float(step % 100))})
    elif word == "wifi":
        point["Strength"], point["Ssid"] = GLib.Variant("y", int(rest[0])), GLib.Variant("ay", bytes.fromhex(rest[1]))
        network["PrimaryConnectionType"], network["State"] = GLib.Variant("s", "802-11-wireless"), GLib.Variant("u", 70)
        changed(MANAGER, "org.freedesktop.NetworkManager", network)
    elif word in ("wired", "offline", "portal"):
        network["PrimaryConnectionType"] = GLib.Variant("s", {"wired": "802-3-ethernet", "offline": "", "portal": "802-11-wireless"}[word])
        network["State"] = GLib.Variant("u", 20 if word == "offline" else 70)
        network["Connectivity"] = GLib.Variant("u", 2 if word == "portal" else 4)
        changed(MANAGER, "org.freedesktop.NetworkManager", network)
    elif word in ("headphones", "nothing"):
        devices.clear()
        if rest:
            devices[rest[0]] = int(rest[1])
        changed("/org/bluez/hci0/dev_0", "org.bluez.Device1", {"Connected": GLib.Variant("b", bool(rest))})
    elif word == "point":
        radios.point(rest[0], *map(int, rest[1:]))
        radios.stir()
    elif word == "points":
        for number in range(int(rest[0])):
            radios.point(f"net {number}".encode().hex(), number % 100, 1, 0x100)
        radios.stir()
    elif word == "save":
        radios.save(bytes.fromhex(rest[0]), rest[1])
        radios.stir()
    elif word in ("ask", "cancel"):
        profile = next(path for path, one in radios.profiles.items() if one[0].hex() == rest[0])
        if word == "ask":
            radios.ask(profile, int(rest[1]), lambda secret: None)
        else:
            radios.cancel(profile)
    elif word == "warn":
        battery["WarningLevel"] = GLib.Variant("u", int(rest[0]))
        changed(DISPLAY, "org.freedesktop.UPower.Device", {"WarningLevel": battery["WarningLevel"]})
    elif word == "block":
        inhibitors.append((rest[0], rest[1], " ".join(rest[2:]), "block", 0, 1))
        changed("/org/freedesktop/login1", "org.freedesktop.login1.Manager", {"BlockInhibited": GLib.Variant("s", rest[0])})
    elif word == "reboots":
        able.add("CanReboot")
        changed("/org/freedesktop/login1", "org.freedesktop.login1.Manager", {"BlockInhibited": GLib.Variant("s", "")})
    elif word == "breaks":
        broken.add(rest[0])
        changed("/org/freedesktop/login1", "org.freedesktop.login1.Manager", {"BlockInhibited": GLib.Variant("s", "")})
    elif word == "near":
        radios.add(rest[0], rest[1])
    elif word == "sensor":
        Gio.bus_own_name_on_connection(bus, SENSOR, Gio.BusNameOwnerFlags.NONE, None, None)
    elif word == "hold":
        sensor["AccelerometerOrientation"] = GLib.Variant("s", rest[0])
        changed("/net/hadess/SensorProxy", SENSOR, {"AccelerometerOrientation": sensor["AccelerometerOrientation"]})
    elif word == "hang":
        hanging.add(rest[0])
    elif word == "answer":
        hanging.discard(rest[0])
    elif word == "leave":
        Gio.bus_unown_name(owners[rest[0]])
        note(f"{rest[0]} left")
    elif word == "return":
        own(rest[0])


def look():
    global done, refuses
    try:
        with open(f"{folder}/commands") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        lines = []
    for line in lines[done:]:
        done += 1
        if line == "refuse":
            refuses = True
            note("refuses")
            continue
        do(*line.split())
    return True


radios = Radios(bus, note, hanging, devices)
bus.register_object(
    "/org/freedesktop/login1",
    interface(
        "org.freedesktop.login1.Manager", *[(f"Can{name}", "", "s") for name in ("PowerOff", "Reboot", "Suspend")],
        ("ListInhibitors", "", ["a(ssssuu)"]), *[(name, "b", "") for name in ("PowerOff", "Reboot", "Suspend")]), power, None, None)
for path, face in (
    ("/org/freedesktop/PackageKit", interface("org.freedesktop.PackageKit.Offline", ("Trigger", "s", ""))),
    (SEAT, interface("org.freedesktop.DisplayManager.Seat", ("SwitchToGreeter", "", ""))),
    (SEAT, interface(PROPERTIES, ("Get", "ss", "v")))):
    bus.register_object(path, face, machine, None, None)
for name in ("org.freedesktop.PackageKit", "org.freedesktop.DisplayManager"):
    Gio.bus_own_name_on_connection(bus, name, Gio.BusNameOwnerFlags.NONE, None, None)
for face in (
    interface(SENSOR, ("ClaimAccelerometer", "", ""), ("ReleaseAccelerometer", "", "")), interface(PROPERTIES, ("GetAll", "s", ["a{sv}"]))):
    bus.register_object("/net/hadess/SensorProxy", face, sensing, None, None)
serve("profiles", "/net/hadess/PowerProfiles", profiles)
serve("upower", DISPLAY, battery)
serve("bluez", "/org/bluez/hci0", radio)
bus.register_object(
    "/org/freedesktop/login1/session/auto", Gio.DBusNodeInfo.new_for_xml(
        '<node><interface name="org.freedesktop.login1.Session"><method name="SetBrightness"><arg type="s" direction="in"/>'
        '<arg type="s" direction="in"/><arg type="u" direction="in"/></method></interface></node>').interfaces[0], light, None, None)
for path, table in ((MANAGER, network), (ACTIVE, active), (POINT, point)):
    serve("network", path, table)
bus.register_object(
    "/", Gio.DBusNodeInfo.new_for_xml(
        '<node><interface name="org.freedesktop.DBus.ObjectManager"><method name="GetManagedObjects">'
        '<arg type="a{oa{sa{sv}}}" direction="out"/></method></interface></node>').interfaces[0], objects, None, None)
for name in NAMES:
    own(name)
note("is there")
GLib.timeout_add(20, look)
GLib.MainLoop().run()
