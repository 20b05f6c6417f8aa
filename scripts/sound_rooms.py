"""Sound systems, each in a room of its own, and what their sinks play: the parts of scripts/bench-sound."""

import array
import contextlib
import glob
import json
import math
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

RATE = 48000


class Failure(Exception):
    pass


def decibels(level, reference):
    return 20 * math.log10(level / reference) if level > 0 and reference > 0 else -math.inf


def wait(what, condition, seconds=30):
    end = time.monotonic() + seconds
    while not (got := condition()):
        if time.monotonic() > end:
            raise Failure(f"waited in vain: {what}")
        time.sleep(0.01)
    return got


# MARK: The systems

class System:
    """One sound system in a room. The base is what they have in common."""
    ducker, caller, many = "Navigation", "phone", None

    def __init__(self, options, quantum):
        self.options, self.quantum = options, quantum
        self.room = tempfile.mkdtemp(prefix="mullion-sound-")
        os.chmod(self.room, 0o700)
        self.run = f"{self.room}/run"
        os.mkdir(self.run, 0o700)
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": self.room,
            "XDG_RUNTIME_DIR": self.run, "XDG_STATE_HOME": f"{self.room}/state", "XDG_CONFIG_HOME": f"{self.room}/config",
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.room}/no-bus",
        }
        self.log = open(f"{self.room}.log", "wb")
        self.processes, self.daemons = [], {}

    def begin(self):
        """Starts what runs in the room, and waits until it can be used."""

    def start(self, command, daemon=None, environment=None, **more):
        process = subprocess.Popen(
            command, cwd=self.room, env=environment or self.environment, start_new_session=True,
            **{"stdin": subprocess.DEVNULL, "stdout": self.log, "stderr": self.log, **more})
        self.processes.append(process)
        if daemon:
            self.daemons[daemon] = process.pid
        return process

    def ask(self, *command):
        done = subprocess.run(
            command, cwd=self.room, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log,
            timeout=30, check=False)
        return done.stdout.decode(errors="replace")

    def write(self, path, text):
        path = f"{self.room}/{path}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def play(self, file, role=None):
        """The player, and when it was started."""
        begin = time.monotonic()
        return self.start(["paplay"] + ([f"--property=media.role={role}"] if role else []) + [file]), begin

    def stop(self, process, number=signal.SIGTERM):
        moment = time.monotonic()
        process.send_signal(number)
        process.wait()
        self.processes.remove(process)
        return moment

    def record(self, sink):
        return Recording(self, sink)

    def end(self, keep_log=False):
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(3)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.log.close()
        shutil.rmtree(self.room, ignore_errors=True)
        if not keep_log:
            os.unlink(self.log.name)

    def work(self, pid):
        """CPU seconds and wakeups so far of a process, all threads."""
        cpu = woken = 0
        for task in glob.glob(f"/proc/{pid}/task/*"):
            with contextlib.suppress(OSError):
                with open(f"{task}/schedstat", encoding="ascii") as file:
                    cpu += int(file.read().split()[0])
                with open(f"{task}/status", encoding="ascii") as file:
                    woken += int(re.search(r"\nvoluntary_ctxt_switches:\s*(\d+)", file.read())[1])
        return cpu / 1e9, woken

    def decisions(self):
        """When who decides was told of each newcomer, and that it plays; only Mullion writes that down."""
        return []

    def lower(self):
        """A program that lowers others for as long as its input is open, and plays nothing; None: there is no such thing."""
        return None


