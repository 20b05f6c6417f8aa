#!/usr/bin/python3
"""Windows of an app over mullion_windows_v1, in Python, without a toolkit or a Wayland library.

    windows.py

A list of items. A tap on an item opens it in a window of its own, whose style the shell chooses; where items do not open in
windows, as on a phone, the list shows it itself. Two fingers pinch an item open. A tap in the window of an item changes it, and
until it is saved the shell asks before it closes the window. A tap on the bar at the bottom shows a sheet, and a tap on the
sheet closes it. What happens is said on the standard output.

It reads the protocols where Debian's libwayland-dev and wayland-protocols install them.
"""
import array
import mmap
import os
import socket
import struct
import sys
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
PROTOCOLS = [
    "/usr/share/wayland/wayland.xml",
    "/usr/share/wayland-protocols/stable/xdg-shell/xdg-shell.xml",
    "/usr/share/wayland-protocols/staging/xdg-activation/xdg-activation-v1.xml",
    os.path.join(HERE, "..", "Protocols", "mullion-windows-v1.xml"),
]

# What the protocol calls by numbers.
AUTOMATIC, SHEET = 0, 1
ITEM, GESTURE = 1, 3
AUXILIARY = 1
NEW_WINDOWS = 1
DISCARD, SAVE, CANCEL = 0, 1, 2

COLOURS = [0xD9534F, 0xF0AD4E, 0x5CB85C, 0x5BC0DE, 0x7D6BD0]
PAPER, WHITE, BLUE = 0xF4F4F6, 0xFFFFFF, 0x3366CC
MARGIN, TOP = 24, 64


def say(*words):
    print(*words, flush=True)


# ---- The wire: every message is the number of an object, a number for the request, and its arguments. ----


class Object:
    """One object of the connection: its requests are its methods, `on` says what its events do."""

    def __init__(self, wayland, number, interface, version):
        self.wayland, self.number, self.interface, self.version = wayland, number, interface, version
        self.handlers = {}

    def on(self, event, handler):
        self.handlers[event] = handler
        return self

    def __getattr__(self, name):
        for opcode, request in enumerate(self.interface.findall("request")):
            if request.get("name") == name:
                return lambda *arguments: self.wayland.request(self, opcode, request, arguments)
        raise AttributeError(f"{self.interface.get('name')} has no request {name}")


class Wayland:
    def __init__(self):
        name = os.environ.get("WAYLAND_DISPLAY", "wayland-0")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], name))
        self.interfaces = {i.get("name"): i for path in PROTOCOLS for i in ElementTree.parse(path).getroot().findall("interface")}
        self.objects, self.last, self.pending = {}, 0, b""
        self.globals = {}
        display = self.make("wl_display", 1)
        display.on("error", lambda number, code, text: sys.exit(f"the shell ended the connection: {text}"))
        display.on("delete_id", lambda number: self.objects.pop(number, None))
        self.display, self.registry = display, display.get_registry()
        self.registry.on("global", lambda name, interface, version: self.globals.setdefault(interface, (name, version)))
        self.roundtrip()

    def make(self, interface, version):
        self.last += 1
        self.objects[self.last] = Object(self, self.last, self.interfaces[interface], version)
        return self.objects[self.last]

    def bind(self, interface, most):
        """The global of that name; None if the shell has none."""
        if interface not in self.globals:
            return None
        name, version = self.globals[interface]
        made = self.make(interface, min(version, most))
        self.send(self.registry, 0, struct.pack("=I", name) + self.text(interface) + struct.pack("=II", made.version, made.number))
        return made

    @staticmethod
    def text(value):
        if value is None:
            return struct.pack("=I", 0)
        value = value.encode() + b"\0"
        return struct.pack("=I", len(value)) + value + b"\0" * (-len(value) % 4)

    def request(self, target, opcode, request, arguments):
        body, made, descriptors, arguments = b"", None, [], list(arguments)
        for argument in request.findall("arg"):
            kind = argument.get("type")
            if kind == "new_id":
                made = self.make(argument.get("interface"), target.version)
                body += struct.pack("=I", made.number)
            elif kind == "string":
                body += self.text(arguments.pop(0))
            elif kind == "fd":
                descriptors.append(arguments.pop(0))
            else:
                value = arguments.pop(0)
                value = value.number if isinstance(value, Object) else value or 0
                body += struct.pack("=i" if kind == "int" else "=I", value)
        self.send(target, opcode, body, descriptors)
        return made

    def send(self, target, opcode, body, descriptors=()):
        message = struct.pack("=IHH", target.number, opcode, 8 + len(body)) + body
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
        self.socket.sendmsg([message], rights)

    def dispatch(self):
        data = self.socket.recv(65536)
        if not data:
            sys.exit("the shell ended the connection")
        self.pending += data
        while len(self.pending) >= 8:
            number, opcode, size = struct.unpack_from("=IHH", self.pending)
            if len(self.pending) < size:
                break
            body, self.pending = self.pending[8:size], self.pending[size:]
            if number in self.objects:
                self.event(self.objects[number], opcode, body)

    def event(self, target, opcode, body):
        event, place, arguments = target.interface.findall("event")[opcode], 0, []
        for argument in event.findall("arg"):
            kind = argument.get("type")
            (value,) = struct.unpack_from("=i" if kind in ("int", "fixed") else "=I", body, place)
            place += 4
            if kind in ("string", "array"):
                raw = body[place:place + value]
                place += value + -value % 4
                value = raw.rstrip(b"\0").decode() if kind == "string" else raw
            elif kind == "fixed":
                value /= 256
            elif kind == "object":
                value = self.objects.get(value)
            arguments.append(value)
        target.handlers.get(event.get("name"), lambda *_: None)(*arguments)

    def roundtrip(self):
        done = []
        self.display.sync().on("done", done.append)
        while not done:
            self.dispatch()


