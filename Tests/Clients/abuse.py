#!/usr/bin/env python3
"""Breaks the protocol in ways and says how the shell took them: `abuse.py NAME...`; `abuse.py --list` names the ways.

Prints a JSON object for each, on a line: {"way": its name, "ended": true if the shell ended the connection, "error": the protocol
error if it gave one}. The exit status is 0 whatever the shell did, as long as it answered: whether it lives is for the caller to
see. Each way but the last has a process of its own.
"""

import json
import os
import select
import socket
import struct
import sys
import tempfile
import time
import traceback

import rawclient

WAYS = {}


def way(function):
    WAYS[function.__name__.replace("_", "-")] = function
    return function


class Session:
    """The usual globals, and a mapped window where one is needed."""

    def __init__(self):
        self.c = rawclient.Connection()
        self.compositor = self.c.bind("wl_compositor")
        self.shell = self.c.bind("xdg_wm_base")
        self.shell.on("ping", lambda serial: self.shell.pong(serial))
        self.painter = rawclient.Painter(self.c)

    def toplevel(self, mapped=True):
        surface = self.compositor.create_surface()
        xdg = self.shell.get_xdg_surface(surface)
        toplevel = xdg.get_toplevel()
        serials = []
        xdg.on("configure", serials.append)
        surface.commit()
        if mapped:
            while not serials:
                self.c.dispatch(5)
            xdg.ack_configure(serials[-1])
            surface.attach(self.painter.buffer(200, 150, 0xaa0000, 0), 0, 0)
            surface.commit()
            self.c.roundtrip()
        return surface, xdg, toplevel

    def positioner(self):
        positioner = self.shell.create_positioner()
        positioner.set_size(50, 50)
        positioner.set_anchor_rect(0, 0, 10, 10)
        return positioner


@way
def garbage(s):
    s.c.flush()
    # More than the longest message, so that the first one is whole.
    s.c.socket.sendall(bytes((i * 73 + 41) & 0xff for i in range(1 << 16)))


@way
def short_message(s):
    s.c.raw(1, 0, b"", size=4)


@way
def huge_message(s):
    s.c.raw(1, 0, b"\0" * 16, size=0xfff8)
    s.c.flush()
    s.c.socket.sendall(b"\0" * 0xffe0)


@way
def unfinished_message(s):
    """Begins a long one and waits; so must the shell, without doing anything."""
    s.c.raw(1, 0, b"\0" * 16, size=0x28dc)
    s.c.flush()
    s.c.socket.sendall(b"\0" * 4096)
    time.sleep(4)
    s.c.close()


@way
def long_messages(s):
    """Longer than libwayland's usual buffer, and then a usual one. Before 1.23 it ended who sent one."""
    toplevel = s.toplevel()[2]
    for length in (4090, 5000, 20_000, 65_000):
        toplevel.set_title("x" * length)
        toplevel.set_title("short")
        s.c.roundtrip(5)


@way
def unaligned_message(s):
    s.c.raw(1, 0, b"\1\0\0\0", size=11)


@way
def unknown_object(s):
    s.c.raw(4_000_000, 1, struct.pack("=I", 7))


@way
def object_of_the_shell(s):
    s.c.raw(0xff000001, 0)


@way
def unknown_request(s):
    surface = s.compositor.create_surface()
    s.c.raw(surface.number, 60)


@way
def number_in_use(s):
    surface = s.compositor.create_surface()
    create = s.compositor.interface.requests["create_surface"]
    s.c.raw(s.compositor.number, create.opcode, struct.pack("=I", surface.number))


@way
def number_far_ahead(s):
    create = s.compositor.interface.requests["create_surface"]
    s.c.raw(s.compositor.number, create.opcode, struct.pack("=I", 0xfeffffff))


@way
def string_without_end(s):
    _, _, toplevel = s.toplevel(mapped=False)
    s.c.raw(toplevel.number, toplevel.interface.requests["set_title"].opcode, struct.pack("=I", 4) + b"abcd")


@way
def string_too_long(s):
    _, _, toplevel = s.toplevel(mapped=False)
    s.c.raw(toplevel.number, toplevel.interface.requests["set_title"].opcode, struct.pack("=I", 0xffffffff) + b"abcd")


@way
def wrong_kind_of_object(s):
    surface = s.compositor.create_surface()
    surface.attach(s.shell, 0, 0)
    surface.commit()


@way
def bind_what_is_not_there(s):
    text = b"wl_compositor\0"
    body = struct.pack("=I", 9999) + struct.pack("=I", len(text)) + text + b"\0" * (-len(text) % 4)
    s.c.raw(s.c.registry.number, 0, body + struct.pack("=II", 1, s.c.next_number))


@way
def missing_descriptor(s):
    """create_pool without the file descriptor that belongs to it."""
    opcode = s.painter.shm.interface.requests["create_pool"].opcode
    s.c.raw(s.painter.shm.number, opcode, struct.pack("=Ii", s.c.next_number, 4096))


