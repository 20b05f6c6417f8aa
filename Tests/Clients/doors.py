"""Comes to the shell's doors from outside; prints one JSON object. It needs nothing but Python, so that it can be run as any
user: `python3 -c TEXT ...`.

    doors.py view PORT SECRET     requests to the remote view, with and without the secret
    doors.py cut PORT SECRET HOW  a viewer that is cut off while it drags and holds a key
    doors.py flood PORT SECRET    hundreds of connections, long heads and slow ones, and then the right request
    doors.py wayland SOCKET       how many globals a client is shown, and the error that it gets
    doors.py control SOCKET       what the control socket answers
"""

import base64
import json
import os
import socket
import struct
import sys
import time

HOST = "127.0.0.1"


def request(port, path, host=None, origin=None, upgrade=True, more=(), version="HTTP/1.1", method="GET"):
    lines = [f"{method} {path} {version}", f"Host: {host or f'{HOST}:{port}'}"]
    if upgrade:
        key = base64.b64encode(os.urandom(16)).decode()
        lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"]
    if origin:
        lines.append(f"Origin: {origin}")
    return ("\r\n".join(lines + list(more)) + "\r\n\r\n").encode()


def ask(port, data, seconds=20):
    """The status, and what came in the first frame or as the body."""
    with socket.create_connection((HOST, port), timeout=seconds) as s:
        s.sendall(data)
        got = b""
        while b"\r\n\r\n" not in got:
            part = s.recv(65536)
            if not part:
                return [0, ""]
            got += part
        head, rest = got.split(b"\r\n\r\n", 1)
        status = int(head.split()[1])
        if status == 101:
            while len(rest) < 14:
                part = s.recv(65536)
                if not part:
                    break
                rest += part
            return [status, rest[2:13].decode(errors="replace")]
        while part := s.recv(65536):
            rest += part
        place = [line[10:] for line in head.decode().split("\r\n") if line.lower().startswith("location: ")]
        return [status, place[0] if place else rest.decode(errors="replace")]


def spoken(port, path):
    """The greeting of VNC in both directions: the kinds of security that the server then names; 1 is none."""
    with socket.create_connection((HOST, port), timeout=20) as s:
        s.sendall(request(port, path))
        got = b""
        while len(got) < 14 or not got.endswith(b"RFB 003.008\n"):
            got += s.recv(65536)
        mask = os.urandom(4)
        said = bytes(b ^ mask[i % 4] for i, b in enumerate(b"RFB 003.008\n"))
        s.sendall(bytes([0x89, 0x80]) + mask + bytes([0x82, 0x80 | len(said)]) + mask + said)
        got = b""
        while b"\x82" not in got or len(got) < 6:
            got += s.recv(65536)
        return [101, got.hex()]


def view(port, secret):
    right = f"/{secret}/websockify"
    wrong = ("0" if secret[0] != "0" else "1") + secret[1:]
    own = f"http://{HOST}:{port}"
    return {
        "right": ask(port, request(port, right)),
        "right origin": ask(port, request(port, right, origin=own)),
        "forwarded": ask(port, request(port, right, host="localhost:7000", origin="http://localhost:7000")),
        "spoken": spoken(port, right),
        "entrance": ask(port, request(port, f"/{secret}/", upgrade=False)),
        "page": [ask(port, request(port, f"/{secret}/screen.html", upgrade=False))[0], ""],
        "part": [ask(port, request(port, f"/{secret}/core/rfb.js", upgrade=False))[0], ""],
        "no secret": ask(port, request(port, "/websockify")),
        "no secret, page": ask(port, request(port, "/screen.html", upgrade=False)),
        "wrong secret": ask(port, request(port, f"/{wrong}/websockify")),
        "short secret": ask(port, request(port, f"/{secret[:-1]}/websockify")),
        "empty secret": ask(port, request(port, "//websockify")),
        "secret in the query": ask(port, request(port, f"/websockify?token={secret}")),
        "foreign host": ask(port, request(port, right, host="evil.example")),
        "foreign host, page": ask(port, request(port, f"/{secret}/screen.html", host="evil.example", upgrade=False)),
        "host like ours": ask(port, request(port, right, host="localhost.evil.example")),
        "foreign origin": ask(port, request(port, right, origin="http://evil.example")),
        "no origin's": ask(port, request(port, right, origin="null")),
        "another port's": ask(port, request(port, right, origin=f"http://{HOST}:{port + 1}")),
        "two hosts": ask(port, request(port, right, more=["Host: evil.example"])),
        "two origins": ask(port, request(port, right, origin=own, more=["Origin: http://evil.example"])),
        "upwards": ask(port, request(port, f"/{secret}/../../../etc/passwd", upgrade=False)),
        "hidden": ask(port, request(port, f"/{secret}/%2e%2e/%2e%2e/etc/passwd", upgrade=False)),
        "not GET": ask(port, request(port, right, method="POST")),
        "VNC": ask(port, b"RFB 003.008\n\r\n\r\n"),
    }