class Stock(System):
    """PipeWire, stock WirePlumber without hardware, and pipewire-pulse."""
    programs, decider = ["pipewire", "wireplumber", "pipewire-pulse", "pw-link", "paplay", "{probe}"], "wireplumber"

    def begin(self):
        self.configure()
        own = {**self.environment, "PIPEWIRE_CONFIG_DIR": f"{self.room}/pipewire"}
        stock, self.environment = self.environment, own
        self.start(["pipewire"], "pipewire")
        wait("PipeWire listens", lambda: os.path.exists(f"{self.run}/pipewire-0"))
        self.start(["wireplumber"], "wireplumber", stock)
        wait("there is a default sink", lambda: "value:" in self.ask("pw-metadata", "0", "default.audio.sink"))
        self.start(["pipewire-pulse"], "pipewire-pulse")
        wait("pipewire-pulse listens", lambda: os.path.exists(f"{self.run}/pulse/native"))

    @staticmethod
    def sink(name):
        kind, priority = ("headphone", 1100) if name == "headphones" else ("speaker", 1000)
        return (
            f"factory.name = support.null-audio-sink node.name = {name} node.description = {name} media.class = Audio/Sink "
            "object.linger = true audio.position = [ FL FR ] monitor.channel-volumes = true device.api = test "
            f"session.suspend-timeout-seconds = 0 priority.driver = 1000 device.form-factor = {kind} priority.session = {priority}")

    def configure(self):
        libraries = "context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert support.* = support/libspa-support }\n"
        rt = "{ name = libpipewire-module-rt args = { nice.level = -11 } flags = [ ifexists nofail ] }\n"

        def modules(names, more=""):
            return "context.modules = [\n" + "".join(f"{{ name = libpipewire-module-{name} }}\n" for name in names) + rt + more + "]\n"
        clock = " ".join(f"default.clock.{name} = {self.quantum}" for name in ("quantum", "min-quantum", "max-quantum"))
        self.write(
            "pipewire/pipewire.conf",
            f"context.properties = {{ core.daemon = true core.name = pipewire-0 default.clock.rate = {RATE} {clock} }}\n" + libraries
            + modules(
                ["protocol-native", "profiler", "metadata", "spa-node-factory", "client-node", "client-device", "adapter",
                 "link-factory", "session-manager"], "{ name = libpipewire-module-access args = { } }\n")
            + "context.objects = [\n{ factory = spa-node-factory args = { factory.name = support.node.driver "
            "node.name = Dummy-Driver node.group = pipewire.dummy priority.driver = 20000 } }\n"
            + "".join(f"{{ factory = adapter args = {{ {self.sink(name)} }} }}\n" for name in ("speaker", "headphones")) + "]\n")
        common = ["protocol-native", "client-node", "adapter", "metadata"]
        client = "context.properties = { }\n" + libraries + modules(common + ["session-manager"]) + "stream.properties = { }\n"
        self.write("pipewire/client.conf", client)
        self.write("pipewire/client-rt.conf", client)
        self.write(
            "pipewire/pipewire-pulse.conf",
            "context.properties = { }\n" + libraries + modules(common, "{ name = libpipewire-module-protocol-pulse args = { } }\n")
            + 'pulse.cmd = [ ]\nstream.properties = { }\npulse.properties = { server.address = [ "unix:native" ] }\n')
        # WirePlumber 0.4, and 0.5.
        self.write("config/wireplumber/main.lua.d/51-bench.lua", (
            'default_access.properties["enable-flatpak-portal"] = false\nalsa_monitor.enabled = false\n'
            "v4l2_monitor.enabled = false\nlibcamera_monitor.enabled = false\n"))
        self.write("config/wireplumber/bluetooth.lua.d/51-bench.lua", "bluez_monitor.enabled = false\n")
        self.write("config/wireplumber/wireplumber.conf.d/51-bench.conf", (
            "wireplumber.profiles = { main = { hardware.audio = disabled hardware.bluetooth = disabled "
            "hardware.video-capture = disabled support.dbus = disabled } }\n"))

    def recorder(self, sink, name, path):
        process = self.start([self.options.probe, "record-both", name, path])
        wait("the recorder is there", lambda: f"{name}:input_FR" in self.ask("pw-link", "-i"))
        for side in ("FL", "FR"):
            self.ask("pw-link", f"{sink}:monitor_{side}", f"{name}:input_{side}")
        return process

    def remove(self, sink):
        self.ask("pw-cli", "destroy", sink)

    def bring(self, sink):
        self.ask("pw-cli", "create-node", "adapter", f"{{ {self.sink(sink)} }}")
        wait(f"{sink} is there", lambda: f"{sink}:playback_FR" in self.ask("pw-link", "-i"))


class Roles(Stock):
    """The roles that WirePlumber 0.4 brings as an example, as they are."""
    # Two of one role silence each other, but for those that say otherwise.
    many = "Navigation"
    caller = "Communication"
    example = "/usr/share/wireplumber/policy.lua.d/50-endpoints-config.lua"
    programs = Stock.programs + [example]

    def configure(self):
        super().configure()
        with open(self.example, encoding="utf-8") as file:
            text = file.read()
        roles = text[text.index("--[[") + 4:text.rindex("]]--")]
        self.write("config/wireplumber/policy.lua.d/51-bench.lua", roles)


class Mullion(Stock):
    """The shell itself, on PipeWire and stock WirePlumber, with all that it does written down."""
    programs, decider = Stock.programs + ["{mullion}"], "mullion"
    bus = """<busconfig><type>session</type><listen>unix:path={room}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""
    session = """import gi, sys
gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib
name = "org.mullion.AudioSession1"
bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
def call(path, interface, method, arguments=None):
    return bus.call_sync(name, path, name + interface, method, arguments, None, 0, -1, None)
path = call("/org/mullion/AudioSession1", ".Manager", "CreateSession").unpack()[0]
call(path, ".Session", "SetCategory", GLib.Variant("(ssas)", ("playback", "", ["duckOthers"])))
call(path, ".Session", "Activate")
print("active", flush=True)
sys.stdin.read()
call(path, ".Session", "Deactivate", GLib.Variant("(b)", (True,)))
"""

    def begin(self):
        super().begin()
        self.write("config.toml", "launch = []\nreduced-motion = true\n")
        own = self.environment
        if shutil.which("dbus-daemon"):
            self.write("bus.conf", self.bus.replace("{room}", self.room))
            self.start(["dbus-daemon", f"--config-file={self.room}/bus.conf", "--nofork", "--nopidfile"])
            wait("the bus listens", lambda: os.path.exists(f"{self.room}/bus"))
            own = {**own, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.room}/bus"}
        self.start(
            [self.options.mullion, "run", "--headless", "--fresh", "--once", "--size", "1180x820", "--remote-view", "off", "--no-xwayland", "--audio",
             "auto", "--config", f"{self.room}/config.toml", "--record", f"{self.room}/journal"], "mullion", own)
        wait("the shell listens", lambda: glob.glob(f"{self.run}/mullion-*/control.sock"))
        wait("it is the default sink", lambda: "mullion.output" in self.ask("pw-metadata", "0", "default.audio.sink"))
        wait("it has chosen the headphones", lambda: self.sound().get("output") == "headphones")

    def sound(self):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(glob.glob(f"{self.run}/mullion-*/control.sock")[0])
            connection.sendall(b'{"get":"audio"}\n')
            answer = b""
            while not answer.endswith(b"\n"):
                got = connection.recv(65536)
                if not got:
                    return {}
                answer += got
        return json.loads(answer).get("ok", {})

    def lower(self):
        python = next((path for path in (sys.executable, "/usr/bin/python3") if path and subprocess.run(
            [path, "-c", "import gi"], stderr=subprocess.DEVNULL, check=False).returncode == 0), None)
        if not python or not os.path.exists(f"{self.room}/bus"):
            return None
        process = self.start(
            [python, "-c", self.session], environment={**self.environment, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.room}/bus"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if process.stdout.readline() != b"active\n":
            raise Failure("an audio session could not be activated")
        return process

    def decisions(self):
        found = {}
        with open(f"{self.room}/journal", encoding="utf-8") as file:
            for line in file:
                if '"streamAppeared"' in line or '"streamChanged"' in line:
                    record = json.loads(line)
                    (what, stream), = record["event"]["audio"]["_0"].items()
                    if stream["_1"]["role"] == self.ducker:
                        told = found.setdefault(stream["_0"]["raw"], {})
                        told.setdefault("appeared", record["t"] / 1e9)
                        if stream["_1"]["isRunning"]:
                            told.setdefault("plays", record["t"] / 1e9)
        return list(found.values())


class PulseAudio(System):
    """The daemon with module-role-ducking and module-role-cork, told nothing but the roles."""
    programs, decider = ["{pulseaudio}", "paplay", "pactl", "parec"], "pulseaudio"

    def begin(self):
        place, self.environment["PULSE_SERVER"] = f"{self.run}/native", f"unix:{self.run}/native"
        sinks = "".join(f"load-module {self.sink(name)}\n" for name in ("speaker", "headphones"))
        self.write("script", (
            f"{sinks}set-default-sink headphones\nload-module module-role-ducking trigger_roles={self.ducker} ducking_roles=music\n"
            f"load-module module-role-cork trigger_roles={self.caller} cork_roles=music\n"
            f"load-module module-native-protocol-unix auth-anonymous=1 socket={place}\n"))
        self.write("client.conf", "autospawn = no\n")
        command, environment = ["pulseaudio"], dict(self.environment)
        if self.options.pulseaudio:
            # Unpacked, not installed: it finds neither its libraries nor its modules by itself.
            root = self.options.pulseaudio
            modules = glob.glob(f"{root}/usr/lib/**/modules/module-null-sink.so", recursive=True)
            folders = [os.path.dirname(path) for path in glob.glob(f"{root}/usr/lib/**/*.so*", recursive=True)]
            environment["LD_LIBRARY_PATH"] = ":".join(dict.fromkeys(folders))
            command = [f"{root}/usr/bin/pulseaudio", "-p", os.path.dirname(modules[0])]
        self.start(
            command + ["--daemonize=no", "-n", "-F", f"{self.room}/script", "--exit-idle-time=-1"], "pulseaudio", environment)
        wait("PulseAudio listens", lambda: os.path.exists(place))

    @staticmethod
    def sink(name):
        return f"module-null-sink sink_name={name} format=float32le rate={RATE} channels=2"

    def recorder(self, sink, name, path):
        """It asks for what a quantum is elsewhere; the sink then works in such pieces, too."""
        microseconds = self.quantum * 1000000 // RATE
        process = self.start(
            ["parec", "--raw", f"--device={sink}.monitor", f"--client-name={name}", "--format=float32le", f"--rate={RATE}",
             "--channels=2", f"--latency-msec={max(1, microseconds // 1000)}"], stdout=subprocess.PIPE)

        def read():
            position = 0
            with open(path, "wb") as file:
                while got := os.read(process.stdout.fileno(), 1 << 16):
                    count = len(got) // 8
                    file.write(struct.pack("<QQI", position, time.monotonic_ns(), count) + got[:8 * count])
                    file.flush()
                    position += count
        threading.Thread(target=read, daemon=True).start()
        return process

    def remove(self, sink):
        for line in self.ask("pactl", "list", "short", "modules").splitlines():
            if f"sink_name={sink} " in line:
                self.ask("pactl", "unload-module", line.split()[0])

    def bring(self, sink):
        self.ask("pactl", "load-module", *self.sink(sink).split())
        self.ask("pactl", "set-default-sink", sink)


SYSTEMS = {"mullion": Mullion, "wireplumber": Stock, "wireplumber-roles": Roles, "pulseaudio": PulseAudio}


# MARK: What a sink played

class Recording:
    """Both channels of a sink. A sample's time is that of the block in which it came, and its place in it."""

    def __init__(self, system, sink):
        self.system, self.path = system, f"{system.room}/recording-{time.monotonic_ns()}"
        self.process = system.recorder(sink, os.path.basename(self.path), self.path)
        wait(f"{sink} is recorded", lambda: os.path.exists(self.path) and os.path.getsize(self.path) > 0)

    def finish(self):
        self.system.stop(self.process)
        time.sleep(0.1)
        with open(self.path, "rb") as file:
            data = file.read()
        os.unlink(self.path)
        self.left, self.right, self.blocks = array.array("f"), array.array("f"), []
        offset = 0
        while offset + 20 <= len(data):
            _, nanoseconds, count = struct.unpack_from("<QQI", data, offset)
            samples = array.array("f", data[offset + 20:offset + 20 + 8 * count])
            offset += 20 + 8 * count
            if len(samples) == 2 * count:
                self.blocks.append((nanoseconds / 1e9, len(self.left), count))
                self.left.extend(samples[0::2])
                self.right.extend(samples[1::2])
        return self

    def place(self, moment):
        """Of the first sample of the first block that came then or later."""
        return next((begin for when, begin, _ in self.blocks if when >= moment), len(self.left))

    def moment(self, place):
        when, begin, _ = max(block for block in self.blocks if block[1] <= place)
        return when + (place - begin) / RATE

    def find(self, channel, begin, end, least, most):
        """The first sample from `begin` on whose level is in between."""
        for _, first, count in self.blocks:
            first, last = max(first, begin), min(first + count, end)
            if first < last:
                part = channel[first:last]
                if min(part) <= most and max(part) >= least:
                    for index, level in enumerate(part):
                        if least <= level <= most:
                            return first + index
        return None

    def last(self, channel, begin, end):
        """Behind the last sample that sounds."""
        return next((place + 1 for place in range(end - 1, begin - 1, -1) if abs(channel[place]) > 1e-5), None)

    def level(self, place):
        """Of what plays, just before."""
        return next((self.left[index] for index in range(place - 1, max(-1, place - 9600), -1) if self.left[index] > 1e-6), 0.0)

    def step(self, begin, end):
        """The largest from one sample to the next, dB; what is lost on the way is no step."""
        worst = 0.0
        for _, first, count in self.blocks:
            first, last = max(first, begin, 1), min(first + count, end)
            if first < last and max(self.left[first - 1:last]) - min(self.left[first - 1:last]) > 1e-6:
                for place in range(first, last):
                    one, two = self.left[place - 1], self.left[place]
                    if one > 1e-6 and two > 1e-6 and one != two:
                        worst = max(worst, abs(decibels(two, one)))
        return worst
