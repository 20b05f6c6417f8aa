#!/usr/bin/env python3
"""Sends every request of every interface that the shell offers, in the version that it offers.

The requests are those of Protocols/upstream.facts, which is made from the upstream descriptions, and those of Mullion's own
protocols. Arguments are harmless; those that may be null are null. Any answer will do but two: that the shell does not know
the request or its arguments (wl_display.error invalid_method), and none at all.

Prints one JSON object: {"steps": {"sent": the number of requests, "refused": [those that the shell does not know],
"unreached": [the interfaces of which no object could be made]}}
"""

import json
import os
import sys
import types

import common
import rawclient

FACTS = os.path.join(rawclient.Interfaces.HERE, "..", "..", "Protocols", "upstream.facts")
INVALID_METHOD = 1
# What a walk must not do: these were sent already, or would end it.
LEFT_OUT = {("wl_registry", "bind")}
# Sent last: they lock the session.
LAST = ("ext_session_lock",)
# For these, any value is not harmless: (interface, request): the arguments without new objects.
ARGUMENTS = {
    ("wl_shm", "create_pool"): lambda room: [room.memory(), 4096],
    ("wl_shm_pool", "create_buffer"): lambda room: [0, 16, 16, 64, 1],
    ("wl_shm_pool", "resize"): lambda room: [4096],
    ("xdg_surface", "get_popup"): lambda room: [room.window()[1], room.positioner()],
    ("xdg_wm_base", "get_xdg_surface"): lambda room: [room.surface()],
    ("zwlr_output_power_v1", "set_mode"): lambda room: [1],
    ("ext_session_lock_v1", "get_lock_surface"): lambda room: [room.surface(), room.get("wl_output")],
    ("wl_subcompositor", "get_subsurface"): lambda room: [room.surface(), room.surface()],
    ("zwlr_layer_shell_v1", "get_layer_surface"): lambda room: [room.surface(), None, 1, "walk"],
    ("xx_pip_shell_v1", "get_pip"): lambda room: [room.get("xdg_wm_base").get_xdg_surface(room.surface())],
    ("xdg_session_v1", "add_toplevel"): lambda room: [room.window()[2], "walk"],
    ("xx_session_v1", "add_toplevel"): lambda room: [room.window()[2], "walk"],
}


class Facts(rawclient.Interfaces):
    """The interfaces of the file, and Mullion's own."""

    def __init__(self):
        self.texts, self.known, self.unread = {}, {}, []
        for name in sorted(os.listdir(self.OWN[0])):
            if name.startswith("mullion-"):
                self.read(os.path.join(self.OWN[0], name))
        self.own = sorted(self.texts)
        with open(FACTS, encoding="utf-8") as file:
            for line in filter(lambda line: not line.startswith("#"), file):
                words = line.split()
                if words[0] == "interface":
                    now = types.SimpleNamespace(name=words[1], version=int(words[2]), requests={}, events=[])
                    self.texts[now.name], self.known[now.name] = "", now
                    continue
                made = rawclient.Message({"name": words[1]}, len(now.requests if words[0] == "request" else now.events))
                made.since = int(words[2])
                for word in words[3:]:
                    kind, _, interface = word.rstrip("?").partition(":")
                    made.arguments.append((kind, interface or None, "?" if word.endswith("?") else ""))
                if words[0] == "request":
                    now.requests[made.name] = made
                else:
                    now.events.append(made)

    def names(self):
        return sorted(self.known.keys() | set(self.own))


class Unreached(Exception):
    pass


