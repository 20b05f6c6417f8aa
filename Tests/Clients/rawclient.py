"""Speaks the Wayland wire format over a socket, with nothing in between: what a client library would never send can be
sent, and everything that the shell says is seen.

The interfaces are read from the protocol descriptions that the distribution installs (wayland.xml and the
wayland-protocols), and from those of this project. Requests are called by name:

    connection = Connection()
    surface = connection.bind("wl_compositor").create_surface()
    surface.on("enter", lambda output: ...)
    connection.roundtrip()
"""

import array
import os
import select
import socket
import struct
import time
from xml.parsers import expat


def _folders():
    found = ["/usr/share/wayland", "/usr/share/wayland-protocols"]
    if all(map(os.path.isdir, found)):
        return found
    import subprocess  # Rarely needed, and slow to load.
    for package in ("wayland-scanner", "wayland-protocols"):
        try:
            found.append(subprocess.run(
                ["pkg-config", "--variable=pkgdatadir", package], capture_output=True, text=True, check=True
            ).stdout.strip())
        except (OSError, subprocess.CalledProcessError):
            pass
    return [folder for folder in found if folder]


class Message:
    """A request or an event: its name, its number and the types of its arguments."""

    def __init__(self, attributes, opcode):
        self.name = attributes["name"]
        self.opcode = opcode
        self.arguments = []
        self.is_destructor = attributes.get("type") == "destructor"


class Interface:
    """Reads its own description."""

    def __init__(self, text):
        self.requests = {}
        self.events = []
        self.message = None
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._begin
        parser.Parse(text, True)

    def _begin(self, tag, attributes):
        if tag == "interface":
            self.name = attributes["name"]
            self.version = int(attributes["version"])
        elif tag == "request":
            self.message = Message(attributes, len(self.requests))
            self.requests[self.message.name] = self.message
        elif tag == "event":
            self.message = Message(attributes, len(self.events))
            self.events.append(self.message)
        elif tag == "arg":
            self.message.arguments.append((attributes["type"], attributes.get("interface"), attributes["name"]))


class Interfaces:
    """All interfaces of the protocols that tests use."""

    FILES = ["wayland.xml", "stable/xdg-shell/xdg-shell.xml", "stable/viewporter/viewporter.xml",
             "stable/presentation-time/presentation-time.xml", "staging/xdg-activation/xdg-activation-v1.xml",
             "unstable/xdg-decoration/xdg-decoration-unstable-v1.xml",
             "unstable/linux-dmabuf/linux-dmabuf-unstable-v1.xml",
             "unstable/xdg-output/xdg-output-unstable-v1.xml",
             "staging/fractional-scale/fractional-scale-v1.xml",
             "staging/single-pixel-buffer/single-pixel-buffer-v1.xml",
             "staging/ext-idle-notify/ext-idle-notify-v1.xml",
             "unstable/primary-selection/primary-selection-unstable-v1.xml",
             "unstable/idle-inhibit/idle-inhibit-unstable-v1.xml",
             "unstable/relative-pointer/relative-pointer-unstable-v1.xml",
             "unstable/pointer-constraints/pointer-constraints-unstable-v1.xml",
             "unstable/pointer-gestures/pointer-gestures-unstable-v1.xml",
             "unstable/xdg-foreign/xdg-foreign-unstable-v1.xml", "unstable/xdg-foreign/xdg-foreign-unstable-v2.xml",
             "stable/tablet/tablet-v2.xml", "unstable/tablet/tablet-unstable-v2.xml",
             "staging/ext-session-lock/ext-session-lock-v1.xml"]

    HERE = os.path.dirname(os.path.abspath(__file__))
    OWN = [os.path.join(HERE, "..", "..", "Protocols"), HERE]

    def __init__(self):
        self.texts = {}
        self.known = {}
        # Files that were not needed yet. Most clients need the first two.
        self.unread = [os.path.join(folder, name) for folder in _folders() for name in self.FILES]
        self.unread += [os.path.join(folder, name) for folder in self.OWN for name in sorted(os.listdir(folder)) if name.endswith(".xml")]
        if "xdg_wm_base" not in self:
            raise SystemExit("the protocol descriptions are missing: apt-get install libwayland-dev wayland-protocols")

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            self.add(file.read())

    def add(self, text):
        """Adds the interfaces of a description that are not known yet. Each is parsed when it is used, which few are."""
        # Descriptions of the session bus lie there too, and have another root.
        if "<protocol" not in text:
            return
        for part in text.split("</interface>")[:-1]:
            part = part[part.index("<interface "):]
            self.texts.setdefault(part.split('name="', 1)[1].split('"', 1)[0], part + "</interface>")

    def __contains__(self, name):
        while name not in self.texts and self.unread:
            path = self.unread.pop(0)
            if os.path.exists(path):
                self.read(path)
        return name in self.texts

    def __getitem__(self, name):
        if name not in self.known:
            if name not in self:
                raise KeyError(name)
            self.known[name] = Interface(self.texts[name])
        return self.known[name]


