#!/usr/bin/env python3
"""A program in a sandbox that tries to be another app, and one that is to be robbed.

    thief.py state APPID TEXT [COUNT]     offers COUNT states (of which the first is "main") by windows that say they are APPID,
                                          and hands over TEXT for each; for several states 1 MiB each
    thief.py bus VICTIM                   goes through the shell's services on the session bus and names VICTIM wherever an app is named
    thief.py context ENGINE APP -- COMMAND...   runs the command with a Wayland socket of a security context of that name

Prints one JSON object: {"steps": {...}}.
"""

import os
import subprocess
import sys

import common


def state(app_id, text, count):
    import life
    app = life.App(app_id)
    back, serials, states = [], {}, []

    def restored(fd, size):
        back.append(os.pread(fd, size, 0)[:64].decode(errors="replace"))
        os.close(fd)

    surface, xdg, toplevel = app.toplevel("Thief", app_id, mapped=False)
    for number in range(count):
        offered = app.manager.get_window_state(toplevel, f"loot {number}" if number else "main")
        offered.on("restore", restored).on("save", lambda serial, number=number: serials.__setitem__(number, serial))
        states.append(offered)
    surface.commit()
    app.c.roundtrip()
    for offered in states:
        offered.changed()
    app.until(lambda: len(serials) == count)
    for number, offered in enumerate(states):
        life.submit(offered, serials[number], text.encode() if count == 1 else b"x" * (1 << 20))
        app.c.roundtrip()
    # A second window of the same connection.
    again = []
    second = app.toplevel("Thief", app_id, mapped=False)[2]
    states[0].destroy()
    app.manager.get_window_state(second, "main").on("restore", lambda fd, size: again.append(os.pread(fd, size, 0)[:64].decode()))
    app.c.roundtrip()
    return {"restored": back, "again": again}


def bus(victim):
    import gi
    gi.require_version("Gio", "2.0")
    from gi.repository import Gio, GLib
    connection = Gio.DBusConnection.new_for_address_sync(
        os.environ["DBUS_SESSION_BUS_ADDRESS"],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
    session = ("org.gnome.SessionManager", "/org/gnome/SessionManager")
    portal, portal_path = "org.freedesktop.impl.portal.desktop.mullion", "/org/freedesktop/portal/desktop"
    backend = "org.freedesktop.impl.portal."
    views, life = ("org.mullion.Views1", "/org/mullion/Views1"), ("org.mullion.Life1", "/org/mullion/Life1")
    sound = ("org.mullion.AudioSession1", "/org/mullion/AudioSession1")
    # Name, bus name, path, interface, method, signature, arguments.
    calls = [
        ("OfferState", *life, life[0], "OfferState", "(s)", ("main",)),
        ("Watch", *life, life[0], "Watch", None, ()),
        ("RegisterRestore", *session, session[0], "RegisterRestore", "(ss)", (victim, "")),
        ("DeletedInstanceIds", *session, session[0], "DeletedInstanceIds", "(sas)", (victim, ["x"])),
        ("Inhibit", *session, session[0], "Inhibit", "(susu)", (victim, 0, "a reason", 4)),
        ("RegisterClient", *session, session[0], "RegisterClient", "(ss)", (victim, "")),
        ("GetInhibitors", *session, session[0], "GetInhibitors", None, ()),
        ("GetReason", session[0], session[1] + "/Inhibitor1", session[0] + ".Inhibitor", "GetReason", None, ()),
        ("IsInhibited", *session, session[0], "IsInhibited", "(u)", (4,)),
        ("AccessDialog", portal, portal_path, backend + "Access", "AccessDialog", "(osssssa{sv})", ("/r/1", victim, "", "Give it?", "", "", {})),
        ("ChooseApplication", portal, portal_path, backend + "AppChooser", "ChooseApplication", "(ossasa{sv})", ("/r/2", victim, "", [victim], {})),
        ("GetUserInformation", portal, portal_path, backend + "Account", "GetUserInformation", "(ossa{sv})", ("/r/3", victim, "", {})),
        ("Show", *views, views[0], "Show", "(sssa{sv}a(ss))", ("alert", "Who asks?", "", {}, [])),
        ("CreateSession", *sound, sound[0] + ".Manager", "CreateSession", None, ()),
        ("Logout", *session, session[0], "Logout", "(u)", (2,)),
    ]
    out = {}
    for name, owner, path, interface, method, signature, arguments in calls:
        packed = GLib.Variant(signature, arguments) if signature else None
        try:
            answer = connection.call_sync(owner, path, interface, method, packed, None, Gio.DBusCallFlags.NONE, 3000, None).unpack()
            out[name] = "done " + bytes(answer[1]).decode() if name == "OfferState" else "done"
        except GLib.Error as error:
            out[name] = (Gio.DBusError.get_remote_error(error) or error.message).split(".")[-1]
    return out


def context(engine, app, command):
    import sandbox
    made = sandbox.Engine()
    made.committed(engine, app)
    environment = {**os.environ, "WAYLAND_DISPLAY": made.path}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    sys.stdout.write(done.stdout)
    sys.exit(done.returncode)


def main():
    command, *arguments = sys.argv[1:]
    if command == "context":
        context(arguments[0], arguments[1], arguments[3:])
    elif command == "bus":
        common.answer({"steps": bus(arguments[0])})
    else:
        common.answer({"steps": state(arguments[0], arguments[1], int(arguments[2]) if len(arguments) > 2 else 1)})


if __name__ == "__main__":
    main()