@way
def buffer_past_its_pool(s):
    fd = os.memfd_create("small")
    os.ftruncate(fd, 64)
    pool = s.painter.shm.create_pool(fd, 64)
    pool.create_buffer(0, 4096, 4096, 16384, 1)


@way
def memory_cut_off(s):
    """The shell reads a buffer whose file has become shorter."""
    surface, xdg, _ = s.toplevel()
    fd = os.memfd_create("shrinking")
    os.ftruncate(fd, 400 * 400 * 4)
    pool = s.painter.shm.create_pool(fd, 400 * 400 * 4)
    buffer = pool.create_buffer(0, 400, 400, 1600, 1)
    surface.attach(buffer, 0, 0)
    surface.damage_buffer(0, 0, 400, 400)
    os.ftruncate(fd, 0)
    surface.commit()
    s.c.roundtrip()
    time.sleep(0.1)


@way
def two_roles(s):
    surface = s.compositor.create_surface()
    s.shell.get_xdg_surface(surface).get_toplevel()
    s.shell.get_xdg_surface(surface).get_toplevel()


@way
def buffer_before_configure(s):
    surface, _, _ = s.toplevel(mapped=False)
    surface.attach(s.painter.buffer(10, 10, 0, 0), 0, 0)
    surface.commit()


@way
def answer_to_nothing(s):
    _, xdg, _ = s.toplevel()
    xdg.ack_configure(0xdeadbeef)


@way
def geometry_of_nothing(s):
    _, xdg, _ = s.toplevel()
    xdg.set_window_geometry(0, 0, -5, 0)


@way
def huge_geometry(s):
    surface, xdg, _ = s.toplevel()
    xdg.set_window_geometry(-2147483648, -2147483648, 2147483647, 2147483647)
    surface.commit()


@way
def huge_limits(s):
    surface, _, toplevel = s.toplevel()
    toplevel.set_min_size(2147483647, 2147483647)
    toplevel.set_max_size(2147483647, 2147483647)
    surface.commit()
    s.c.roundtrip()
    toplevel.set_min_size(-1, -1)
    surface.commit()


@way
def huge_scale(s):
    surface, _, _ = s.toplevel()
    surface.set_buffer_scale(2147483647)
    surface.commit()


@way
def shell_gone_before_windows(s):
    s.toplevel()
    s.shell.destroy()


@way
def surface_gone_before_role(s):
    surface, _, _ = s.toplevel()
    surface.destroy()
    s.c.roundtrip()


@way
def role_gone_before_toplevel(s):
    _, xdg, _ = s.toplevel()
    xdg.destroy()


@way
def toplevel_of_itself(s):
    _, _, toplevel = s.toplevel()
    toplevel.set_parent(toplevel)
    s.c.roundtrip()


@way
def toplevels_in_a_ring(s):
    made = [s.toplevel()[2] for _ in range(3)]
    for i in range(3):
        made[i].set_parent(made[(i + 1) % 3])
    s.c.roundtrip()
    made[0].destroy()
    s.c.roundtrip()


@way
def parent_gone_before_it_was_shown(s):
    parent = s.toplevel(mapped=False)
    child = s.toplevel()
    child[2].set_parent(parent[2])
    for each in (parent[2], parent[1], parent[0]):
        each.destroy()
    s.c.roundtrip()
    child[2].set_title("orphan")
    s.c.roundtrip()


@way
def subsurface_of_itself(s):
    surface, _, _ = s.toplevel()
    s.c.bind("wl_subcompositor").get_subsurface(surface, surface)


@way
def subsurfaces_in_a_ring(s):
    subcompositor = s.c.bind("wl_subcompositor")
    a, b = s.compositor.create_surface(), s.compositor.create_surface()
    subcompositor.get_subsurface(a, b)
    subcompositor.get_subsurface(b, a)


@way
def subsurface_moved_after_its_parent(s):
    """wlroots 0.15 looks for siblings in a parent that is gone."""
    subcompositor = s.c.bind("wl_subcompositor")
    parent, kid, other = (s.compositor.create_surface() for _ in range(3))
    subsurface = subcompositor.get_subsurface(kid, parent)
    parent.destroy()
    s.c.roundtrip()
    subsurface.place_above(other)
    s.c.roundtrip()
    subsurface.place_below(other)
    subsurface.set_position(3, 3)
    kid.commit()
    s.c.roundtrip()
    subsurface.destroy()
    kid.destroy()


@way
def deep_subsurfaces(s):
    subcompositor = s.c.bind("wl_subcompositor")
    parent, _, _ = s.toplevel()
    for _ in range(400):
        kid = s.compositor.create_surface()
        subcompositor.get_subsurface(kid, parent)
        kid.commit()
        parent = kid
    s.c.roundtrip()


@way
def popup_of_itself(s):
    """wlroots 0.15 ends such a popup without end."""
    surface = s.compositor.create_surface()
    xdg = s.shell.get_xdg_surface(surface)
    xdg.get_popup(xdg, s.positioner())
    surface.commit()
    s.c.roundtrip()


