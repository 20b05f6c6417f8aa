"""A virtual machine that is driven as a person would drive a real one: by its keyboard, its pointer, its touch screen
and its plugs, all through QEMU; and looked at through its own screen."""

import base64
import json
import os
import re
import socket
import struct
import subprocess
import time
import zlib


class Failure(Exception):
    pass


class Lines:
    """Lines over a socket of QEMU's."""

    def __init__(self, path, wait=30):
        end = time.monotonic() + wait
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                self.socket.close()
                if time.monotonic() > end:
                    raise Failure(f"QEMU does not listen at {path}")
                time.sleep(0.2)
        self.rest = b""

    def send(self, line):
        self.socket.sendall(line.encode() + b"\n")

    def receive(self, wait):
        end = time.monotonic() + wait
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(65536)
            except socket.timeout:
                raise TimeoutError from None
            if not data:
                raise Failure("QEMU has ended")
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode(errors="replace").strip()

    def ask(self, command, **arguments):
        """QEMU's own commands (QMP)."""
        self.send(json.dumps({"execute": command, "arguments": arguments}))
        while True:
            answer = json.loads(self.receive(60))
            if "error" in answer:
                raise Failure(f"QEMU refuses {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]


class Screen:
    """A picture of the machine's own screen."""

    def __init__(self, width, height, pixels):
        self.width, self.height, self.pixels = width, height, pixels

    @classmethod
    def of_file(cls, path):
        with open(path, "rb") as file:
            data = file.read()
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        return cls(int(head[1]), int(head[2]), data[head.end():])

    @classmethod
    def of_png(cls, data):
        """8 bits a channel, three or four of them, not interlaced."""
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            if kind == b"IHDR":
                width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", data[at + 8:at + 21])
                if depth != 8 or colours not in (2, 6) or interlaced:
                    raise Failure("another kind of PNG")
            if kind == b"IDAT":
                packed += data[at + 8:at + 8 + length]
            at += 12 + length
        step = 3 if colours == 2 else 4
        raw, pixels, above = zlib.decompress(packed), bytearray(), bytes(step * width)
        for y in range(height):
            start = y * (step * width + 1)
            how, row = raw[start], bytearray(raw[start + 1:start + 1 + step * width])
            for x in range(len(row) if how else 0):
                a, b, c = (row[x - step], above[x], above[x - step]) if x >= step else (0, above[x], 0)
                if how == 4:
                    p = a + b - c
                    near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                else:
                    near = (0, a, b, (a + b) // 2)[how]
                row[x] = row[x] + near & 255
            above = bytes(row)
            line = bytearray(3 * width)
            for channel in range(3):
                line[channel::3] = above[channel::step]
            pixels += line
        return cls(width, height, bytes(pixels))

    @classmethod
    def of_window_dump(cls, data):
        """What xwd writes: 32 bits a pixel, blue first."""
        head = struct.unpack(">25I", data[:100])
        size, width, height, order, bits, pitch, colours = head[0], head[4], head[5], head[7], head[11], head[12], head[19]
        if order != 0 or bits != 32:
            raise Failure("the X server has another kind of pixels")
        start = size + 12 * colours
        pixels = bytearray(3 * width * height)
        for y in range(height):
            row = data[start + y * pitch:start + y * pitch + 4 * width]
            for channel in range(3):
                pixels[3 * width * y + channel:3 * width * (y + 1):3] = row[2 - channel::4]
        return cls(width, height, bytes(pixels))

    def write(self, path, ppm=True):
        """As PNG, and as PPM."""
        if ppm:
            with open(path + ".ppm", "wb") as file:
                file.write(b"P6\n%d %d\n255\n" % (self.width, self.height) + self.pixels)

        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        rows = b"".join(
            b"\0" + self.pixels[3 * self.width * y:3 * self.width * (y + 1)] for y in range(self.height))
        with open(path + ".png", "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))

    def pixel(self, x, y):
        at = 3 * (y * self.width + x)
        return tuple(self.pixels[at:at + 3])

    def colours(self):
        return len({self.pixels[at:at + 3] for at in range(0, len(self.pixels), 3 * 31)})

    def difference(self, other, every=7):
        """Share of the pixels that differ plainly, `every` so many looked at; 1 if the sizes do."""
        if (self.width, self.height) != (other.width, other.height):
            return 1.0
        step, differing, count = 3 * every, 0, 0
        for at in range(0, len(self.pixels) - 2, step):
            count += 1
            if any(abs(self.pixels[at + i] - other.pixels[at + i]) > 24 for i in range(3)):
                differing += 1
        return differing / count


def settle(path):
    """Waits until QEMU has written the whole file."""
    size = -1
    while size != os.path.getsize(path) or size == 0:
        size = os.path.getsize(path)
        time.sleep(0.02)


def picture_of(window, lines, path):
    """The screen now: out of the X server's window, or written by QEMU into the file."""
    if not window:
        lines.ask("screendump", filename=path)
        settle(path)
        return Screen.of_file(path)
    tree = subprocess.run(
        ["xwininfo", "-root", "-children", "-display", window], capture_output=True, text=True, check=True).stdout
    own = re.search(r'(0x[0-9a-f]+) "QEMU', tree)
    if not own:
        raise Failure("QEMU shows no window")
    data = subprocess.run(["xwd", "-id", own[1], "-silent", "-display", window], capture_output=True, check=True).stdout
    return Screen.of_window_dump(data)


class Machine:
    def __init__(self, qemu, folder, out, name, arguments, window=None, log=print):
        """`window`: the X server in whose window QEMU shows its display, if not by itself."""
        self.folder, self.out, self.name, self.window, self.log = folder, out, name, window, log
        self.number = 0
        self.control = None   # a port that `ask` makes
        self.run = os.path.join(out, f"{name}.sockets")
        os.makedirs(self.run, exist_ok=True)
        self.console = os.path.join(out, f"{name}-console.txt")
        command = [*qemu, *arguments,
                   "-serial", f"file:{self.console}", "-monitor", "none", "-nodefaults", "-no-user-config",
                   "-qmp", f"unix:{self.run}/qmp,server=on,wait=off",
                   "-qmp", f"unix:{self.run}/watch,server=on,wait=off",
                   "-device", "virtio-serial-pci",
                   "-chardev", f"socket,id=commands,path={self.run}/commands,server=on,wait=off",
                   "-device", "virtserialport,chardev=commands,name=mullion.vm"]
        with open(os.path.join(out, f"{name}-qemu.txt"), "w") as errors:
            errors.write(" ".join(command) + "\n")
            errors.flush()
            shown = {"DISPLAY": window, "SDL_VIDEODRIVER": "x11"} if window else {}
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, env={**os.environ, **shown})
        self.qmp_lines = Lines(f"{self.run}/qmp")
        self.qmp_lines.receive(30)
        self.qmp("qmp_capabilities")
        self.commands = Lines(f"{self.run}/commands")

    def end(self):
        if self.process.poll() is None:
            try:
                self.qmp("quit")
                self.process.wait(20)
            except (Failure, OSError, TimeoutError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
        for name in os.listdir(self.run):
            os.unlink(os.path.join(self.run, name))
        os.rmdir(self.run)

    # ---- QEMU ----

    def qmp(self, command, **arguments):
        return self.qmp_lines.ask(command, **arguments)

    def screen(self, name, head=0):
        """What the machine shows, as a PPM to compare and a PNG to look at."""
        path = os.path.join(self.out, f"{self.name}-{name}")
        if self.window:
            picture = picture_of(self.window, None, None)
            picture.write(path)
            return picture
        target = {"device": "gpu0", "head": head} if head else {}
        self.qmp("screendump", filename=path + ".ppm", **target)
        try:
            self.qmp("screendump", filename=path + ".png", format="png", **target)
        except Failure:
            pass   # a QEMU without PNG
        settle(path + ".ppm")
        return Screen.of_file(path + ".ppm")

    def resize(self, width, height, head=0):
        """What a monitor does that is exchanged for another; 0 by 0 pulls the plug. Told through QEMU's VNC server,
        which passes the wish of a viewer's window on to the display."""
        vnc = socket.socket(socket.AF_UNIX)
        vnc.settimeout(30)
        vnc.connect(f"{self.run}/vnc{head}")

        def read(count):
            data = b""
            while len(data) < count:
                part = vnc.recv(count - len(data))
                if not part:
                    raise Failure("the VNC server hung up")
                data += part
            return data
        read(12)
        vnc.sendall(b"RFB 003.008\n")
        read(read(1)[0])
        vnc.sendall(b"\x01")
        read(4)
        vnc.sendall(b"\x01")
        read(struct.unpack(">20xI", read(24))[0])
        # Raw pixels, and the two ways to hear of another size.
        vnc.sendall(struct.pack(">BxHiii", 2, 3, 0, -308, -223))
        vnc.sendall(struct.pack(">BBHHHH", 3, 0, 0, 0, 16, 16))
        time.sleep(1)
        vnc.sendall(struct.pack(">BxHHBxIHHHHI", 251, width, height, 1, 0, 0, 0, width, height, 0))
        time.sleep(2)
        vnc.close()

    # ---- input ----

    def events(self, *events, device=None):
        target = {"device": device} if device else {}
        self.qmp("input-send-event", events=list(events), **target)

    def key(self, code, down):
        self.events({"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": code}}})

    def keys(self, *codes):
        """Held together, as Super and left."""
        for code in codes:
            self.key(code, True)
            time.sleep(0.15)
        for code in reversed(codes):
            self.key(code, False)
            time.sleep(0.15)

    def type(self, text):
        names = {" ": ["spc"], "\n": ["ret"], "/": ["slash"], "-": ["minus"], ".": ["dot"], "=": ["equal"], "_": ["shift", "minus"],
                 ">": ["shift", "dot"]}
        for character in text:
            self.keys(*names.get(character, ["shift", character.lower()] if character.isupper() else [character]))

    def pointer(self, x, y, size):
        self.events(*({"type": "abs", "data": {"axis": axis, "value": int(at * 32767 / (full - 1))}}
                      for axis, at, full in (("x", x, size[0]), ("y", y, size[1]))))
        time.sleep(0.1)

    def button(self, down):
        self.events({"type": "btn", "data": {"down": down, "button": "left"}})
        time.sleep(0.2)

    def touch(self, line):
        """To the touch screen that touch.py makes in the guest: down ID X Y, move ID X Y, up ID; from 0 to 32767."""
        self.guest(f"echo '{line}' >/run/touch")

    def tap(self, x, y, size):
        place = [int(v * 32767 / (full - 1)) for v, full in zip((x, y), size)]
        self.guest(f"(echo 'down 0 {place[0]} {place[1]}'; sleep 0.1; echo 'up 0') >/run/touch")

    # ---- the guest ----

    def wait_for_boot(self, wait):
        try:
            while self.commands.receive(wait) != "ready":
                pass
        except TimeoutError:
            raise Failure(f"the machine did not come up within {wait} s; see {self.console}") from None

    def guest(self, command, wait=330, check=True):
        """Runs a shell command as root in the guest. Its output."""
        self.number += 1
        self.commands.send(f"{self.number} {command}")
        while True:
            try:
                line = self.commands.receive(wait)
            except TimeoutError:
                raise Failure(f"no answer within {wait} s to: {command}") from None
            parts = line.split(" ")
            if parts[0] == str(self.number):
                break
        status = int(parts[1])
        output = base64.b64decode(parts[2] if len(parts) > 2 else "").decode(errors="replace")
        if check and status != 0:
            raise Failure(f"status {status} of: {command}\n{output}")
        return output

    def ctl(self, *words):
        return self.guest("as-person mullion ctl " + " ".join(words))

    def state(self):
        return json.loads(self.ctl("state"))

    def ask(self, **request):
        """The same through a port of the machine, where no program starts for it: get="state", do=..., wait={"until": "idle"}."""
        if self.control is None:
            path = f"{self.run}/control"
            self.qmp("chardev-add", id="control", backend={"type": "socket", "data": {
                "addr": {"type": "unix", "data": {"path": path}}, "server": True, "wait": False}})
            self.qmp("device_add", driver="virtserialport", chardev="control", name="mullion.control", id="control-port")
            self.control = Lines(path)
            self.until("the port is there", lambda: self.guest("ls /dev/virtio-ports/mullion.control"), 30)
            self.guest("systemd-run --unit=bridge python3 /usr/local/share/mullion-vm/bridge.py")
        self.control.send(json.dumps(request))
        answer = json.loads(self.control.receive(120))
        if "error" in answer:
            raise Failure(f"{request}: {answer['error']['what']}")
        return answer["ok"]

    def until(self, what, condition, wait=120):
        """Waits for a condition; its value."""
        end = time.monotonic() + wait
        while True:
            try:
                value, error = condition(), None
            except (Failure, ValueError, KeyError, IndexError) as failure:
                if self.process.poll() is not None:
                    raise
                value, error = None, failure
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f"not within {wait} s: {what}" + (f" ({error})" if error else ""))
            time.sleep(0.5)
