"""An app in the tray: an item of `org.kde.StatusNotifierItem`, and its menu in the form of `com.canonical.dbusmenu`.

tray_item.py FOLDER NAME FORM [window]: FORM is "kde", which owns a name and can be activated, or "ayatana", which has only a menu. With
"window" it has a window of GTK, hides it when it is closed, and shows it again when it is activated. Writes each call to FOLDER/NAME.log.
Each line of FOLDER/NAME.commands is done once:
  status STATE | title TEXT     and a signal of it
  colour N                      another picture, and a signal of it
  broken                        pictures that are none, and a signal
  flood SECONDS                 a signal of another picture, a thousand times a second
  hang | answer                 GetLayout gets no answer, or gets one again
  less                          the inner menu goes, and a signal of it
  menu KIND                     its menu is a flood, a deep well, of wrong types, nonsense, changing, on no path, or on no object
  many N                        registers so many more items, and notes how many were refused
  freeze                        stops its own process
  unregister                    leaves the bus
Run with /usr/bin/python3."""
import os
import signal
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

folder, name, form = sys.argv[1:4]
ITEM, MENU, PROPERTIES = "org.kde.StatusNotifierItem", "com.canonical.dbusmenu", "org.freedesktop.DBus.Properties"
WATCHER, WATCHER_PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
PATH = "/StatusNotifierItem" if form == "kde" else f"/org/ayatana/NotificationItem/{name}"
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
state = {"status": "Active", "title": name.title(), "colour": 0, "broken": False, "hangs": False, "muted": True, "inner": True, "token": "", "kind": ""}
window, done, revision = None, 0, 1


def note(text):
    with open(f"{folder}/{name}.log", "a") as file:
        file.write(text + "\n")


def pixels(side):
    # Alpha, red, green and blue.
    return bytes([255, 220, 30 + 25 * (state["colour"] % 8), 40]) * (side * side)


def pictures():
    if state["broken"]:
        return [(0, 0, b""), (22, 22, b"short"), (-5, 5, b""), (2**30, 2**30, b"x"), (1000, 1, b"\0" * 4000)]
    return [(side, side, pixels(side)) for side in (16, 22, 64)]


def properties():
    return {
        "Category": GLib.Variant("s", "Communications"), "Id": GLib.Variant("s", name), "Title": GLib.Variant("s", state["title"]),
        "Status": GLib.Variant("s", state["status"]), "IconName": GLib.Variant("s", ""), "IconPixmap": GLib.Variant("a(iiay)", pictures()),
        "ToolTip": GLib.Variant("(sa(iiay)ss)", ("", pictures(), "3 unread", "")), "ItemIsMenu": GLib.Variant("b", False),
        "Menu": {"no-path": GLib.Variant("s", "no path"), "no-object": GLib.Variant("o", "/Nowhere")}.get(
            state["kind"], GLib.Variant("o", "/MenuBar")), "WindowId": GLib.Variant("i", 0),
    }


def interface(name, *methods):
    def arguments(types, way):
        return "".join(f'<arg type="{part}" direction="{way}"/>' for part in types)

    text = "".join(f'<method name="{method}">{arguments(takes, "in")}{arguments(gives, "out")}</method>' for method, takes, gives in methods)
    return Gio.DBusNodeInfo.new_for_xml(f'<node><interface name="{name}">{text}</interface></node>').interfaces[0]


def item(connection, sender, path, interface, method, arguments, invocation):
    note(f"{method} {' '.join(map(str, arguments.unpack()))}".strip())
    if method == "GetAll":
        return invocation.return_value(GLib.Variant("(a{sv})", (properties(),)))
    if method == "ProvideXdgActivationToken":
        state["token"] = arguments.unpack()[0]
    if method == "Activate" and window is not None:
        if state["token"]:
            window.set_startup_id(state["token"])
        window.show_all()
        window.present()
    invocation.return_value(None)


def row(id, properties, rows=()):
    return GLib.Variant("(ia{sv}av)", (id, {key: GLib.Variant(type, value) for key, (type, value) in properties.items()}, list(rows)))


def well(depth):
    return row(depth, {"label": ("s", f"Deep {depth}")}, [well(depth - 1)] if depth > 1 else [])


def bad_layout():
    """As an app lies: nothing of it may hurt the shell."""
    kind = state["kind"]
    if kind == "flood":
        rows = [row(100, {"label": ("s", "Inner")}, [row(1000 + n, {"label": ("s", "x" * 5000)}) for n in range(2000)])]
        rows += [row(n, {"label": ("s", f"Row {n} " + "\u202e\n\x01" * 50)}) for n in range(1, 3001)]
    elif kind == "deep":
        # The bus itself allows 64 containers in each other.
        rows = [well(14)]
    elif kind == "types":
        rows = [
            GLib.Variant("s", "no row"), row(1, {"label": ("i", 7), "enabled": ("s", "yes"), "toggle-state": ("s", "on")}),
            row(-7, {"label": ("s", "Odd")}), row(-7, {"label": ("s", "Odd, too")}), row(0, {"label": ("s", "The root itself")})]
    else:
        rows = [row(revision * 10 + n, {"label": ("s", f"Row {n} of {revision}"), "children-display": ("s", "submenu")}) for n in range(2)]
        rows.append(row(revision * 10 + 5, {"label": ("s", f"Now {revision}")}))
    return GLib.Variant("(u(ia{sv}av))", (revision, (0, {}, rows)))


