# polkitd for tests, on the bus of DBUS_SYSTEM_BUS_ADDRESS: authority.py FOLDER
#
# Writes to FOLDER/log what reaches it. Each line of FOLDER/commands is done once:
#   ask COOKIE UID,UID HEX   has the agent prove a person for a message in hexadecimal; PROCESS is that of this program
#   cancel COOKIE            does not need it any more
#   leave | return           gives up the name, or takes it again
# The log: "register SESSION", "COOKIE yes", "COOKIE NAME-OF-ERROR", "canceled COOKIE".
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
NAME, PATH = "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority"
AGENT = f"{NAME}.AuthenticationAgent"
agent, owner, done = None, None, 0


def note(text):
    with open(f"{folder}/log", "a") as file:
        file.write(text + "\n")


def called(connection, sender, path, face, method, arguments, invocation):
    global agent
    subject, locale, place = arguments.unpack()
    if agent is not None:
        return invocation.return_dbus_error(f"{NAME}.Error.Failed", "An authentication agent already exists for the given subject")
    agent = (sender, place)
    note(f"register {subject[0]} {subject[1]['session-id']}")
    invocation.return_value(None)


def ask(cookie, users, words):
    identities = [("unix-user", {"uid": GLib.Variant("u", int(user))}) for user in users.split(",")]
    details = {"polkit.subject-pid": str(os.getpid()), "polkit.message": "x"}
    arguments = GLib.Variant(
        "(sssa{ss}sa(sa{sv}))", ("org.example.act", bytes.fromhex(words).decode(), "", details, f"{cookie}|{folder}", identities))

    def answered(connection, result):
        try:
            connection.call_finish(result)
            note(f"{cookie} yes")
        except GLib.Error as error:
            note(f"{cookie} {Gio.DBusError.get_remote_error(error)}")

    bus.call(*agent, AGENT, "BeginAuthentication", arguments, None, Gio.DBusCallFlags.NONE, 600_000, None, answered)


def own():
    global owner, agent
    agent = None
    owner = Gio.bus_own_name_on_connection(bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: note("is there"), None)


def do(word, *rest):
    if word == "ask":
        ask(*rest)
    elif word == "cancel":
        bus.call(*agent, AGENT, "CancelAuthentication", GLib.Variant("(s)", (f"{rest[0]}|{folder}",)), None, Gio.DBusCallFlags.NONE, -1, None,
                 lambda *_: note(f"canceled {rest[0]}"))
    elif word == "leave":
        Gio.bus_unown_name(owner)
    elif word == "return":
        own()


def look():
    global done
    try:
        lines = open(f"{folder}/commands").read().splitlines()
    except OSError:
        lines = []
    while done < len(lines):
        done += 1
        do(*lines[done - 1].split(" "))
    return True


bus.register_object(PATH, interface(f"{NAME}.Authority", ("RegisterAuthenticationAgent", ["(sa{sv})", "s", "s"], "")), called, None, None)
own()
GLib.timeout_add(20, look)
GLib.MainLoop().run()