@way
def popups_in_a_ring(s):
    a, b = s.compositor.create_surface(), s.compositor.create_surface()
    xa, xb = s.shell.get_xdg_surface(a), s.shell.get_xdg_surface(b)
    xa.get_popup(xb, s.positioner())
    xb.get_popup(xa, s.positioner())
    a.commit()
    b.commit()
    s.c.roundtrip()


@way
def popups_too_deep(s):
    _, xdg, _ = s.toplevel()
    for _ in range(80):
        surface = s.compositor.create_surface()
        popup = s.shell.get_xdg_surface(surface)
        popup.get_popup(xdg, s.positioner())
        surface.commit()
        xdg = popup
    s.c.roundtrip()


@way
def popup_after_its_parent(s):
    parent, xdg, toplevel = s.toplevel()
    surface = s.compositor.create_surface()
    popup_surface = s.shell.get_xdg_surface(surface)
    popup = popup_surface.get_popup(xdg, s.positioner())
    surface.commit()
    s.c.roundtrip()
    for each in (toplevel, xdg, parent):
        each.destroy()
    s.c.roundtrip()
    popup.reposition(s.positioner(), 5) if popup.version >= 3 else None
    surface.commit()
    s.c.roundtrip()


@way
def popup_without_parent(s):
    surface = s.compositor.create_surface()
    s.shell.get_xdg_surface(surface).get_popup(None, s.positioner())
    surface.commit()
    s.c.roundtrip()


@way
def popup_with_empty_positioner(s):
    _, xdg, _ = s.toplevel()
    surface = s.compositor.create_surface()
    s.shell.get_xdg_surface(surface).get_popup(xdg, s.shell.create_positioner())


@way
def grab_without_a_press(s):
    _, xdg, _ = s.toplevel()
    surface = s.compositor.create_surface()
    popup = s.shell.get_xdg_surface(surface).get_popup(xdg, s.positioner())
    popup.grab(s.c.bind("wl_seat"), 12345)
    surface.commit()
    s.c.roundtrip()


@way
def move_without_a_press(s):
    _, _, toplevel = s.toplevel()
    toplevel.move(s.c.bind("wl_seat"), 12345)
    toplevel.resize(s.c.bind("wl_seat"), 12345, 99)


@way
def long_names(s):
    _, _, toplevel = s.toplevel()
    toplevel.set_title("가" * 1300)
    toplevel.set_app_id("x" * 4000)
    s.c.roundtrip()
    toplevel.set_title("\x1b]0;evil\x07\n\"{}")
    s.c.roundtrip()


@way
def many_objects(s):
    for _ in range(20_000):
        s.compositor.create_region()
    s.c.roundtrip()


@way
def many_frame_callbacks(s):
    surface, _, _ = s.toplevel()
    for _ in range(20_000):
        surface.frame()
    surface.commit()
    s.c.roundtrip()


@way
def several_xdg_surfaces_of_one(s):
    """One of them has a role; objects of that role are asked for something when the wl_surface is gone."""
    surface = s.compositor.create_surface()
    toplevel = s.shell.get_xdg_surface(surface).get_toplevel()
    dialog = s.c.bind("xdg_wm_dialog_v1").get_xdg_dialog(toplevel)
    decoration = s.c.bind("zxdg_decoration_manager_v1").get_toplevel_decoration(toplevel)
    s.shell.get_xdg_surface(surface).destroy()
    s.shell.get_xdg_surface(surface)
    surface.destroy()
    dialog.set_modal()
    decoration.set_mode(1)
    s.c.roundtrip()


@way
def popups_in_a_ring_behind_an_xdg_surface(s):
    """wlroots finds a popup by its wl_surface, which another xdg_surface had forget it."""
    first, second = s.compositor.create_surface(), s.compositor.create_surface()
    one, other, two = s.shell.get_xdg_surface(first), s.shell.get_xdg_surface(first), s.shell.get_xdg_surface(second)
    one.get_popup(two, s.positioner())
    two.get_popup(one, s.positioner())
    other.destroy()
    second.commit()
    s.c.roundtrip()


@way
def subsurface_that_was_an_xdg_surface(s):
    """The end of the xdg_surface, which never had a role, leaves the subsurface as it is; a ring of them is not to be had."""
    subcompositor = s.c.bind("wl_subcompositor")
    window, _, _ = s.toplevel()
    first, second = s.compositor.create_surface(), s.compositor.create_surface()
    xdg = s.shell.get_xdg_surface(first)
    ring = [subcompositor.get_subsurface(first, second)]
    xdg.destroy()
    ring.append(subcompositor.get_subsurface(first, window))
    ring.append(subcompositor.get_subsurface(second, first))
    for subsurface in ring:
        subsurface.set_desync()
    for surface in (second, first, window):
        surface.attach(s.painter.buffer(20, 20, 0, 0), 0, 0)
        surface.commit()
    for i in range(3):
        for subsurface in ring:
            subsurface.set_position(i, i + 1)
        for surface in (second, first, window):
            surface.commit()
    s.c.roundtrip()


