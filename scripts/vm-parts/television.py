"""A television by its devices alone: a remote control, a gamepad and HDMI-CEC; and a tablet whose keyboard comes and goes."""

import json
import re
import time

from life import install
from lock import configure
from machine import Failure
from story_base import check

UP, DOWN, LEFT, RIGHT = 103, 108, 105, 106
OK, BACK, HOME, MENU, INFO, GUIDE = 0x160, 158, 172, 139, 0x166, 0x16D
RED, GREEN, YELLOW, BLUE, NEXT_APP = 0x18E, 0x18F, 0x190, 0x191, 0x192
A, B, MODE, START = 0x130, 0x131, 0x13C, 0x13B
STICK, CROSS_X, CROSS_Y = 0, 0x10, 0x11


class Remote:
    """What a person holds. Each has arrows, OK, back and home in its own way."""
    holds = True

    def __init__(self, vm, name):
        self.vm, self.name = vm, name

    def tell(self, line):
        self.vm.guest(f"echo '{line}' >/run/gadgets")

    def press(self, key, seconds=0.06):
        self.tell(f"press {self.name} {key} {seconds}")
        time.sleep(seconds + 0.25)

    def switcher(self):
        """Home twice, as quickly as a thumb does."""
        key = self.code(HOME)
        self.vm.guest(f"printf 'press {self.name} {key} 0.05\\npress {self.name} {key} 0.05\\n' >/run/gadgets")

    def code(self, key):
        return key


class Gamepad(Remote):
    BUTTONS = {OK: A, BACK: B, HOME: MODE, MENU: START}
    CROSS = {UP: (CROSS_Y, -1), DOWN: (CROSS_Y, 1), LEFT: (CROSS_X, -1), RIGHT: (CROSS_X, 1)}

    def press(self, key, seconds=0.06):
        if key not in self.CROSS:
            return super().press(self.code(key), seconds)
        axis, way = self.CROSS[key]
        self.tell(f"nudge {self.name} {axis} {way}")
        time.sleep(0.3)

    def code(self, key):
        return self.BUTTONS[key]


class Television(Remote):
    """The remote control of a television, which comes over HDMI-CEC from the one adapter to the other."""

    def switcher(self):
        self.press(GUIDE)

    WORDS = {GUIDE: "electronic-program-guide", UP: "up", DOWN: "down", LEFT: "left", RIGHT: "right", OK: "select", BACK: "exit", HOME: "device-root-menu"}

    def __init__(self, vm, sender, to):
        super().__init__(vm, "cec")
        self.sender, self.to = sender, to

    # A key counts as released 0.55 s after its last message, and cec-ctl takes a second to begin on an emulated processor.
    holds = False

    def press(self, key):
        self.vm.guest(f"cec-ctl -s -d {self.sender} --to {self.to} --user-control-pressed ui-cmd={self.WORDS[key]} --user-control-released >/dev/null")
        time.sleep(0.25)


# ---- what the shell says ----

def views(vm):
    return vm.ask(get="views")


def focused(vm):
    return next((each["id"] for each in views(vm) if each["focused"]), None)


def middle(each):
    x, y, width, height = each["frame"]
    return x + width / 2, y + height / 2


def go(vm, remote, name):
    """To a control by arrows, as a person does who looks where it stands."""
    for _ in range(30):
        settled_soon(vm)
        every = views(vm)
        here, there = (next((each for each in every if fits(each)), None) for fits in (lambda e: e["focused"], lambda e: e["id"] == name))
        check_quietly(f"a control has the focus on the way to {name}", here)
        check_quietly(f"{name} is there: {[each['id'] for each in every]}", there)
        if here is there:
            return
        dx, dy = (b - a for a, b in zip(middle(here), middle(there)))
        remote.press((RIGHT if dx > 0 else LEFT) if abs(dx) > abs(dy) else (DOWN if dy > 0 else UP))
    raise Failure(f"the arrows do not come to {name}, but to {focused(vm)}")


def check_quietly(what, fact):
    if not fact:
        raise Failure(f"not so: {what}")