# ---- Windows. ----


class Window:
    """What the list, an item and the sheet have in common."""

    title = "Items"

    def __init__(self, app):
        self.app, self.width, self.height = app, 420, 480
        self.surface = app.compositor.create_surface()
        self.xdg = app.shell.get_xdg_surface(self.surface).on("configure", self.configured)
        self.toplevel = self.xdg.get_toplevel().on("configure", self.resized).on("close", self.close)
        self.toplevel.set_app_id("org.mullion.WindowsPython")
        self.toplevel.set_title(self.title)
        app.windows[self.surface.number] = self
        # What the app says of this window.
        self.said = app.manager.get_window(self.toplevel) if app.manager else None

    def show(self, token=None):
        """With the token of a pinch; after a tap none is needed, because the shell saw the tap itself."""
        if token and self.app.activation:
            self.app.activation.activate(token, self.surface)
        self.surface.commit()

    def resized(self, width, height, states):
        self.width, self.height = width or self.width, height or self.height

    def configured(self, serial):
        self.xdg.ack_configure(serial)
        self.draw()

    def draw(self):
        """`rectangles` lists what is seen, back to front: x, y, width, height, colour."""
        size = self.width * self.height * 4
        file = os.memfd_create("buffer")
        os.ftruncate(file, size)
        with mmap.mmap(file, size) as memory:
            for x, y, width, height, colour in self.rectangles():
                line = struct.pack("=I", 0xFF000000 | colour) * max(0, min(width, self.width - x))
                for row in range(y, min(y + height, self.height)):
                    at = (row * self.width + x) * 4
                    memory[at:at + len(line)] = line
        pool = self.app.shm.create_pool(file, size)
        buffer = pool.create_buffer(0, self.width, self.height, self.width * 4, 1)
        buffer.on("release", buffer.destroy)
        pool.destroy()
        os.close(file)
        self.surface.attach(buffer, 0, 0)
        self.surface.damage(0, 0, self.width, self.height)
        self.surface.commit()

    def close(self):
        self.app.windows.pop(self.surface.number)
        for thing in filter(None, (self.said, self.toplevel, self.xdg, self.surface)):
            thing.destroy()


class ItemWindow(Window):
    def __init__(self, app, item, occasion, token=None):
        self.item, self.title, self.has_changed = item, f"Item {item + 1}", False
        super().__init__(app)
        if self.said:
            self.said.set_style(AUTOMATIC, occasion)
            self.said.set_role(AUXILIARY)
            self.said.on("answered", self.answered)
        self.show(token)
        say("opened", item)

    def rectangles(self):
        yield 0, 0, self.width, self.height, COLOURS[self.item]
        if self.has_changed:
            yield MARGIN, TOP, self.width // 2, 12, WHITE

    def tapped(self, x, y):
        self.has_changed = not self.has_changed
        if self.said and self.has_changed:
            self.said.set_unsaved("Save the item?", "It was changed.", "Discard", "Save", "Keep Editing")
        elif self.said:
            self.said.unset_unsaved()
        self.draw()
        say("changed" if self.has_changed else "saved", self.item)

    def answered(self, choice):
        """After DISCARD the shell asks the window to close; after SAVE the window closes itself."""
        say("answered", choice)
        if choice == SAVE:
            self.close()

    def close(self):
        super().close()
        say("closed", self.item)


