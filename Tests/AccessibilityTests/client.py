"""A client of the accessibility bus, as screen readers and test tools are: libatspi, told what to do on its input.

One request a line, one JSON answer a line; events that were asked for come in between, as {"event": ...}.
"""
import json
import os
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib

COORD = Atspi.CoordType


def say(value):
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def application(name):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(index)
        if child is not None and child.get_name() == name:
            return child
    return None


def states(thing):
    return sorted(state.value_nick for state in thing.get_state_set().get_states())


def describe(thing):
    """Everything about a control and what is in it."""
    found = {
        # Newer libraries say it shorter.
        "role": {"button": "push button"}.get(thing.get_role_name(), thing.get_role_name()),
        "number": int(thing.get_role()), "name": thing.get_name(),
        "description": thing.get_description(), "states": states(thing), "index": thing.get_index_in_parent(),
        "interfaces": sorted(thing.get_interfaces()), "attributes": thing.get_attributes(),
        "id": thing.get_accessible_id(), "relations": len(thing.get_relation_set()),
    }
    parent = thing.get_parent()
    found["parent"] = parent.get_name() if parent else None
    component = thing.get_component_iface()
    if component:
        for key, kind in (("screen", COORD.SCREEN), ("window", COORD.WINDOW)):
            rect = component.get_extents(kind)
            found[key] = [rect.x, rect.y, rect.width, rect.height]
        found["layer"] = int(component.get_layer())
        found["alpha"] = component.get_alpha()
    action = thing.get_action_iface()
    if action:
        found["localized"] = [action.get_localized_name(i) for i in range(action.get_n_actions())]
        found["actions"] = [action.get_action_name(i) for i in range(action.get_n_actions())]
    # A control may go while the client looks: its index then has no child.
    children = [thing.get_child_at_index(i) for i in range(thing.get_child_count())]
    found["children"] = [describe(child) for child in children if child is not None]
    return found


def find(thing, key):
    if thing.get_accessible_id() == key:
        return thing
    for index in range(thing.get_child_count()):
        child = thing.get_child_at_index(index)
        found = find(child, key) if child else None
        if found:
            return found
    return None


def walk_once(thing):
    """Counts controls; what goes while it is looked at is no mistake of anybody."""
    count = 1
    try:
        for index in range(thing.get_child_count()):
            child = thing.get_child_at_index(index)
            if child is not None:
                count += walk_once(child)
        thing.get_name(), thing.get_role(), thing.get_state_set().get_states()
        component = thing.get_component_iface()
        if component:
            component.get_extents(COORD.SCREEN)
    except GLib.Error as error:
        failures.add(error.message.split("'")[0])
    return count


failures = set()


def on_event(event):
    any_data = event.any_data
    if isinstance(any_data, Atspi.Accessible):
        any_data = any_data.path.rsplit("/", 1)[-1]
    elif isinstance(any_data, Atspi.Rect):
        any_data = [any_data.x, any_data.y, any_data.width, any_data.height]
    elif not isinstance(any_data, (str, int, float, type(None))):
        any_data = str(any_data)
    try:
        key = event.source.get_accessible_id()
    except GLib.Error:
        key = None
    say({"event": event.type, "id": key, "detail": event.detail1, "any": any_data})


def raw_bus():
    """The accessibility bus itself, for what no library would send."""
    session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    name = "org.a11y.Bus"
    address = session.call_sync(name, "/org/a11y/bus", name, "GetAddress", None, None, 0, 5000, None)
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(address.unpack()[0], flags, None, None)


def raw_call(bus, name, path, interface, member, signature=None, arguments=()):
    value = GLib.Variant(signature, tuple(arguments)) if signature else None
    try:
        return {"value": str(bus.call_sync(name, path, interface, member, value, None, 0, 5000, None))}
    except GLib.Error as error:
        return {"error": Gio.DBusError.get_remote_error(error) or error.message}


def flood(bus, name, count):
    """Many calls whose answers are not waited for, then one that is."""
    for index in range(count):
        path = "/org/a11y/atspi/accessible/%d" % (index % 9)
        bus.call(name, path, "org.a11y.atspi.Accessible", "GetState", None, None, 0, -1, None, None)
    return raw_call(bus, name, "/org/a11y/atspi/accessible/root", "org.a11y.atspi.Accessible", "GetRole")


def perform(request):
    verb = request["do"]
    app = application(request.get("app", "Mullion"))
    if verb == "desktop":
        desktop = Atspi.get_desktop(0)
        return [desktop.get_child_at_index(i).get_name() for i in range(desktop.get_child_count())]
    if verb == "exit":
        sys.exit(0)
    if app is None:
        return None
    if verb == "walk":
        return describe(app)
    if verb == "about":
        return {"toolkit": app.get_toolkit_name(), "id": app.get_id(), "version": app.get_toolkit_version()}
    if verb == "press":
        thing = find(app, request["id"])
        return thing.get_action_iface().do_action(request.get("index", 0)) if thing else None
    if verb == "focus":
        return find(app, request["id"]).get_component_iface().grab_focus()
    if verb == "at":
        point = request["point"]
        window = app.get_child_at_index(request["window"])
        found = window.get_component_iface().get_accessible_at_point(point[0], point[1], COORD.SCREEN)
        return found.get_accessible_id() if found else None
    if verb == "listen":
        for event in request["events"]:
            Atspi.EventListener.new(on_event).register(event)
        return True
    if verb == "stroll":
        counts, longest, end = [], 0, time.monotonic() + request["seconds"]
        while time.monotonic() < end:
            begin = time.monotonic()
            counts.append(walk_once(app))
            longest = max(longest, time.monotonic() - begin)
        return {"counts": counts, "failures": sorted(failures), "longest": longest}
    if verb == "raw":
        bus, name = raw_bus(), app.app.bus_name
        return [raw_call(bus, name, *call) for call in request["calls"]]
    if verb == "flood":
        return flood(raw_bus(), app.app.bus_name, request["count"])
    raise ValueError(verb)


def on_input(_channel, _condition):
    line = sys.stdin.readline()
    if not line:
        os._exit(0)
    try:
        say({"answer": perform(json.loads(line))})
    except Exception as error:
        # A callback that raises is called no more: the client would never answer again.
        say({"answer": None, "error": getattr(error, "message", None) or repr(error)})
    return True


Atspi.init()
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, on_input)
say({"answer": "ready"})
GLib.MainLoop().run()