def settled_soon(vm):
    try:
        vm.ask(wait={"until": "idle"})
    except Failure:
        pass   # something moves on, such as a cursor that blinks


def settled(vm):
    settled_soon(vm)
    time.sleep(0.5)


def places(vm):
    return {window["app"]: window["place"] for window in vm.ask(get="state")["windows"]}


def in_front(vm):
    state = vm.ask(get="state")
    return next((w["app"] for w in state["windows"] if w["id"] == state.get("focus")), None)


def icon(vm, app):
    return vm.until(f"the icon of {app}", lambda: next((each["id"] for each in views(vm) if each["id"] in (f"home/{app}", f"dock/{app}")), None), 30)


def at_home(vm):
    return vm.until("the home screen, and a control with the focus", lambda: vm.ask(get="state")["home"] and focused(vm), 30)


def open_app(vm, remote, app):
    remote.press(HOME)
    at_home(vm)
    go(vm, remote, icon(vm, app))
    remote.press(OK)
    vm.until(f"{app} is in front", lambda: in_front(vm) == app and places(vm)[app] == "full", 60)
    settled(vm)


# ---- parts ----

# Two that need little of an emulated processor, and stand on the first page of the home screen.
APPS = ("foot", "channels")


def without_setting(part):
    """The part, after which the shell has the settings from before."""
    def whole(vm, options):
        try:
            part(vm, options)
        finally:
            configure(vm, "''")
    return whole


def begin(vm, idiom):
    vm.guest("modprobe uinput; systemctl is-active -q gadgets || systemd-run --unit=gadgets python3 /usr/local/share/mullion-vm/gadgets.py /run/gadgets")
    vm.until("devices can be made", lambda: vm.guest("test -p /run/gadgets && echo yes", check=False).strip() == "yes", 30)
    for window in vm.ask(get="state")["windows"]:
        vm.guest(f"kill -9 {window['pid']}" if window["place"] == "unmapped" else "true", check=False)
        try:
            vm.ask(do={"close": {"window": window["id"]}})
        except Failure:
            pass   # it has just gone
    vm.until("no window is left", lambda: not vm.ask(get="state")["windows"], 60)
    install(vm, APPS[1], "sh -c 'seq 30; sleep infinity'")
    configure(vm, f"'idiom = \"{idiom}\"'")


def add(vm, name, kind):
    vm.guest(f"echo 'new {name} {kind}' >/run/gadgets")
    vm.until(f"the {kind} is there", lambda: f"Mullion {name}" in vm.guest("cat /proc/bus/input/devices"), 30)
    time.sleep(1)


def node(vm, name):
    """The device file of a gadget."""
    found = re.search(rf'N: Name="Mullion {name}".*?(event\d+)', vm.guest("cat /proc/bus/input/devices"), re.S)
    return f"/dev/input/{found[1]}"


def open_switcher(vm, remote):
    """Home twice, or guide; again if the machine was so slow that the presses seemed far from each other."""
    for _ in range(4):
        remote.switcher()
        time.sleep(3)
        settled(vm)
        if "switcher" in vm.ask(get="state")["open"]:
            print("    home twice, or guide: the app switcher", flush=True)
            return
    raise Failure("the app switcher does not open")


def story(vm, remote, name):
    """Start, two apps, back to the first, and home, with what every remote control has."""
    first, second = APPS
    open_app(vm, remote, first)
    open_app(vm, remote, second)
    vm.screen(f"{name}-app")
    check("one app is in sight", sorted(w["app"] for w in vm.ask(get="state")["windows"] if w["shown"]) == [second])
    open_switcher(vm, remote)
    settled(vm)
    vm.screen(f"{name}-switcher")
    window = next(w for w in vm.ask(get="state")["windows"] if w["app"] == first)
    go(vm, remote, f"switcher/space/{window['space']}")
    remote.press(OK)
    vm.until("OK goes to the app used before", lambda: in_front(vm) == first and not vm.ask(get="state")["open"], 30)
    settled(vm)
    if remote.holds:
        remote.press(BACK, 1.5)
        at_home(vm)
        check("back, held, goes home", True)
    else:
        remote.press(HOME)
        at_home(vm)
    start = focused(vm)
    remote.press(RIGHT)
    settled(vm)
    there = focused(vm)
    remote.press(LEFT)
    settled(vm)
    check(f"right, then left returns ({start}, {there})", there != start and focused(vm) == start)


