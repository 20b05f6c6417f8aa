# The real UPower and iio-sensor-proxy for tests, on the bus of DBUS_SYSTEM_BUS_ADDRESS, with a battery and an accelerometer of umockdev:
# mocked.py FOLDER
#
# Writes "is there" to FOLDER/log once both have their names. Each line of FOLDER/commands is done once:
#   battery PERCENT STATUS   the kernel's words, such as "battery 33 Charging"
#   hold X Y Z               the acceleration in hundredths of a metre per second squared
#   unplug | plug            the battery is gone, or comes back
import os
import sys

PRELOAD = "libumockdev-preload.so.0"
if PRELOAD not in os.environ.get("LD_PRELOAD", ""):
    os.execve(sys.executable, [sys.executable] + sys.argv, {**os.environ, "LD_PRELOAD": PRELOAD, "TMPDIR": sys.argv[1]})

import signal
import subprocess

import gi

gi.require_version("Gio", "2.0")
gi.require_version("UMockdev", "1.0")
from gi.repository import Gio, GLib, UMockdev

folder = sys.argv[1]
DAEMONS = {"org.freedesktop.UPower": ["/usr/libexec/upowerd", "-v"], "net.hadess.SensorProxy": ["/usr/sbin/iio-sensor-proxy", "-v"]}
bed = UMockdev.Testbed.new()
done = 0


def note(text):
    with open(f"{folder}/log", "a") as file:
        file.write(text + "\n")


def plug():
    return bed.add_device(
        "power_supply", "BAT0", None, [
            "type", "Battery", "present", "1", "status", "Discharging", "capacity", "80", "energy_full", "50000000",
            "energy_full_design", "60000000", "energy_now", "40000000", "power_now", "10000000", "voltage_now", "12000000"],
        ["POWER_SUPPLY_ONLINE", "1"])


battery = plug()
sensor = bed.add_device(
    "iio", "iio:device0", None, [
        "name", "mocked accelerometer", "in_accel_scale", "0.01", "in_accel_x_raw", "0", "in_accel_y_raw", "-981", "in_accel_z_raw", "0"],
    ["NAME", '"mocked accelerometer"', "DEVNAME", "/dev/iio:device0", "IIO_SENSOR_PROXY_TYPE", "iio-poll-accel"])
bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
waiting = set(DAEMONS)


def came(connection, name, owner):
    waiting.discard(name)
    if not waiting:
        note("is there")


for name, command in DAEMONS.items():
    Gio.bus_watch_name_on_connection(bus, name, Gio.BusNameWatcherFlags.NONE, came, None)
children = [
    subprocess.Popen(
        command, stdout=open(f"{folder}/{os.path.basename(command[0])}.log", "w"), stderr=subprocess.STDOUT,
        # They end with this script, however it ends.
        preexec_fn=lambda: __import__("ctypes").CDLL(None).prctl(1, signal.SIGKILL))
    for command in DAEMONS.values()]


def do(word, *rest):
    global battery
    if word == "battery":
        percent, status = rest
        bed.set_attribute(battery, "capacity", percent)
        bed.set_attribute(battery, "energy_now", str(int(percent) * 500000))
        bed.set_attribute(battery, "status", status)
        bed.uevent(battery, "change")
    elif word == "hold":
        for axis, value in zip("xyz", rest):
            bed.set_attribute(sensor, f"in_accel_{axis}_raw", value)
    elif word == "unplug":
        bed.uevent(battery, "remove")
        bed.remove_device(battery)
    elif word == "plug":
        battery = plug()
        bed.uevent(battery, "add")


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


GLib.timeout_add(20, look)
GLib.MainLoop().run()
