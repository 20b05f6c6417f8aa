"""A client of the session bus for tests: takes requests as lines of JSON, answers and reports signals as lines of JSON.

{"do": "call", "on": 0, "path": .., "interface": .., "member": .., "signature": "(s)", "args": [..], "to": ..}
{"do": "open"}: one more connection; the answer is its number. {"do": "close", "on": 1}
{"do": "many", "count": n, ...}: the same call n times without waiting in between; the answers counted by their error's name.
{"do": "leave"}: ends at once, in the midst of `count` calls that were sent and not waited for.
"""
import json
import os
import sys
import time

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

SERVICE = "org.mullion.AudioSession1"
connections = []


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def heard(number):
    def report(connection, sender, path, interface, member, arguments):
        say({"signal": member, "on": number, "path": path, "interface": interface, "args": arguments.unpack()})
    return report


def connect():
    connection = Gio.DBusConnection.new_for_address_sync(
        os.environ["DBUS_SESSION_BUS_ADDRESS"],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    connection.signal_subscribe(SERVICE, None, None, None, None, Gio.DBusSignalFlags.NONE, heard(len(connections)))
    connections.append(connection)
    return len(connections) - 1


def packed(request):
    arguments = request.get("args", [])
    if request.get("fill"):
        # A string of so many bytes is not to travel through the test.
        arguments = [a * request["fill"] if a == "x" else a for a in arguments]
    return GLib.Variant(request["signature"], tuple(arguments)) if request.get("signature") else None


def variants(value):
    """{"title": ["s", "x"]} as a table of variants."""
    if isinstance(value, dict):
        return {name: GLib.Variant(kind, inner) for name, (kind, inner) in value.items()}
    return value


def call(request, done):
    request["args"] = [variants(value) for value in request.get("args", [])]
    connections[request.get("on", 0)].call(
        request.get("to", SERVICE), request.get("path", "/org/mullion/AudioSession1"),
        request.get("interface", "org.mullion.AudioSession1.Session"), request["member"], packed(request), None,
        Gio.DBusCallFlags.NONE, request.get("timeout", 20000), None, done)


def result(connection, answer):
    try:
        return {"answer": list(connection.call_finish(answer).unpack())}
    except GLib.Error as error:
        name = Gio.DBusError.get_remote_error(error) or error.domain
        return {"error": name, "text": Gio.DBusError.strip_remote_error(error) and error.message or error.message}


def serve(request):
    kind = request["do"]
    if kind == "open":
        say({"answer": [connect()]})
    elif kind == "name":
        say({"answer": [connections[request.get("on", 0)].get_unique_name()]})
    elif kind == "close":
        connections[request["on"]].close_sync(None)
        say({"answer": []})
    elif kind == "call":
        call(request, lambda connection, answer: say(result(connection, answer)))
    elif kind == "many":
        counts = {"began": time.monotonic()}
        left = [request["count"]]

        def one(connection, answer):
            name = result(connection, answer).get("error", "done")
            counts[name] = counts.get(name, 0) + 1
            left[0] -= 1
            if left[0] == 0:
                counts["seconds"] = time.monotonic() - counts.pop("began")
                say({"answer": [counts]})
        for index in range(request["count"]):
            call(dict(request["each"][index % len(request["each"])]), one)
    elif kind == "leave":
        for _ in range(request["count"]):
            call(dict(request), lambda *_: None)
        connections[0].flush_sync(None)
        os._exit(0)


def arrived(channel, condition):
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    try:
        serve(json.loads(line))
    except Exception as problem:
        say({"error": "client", "text": repr(problem)})
    return True


connect()
loop = GLib.MainLoop()
GLib.io_add_watch(GLib.IOChannel.unix_new(0), GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, arrived)
say({"answer": ["ready"]})
loop.run()