@without_setting
def television(vm, options):
    """A remote control alone, through everything that a television has."""
    begin(vm, "tv")
    add(vm, "remote", "remote")
    remote = Remote(vm, "remote")
    vm.until("the idiom is tv", lambda: vm.ask(get="state")["idiom"] == "tv", 30)
    at_home(vm)
    settled(vm)
    vm.screen("tv-home")
    story(vm, remote, "tv")
    first, second = APPS
    open_app(vm, remote, second)
    remote.press(GREEN)
    vm.until("green: the app in front becomes the picture", lambda: places(vm)[second] == "pictureInPicture", 30)
    vm.until("the other app comes in front", lambda: in_front(vm) == first, 30)
    settled(vm)
    vm.screen("tv-picture")
    remote.press(YELLOW)
    vm.until("yellow: the controls of the picture", lambda: "picture-controls" in str(vm.ask(get="state")["open"]) or any(
        each["id"].startswith("picture-controls/") for each in views(vm)), 30)
    go(vm, remote, "picture-controls/swap")
    vm.screen("tv-picture-controls")
    remote.press(OK)
    vm.until("they change places", lambda: places(vm) == {first: "pictureInPicture", second: "full"}, 30)
    remote.press(GREEN)
    vm.until("green changes them back", lambda: places(vm) == {first: "full", second: "pictureInPicture"}, 30)
    settled(vm)
    remote.press(INFO)
    vm.until("info: the control centre", lambda: "control-centre" in vm.ask(get="state")["open"] and (focused(vm) or "").startswith("control-centre/"), 30)
    settled(vm)
    vm.screen("tv-control-centre")
    remote.press(BACK)
    vm.until("back leaves it", lambda: not vm.ask(get="state")["open"], 30)
    remote.press(GUIDE)
    vm.until("guide: the app switcher", lambda: "switcher" in vm.ask(get="state")["open"], 30)
    remote.press(BACK)
    vm.until("back leaves it, too", lambda: not vm.ask(get="state")["open"], 30)
    remote.press(BLUE)
    vm.until("blue: search", lambda: "search" in vm.ask(get="state")["open"], 30)
    settled(vm)
    vm.screen("tv-search")
    remote.press(BACK)
    vm.until("and out of it", lambda: not vm.ask(get="state")["open"], 30)
    # Everything it types reaches the app: digits and OK are a line in the terminal.
    open_app(vm, remote, first)
    vm.guest("rm -f /home/person/42")
    vm.type("touch ")
    for digit in (4, 2):
        remote.press(0x200 + digit)
    remote.press(OK)
    vm.until("digits and OK reach the app", lambda: vm.guest("ls /home/person/42", check=False).strip() == "/home/person/42", 30)
    remote.press(RED)
    vm.until("red closes the app in front", lambda: first not in places(vm), 30)
    at_home(vm)
    vanishing(vm)


def vanishing(vm):
    """Pulled out with a key down: nothing stays down, and nothing waits for it."""
    for name, key in (("remote", BACK), ("remote", RIGHT)):
        vm.guest(f"echo 'key {name} {key} 1' >/run/gadgets; echo 'gone {name}' >/run/gadgets")
        vm.until("the remote control is gone", lambda: f"Mullion {name}" not in vm.guest("cat /proc/bus/input/devices"), 30)
        time.sleep(1)
        before = focused(vm)
        time.sleep(1.5)
        check(f"its key is not held ({before})", focused(vm) == before)
        add(vm, name, name)
    remote = Remote(vm, "remote")
    remote.press(HOME)
    at_home(vm)
    open_app(vm, remote, APPS[0])
    check("another remote control works as the first did", in_front(vm) == APPS[0])