class Room(common.Session):
    """A connection, and one object of each interface, made when it is needed."""

    def __init__(self):
        self.objects, self.making, self.descriptors, self.serial, self.is_answered = {}, [], [], 0, False
        super().__init__(seen=self.seen)

    def seen(self, target, event, arguments):
        if (target.interface.name, event) == ("wl_keyboard", "enter"):
            self.serial = arguments[0]
        # The answer may come while the lock is made.
        self.is_answered |= (target.interface.name, event) in (("ext_session_lock_v1", "locked"), ("ext_session_lock_v1", "finished"))
        for value in arguments:
            if isinstance(value, rawclient.Object):
                self.objects.setdefault(value.interface.name, value)

    def memory(self):
        self.descriptors.append(os.memfd_create("walk"))
        os.ftruncate(self.descriptors[-1], 4096)
        return self.descriptors[-1]

    def surface(self):
        return self.compositor.create_surface()

    def window(self):
        """A window that is shown: (surface, xdg_surface, toplevel)."""
        if "window" not in self.objects:
            self.objects["window"] = self.toplevel("walk")
            self.c.roundtrip()
        return self.objects["window"]

    def positioner(self):
        made = self.shell.create_positioner()
        made.set_size(16, 16)
        made.set_anchor_rect(0, 0, 16, 16)
        return made

    def get(self, name):
        if name not in self.objects:
            if name in self.making:
                raise Unreached(name)
            self.making.append(name)
            try:
                self.objects[name] = self.make(name)
            finally:
                self.making.remove(name)
        return self.objects[name]

    def make(self, name):
        if name == "wl_display":
            return self.c.display
        if name == "wl_registry":
            return self.c.registry
        if name in self.c.globals:
            made = self.c.bind(name)
            self.c.roundtrip()
            return made
        if name in ("wl_surface", "xdg_surface", "xdg_toplevel"):
            return self.window()[("wl_surface", "xdg_surface", "xdg_toplevel").index(name)]
        if name.endswith(("_offer", "_offer_v1")):
            self.offer(name)
        for maker in WALK.makers.get(name, []):
            try:
                source = self.get(maker[0])
                if maker[1] is None:
                    # An event brings it.
                    if "toplevel" in name:
                        self.window()
                    self.c.roundtrip()
                    if name in self.objects:
                        return self.objects[name]
                    continue
                made = self.send(source, maker[1], True)
                self.c.roundtrip()
                return made
            except Unreached:
                continue
        raise Unreached(name)

    def offer(self, name):
        """Copies something, so that the devices are offered it."""
        prefix = {"wl_data_offer": "wl_data", "zwp_primary_selection_offer_v1": "zwp_primary_selection",
                  "zwlr_data_control_offer_v1": "zwlr_data_control"}[name]
        ending = "" if prefix == "wl_data" else "_v1"
        source = self.get(f"{prefix}_source{ending}")
        source.offer("text/plain")
        device = self.get(f"{prefix}_device{ending}")
        # Only a window with the keyboard may copy.
        self.get("wl_keyboard")
        self.window()
        self.until(lambda: self.serial, 2)
        device.set_selection(*[source, self.serial][:len(device.interface.requests["set_selection"].arguments)])
        self.c.roundtrip()

    def send(self, target, request, making=False):
        """Sends a request; `making`: for the object that it makes."""
        message = target.interface.requests[request]
        known = ARGUMENTS.get((target.interface.name, request))
        values = known(self) if known else None
        if values is None:
            values = []
            for kind, interface, null in message.arguments:
                if kind == "new_id":
                    continue
                if null == "?":
                    values.append(None)
                elif kind == "object":
                    values.append(self.get(interface))
                else:
                    values.append({"int": 1, "uint": 1, "fixed": 1, "string": "walk", "array": b""}.get(kind, 0))
                    if kind == "fd":
                        values[-1] = self.memory()
        return self.c.request(target, message, values)

    def close(self):
        self.c.close()
        for number in self.descriptors:
            os.close(number)


class Walk:
    def __init__(self):
        self.facts = Facts()
        # One table for all connections: they are many.
        rawclient.Interfaces = lambda: self.facts
        self.makers = {}
        for name in self.facts.names():
            interface = self.facts[name]
            for request, message in interface.requests.items():
                for kind, made, _ in message.arguments:
                    if kind == "new_id" and made:
                        self.makers.setdefault(made, []).append((name, request))
            for event in interface.events:
                for kind, made, _ in event.arguments:
                    if kind == "new_id" and made:
                        self.makers.setdefault(made, []).append((name, None))

    def run(self):
        sent, refused, unreached, room = 0, [], [], None
        for name in sorted(self.facts.names(), key=lambda name: (name.startswith(LAST), name)):
            for request, message in self.facts[name].requests.items():
                if (name, request) in LEFT_OUT:
                    continue
                step = f"{name}.{request}"
                try:
                    room = room or Room()
                    target = room.get(name)
                    if getattr(message, "since", 1) > target.version:
                        continue
                    room.send(target, request)
                    sent += 1
                    room.c.roundtrip()
                    # The object may be gone now.
                    if not message.arguments:
                        room.close()
                        room = None
                except Unreached:
                    if name not in unreached:
                        unreached.append(name)
                except (rawclient.Disconnected, OSError) as gone:
                    if isinstance(gone, TimeoutError):
                        raise
                    error = room.c.error if room else None
                    if error is None or error[1:2] == (INVALID_METHOD,) and error[0].startswith("wl_display#"):
                        refused.append([step, error])
                    if room:
                        room.close()
                    room = None
        self.unlock()
        return {"sent": sent, "refused": refused, "unreached": unreached}

    def unlock(self):
        """The walk locked the session; a lock takes over that is given back."""
        room = Room()
        lock = room.get("ext_session_lock_v1")
        room.until(lambda: room.is_answered)
        lock.unlock_and_destroy()
        room.c.roundtrip()
        room.close()


WALK = Walk()
print(json.dumps({"steps": WALK.run()}))