class Sheet(Window):
    title = "About the Items"

    def __init__(self, app):
        super().__init__(app)
        self.width, self.height = 360, 260
        self.toplevel.set_parent(app.list.toplevel)
        if self.said:
            self.said.set_modal(SHEET)
            # It does not scroll, so a swipe down anywhere on it pulls it away.
            self.said.set_at_top(1)
        self.show()
        say("sheet")

    def rectangles(self):
        yield 0, 0, self.width, self.height, WHITE
        yield MARGIN, self.height - 80, self.width - 2 * MARGIN, 56, BLUE

    def tapped(self, x, y):
        self.close()

    def close(self):
        super().close()
        say("sheet closed")


class List(Window):
    def __init__(self, app):
        # The item that the list shows itself, where items do not open in windows.
        self.details = None
        super().__init__(app)
        if self.said:
            self.said.on("pinched", self.pinched)
        self.show()

    def row(self, number):
        height = (self.height - TOP - 2 * MARGIN) // (len(COLOURS) + 1)
        return MARGIN, TOP + number * height, self.width - 2 * MARGIN, max(1, height - 12)

    def rectangles(self):
        if self.details is not None:
            yield 0, 0, self.width, self.height, COLOURS[self.details]
            return
        yield 0, 0, self.width, self.height, PAPER
        for number, colour in enumerate(COLOURS + [BLUE]):
            yield *self.row(number), colour

    def draw(self):
        # What can be pinched open is told again whenever it may lie elsewhere.
        if self.said and self.said.version >= 2:
            for number in range(len(COLOURS)):
                if self.details is None:
                    self.said.set_pinchable(number, *self.row(number))
                else:
                    self.said.unset_pinchable(number)
        super().draw()

    def pinched(self, item, token):
        say("pinched", item)
        ItemWindow(self.app, item, GESTURE, token)

    def tapped(self, x, y):
        if self.details is not None:
            self.details = None
            return self.draw()
        for number in range(len(COLOURS) + 1):
            left, top, width, height = self.row(number)
            if not (left <= x < left + width and top <= y < top + height):
                continue
            if number == len(COLOURS):
                Sheet(self.app)
            elif self.app.capabilities & NEW_WINDOWS:
                ItemWindow(self.app, number, ITEM)
            else:
                self.details = number
                say("details", number)
                self.draw()

    def close(self):
        super().close()
        sys.exit()


class App:
    def __init__(self):
        self.wayland = wayland = Wayland()
        self.windows = {}
        self.capabilities = NEW_WINDOWS
        self.compositor, self.shm = wayland.bind("wl_compositor", 1), wayland.bind("wl_shm", 1)
        self.shell = wayland.bind("xdg_wm_base", 1)
        self.shell.on("ping", self.shell.pong)
        self.activation = wayland.bind("xdg_activation_v1", 1)
        self.manager = wayland.bind("mullion_window_manager_v1", 2)
        if self.manager:
            self.manager.on("capabilities", self.told)
        # Where one finger or the pointer is. A second finger, or the shell, ends the tap.
        self.fingers, self.place = set(), None
        touch = wayland.bind("wl_seat", 1).get_touch()
        touch.on("down", self.down).on("up", self.up).on("cancel", self.cancelled)
        self.list = List(self)

    def told(self, capabilities):
        self.capabilities = capabilities
        say("capabilities", capabilities)

    def down(self, serial, time, surface, finger, x, y):
        self.fingers.add(finger)
        self.place = (surface, x, y) if len(self.fingers) == 1 else None

    def up(self, serial, time, finger):
        self.fingers.discard(finger)
        place, self.place = self.place, None
        if place and place[0] and place[0].number in self.windows:
            self.windows[place[0].number].tapped(*place[1:])

    def cancelled(self):
        self.fingers.clear()
        self.place = None
        say("touch cancelled")

    def run(self):
        while True:
            self.wayland.dispatch()


App().run()