@without_setting
def gamepad(vm, options):
    begin(vm, "tv")
    add(vm, "gamepad", "gamepad")
    pad = Gamepad(vm, "gamepad")
    at_home(vm)
    story(vm, pad, "gamepad")
    start = focused(vm)
    pad.tell(f"nudge gamepad {STICK} 30000")
    settled(vm)
    check("the stick moves the focus", focused(vm) != start)

    # A thousand reports a second.
    process = vm.ask(get="version")["process"]
    ticks = f"cut -d' ' -f14,15 /proc/{process}/stat"
    before, frames = sum(map(int, vm.guest(ticks).split())), vm.ask(get="statistics")["framesDrawn"]
    here = focused(vm)
    vm.guest("rm -f /run/gadgets.storm; echo 'storm gamepad 5' >/run/gadgets")
    began = time.monotonic()
    vm.ask(get="state")
    check(f"meanwhile the shell answers ({time.monotonic() - began:.2f} s)", time.monotonic() - began < 2)
    count = vm.until("the storm is over", lambda: vm.guest("cat /run/gadgets.storm", check=False).strip().isdigit() and int(
        vm.guest("cat /run/gadgets.storm")), 60)
    used = (sum(map(int, vm.guest(ticks).split())) - before) * 10
    frames = vm.ask(get="statistics")["framesDrawn"] - frames
    check(f"{count} reports cost {used} ms of the processor and {frames} frames", count > 100 and frames < 60)
    check("and the focus stays", focused(vm) == here)

    # Pulled out while a button and the cross are held.
    pad.tell(f"axis gamepad {CROSS_X} 1")
    pad.tell("gone gamepad")
    vm.until("the gamepad is gone", lambda: "Mullion gamepad" not in vm.guest("cat /proc/bus/input/devices"), 30)
    time.sleep(1)
    here = focused(vm)
    time.sleep(1.5)
    check(f"its cross is not held ({here})", focused(vm) == here)
    add(vm, "gamepad", "gamepad")
    pad.press(HOME)
    at_home(vm)

    # An app has it.
    for how, grab in (("opens", ""), ("grabs", "fcntl.ioctl(f, 0x40044590, 1); "), ("opens twice", "g = open(f.name, \"rb\"); ")):
        vm.guest(f"systemd-run --unit=game -p User=person python3 -c 'import fcntl, time; f = open(\"{node(vm, 'gamepad')}\", \"rb\"); {grab}time.sleep(60)'")
        time.sleep(2)
        here = focused(vm)
        pad.press(RIGHT)
        pad.press(DOWN)
        settled(vm)
        check(f"while an app {how} the gamepad, the shell does not act on it", focused(vm) == here)
        vm.guest("systemctl stop game")
        time.sleep(1)
        pad.press(RIGHT)
        settled(vm)
        check("afterwards it does", focused(vm) != here)
        pad.press(LEFT)
    # Held when an app takes it.
    pad.tell(f"axis gamepad {CROSS_X} 1")
    vm.guest(f"systemd-run --unit=game -p User=person sleep 0; systemd-run --unit=game2 -p User=person python3 -c 'import time; f = open(\"{node(vm, 'gamepad')}\", \"rb\"); time.sleep(60)'")
    time.sleep(1.5)
    here = focused(vm)
    time.sleep(1.5)
    check("what was held when an app took it is released", focused(vm) == here)
    vm.guest("systemctl stop game2; echo 'axis gamepad 16 0' >/run/gadgets")
    pad.tell("gone gamepad")