def cut(port, secret, how):
    """A viewer presses a button at (300, 300), moves to (600, 500) and presses a key. Then it is cut: its connection is closed
    ("fin") or reset ("rst"), or it says good-bye ("bye") with both down."""
    s = socket.create_connection((HOST, port), timeout=20)

    def say(data, opcode=2):
        mask = os.urandom(4)
        s.sendall(bytes([0x80 | opcode, 0x80 | len(data)]) + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    got = b""

    def until(text):
        nonlocal got
        while text not in got:
            part = s.recv(65536)
            if not part:
                raise ConnectionError(f"{got!r}")
            got += part

    s.sendall(request(port, f"/{secret}/websockify"))
    until(b"RFB 003.008\n")
    say(b"RFB 003.008\n")
    until(b"\x01\x01")
    say(b"\x01")
    until(b"\0\0\0\0")
    say(b"\x01")
    until(b"WayVNC")
    for buttons, x, y in ((0, 300, 300), (1, 300, 300), (1, 600, 500)):
        say(struct.pack(">BBHH", 5, buttons, x, y))
        time.sleep(0.1)
    say(struct.pack(">BBHI", 4, 1, 0, ord("a")))
    # The beginning of a message whose rest never comes.
    say(b"\x04\x01\x00")
    time.sleep(1)
    if how == "bye":
        say(struct.pack(">H", 1000), 8)
        time.sleep(1)
    if how == "rst":
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()
    return {"cut": [0, how]}


def flood(port, secret):
    long = ask(port, b"GET / HTTP/1.1\r\nX: " + b"a" * 8200)
    held = [socket.create_connection((HOST, port), timeout=20) for _ in range(400)]
    for s in held:
        try:
            s.sendall(b"GET /")
        except OSError:
            pass
    right = ask(port, request(port, f"/{secret}/websockify"))
    # Whoever says nothing more is not kept; the last ones were not pushed out by anybody.
    began = time.monotonic()
    held[-1].settimeout(30)
    try:
        end = held[-1].recv(1)
    except ConnectionError:
        end = b""
    return {"long": long, "right": right, "dropped": [int(end == b""), ""], "seconds": [int(time.monotonic() - began), ""]}


def connected(path):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(20)
    s.connect(path)
    return s


def until_quiet(s, done):
    got = b""
    try:
        while not done(got):
            part = s.recv(65536)
            if not part:
                break
            got += part
    except OSError:
        pass
    return got


def wayland(path):
    s = connected(path)
    try:
        s.sendall(struct.pack("=IIIIII", 1, 12 << 16 | 1, 2, 1, 12 << 16 | 0, 3))
    except OSError:
        pass
    names, error, at = 0, "", 0
    got = until_quiet(s, lambda data: struct.pack("=II", 3, 12 << 16) in data)
    while at + 8 <= len(got):
        sender, head = struct.unpack_from("=II", got, at)
        if sender == 2:
            names += 1
        if sender == 1 and head & 0xffff == 0:
            length = struct.unpack_from("=I", got, at + 16)[0]
            error = got[at + 20:at + 19 + length].decode()
        at += max(8, head >> 16)
    return {"globals": [names, error]}


def control(path):
    s = connected(path)
    try:
        s.sendall(b'{"get":"version"}\n')
    except OSError:
        pass
    return {"control": [0, until_quiet(s, lambda data: b"\n" in data).decode()]}


if __name__ == "__main__":
    what, words = sys.argv[1], sys.argv[2:]
    if what in ("view", "flood"):
        answer = {"view": view, "flood": flood}[what](int(words[0]), words[1])
    elif what == "cut":
        answer = cut(int(words[0]), words[1], words[2])
    else:
        answer = {"wayland": wayland, "control": control}[what](words[0])
    print(json.dumps(answer))
