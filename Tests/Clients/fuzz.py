#!/usr/bin/env python3
"""Random requests, correct in their types and mostly meaningless: `fuzz.py SEED SECONDS`.

Each session binds random globals and sends random requests to the objects that it has, until the shell ends it with a
protocol error; then the next begins. A few arguments are extreme, a few messages malformed. After each session another
client must get an answer. Prints a line of JSON: how many sessions and requests, and "silent": true if the shell did
not answer. With FUZZ_TRACE=FILE, the requests of the present session are written there before they are sent.
"""

import json
import os
import random
import struct
import sys
import time

import rawclient

INTEGERS = [0, 1, -1, 2, 7, 100, 2147483647, -2147483648, 65536]


class Session:
    def __init__(self, dice, trace):
        self.dice = dice
        self.trace = trace
        self.count = 0
        self.c = rawclient.Connection()
        self.fds = []
        for interface in dice.sample(sorted(self.c.globals), k=min(len(self.c.globals), 14)):
            if interface in self.c.interfaces:
                self.c.bind(interface)
        for interface in ("wl_compositor", "wl_shm", "xdg_wm_base", "wl_subcompositor", "wl_seat"):
            self.c.bind(interface)
        if dice.random() < 0.7:
            self.window()

    def window(self):
        """Begins with something that is shown: most requests mean something only then."""
        find = {o.interface.name: o for o in self.c.objects.values()}
        surface = find["wl_compositor"].create_surface()
        xdg = find["xdg_wm_base"].get_xdg_surface(surface)
        xdg.get_toplevel()
        xdg.on("configure", xdg.ack_configure)
        surface.commit()
        self.c.roundtrip(5)
        surface.attach(self.buffer(find["wl_shm"]), 0, 0)
        surface.commit()
        self.c.roundtrip(5)

    def buffer(self, shm):
        fd = os.memfd_create("fuzz")
        os.ftruncate(fd, 4096)
        pool = shm.create_pool(fd, 4096)
        os.close(fd)
        return pool.create_buffer(0, 32, 32, 128, 1)

    def argument(self, kind, interface):
        dice = self.dice
        if kind in ("int", "uint", "fixed"):
            value = dice.choice(INTEGERS) if dice.random() < 0.03 else dice.randrange(0, 64)
            if kind == "uint":
                return value & 0xffffffff
            return max(-8000000, min(8000000, value)) if kind == "fixed" else value
        if kind == "object":
            fitting = [o for o in self.c.objects.values() if o.interface.name == interface or interface is None]
            if not fitting or dice.random() < 0.004:
                return dice.choice([None, dice.choice(list(self.c.objects.values()))])
            return dice.choice(fitting)
        if kind == "string":
            return dice.choice(["", "x", "text/plain", "x" * 300, "토큰", "\n\\\"%s%n"])
        if kind == "array":
            return os.urandom(dice.choice([0, 4, 16]))
        if kind == "fd":
            fd = os.memfd_create("fuzz")
            os.ftruncate(fd, dice.choice([0, 4096, 65536]))
            self.fds.append(fd)
            return fd
        raise ValueError(kind)

    def step(self):
        dice = self.dice
        if dice.random() < 0.002:
            target = dice.choice(list(self.c.objects.values()))
            body = os.urandom(dice.choice([0, 4, 8, 24]))
            self.note(f"raw {target} {body.hex()}")
            self.c.raw(target.number, dice.randrange(0, 12), body)
            return
        target = dice.choice([o for o in self.c.objects.values() if o.interface.requests])
        if target.interface.name in ("wl_display", "wl_registry") and dice.random() < 0.9:
            return
        name, request = dice.choice(sorted(target.interface.requests.items()))
        if name in ("destroy", "release") and dice.random() < 0.6:
            return
        if any(kind == "new_id" and interface is None for kind, interface, _ in request.arguments):
            return
        # What can only fail, for want of an object, would end the session at once.
        has = {o.interface.name for o in self.c.objects.values()}
        if any(k == "object" and i not in has for k, i, _ in request.arguments) and dice.random() < 0.98:
            return
        arguments = [self.argument(k, i) for k, i, _ in request.arguments if k != "new_id"]
        self.note(f"{target}.{name}{arguments}")
        self.c.request(target, request, arguments)
        if request.is_destructor:
            # The number is the shell's to give back; the object is not to be used again.
            target.interface = DEAD
        self.count += 1

    def note(self, text):
        if self.trace:
            self.trace.write(text + "\n")
            self.trace.flush()

    def run(self, most):
        try:
            for number in range(most):
                self.step()
                if number % 16 == 0:
                    self.c.flush()
                    self.close_fds()
                    while self.c.dispatch(0):
                        pass
            self.c.roundtrip(5)
        except rawclient.Disconnected:
            pass
        except TimeoutError:
            return False
        finally:
            self.close_fds()
            self.c.close()
        return True

    def close_fds(self):
        if not self.c.outgoing_fds:
            for fd in self.fds:
                os.close(fd)
            self.fds = []


class Dead:
    name = "destroyed"
    requests = {}
    events = []


DEAD = Dead()


def main():
    seed, seconds = int(sys.argv[1]), float(sys.argv[2])
    dice = random.Random(seed)
    report = {"seed": seed, "sessions": 0, "requests": 0, "silent": False}
    end = time.monotonic() + seconds
    trace_path = os.environ.get("FUZZ_TRACE")
    while time.monotonic() < end and not report["silent"]:
        trace = open(trace_path, "w") if trace_path else None
        try:
            session = Session(dice, trace)
            if not session.run(dice.choice([20, 100, 400])):
                report["silent"] = True
            report["requests"] += session.count
        except rawclient.Disconnected:
            pass
        except (TimeoutError, OSError) as error:
            report["silent"] = True
            report["what"] = str(error)
        report["sessions"] += 1
        if trace:
            trace.close()
        try:
            rawclient.Connection().close()
        except (rawclient.Disconnected, TimeoutError, OSError) as error:
            report["silent"] = True
            report["what"] = str(error)
    print(json.dumps(report))
    return 1 if report["silent"] else 0


if __name__ == "__main__":
    sys.exit(main())