class Object:
    """One object of the connection. Its requests are its methods."""

    def __init__(self, connection, number, interface, version):
        self.connection = connection
        self.number = number
        self.interface = interface
        self.version = version
        self.handlers = {}

    def on(self, event, handler):
        self.handlers[event] = handler
        return self

    def __getattr__(self, name):
        try:
            request = self.interface.requests[name]
        except KeyError:
            raise AttributeError(f"{self.interface.name} has no request {name}") from None
        return lambda *arguments: self.connection.request(self, request, arguments)

    def __repr__(self):
        return f"{self.interface.name}#{self.number}"


class Disconnected(Exception):
    """The shell ended the connection."""


class Connection:
    """A client's connection. `seen`: called with each event as (object, name, arguments)."""

    def __init__(self, path=None, seen=None):
        path = path or os.environ.get("WAYLAND_DISPLAY", "wayland-0")
        if not path.startswith("/"):
            path = os.path.join(os.environ["XDG_RUNTIME_DIR"], path)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.interfaces = Interfaces()
        self.seen = seen
        self.objects = {}
        self.next_number = 1
        self.free = []
        self.incoming = b""
        self.incoming_fds = []
        self.outgoing = b""
        self.outgoing_fds = []
        self.error = None
        self.globals = {}
        self.display = self.make("wl_display", 1)
        self.display.on("error", self._failed)
        self.display.on("delete_id", self._deleted)
        self.registry = self.display.get_registry()
        self.registry.on("global", lambda name, interface, version: self.globals.setdefault(interface, []).append(
            (name, version)))
        self.roundtrip()

    def _failed(self, number, code, text):
        self.error = (repr(self.objects.get(number, number)), code, text)

    def _deleted(self, number):
        self.objects.pop(number, None)
        self.free.append(number)

    # ---- objects ----

    def make(self, interface, version):
        """A new object of this client, with the next number."""
        number = self.free.pop(0) if self.free else self.next_number
        if number == self.next_number:
            self.next_number += 1
        made = Object(self, number, self.interfaces[interface], version)
        self.objects[number] = made
        return made

    def bind(self, interface, version=None, index=0):
        """The global of that name, in the newest version that both sides know."""
        name, offered = self.globals[interface][index]
        version = min(offered, self.interfaces[interface].version, version or offered)
        made = self.make(interface, version)
        text = interface.encode() + b"\0"
        body = struct.pack("=I", name) + struct.pack("=I", len(text)) + text + b"\0" * (-len(text) % 4)
        body += struct.pack("=II", version, made.number)
        self.raw(self.registry.number, self.registry.interface.requests["bind"].opcode, body)
        return made

    # ---- out ----

    def raw(self, number, opcode, body=b"", size=None):
        """A message as it is; `size`: what its header says of its length, if that is not to be true."""
        length = size if size is not None else 8 + len(body)
        self.outgoing += struct.pack("=IHH", number, opcode, length) + body
        if len(self.outgoing) > 2048:
            self.flush()

    def request(self, target, request, arguments):
        arguments = list(arguments)
        body = b""
        made = None
        for kind, interface, _ in request.arguments:
            if kind == "new_id":
                made = self.make(interface, target.version)
                body += struct.pack("=I", made.number)
                continue
            value = arguments.pop(0)
            if kind in ("int",):
                body += struct.pack("=i", value)
            elif kind == "uint":
                body += struct.pack("=I", value & 0xffffffff)
            elif kind == "fixed":
                body += struct.pack("=i", int(value * 256))
            elif kind == "object":
                number = 0 if value is None else value if isinstance(value, int) else value.number
                body += struct.pack("=I", number)
            elif kind == "string":
                # None is no text at all.
                text = b"" if value is None else value.encode() + b"\0"
                body += struct.pack("=I", len(text)) + text + b"\0" * (-len(text) % 4)
            elif kind == "array":
                body += struct.pack("=I", len(value)) + value + b"\0" * (-len(value) % 4)
            elif kind == "fd":
                self.outgoing_fds.append(value)
        self.raw(target.number, request.opcode, body)
        if self.outgoing_fds:
            self.flush()
        return made

    def flush(self):
        while self.outgoing:
            control = []
            if self.outgoing_fds:
                control = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", self.outgoing_fds))]
            try:
                sent = self.socket.sendmsg([self.outgoing[:4096]], control, socket.MSG_NOSIGNAL)
            except (BrokenPipeError, ConnectionResetError):
                self._drain()
                raise Disconnected(self.error) from None
            self.outgoing = self.outgoing[sent:]
            self.outgoing_fds = []

    # ---- in ----

    def _drain(self):
        """What the shell said before it hung up, above all the error."""
        try:
            while self._receive(0):
                pass
        except (Disconnected, OSError):
            pass

    def _receive(self, timeout):
        """Reads once and handles what came; False if nothing did in time."""
        ready, _, _ = select.select([self.socket], [], [], timeout)
        if not ready:
            return False
        try:
            data, control, _, _ = self.socket.recvmsg(65536, socket.CMSG_SPACE(28 * 4))
        except ConnectionResetError:
            data, control = b"", []
        for level, kind, payload in control:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds = array.array("i")
                fds.frombytes(payload[:len(payload) - len(payload) % fds.itemsize])
                self.incoming_fds.extend(fds)
        if not data:
            raise Disconnected(self.error)
        self.incoming += data
        while len(self.incoming) >= 8:
            number, opcode, length = struct.unpack_from("=IHH", self.incoming)
            if len(self.incoming) < length:
                break
            body, self.incoming = self.incoming[8:length], self.incoming[length:]
            self._event(number, opcode, body)
        return True

    def _event(self, number, opcode, body):
        target = self.objects.get(number)
        if target is None or opcode >= len(target.interface.events):
            return
        event = target.interface.events[opcode]
        arguments, at, fds = [], 0, []
        for kind, interface, _ in event.arguments:
            if kind == "fd":
                fds.append(self.incoming_fds.pop(0) if self.incoming_fds else -1)
                arguments.append(fds[-1])
                continue
            (value,) = struct.unpack_from("=i" if kind in ("int", "fixed") else "=I", body, at)
            at += 4
            if kind == "fixed":
                value /= 256
            elif kind in ("string", "array"):
                data = body[at:at + value]
                at += (value + 3) & ~3
                value = data[:-1].decode(errors="replace") if kind == "string" else data
            elif kind == "object":
                value = self.objects.get(value, value)
            elif kind == "new_id":
                made = Object(self, value, self.interfaces[interface], target.version)
                self.objects[value] = made
                value = made
            arguments.append(value)
        if self.seen:
            self.seen(target, event.name, arguments)
        handler = target.handlers.get(event.name)
        if handler:
            handler(*arguments)
        else:
            for fd in filter(lambda fd: fd >= 0, fds):
                os.close(fd)

    def dispatch(self, timeout=None):
        """Sends what waits and handles what comes; returns when something came or the time is up."""
        self.flush()
        return self._receive(timeout)

    def roundtrip(self, timeout=20):
        """Until the shell has handled everything sent so far. Raises Disconnected, or TimeoutError."""
        done = []
        self.display.sync().on("done", lambda _: done.append(True))
        deadline = time.monotonic() + timeout
        while not done:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("the shell does not answer")
            self.dispatch(left)

    def close(self):
        self.socket.close()
        for fd in self.incoming_fds:
            os.close(fd)


class Painter:
    """Buffers of one colour with a frame of another one at their edges, so that a seam is seen in a picture."""

    EDGE = 3

    def __init__(self, connection):
        self.connection = connection
        self.shm = connection.bind("wl_shm")

    def buffer(self, width, height, colour, edge):
        """Colours are 0xRRGGBB. The buffer may be attached any number of times."""
        inner, outer = struct.pack("=I", 0xff000000 | colour), struct.pack("=I", 0xff000000 | edge)
        e = min(self.EDGE, width // 2, height // 2)
        row = outer * e + inner * (width - 2 * e) + outer * e
        pixels = outer * width * e + row * (height - 2 * e) + outer * width * e
        fd = os.memfd_create("buffer")
        os.write(fd, pixels)
        pool = self.shm.create_pool(fd, len(pixels))
        made = pool.create_buffer(0, width, height, width * 4, 1)
        pool.destroy()
        os.close(fd)
        return made