@without_setting
def cec(vm, options):
    """HDMI-CEC by the kernel's vivid: two adapters on one wire, the television's and that of this device."""
    begin(vm, "tv")
    vm.guest("modprobe vivid n_devs=1 num_inputs=1 input_types=3 num_outputs=1 output_types=1")
    adapters = vm.until("CEC adapters", lambda: sorted(vm.guest("ls /dev/cec*").split()), 30)
    names = vm.guest("cat /proc/bus/input/devices | grep -i -A1 vivid || true")
    print(f"    {', '.join(adapters)}; {' '.join(names.split())}", flush=True)
    check("two of them", len(adapters) == 2)
    # Neither has an address yet: they answer nothing.
    time.sleep(2)
    check("an adapter that answers nothing holds up nothing", "windows" in vm.ask(get="state"))
    kinds = {each: vm.guest(f"cec-ctl -d {each}") for each in adapters}
    television, own = sorted(adapters, key=lambda each: "vid-out" in kinds[each])
    vm.guest(f"cec-ctl -s -d {television} --tv --osd-name TV; cec-ctl -s -d {own} --playback --osd-name Mullion")
    to = vm.guest(f"cec-ctl -d {own} | sed -n 's/.*Logical Address  *: //p' | head -n1").split()[0]
    print(f"    this device is {to} on the wire", flush=True)
    remote = Television(vm, television, to)
    at_home(vm)
    story(vm, remote, "cec")
    # The adapter goes, with a key down.
    vm.guest(f"cec-ctl -s -d {television} --to {to} --user-control-pressed ui-cmd=right >/dev/null; rmmod vivid")
    time.sleep(1.5)
    here = focused(vm)
    time.sleep(1.5)
    check("an adapter that is gone holds no key", focused(vm) == here)


@without_setting
def dock(vm, options):
    """A convertible: a keyboard that comes and goes, and a switch that says how it is folded."""
    begin(vm, "automatic")

    def unplug():
        for name in ("keyboard0", "keyboard1", "dock"):
            try:
                vm.qmp("device_del", id=name)
            except Failure:
                pass   # it has another name
        vm.until("no keyboard", lambda: "QEMU Virtio Keyboard" not in vm.guest("cat /proc/bus/input/devices"), 30)

    def plug():
        vm.qmp("device_add", driver="virtio-keyboard-pci", id="dock")

    def becomes(idiom, why):
        vm.until(why, lambda: vm.ask(get="state")["idiom"] == idiom, 30)
        print(f"    {why}", flush=True)
    becomes("mac", "with a keyboard it is a mac")
    vm.ctl("open foot")
    vm.until("a window", lambda: places(vm).get("foot"), 60)
    settled(vm)
    vm.screen("dock-mac")
    before = vm.ask(get="state")["windows"]
    unplug()
    becomes("pad", "without it, a pad")
    settled(vm)
    vm.screen("dock-pad")
    plug()
    becomes("mac", "and a mac again")
    add(vm, "switch", "switch")
    for _ in range(3):
        vm.guest("echo 'switch switch 1 1' >/run/gadgets")
        becomes("pad", "folded it is a pad")
        vm.guest("echo 'switch switch 1 0' >/run/gadgets")
        becomes("mac", "unfolded it is a mac")
    settled(vm)
    # A keyboard on the screen lifts windows as long as it is there.
    vm.until("the window stands where it stood", lambda: vm.ask(do={"screenKeyboard": {"shown": False}}) is not None and vm.ask(
        get="state")["windows"][0]["frame"] == before[0]["frame"], 30)
    after = vm.ask(get="state")["windows"]
    stood, stands = ([(w["app"], w["id"], w["frame"]) for w in windows] for windows in (before, after))
    check(f"its window stands where it stood: {stood}, {stands}", stands == stood)
    for _ in range(10):
        vm.guest("echo 'switch switch 1 1' >/run/gadgets; sleep 0.1; echo 'switch switch 1 0' >/run/gadgets")
        check_quietly("a switch that trembles changes nothing", vm.ask(get="state")["idiom"] == "mac")
    vm.guest("echo 'switch switch 1 1' >/run/gadgets")
    becomes("pad", "folded")
    vm.guest("echo 'gone switch' >/run/gadgets")
    time.sleep(3)
    check("a switch that is pulled out with its keyboard leaves a tablet", vm.ask(get="state")["idiom"] == "pad")