def _synchronised_child(s):
    parent, _, _ = s.toplevel()
    child = s.compositor.create_surface()
    s.c.bind("wl_subcompositor").get_subsurface(child, parent)
    return child


def _rectangles(s, count):
    """A region of so many that do not touch."""
    region = s.compositor.create_region()
    for i in range(count):
        region.add(i % 90 * 2, i // 90 * 2, 1, 1)
    return region


@way
def limit_cached_commits(s):
    child = _synchronised_child(s)
    for _ in range(1100):
        child.commit()


@way
def limit_cached_rectangles(s):
    child, region = _synchronised_child(s), _rectangles(s, 8000)
    for _ in range(20):
        child.set_opaque_region(region)
        child.commit()


@way
def opaque_regions(s):
    """Pictures that are opaque and such that are not, in turn, with an opaque region of many rectangles."""
    surface, _, _ = s.toplevel()
    fd = os.memfd_create("pool")
    os.ftruncate(fd, 200 * 150 * 4)
    pool = s.painter.shm.create_pool(fd, 200 * 150 * 4)
    buffers = [pool.create_buffer(0, 200, 150, 800, format) for format in (0, 1)]
    surface.set_opaque_region(_rectangles(s, 5000))
    for _ in range(400):
        for buffer in buffers:
            surface.attach(buffer, 0, 0)
            surface.commit()
        s.c.roundtrip()


@way
def limit_surfaces(s):
    for _ in range(4200):
        s.compositor.create_surface()


@way
def limit_windows(s):
    for _ in range(300):
        s.shell.get_xdg_surface(s.compositor.create_surface()).get_toplevel()


@way
def limit_popups(s):
    _, xdg, _ = s.toplevel()
    for _ in range(300):
        s.shell.get_xdg_surface(s.compositor.create_surface()).get_popup(xdg, s.positioner())


@way
def limit_depth_from_below(s):
    subcompositor = s.c.bind("wl_subcompositor")
    child = s.compositor.create_surface()
    for _ in range(80):
        parent = s.compositor.create_surface()
        subcompositor.get_subsurface(child, parent)
        child = parent


@way
def limit_depth_from_above(s):
    subcompositor = s.c.bind("wl_subcompositor")
    parent = s.compositor.create_surface()
    for _ in range(80):
        child = s.compositor.create_surface()
        subcompositor.get_subsurface(child, parent)
        parent = child


@way
def limit_pools(s):
    fd = os.memfd_create("pool")
    os.ftruncate(fd, 4096)
    for _ in range(2100):
        s.painter.shm.create_pool(fd, 4096)
        s.c.flush()


@way
def limit_shared_memory(s):
    """Pools that are gone stay mapped as long as a buffer of theirs is there."""
    fd = os.memfd_create("pool")
    os.ftruncate(fd, 1 << 30)
    for _ in range(5):
        pool = s.painter.shm.create_pool(fd, 1 << 30)
        pool.create_buffer(0, 1, 1, 4, 1)
        pool.destroy()
    s.c.roundtrip()


@way
def limit_callbacks(s):
    surface, _, _ = s.toplevel()
    for _ in range(9000):
        surface.frame()


@way
def limit_rectangles(s):
    region = s.compositor.create_region()
    for i in range(8300):
        region.add(i * 2, i * 2, 1, 1)
        region.add(0, i * 2 + 1, 1, 1)


@way
def limit_activation_tokens(s):
    activation = s.c.bind("xdg_activation_v1")
    for _ in range(300):
        token = activation.get_activation_token()
        token.commit()
        token.destroy()


@way
def limit_inhibitors(s):
    surface, _, _ = s.toplevel()
    manager = s.c.bind("zwp_idle_inhibit_manager_v1")
    for _ in range(1100):
        manager.create_inhibitor(surface)


@way
def limit_devices(s):
    manager, seat = s.c.bind("zwlr_virtual_pointer_manager_v1"), s.c.bind("wl_seat")
    for _ in range(200):
        manager.create_virtual_pointer(seat)


@way
def limit_keymaps(s):
    _keymap_of(s, times=20)


@way
def limit_configures(s):
    """Each request is answered by a configure, and none of those by the client."""
    _, _, toplevel = s.toplevel()
    for _ in range(1100):
        toplevel.set_maximized()
        s.c.roundtrip()


@way
def limit_layers(s):
    shell = s.c.bind("zwlr_layer_shell_v1")
    for _ in range(200):
        shell.get_layer_surface(s.compositor.create_surface(), None, 2, "")


@way
def limit_session_windows(s):
    _, _, toplevel = s.toplevel()
    session = s.c.bind("xdg_session_manager_v1").get_session(1, "")
    for i in range(600):
        session.add_toplevel(toplevel, f"{i}")


@way
def limit_contexts(s):
    """Of sandboxes: descriptors that never say that one ended."""
    manager = s.c.bind("wp_security_context_manager_v1")
    for i in range(100):
        listening, closing = socket.socket(socket.AF_UNIX), os.eventfd(0)
        listening.bind(f"\0mullion-abuse-{os.getpid()}-{i}")
        listening.listen(1)
        manager.create_listener(listening.fileno(), closing).commit()
        s.c.flush()
        listening.close()
        os.close(closing)


@way
def limit_objects(s):
    for _ in range(70_000):
        s.compositor.create_region()


@way
def limit_types(s):
    """Of a selection: they are sent to everybody who may paste, at once."""
    source = s.c.bind("wl_data_device_manager").create_data_source()
    for i in range(100):
        source.offer("text/%d;" % i + "x" * 1000)


def _clipboard(connection):
    manager = connection.bind("zwlr_data_control_manager_v1")
    return manager, manager.get_data_device(connection.bind("wl_seat"))


@way
def limit_selections(s):
    """One after the other: everybody is told of each. Who does not read meanwhile is there afterwards."""
    bystander = rawclient.Connection()
    _clipboard(bystander)
    bystander.roundtrip()
    manager, device = _clipboard(s.c)
    try:
        for i in range(5000):
            source = manager.create_data_source()
            source.offer("text/plain")
            device.set_selection(source)
            if i % 8 == 0:
                s.c.roundtrip()
    finally:
        bystander.roundtrip()


@way
def limit_pastes(s):
    """Of what another has copied, who does not read meanwhile and is there afterwards."""
    owner = rawclient.Connection()
    manager, device = _clipboard(owner)
    source = manager.create_data_source()
    source.offer("text/plain")
    device.set_selection(source)
    owner.roundtrip()
    offers = []
    _clipboard(s.c)[1].on("data_offer", offers.append)
    while not offers:
        s.c.dispatch(5)
    try:
        with open("/dev/null", "wb") as nothing:
            for i in range(5000):
                offers[-1].receive("text/plain", nothing.fileno())
                if i % 8 == 0:
                    s.c.roundtrip()
    finally:
        owner.roundtrip()


@way
def layers_that_never_answer(s):
    """Told sizes, and gone before they were mapped; the leak detector of the sanitizer looks at what is left of them."""
    shell = s.c.bind("zwlr_layer_shell_v1")
    for i in range(20):
        surface = s.compositor.create_surface()
        layer = shell.get_layer_surface(surface, None, 2, "")
        for width in (100, 200, 300):
            layer.set_size(width, 20)
            surface.commit()
            s.c.roundtrip()
        if i % 2 == 0:
            layer.destroy()


@way
def layers_that_change_all_the_time(s):
    """Told sizes without end, which are not answered; a panel beside it that does not read meanwhile is there afterwards."""
    bystander = rawclient.Connection()
    bystander.bind("xdg_wm_base")

    def panel(connection):
        surface = connection.bind("wl_compositor").create_surface()
        layer = connection.bind("zwlr_layer_shell_v1").get_layer_surface(surface, None, 2, "")
        sizes = []
        layer.on("configure", lambda serial, width, height: sizes.append((serial, width, height)))
        return surface, layer, sizes

    surface, layer, sizes = panel(bystander)
    layer.set_anchor(1 | 2 | 4 | 8)   # all edges: as much as the others leave it
    surface.commit()
    bystander.roundtrip()
    layer.ack_configure(sizes[-1][0])
    surface.attach(rawclient.Painter(bystander).buffer(20, 20, 0x0000aa, 0), 0, 0)
    surface.commit()
    bystander.roundtrip()

    other, zone, told = panel(s.c)
    zone.set_anchor(1 | 4 | 8)   # the top
    zone.set_size(0, 20)
    other.commit()
    s.c.roundtrip()
    zone.ack_configure(told[-1][0])
    other.attach(s.painter.buffer(20, 20, 0x0000aa, 0), 0, 0)
    other.commit()
    for i in range(40000 if os.environ.get("MULLION_SLOW_TESTS") == "1" else 15000):
        zone.set_size(0, 20 + i % 2)
        zone.set_exclusive_zone(20 + i % 2)
        other.commit()
        if i % 50 == 0:
            s.c.roundtrip()
    zone.set_exclusive_zone(50)
    other.commit()
    s.c.roundtrip()
    assert len(told) < 100, f"told {len(told)} times, and never answered"
    bystander.roundtrip()
    # What was held back comes with its next answer at the latest.
    layer.ack_configure(sizes[-1][0])
    surface.commit()
    bystander.roundtrip()
    before = sizes[0][2]
    assert sizes[-1][2] == before - 50, f"{sizes[0]}, {len(sizes)} times, then {sizes[-1]}"


@way
def parent_of_another_binding(s):
    """A parent that was never mapped goes; its child is of the same client, and of another xdg_wm_base."""
    _, role, parent = s.toplevel(mapped=False)
    s.shell = s.c.bind("xdg_wm_base")
    surface, own, child = s.toplevel(mapped=False)
    child.set_parent(parent)
    parent.destroy()
    role.destroy()
    s.c.roundtrip()
    # Over what was freed.
    for _ in range(50):
        s.toplevel(mapped=False)
    child.set_title("x")
    child.set_parent(None)
    s.c.roundtrip()
    child.destroy()


@way
def modes_given_back(s):
    """A screen's mode is released, and then the screen gets another one: somebody else still knows of the first."""
    other = rawclient.Connection()
    other.bind("zwlr_output_manager_v1")
    other.roundtrip()
    manager = s.c.bind("zwlr_output_manager_v1")
    heads, modes, serials = [], [], []
    manager.on("head", lambda head: (heads.append(head), head.on("mode", modes.append)))
    manager.on("done", serials.append)
    s.c.roundtrip()
    if manager.version < 3:
        return
    for mode in modes:
        mode.release()
    for width in (1000, 1180):
        configuration = manager.create_configuration(serials[-1])
        configuration.enable_head(heads[0]).set_custom_mode(width, 820, 60000)
        answers = []
        configuration.on("succeeded", lambda: answers.append(True))
        configuration.on("failed", lambda: answers.append(False))
        configuration.on("cancelled", lambda: answers.append(False))
        configuration.apply()
        while not answers:
            s.c.dispatch(5)
        configuration.destroy()
        s.c.roundtrip()


@way
def primary_selection_without_a_seat(s):
    """With a serial of its own making, the seat given back. Nobody hears of it."""
    bystander = rawclient.Connection()
    seen = []
    _clipboard(bystander)[1].on("primary_selection", seen.append)
    bystander.roundtrip()
    seat = s.c.bind("wl_seat")
    manager = s.c.bind("zwp_primary_selection_device_manager_v1")
    device = manager.get_device(seat)
    source = manager.create_source()
    source.offer("text/plain")
    seat.release()
    device.set_selection(source, 0x40000000)
    s.c.roundtrip()
    bystander.roundtrip()
    if any(seen):
        raise SystemExit("it is offered")


@way
def primary_selection_by_finger(s):
    """As toolkits set it with each motion of a finger that selects text: that is not too much, and the last one stays."""
    bystander = rawclient.Connection()
    seen, cancelled = [], []
    _clipboard(bystander)[1].on("primary_selection", seen.append)
    bystander.roundtrip()
    manager, device = _clipboard(s.c)
    for i in range(400):
        source = manager.create_data_source()
        source.on("cancelled", lambda i=i: cancelled.append(i))
        for number in range(10):
            source.offer("text/plain;charset=utf-8;number=%d" % number)
        device.set_primary_selection(source)
        if i % 4 == 0:
            s.c.roundtrip()
            time.sleep(0.005)
    end = time.monotonic() + 10
    while len(cancelled) < 399 and time.monotonic() < end:
        s.c.roundtrip()
        time.sleep(0.01)
    bystander.roundtrip()
    if sorted(cancelled) != list(range(399)):
        raise SystemExit("%d are cancelled" % len(cancelled))
    if not 0 < len(seen) < 200:
        raise SystemExit("others are told of %d" % len(seen))


@way
def limit_connections(s):
    """Of one process: the newest one is told, and goes. Those that were there stay."""
    def connect():
        made = socket.socket(socket.AF_UNIX)
        made.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
        made.settimeout(10)
        return made

    made = [connect() for _ in range(300)]
    s.c.error = made[-1].recv(4096)[20:].rstrip(b"\0").decode(errors="replace")
    s.c.roundtrip(5)


@way
def huge_picture(s):
    """268 million pixels that are shown small: everybody else is answered while they are read."""
    surface, _, _ = s.toplevel()
    fd = os.memfd_create("huge")
    os.ftruncate(fd, 16384 * 16384 * 4)
    pool = s.painter.shm.create_pool(fd, 16384 * 16384 * 4)
    surface.attach(pool.create_buffer(0, 16384, 16384, 65536, 1), 0, 0)
    surface.damage_buffer(0, 0, 16384, 16384)
    other = rawclient.Connection()
    surface.commit()
    s.c.flush()
    times = []
    begin = time.monotonic()
    while time.monotonic() - begin < 3:
        before = time.monotonic()
        other.roundtrip(60)
        times.append(time.monotonic() - before)
        time.sleep(0.01)
    s.c.error = f"{len(times)} answers, the slowest in {int(max(times) * 1000)} ms"


def _pointer_over_a_window(s):
    s.toplevel()
    pointer = s.c.bind("zwlr_virtual_pointer_manager_v1").create_virtual_pointer(None)
    pointer.motion_absolute(1, 400, 300, 1180, 820)
    pointer.frame()
    return pointer


@way
def buttons_never_released(s):
    """A virtual pointer goes with buttons down, some of which no mouse has."""
    pointer = _pointer_over_a_window(s)
    for button in (0x110, 0, 1, 0xffffffff, 0x90000000, *range(0x111, 0x130)):
        pointer.button(2, button, 1)
        pointer.frame()
    s.c.roundtrip()
    s.c.close()


@way
def scrolls_without_bounds(s):
    """A virtual pointer scrolls by the largest numbers that fit into a message."""
    pointer = _pointer_over_a_window(s)
    for number in (2**31 - 1, -2**31, 17895698, -17895698, 17895697):
        pointer.axis_source(0)
        pointer.axis_discrete(2, 0, 10, number)
        pointer.axis_discrete(2, 1, 10, number)
        pointer.frame()
    s.c.roundtrip()


@way
def much_damage(s):
    """More rectangles than are kept; they become one, which is no error."""
    surface, _, _ = s.toplevel()
    for i in range(5000):
        surface.damage_buffer(i % 200, i // 30, 1, 1)
    surface.commit()
    s.c.roundtrip()


@way
def popup_with_two_parents(s):
    """wlroots puts it into the second list without taking it out of the first."""
    surface, xdg, _ = s.toplevel()
    layer_surface = s.compositor.create_surface()
    layer = s.c.bind("zwlr_layer_shell_v1").get_layer_surface(layer_surface, None, 2, "test")
    popup_surface = s.compositor.create_surface()
    popup = s.shell.get_xdg_surface(popup_surface).get_popup(xdg, s.positioner())
    layer.get_popup(popup)
    s.c.roundtrip()


@way
def layer_given_a_popup_that_is_gone(s):
    """wlroots would look into the popup; kept from that, it may not lose the layer surface either."""
    surface, xdg, _ = s.toplevel()
    layer_surface = s.compositor.create_surface()
    layer = s.c.bind("zwlr_layer_shell_v1").get_layer_surface(layer_surface, None, 2, "test")
    popup_surface = s.compositor.create_surface()
    popup = s.shell.get_xdg_surface(popup_surface).get_popup(xdg, s.positioner())
    popup_surface.commit()
    surface.attach(None, 0, 0)
    surface.commit()
    s.c.roundtrip()
    layer.get_popup(popup)
    s.c.roundtrip()


@way
def popup_with_two_grabs(s):
    _, xdg, _ = s.toplevel()
    seat = s.c.bind("wl_seat")
    popup = s.shell.get_xdg_surface(s.compositor.create_surface()).get_popup(xdg, s.positioner())
    popup.grab(seat, 1)
    popup.grab(seat, 1)
    s.c.roundtrip()


@way
def layer_gone_before_its_popup(s):
    """Never mapped: wlroots 0.15 leaves the popup in a list that is freed."""
    layer_surface = s.compositor.create_surface()
    layer = s.c.bind("zwlr_layer_shell_v1").get_layer_surface(layer_surface, None, 2, "test")
    popup_surface = s.compositor.create_surface()
    xdg = s.shell.get_xdg_surface(popup_surface)
    popup = xdg.get_popup(None, s.positioner())
    layer.get_popup(popup)
    layer.destroy()
    layer_surface.destroy()
    s.c.roundtrip()
    popup.destroy()
    xdg.destroy()
    s.c.roundtrip()


def _keymap(s, content, size, times=1):
    manager, seat = s.c.bind("zwp_virtual_keyboard_manager_v1"), s.c.bind("wl_seat")
    fd = os.memfd_create("keymap")
    os.write(fd, content)
    for _ in range(times):
        manager.create_virtual_keyboard(seat).keymap(1, fd, size)
    s.c.flush()
    s.c.roundtrip()


@way
def keymap_shorter_than_said(s):
    _keymap(s, b"", 65536)


@way
def keymap_without_end(s):
    _keymap(s, b"x" * 4096, 4096)


@way
def keymap_of_four_gigabytes(s):
    _keymap(s, b"xkb_keymap {", 0xffffffff)


def _keymap_of(s, codes="<A> = 38;", types='include "complete"', symbols="key <A> { [ a, A ] };", times=1):
    text = """xkb_keymap { xkb_keycodes { minimum = 8; maximum = 4294967295; %s }; xkb_types { %s };
        xkb_compatibility { include "complete" }; xkb_symbols { %s }; };""" % (codes, types, symbols)
    _keymap(s, text.encode() + b"\0", len(text) + 1, times)


@way
def keys_without_bounds(s):
    """A virtual keyboard presses the keys with the largest numbers that there are."""
    s.toplevel()
    keyboard = s.c.bind("zwp_virtual_keyboard_manager_v1").create_virtual_keyboard(s.c.bind("wl_seat"))
    text = b"""xkb_keymap { xkb_keycodes { minimum = 8; maximum = 255; <A> = 38; }; xkb_types { include "complete" };
        xkb_compatibility { include "complete" }; xkb_symbols { key <A> { [ a, A ] }; }; };\0"""
    fd = os.memfd_create("keymap")
    os.write(fd, text)
    keyboard.keymap(1, fd, len(text))
    for number in (2**32 - 1, 2**32 - 8, 2**32 - 9, 2**31, 2**31 - 1):
        keyboard.key(1, number, 1)
        keyboard.key(2, number, 0)
    keyboard.modifiers(2**32 - 1, 2**32 - 1, 2**32 - 1, 2**32 - 1)
    s.c.roundtrip()


@way
def keymap_with_comments_and_names(s):
    """What is large, or a path, where it means nothing: the client is not ended."""
    _keymap_of(s, types='// include "/x" <A> = 4294967294;\n # "\n include "complete+basic"',
               symbols='name[Group1] = "../x"; key <A> { [ 0x1004e00, U4e01 ] }; include "macintosh_vndr/us"')


@way
def keymap_with_a_huge_keycode(s):
    _keymap_of(s, codes="<A> // the next line is the code\n = 4294967294;")


@way
def keymap_with_a_huge_level(s):
    _keymap_of(s, types='include "complete" type "X" { modifiers = Shift; map[Shift] = 30000000; };',
               symbols='key <A> { type = "X", [ a, A ] };')


@way
def keymap_with_a_product_of_levels(s):
    _keymap_of(s, types='include "complete" type "X" { modifiers = Shift; map[Shift] = 60 * 60 * 60 * 60; };',
               symbols='key <A> { type = "X", [ a, A ] };')


@way
def keymap_with_a_long_sum(s):
    _keymap_of(s, types='include "complete" virtual_modifiers X = ' + "1+" * 100000 + "1;")


@way
def keymap_that_includes_much(s):
    _keymap_of(s, symbols='include "' + "pc+" * 4000 + 'us"')


@way
def keymap_that_includes_a_pipe(s):
    with tempfile.TemporaryDirectory() as folder:
        os.mkfifo(folder + "/pipe")
        _keymap_of(s, types='augment "complete+%s%s/pipe"' % ("../" * 20, folder.lstrip("/")))


@way
def keymap_that_includes_itself(s):
    with tempfile.NamedTemporaryFile("w") as file:
        path = "../" * 20 + file.name.lstrip("/")
        file.write('default xkb_types "x" { include "%s" };' % path)
        file.flush()
        _keymap_of(s, types='include "%s"' % path)


@way
def much_memory_gone_at_once(s):
    """As much as is taken out of the shell later, and more; then the rest with the client."""
    shm = s.c.bind("wl_shm")
    for _ in range(2):
        buffers = []
        for _ in range(400):
            fd = os.memfd_create("left-over")
            os.ftruncate(fd, 64 * 64 * 4)
            pool = shm.create_pool(fd, 64 * 64 * 4)
            buffers.append(pool.create_buffer(0, 64, 64, 64 * 4, 1))
            pool.destroy()
            os.close(fd)
        s.c.roundtrip()
        for buffer in buffers[:300]:
            buffer.destroy()
        s.c.roundtrip()


@way
def screencopy_into_a_wrong_buffer(s):
    """wlroots 0.18 keeps the memory of a client that it refuses this."""
    frame = s.c.bind("zwlr_screencopy_manager_v1").capture_output(0, s.c.bind("wl_output"))
    s.c.roundtrip()
    fd = os.memfd_create("left-over")
    os.ftruncate(fd, 64 * 64 * 4)
    pool = s.c.bind("wl_shm").create_pool(fd, 64 * 64 * 4)
    frame.copy(pool.create_buffer(0, 64, 64, 64 * 4, 1))
    s.c.roundtrip()


@way
def does_not_read(s):
    """Asks and asks and never listens; the shell must not wait for it."""
    s.c.flush()
    s.c.socket.settimeout(2)
    sync = b"".join(struct.pack("=IHHI", 1, 0, 12, s.c.next_number + i) for i in range(20_000))
    try:
        s.c.socket.sendall(sync)
    except OSError:
        pass


@way
def half_a_message_and_gone(s):
    s.toplevel()
    s.c.flush()
    s.c.socket.sendall(struct.pack("=IHH", 1, 0, 12))
    s.c.close()


@way
def error_while_behind(s):
    """Does not read what it asked for, then breaks the protocol. One window after the other gets what the last one had."""
    for _ in range(2):
        s.toplevel()
    try:
        for i in range(30_000):
            s.c.display.sync()
            if i % 500 == 499:
                s.c.flush()
        s.c.raw(1, 60, b"")
        s.c.flush()
    except OSError:
        pass   # ended before: that much does not fit in
    ended = select.poll()
    ended.register(s.c.socket, 0)
    if not ended.poll(20_000):
        raise TimeoutError


def play(name):
    """Plays one way and prints what came of it."""
    session = Session()
    report = {"way": name, "ended": False, "error": None}
    try:
        WAYS[name](session)
        if session.c.socket.fileno() >= 0 and name != "does-not-read":
            session.c.roundtrip(5)
    except rawclient.Disconnected:
        report["ended"] = True
    except TimeoutError:
        report["silent"] = True
    except OSError as error:
        report["ended"] = True
        report["what"] = str(error)
    report["error"] = session.c.error
    print(json.dumps(report), flush=True)


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(WAYS))
        return 0
    for name in sys.argv[1:-1]:
        child = os.fork()
        if child == 0:
            try:
                play(name)
            except BaseException:
                print(f"{name}: {traceback.format_exc()}", flush=True)
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            return 1
    play(sys.argv[-1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
