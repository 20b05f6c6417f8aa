# The real GeoClue for tests, on the bus of DBUS_SYSTEM_BUS_ADDRESS, and apps that ask it where they are:  geoclue.py FOLDER
#
# Two apps seem to be of Flatpak ("org.example.Maps", "org.example.Weather"), and one is not ("plain"): GeoClue asks its agent for the former.
# Writes to FOLDER/log: "is there", and "APP started", "APP refused" or "APP stopped". Each line of FOLDER/commands is done once:
#   start APP | stop APP   the app uses the location, or does not any more
#   hang | answer          GeoClue is stopped, or runs again
#   leave | return         GeoClue is killed, or started again
import os
import signal
import subprocess
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib

SERVICE = "org.freedesktop.GeoClue2"
folder = sys.argv[1]
bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)


def note(text):
    with open(f"{folder}/log", "a") as file:
        file.write(text + "\n")


def call(path, interface, member, arguments=None):
    return bus.call_sync(SERVICE, path, interface, member, arguments, None, Gio.DBusCallFlags.NO_AUTO_START, 60_000, None)


def app(name):
    path = None
    for line in sys.stdin:
        if line.strip() == "stop":
            call(path, f"{SERVICE}.Client", "Stop")
            call("/org/freedesktop/GeoClue2/Manager", f"{SERVICE}.Manager", "DeleteClient", GLib.Variant("(o)", (path,)))
            note(f"{name} stopped")
            continue
        path = call("/org/freedesktop/GeoClue2/Manager", f"{SERVICE}.Manager", "CreateClient").unpack()[0]
        for key, value in (("DesktopId", GLib.Variant("s", name)), ("RequestedAccuracyLevel", GLib.Variant("u", 4))):
            call(path, "org.freedesktop.DBus.Properties", "Set", GLib.Variant("(ssv)", (f"{SERVICE}.Client", key, value)))
        try:
            call(path, f"{SERVICE}.Client", "Start")
            note(f"{name} started")
        except GLib.Error:
            note(f"{name} refused")


if len(sys.argv) > 2:
    app(sys.argv[2])
    sys.exit()

with open(f"{folder}/geoclue.conf", "w") as file:
    file.write("[agent]\nwhitelist=mullion\n")
    # Nothing leaves the machine.
    for source in ("network-nmea", "3g", "cdma", "modem-gps", "wifi", "compass"):
        file.write(f"[{source}]\nenable=false\n")
    file.write("[wifi]\nsubmit-data=false\n")
apps, binds, done, service = {}, [], 0, None
for name in ("org.example.Maps", "org.example.Weather", "plain"):
    apps[name] = subprocess.Popen([sys.executable, __file__, folder, name], stdin=subprocess.PIPE, text=True)
    if name != "plain":
        with open(f"{folder}/{name}.cgroup", "w") as file:
            for root in ("1:name=systemd:", "0::"):
                file.write(f"{root}/user.slice/app.slice/app-flatpak-{name}-{apps[name].pid}.scope\n")
        binds += ["--ro-bind", f"{folder}/{name}.cgroup", f"/proc/{apps[name].pid}/cgroup"]


def begin():
    global service
    # As in a system, it is another user than the shell, as far as these tests may do that.
    os.chmod(folder, 0o755)
    user = ["setpriv", "--reuid=geoclue", "--regid=geoclue", "--clear-groups"] if os.geteuid() == 0 else []
    service = subprocess.Popen(
        ["bwrap", "--die-with-parent", *(["--cap-add", "ALL"] if user else []), "--dev-bind", "/", "/",
         "--ro-bind", f"{folder}/geoclue.conf", "/etc/geoclue/geoclue.conf", *binds, *user,
         "/usr/libexec/geoclue", "-t", "0"], stdout=open(f"{folder}/geoclue.log", "a"), stderr=subprocess.STDOUT)


def daemon():
    """The process that has the name: bwrap is another one."""
    answer = bus.call_sync(
        "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetConnectionUnixProcessID", GLib.Variant("(s)", (SERVICE,)), None, 0, 5000,
        None)
    return answer.unpack()[0]


def do(word, *rest):
    if word in ("start", "stop"):
        apps[rest[0]].stdin.write(word + "\n")
        apps[rest[0]].stdin.flush()
    elif word == "hang":
        os.kill(daemon(), signal.SIGSTOP)
    elif word == "answer":
        os.kill(daemon(), signal.SIGCONT)
    elif word == "leave":
        os.kill(daemon(), signal.SIGKILL)
        service.wait()
    elif word == "return":
        begin()


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


Gio.bus_watch_name_on_connection(bus, SERVICE, Gio.BusNameWatcherFlags.NONE, lambda *_: note("is there"), None)
begin()
GLib.timeout_add(20, look)
GLib.MainLoop().run()