def layout():
    global revision
    if state["kind"] in ("flood", "deep", "types", "changing"):
        # It changes as it is read.
        revision += 1
        tell("LayoutUpdated", revision, 0)
        return bad_layout()
    rows = [
        row(1, {"label": ("s", "_Show")}), row(2, {"type": ("s", "separator")}),
        row(3, {"label": ("s", "Muted"), "toggle-type": ("s", "checkmark"), "toggle-state": ("i", int(state["muted"]))}),
        row(4, {"label": ("s", "Online"), "toggle-type": ("s", "radio"), "toggle-state": ("i", 1)}),
        row(5, {"label": ("s", "Away"), "toggle-type": ("s", "radio"), "toggle-state": ("i", 0)}),
        row(6, {"label": ("s", "Not Now"), "enabled": ("b", False)}), row(7, {"label": ("s", "Hidden"), "visible": ("b", False)}),
    ]
    if state["inner"]:
        rows.append(row(8, {"label": ("s", "More"), "children-display": ("s", "submenu")}, [row(9, {"label": ("s", "Quit")})]))
    return GLib.Variant("(u(ia{sv}av))", (revision, (0, {"children-display": GLib.Variant("s", "submenu")}, rows)))


def tell(signal, *arguments):
    bus.emit_signal(None, "/MenuBar", MENU, signal, GLib.Variant("(ui)", arguments) if arguments else None)


def menu(connection, sender, path, interface, method, arguments, invocation):
    global revision
    words = arguments.unpack()
    note("GetLayout" if method == "GetLayout" else f"{words[1]} {words[0]}" if method == "Event" else f"{method} {words[0]}")
    if method == "GetLayout" and state["kind"] == "nonsense":
        reply = Gio.DBusMessage.new_method_reply(invocation.get_message())
        reply.set_body(GLib.Variant("(s)", ("nothing",)))
        connection.send_message(reply, Gio.DBusSendMessageFlags.NONE)
    elif method == "GetLayout":
        if not state["hangs"]:
            invocation.return_value(layout())
    elif method == "AboutToShow":
        invocation.return_value(GLib.Variant("(b)", (state["kind"] == "changing",)))
    else:
        if words[0] == 3 and words[1] == "clicked":
            state["muted"] = not state["muted"]
            revision += 1
            tell("LayoutUpdated", revision, 0)
        invocation.return_value(None)


def changed(what):
    bus.emit_signal(None, PATH, ITEM, f"New{what}", GLib.Variant("(s)", (state["status"],)) if what == "Status" else None)


def flood(end):
    if GLib.get_monotonic_time() > end:
        state["title"] = "Done"
        changed("Title")
        note("flooded")
        return False
    for _ in range(5):
        state["colour"] += 1
        changed("Icon")
    return True


def many(count):
    answers = []

    def answered(source, result):
        try:
            bus.call_finish(result)
            answers.append(True)
        except GLib.Error:
            answers.append(False)
        if len(answers) == count:
            note(f"registered {answers.count(True)} refused {answers.count(False)}")

    for number in range(count):
        bus.call(
            WATCHER, WATCHER_PATH, WATCHER, "RegisterStatusNotifierItem", GLib.Variant("(s)", (f"/more/{number}",)), None, 0, 60000, None,
            answered)


def do(word, *rest):
    global revision
    if word in ("status", "title"):
        state[word] = " ".join(rest)
        changed(word.title())
    elif word in ("colour", "broken"):
        state[word] = int(rest[0]) if rest else True
        changed("Icon")
    elif word == "flood":
        GLib.timeout_add(5, flood, GLib.get_monotonic_time() + int(rest[0]) * 1000000)
    elif word in ("hang", "answer"):
        state["hangs"] = word == "hang"
    elif word == "less":
        state["inner"] = False
        revision += 1
        tell("LayoutUpdated", revision, 0)
    elif word == "menu":
        state["kind"] = rest[0]
        changed("Menu")
        tell("LayoutUpdated", revision, 0)
    elif word == "many":
        many(int(rest[0]))
    elif word == "freeze":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif word == "unregister":
        bus.close_sync()
        sys.exit(0)


def look():
    global done
    try:
        with open(f"{folder}/{name}.commands") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        lines = []
    for line in lines[done:]:
        done += 1
        do(*line.split())
    return True


methods = [("Activate", "ii", ""), ("SecondaryActivate", "ii", ""), ("ProvideXdgActivationToken", "s", "")] if form == "kde" else []
bus.register_object(PATH, interface(ITEM, ("Scroll", "is", ""), *methods), item, None, None)
bus.register_object(PATH, interface(PROPERTIES, ("GetAll", "s", ["a{sv}"])), item, None, None)
bus.register_object(
    "/MenuBar",
    interface(
        MENU, ("GetLayout", ["i", "i", "as"], ["u", "(ia{sv}av)"]), ("AboutToShow", "i", "b"), ("Event", "isvu", "")), menu, None, None)
if "window" in sys.argv:
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk  # noqa: E402

    GLib.set_prgname(name)
    window = Gtk.Window(title=name.title())
    window.connect("delete-event", lambda *_: window.hide() or True)
    window.show_all()
registration = f"{ITEM}-{os.getpid()}-1" if form == "kde" else PATH


def register(*_):
    bus.call(WATCHER, WATCHER_PATH, WATCHER, "RegisterStatusNotifierItem", GLib.Variant("(s)", (registration,)), None, 0, 5000, None, None)
    note("registers")


if form == "kde":
    Gio.bus_own_name_on_connection(bus, registration, Gio.BusNameOwnerFlags.NONE, register, None)
else:
    register()
GLib.timeout_add(20, look)
GLib.MainLoop().run()
