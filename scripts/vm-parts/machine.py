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


class Screen:
    """A picture of the machine's own screen."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            data = file.read()
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
        self.width, self.height = int(head[1]), int(head[2])
        self.pixels = data[head.end():]

    def pixel(self, x, y):
        at = 3 * (y * self.width + x)
        return tuple(self.pixels[at:at + 3])

    def colours(self):
        return len({self.pixels[at:at + 3] for at in range(0, len(self.pixels), 3 * 31)})

    def difference(self, other):
        """Share of the pixels that differ plainly; 1 if the sizes do."""
        if (self.width, self.height) != (other.width, other.height):
            return 1.0
        step, differing, count = 3 * 7, 0, 0
        for at in range(0, len(self.pixels) - 2, step):
            count += 1
            if any(abs(self.pixels[at + i] - other.pixels[at + i]) > 24 for i in range(3)):
                differing += 1
        return differing / count


class Machine:
    def __init__(self, qemu, folder, out, name, arguments, log=print):
        self.folder, self.out, self.name, self.log = folder, out, name, log
        self.number = 0
        self.run = os.path.join(out, f"{name}.sockets")
        os.makedirs(self.run, exist_ok=True)
        self.console = os.path.join(out, f"{name}-console.txt")
        command = [*qemu, *arguments,
                   "-serial", f"file:{self.console}", "-monitor", "none", "-nodefaults", "-no-user-config",
                   "-qmp", f"unix:{self.run}/qmp,server=on,wait=off",
                   "-device", "virtio-serial-pci",
                   "-chardev", f"socket,id=commands,path={self.run}/commands,server=on,wait=off",
                   "-device", "virtserialport,chardev=commands,name=mullion.vm"]
        with open(os.path.join(out, f"{name}-qemu.txt"), "w") as errors:
            errors.write(" ".join(command) + "\n")
            errors.flush()
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors)
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
        self.qmp_lines.send(json.dumps({"execute": command, "arguments": arguments}))
        while True:
            answer = json.loads(self.qmp_lines.receive(60))
            if "error" in answer:
                raise Failure(f"QEMU refuses {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def screen(self, name, head=0):
        """What the machine shows, as a PPM to compare and a PNG to look at."""
        path = os.path.join(self.out, f"{self.name}-{name}")
        target = {"device": "gpu0", "head": head} if head else {}
        self.qmp("screendump", filename=path + ".ppm", **target)
        try:
            self.qmp("screendump", filename=path + ".png", format="png", **target)
        except Failure:
            pass   # a QEMU without PNG
        self.settle(path + ".ppm")
        return Screen(path + ".ppm")

    @staticmethod
    def settle(path):
        size = -1
        while size != os.path.getsize(path) or size == 0:
            size = os.path.getsize(path)
            time.sleep(0.2)

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
        names = {" ": "spc", "\n": "ret", "/": "slash", "-": "minus", ".": "dot"}
        for character in text:
            self.keys(names.get(character, character))

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
        return self.guest("as-person /usr/local/bin/mullion ctl " + " ".join(words))

    def state(self):
        return json.loads(self.ctl("state"))

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
