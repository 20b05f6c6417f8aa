"""As much of the X11 protocol as the clients here need. Spoken by hand: Xlib would need a package."""

import os
import socket
import struct
import sys

COOKIE = b"MIT-MAGIC-COOKIE-1"


def cookie(display):
    """The one of a display in the file that XAUTHORITY names; b"" if there is none."""
    with open(os.environ.get("XAUTHORITY", "/dev/null"), "rb") as file:
        text = file.read()
    while text:
        parts, text = [], text[2:]
        for _ in range(4):
            length = struct.unpack_from(">H", text)[0]
            parts.append(text[2:2 + length])
            text = text[2 + length:]
        if parts[1].decode() == display.lstrip(":") and parts[2] == COOKIE:
            return parts[3]
    return b""


class Connection:
    def __init__(self, display, secret=None, address=None):
        """`display`: as in ":3". `secret`: instead of the cookie of the file."""
        secret = cookie(display) if secret is None else secret
        name = COOKIE if secret else b""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(address or "/tmp/.X11-unix/X" + display.lstrip(":"))
        self.socket.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, len(name), len(secret)) +
                            name + b"\0" * (-len(name) % 4) + secret + b"\0" * (-len(secret) % 4))
        head = self.take(8)
        setup = self.take(4 * struct.unpack_from("<H", head, 6)[0])
        if head[0] != 1:
            sys.exit("the X server refused: %r" % setup)
        self.next_id, vendor, formats = struct.unpack_from("<I", setup, 4)[0], struct.unpack_from("<H", setup, 16)[0], setup[21]
        screen = 32 + (vendor + 3) // 4 * 4 + 8 * formats
        self.root = struct.unpack_from("<I", setup, screen)[0]
        self.depth = setup[screen + 38]

    def take(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                sys.exit("the X server closed the connection")
            data += more
        return data

    def request(self, code, detail, body):
        self.socket.sendall(struct.pack("<BBH", code, detail, 1 + len(body) // 4) + body)

    def reply(self):
        """The next one; events between are passed over."""
        while True:
            head = self.take(32)
            if head[0] == 0:
                sys.exit("X error %d" % head[1])
            if head[0] == 1:
                return head + self.take(4 * struct.unpack_from("<I", head, 4)[0])

    def sync(self):
        self.request(43, 0, b"")
        self.reply()

    def new_id(self):
        self.next_id += 1
        return self.next_id

    def atom(self, name):
        self.request(16, 0, struct.pack("<HH", len(name), 0) + name + b"\0" * (-len(name) % 4))
        return struct.unpack_from("<I", self.reply(), 8)[0]

    def window(self, width, height):
        """With a background: what is never drawn has no picture."""
        window = self.new_id()
        self.request(1, 0, struct.pack("<IIhhHHHHIII", window, self.root, 0, 0, width, height, 0, 1, 0, 0x2, 0x336699))
        return window

    def map(self, window):
        self.request(8, 0, struct.pack("<I", window))

    def text_property(self, window, name, text):
        """`name`: an atom, as 39 for WM_NAME and 67 for WM_CLASS."""
        text = text.encode()
        self.request(18, 0, struct.pack("<IIIB3xI", window, name, 31, 8, len(text)) + text + b"\0" * (-len(text) % 4))
