"""The real fprintd with libfprint's virtual reader, which knows the right index finger of the person who runs it.

fprint.py FOLDER: on the bus that DBUS_SYSTEM_BUS_ADDRESS names. It stands in for polkitd, which allows everything. Writes "is there" to
FOLDER/log, and then what the reader was asked. Each line of FOLDER/commands is done once:
  scan RIGHT|WRONG   a finger is on the reader
  retry              it was too fast
  lie                another connection says that a finger matched
  unplug | kill      the reader is gone, or the service
Run with /usr/bin/python3."""
import os
import pwd
import signal
import socket
import subprocess
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

folder = sys.argv[1]
NAME, MANAGER, DEVICE = "net.reactivated.Fprint", "/net/reactivated/Fprint/Manager", "net.reactivated.Fprint.Device"
bus = Gio.bus_get_sync(Gio.BusType.SYSTEM, None)
person = pwd.getpwuid(os.getuid()).pw_name
done = 0


def note(text):
    with open(f"{folder}/log", "a") as file:
        file.write(text + "\n")


def authority(connection, sender, path, interface, method, arguments, invocation):
    invocation.return_value(GLib.Variant("((bba{ss}))", ((True, False, {}),)))


polkit = Gio.DBusNodeInfo.new_for_xml(
    '<node><interface name="org.freedesktop.PolicyKit1.Authority"><method name="CheckAuthorization"><arg type="(sa{sv})" direction="in"/>'
    '<arg type="s" direction="in"/><arg type="a{ss}" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>'
    '<arg type="(bba{ss})" direction="out"/></method><property name="BackendName" type="s" access="read"/>'
    '<signal name="Changed"/></interface></node>').interfaces[0]
bus.register_object("/org/freedesktop/PolicyKit1/Authority", polkit, authority, lambda *_: GLib.Variant("s", "test"), None)
Gio.bus_own_name_on_connection(bus, "org.freedesktop.PolicyKit1", Gio.BusNameOwnerFlags.NONE, None, None)
environment = dict(os.environ, FP_VIRTUAL_DEVICE=f"{folder}/reader", STATE_DIRECTORY=f"{folder}/fingers")
os.makedirs(f"{folder}/fingers", exist_ok=True)
service = subprocess.Popen(["/usr/libexec/fprintd", "-t"], env=environment, stderr=subprocess.DEVNULL)


def say(text):
    with socket.socket(socket.AF_UNIX) as reader:
        reader.connect(f"{folder}/reader")
        reader.sendall(text.encode())


def call(path, interface, method, arguments, then=None):
    def answered(connection, result):
        answer = connection.call_finish(result)
        if then:
            then(answer)

    bus.call(NAME, path, interface, method, arguments, None, 0, -1, None, answered)


def told(connection, sender, path, interface, signal_name, arguments):
    global enrolling
    if signal_name != "EnrollStatus":
        return note(f"{signal_name} {arguments.unpack()[0]}")
    result, is_done = arguments.unpack()
    if not is_done:
        say(f"SCAN {person}-right")
    else:
        assert result == "enroll-completed", result
        call(path, DEVICE, "EnrollStop", None, lambda _: call(path, DEVICE, "Release", None, lambda _: note("is there")))


def enroll(answer):
    path = answer.unpack()[0]
    globals()["device"] = path

    def claimed(_):
        call(path, DEVICE, "EnrollStart", GLib.Variant("(s)", ("right-index-finger",)), lambda _: GLib.timeout_add(50, begin))

    call(path, DEVICE, "Claim", GLib.Variant("(s)", ("",)), claimed)


def begin():
    try:
        say(f"SCAN {person}-right")
    except OSError:
        return True
    return False


def lie():
    other = Gio.DBusConnection.new_for_address_sync(
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    names = bus.call_sync(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames", None, None, 0, -1, None).unpack()[0]
    for name in [None] + [name for name in names if name.startswith(":")]:
        other.emit_signal(name, device, DEVICE, "VerifyStatus", GLib.Variant("(sb)", ("verify-match", True)))
    other.flush_sync(None)
    note("lied")


def do(word, *rest):
    if word == "scan":
        say(f"SCAN {person}-{rest[0].lower()}")
    elif word == "retry":
        say("RETRY 1")
    elif word == "unplug":
        say("UNPLUG")
    elif word == "lie":
        lie()
    elif word == "kill":
        service.kill()
        service.wait()


def look():
    global done
    try:
        with open(f"{folder}/commands") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        lines = []
    while done < len(lines):
        try:
            do(*lines[done].split())
        except OSError:
            return True  # The reader waits for no finger yet.
        done += 1
    return True


def find():
    call(MANAGER, f"{NAME}.Manager", "GetDefaultDevice", None, enroll)


bus.signal_subscribe(NAME, DEVICE, None, None, None, Gio.DBusSignalFlags.NONE, told)
Gio.bus_watch_name_on_connection(bus, NAME, Gio.BusNameWatcherFlags.NONE, lambda *_: find() if not done else None, None)
signal.signal(signal.SIGTERM, lambda *_: (service.kill(), sys.exit(0)))
GLib.timeout_add(20, look)
GLib.MainLoop().run()
