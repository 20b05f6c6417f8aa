# UDisks2 for tests, on the bus of DBUS_SYSTEM_BUS_ADDRESS: drives.py FOLDER
#
# Writes each call to FOLDER/log: "Mount sdb1". Each line of FOLDER/commands is done once:
#   plug NAME HEX [KIND]    a drive with one filesystem, NAME1, its label in hexadecimal. KIND is "stick", "disk" (a fixed one), "system",
#                           "ignored", "card" (in a slot, which stays on), or "loop" (without a drive)
#   many N                  so many sticks at once
#   unplug NAME             it goes, with all of its objects
#   flood N                 so many signals of a change, as fast as they go
#   busy | free             unmounting fails because a program uses a file, or works again
#   deny | allow            everything needs an administrator, or nothing does
#   slow SECONDS            each answer takes so long
#   hang | answer           nothing gets an answer, or everything gets one again
#   lie                     the list of objects is something else
#   leave | return          gives up the name, or takes it again
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

sys.dont_write_bytecode = True
from radios import interface

folder = sys.argv[1]
bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
ROOT, NAME = "/org/freedesktop/UDisks2", "org.freedesktop.UDisks2"
BLOCK, FILESYSTEM, DRIVE = (f"{NAME}.{part}" for part in ("Block", "Filesystem", "Drive"))
MANAGER, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"
FACES = {
    FILESYSTEM: interface(FILESYSTEM, ("Mount", ["a{sv}"], "s"), ("Unmount", ["a{sv}"], "")),
    DRIVE: interface(DRIVE, ("Eject", ["a{sv}"], ""), ("PowerOff", ["a{sv}"], ""))}
objects, registered, waiting = {}, {}, []
state = {"busy": False, "deny": False, "hang": False, "lie": False, "slow": 0}
owner, done = None, 0


def note(text):
    with open(f"{folder}/log", "a") as file:
        file.write(text + "\n")


def listed(connection, sender, path, face, method, arguments, invocation):
    if state["hang"]:
        return waiting.append(invocation)
    if state["lie"]:
        reply = Gio.DBusMessage.new_method_reply(invocation.get_message())
        reply.set_body(GLib.Variant("(as)", (["nothing"],)))
        return connection.send_message(reply, Gio.DBusSendMessageFlags.NONE)
    invocation.return_value(GLib.Variant("(a{oa{sa{sv}}})", (objects,)))


def add(path, tables):
    objects[path] = tables
    registered[path] = [bus.register_object(path, FACES[face], called, None, None) for face in tables if face in FACES]
    bus.emit_signal(None, ROOT, MANAGER, "InterfacesAdded", GLib.Variant("(oa{sa{sv}})", (path, tables)))


def remove(path):
    faces = list(objects.pop(path))
    for number in registered.pop(path):
        bus.unregister_object(number)
    bus.emit_signal(None, ROOT, MANAGER, "InterfacesRemoved", GLib.Variant("(oas)", (path, faces)))


def plug(name, label, kind="stick"):
    drive, flags = f"{ROOT}/drives/{name}", {"Removable": kind != "disk", "MediaRemovable": False, "Ejectable": True, "CanPowerOff": True}
    table = {key: GLib.Variant("b", value) for key, value in flags.items()} | {
        "Vendor": GLib.Variant("s", "ACME"), "Model": GLib.Variant("s", name),
        "MediaCompatibility": GLib.Variant("as", ["flash_sd"] if kind == "card" else ["thumb"])}
    if kind == "loop":
        drive = "/"
    else:
        add(drive, {DRIVE: table})
    block = {
        "Drive": GLib.Variant("o", drive), "IdLabel": GLib.Variant("s", label), "Size": GLib.Variant("t", 16_000_000_000),
        "Device": GLib.Variant("ay", f"/dev/{name}1\0".encode()), "HintSystem": GLib.Variant("b", kind == "system"),
        "HintIgnore": GLib.Variant("b", kind == "ignored"), "HintAuto": GLib.Variant("b", kind == "loop")}
    add(f"{ROOT}/block_devices/{name}1", {BLOCK: block, FILESYSTEM: {"MountPoints": GLib.Variant("aay", [])}})


def unplug(name):
    for path in [path for path in objects if path.split("/")[-1] in (name, f"{name}1")]:
        remove(path)


def mounts(path, places):
    table = {"MountPoints": GLib.Variant("aay", [f"{place}\0".encode() for place in places])}
    objects[path][FILESYSTEM] = table
    bus.emit_signal(None, path, PROPERTIES, "PropertiesChanged", GLib.Variant("(sa{sv}as)", (FILESYSTEM, table, [])))


def called(connection, sender, path, face, method, arguments, invocation):
    options = arguments.unpack()[-1]
    note(f"{method} {path.split('/')[-1]}" + ("" if options.get("auth.no_user_interaction") else " asks"))
    if state["hang"]:
        return waiting.append(invocation)
    GLib.timeout_add(int(1000 * state["slow"]), lambda: answer(path, method, invocation))


def answer(path, method, invocation):
    if state["deny"]:
        invocation.return_dbus_error(f"{NAME}.Error.NotAuthorizedCanObtain", "Not authorized to perform operation")
    elif path not in objects:
        invocation.return_dbus_error("org.freedesktop.DBus.Error.UnknownObject", f"No such object path '{path}'")
    elif method == "Mount":
        place = f"{folder}/media/{path.split('/')[-1]}"
        os.makedirs(place, exist_ok=True)
        mounts(path, [place])
        invocation.return_value(GLib.Variant("(s)", (place,)))
    elif method == "Unmount":
        if state["busy"]:
            invocation.return_dbus_error(f"{NAME}.Error.DeviceBusy", "Error unmounting: target is busy")
        else:
            mounts(path, [])
            invocation.return_value(None)
    else:
        # Its objects go before the answer comes, as with the real one.
        unplug(path.split("/")[-1])
        invocation.return_value(None)
    return False


def own():
    global owner
    owner = Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: note("is there"), None)


def do(word, *rest):
    if word == "plug":
        plug(rest[0], bytes.fromhex(rest[1] if rest[1] != "-" else "").decode(), *rest[2:])
    elif word == "many":
        for number in range(int(rest[0])):
            plug(f"sx{number}", f"Stick {number}")
    elif word == "unplug":
        unplug(rest[0])
    elif word == "flood":
        for step in range(int(rest[0])):
            table = {"Size": GLib.Variant("t", step)}
            bus.emit_signal(
                None, f"{ROOT}/block_devices/sdb1", PROPERTIES, "PropertiesChanged", GLib.Variant("(sa{sv}as)", (BLOCK, table, [])))
    elif word in ("busy", "free"):
        state["busy"] = word == "busy"
    elif word in ("deny", "allow"):
        state["deny"] = word == "deny"
    elif word == "slow":
        state["slow"] = float(rest[0])
    elif word in ("hang", "answer"):
        state["hang"] = word == "hang"
    elif word == "lie":
        state["lie"] = True
        bus.emit_signal(None, ROOT, MANAGER, "InterfacesRemoved", GLib.Variant("(oas)", (ROOT, [])))
    elif word == "leave":
        Gio.bus_unown_name(owner)
        note("left")
    elif word == "return":
        own()


def look():
    global done
    try:
        with open(f"{folder}/commands") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        lines = []
    for line in lines[done:]:
        done += 1
        do(*line.split())
    return True


bus.register_object(ROOT, interface(MANAGER, ("GetManagedObjects", "", ["a{oa{sa{sv}}}"])), listed, None, None)
own()
GLib.timeout_add(20, look)
GLib.MainLoop().run()
