"""What is done with the machine, and what has to be seen. One part a function; what a part claims it checks."""

import base64
import json
import time
import traceback

import greetd
import life
import lock
import network
import own_lock
import television
from machine import Failure, Screen
from story_base import check, settled

SIZE = (1280, 800)


def view(vm, name):
    """The place of one of the shell's controls."""
    for each in json.loads(vm.ctl("views")):
        if each["id"] == name:
            x, y, width, height = each["target"]
            return x + width / 2, y + height / 2
    return None


def apps(vm):
    return [w["appID"] for w in vm.state()["windows"] if w["place"] != "unmapped"]


def active_console(vm):
    return vm.guest("cat /sys/class/tty/tty0/active").strip()


def screen_size(vm):
    return [int(side) for side in vm.state()["screen"]["size"]]


def true_picture(vm, name):
    """What the machine shows is what the shell paints when it is asked for a picture, in every square. (A cursor is in
    the one alone.)"""
    def same():
        shown = vm.screen(name)
        vm.ctl("screenshot /home/person/true.png")
        meant = Screen.of_png(base64.b64decode(vm.guest("base64 -w0 /home/person/true.png")))
        return shown.difference(meant, every=2) < 0.002
    vm.until(f"the screen shows what is meant ({name})", same, 30)
    print(f"    the screen shows what is meant ({name})", flush=True)


# ---- parts ----

def login(vm, options):
    global SIZE
    vm.wait_for_boot(1200)
    print(f"    booted after {vm.guest('cut -d. -f1 /proc/uptime').strip()} s of the guest's time", flush=True)
    if options.renderer != "default":
        lines = [f"WLR_RENDERER={options.renderer}"]
        if options.renderer == "gles2":
            lines.append("WLR_RENDERER_ALLOW_SOFTWARE=1")
        vm.guest("printf '%s\\n' " + " ".join(lines) + " >/home/person/session.env")
    # Until here the session may have begun without it; it is begun again as a person would: by logging in.
    vm.guest("systemctl restart getty@tty1.service")
    time.sleep(5)
    version = vm.until("the shell answers", lambda: json.loads(vm.ctl("version")), 600)
    print("    " + json.dumps(version), flush=True)
    check("the screen is the machine's own", version["backend"] == "drm")
    if options.renderer != "default":
        check(f"drawn by {options.renderer}", version["renderer"] == options.renderer)
    vm.until("graphical-session.target is reached", lambda: vm.guest(
        "as-person systemctl --user is-active graphical-session.target").strip() == "active")
    check("the service runs", vm.guest("as-person systemctl --user is-active mullion.service").strip() == "active")
    vm.until("other units know the display", lambda: f"WAYLAND_DISPLAY={version['socket']}" in vm.guest(
        "as-person systemctl --user show-environment"))
    vm.guest("modprobe uinput; systemd-run --unit=touch python3 /usr/local/share/mullion-vm/touch.py /run/touch")
    vm.until("the touch screen is there", lambda: "touch screen" in vm.guest("cat /proc/bus/input/devices"))
    vm.until("apps are known", lambda: view(vm, "home/foot") or view(vm, "dock/foot"), 300)
    settled(vm)
    home = vm.screen("home")
    check(f"the screen shows a home screen of {home.width} by {home.height}", home.colours() > 50)
    check("as large as the shell says", [home.width, home.height] == screen_size(vm))
    true_picture(vm, "home-true")
    SIZE = (home.width, home.height)   # not every display has the mode that virtio's is given


def tap_open(vm, x, y):
    """A tap, again if the machine was so slow that the finger seemed to rest: then the icon's menu is there."""
    for _ in range(4):
        vm.tap(x, y, SIZE)
        settled(vm)
        if "menu" not in vm.state()["open"]:
            return
        vm.ctl("dismiss")
        settled(vm)


def touch(vm, options):
    place = view(vm, "home/foot") or view(vm, "dock/foot")
    before = vm.screen("before-touch")
    tap_open(vm, *place)
    vm.until("a tap on its icon opens foot", lambda: "foot" in apps(vm), 300)
    settled(vm)
    after = vm.screen("foot")
    check("foot is seen", after.difference(before) > 0.2)
    true_picture(vm, "foot-true")


def keyboard(vm, options):
    vm.guest("rm -f /home/person/typed")
    vm.until("the terminal has a shell", lambda: vm.guest("pgrep -u person -x bash -c").strip() not in ("", "0"), 120)
    vm.type("touch typed\n")
    vm.until("what is typed reaches the shell in foot", lambda: vm.guest("ls /home/person/typed"), 120)
    vm.screen("typed")


def split(vm, options):
    vm.keys("meta_l", "shift", "n")
    vm.until("a second window", lambda: len([a for a in apps(vm) if a == "foot"]) == 2, 300)
    settled(vm)
    vm.keys("meta_l", "left")
    settled(vm)
    state = vm.state()
    if state["home"] or "picking" in state["open"]:
        place = view(vm, "home/foot") or view(vm, "dock/foot")
        tap_open(vm, *place)
    vm.until("a Split View", lambda: any(len(s["windows"]) == 2 for s in vm.state()["spaces"]), 120)
    settled(vm)
    picture = vm.screen("split")
    places = sorted(w["place"] for w in vm.state()["windows"])
    check("two windows side by side", places == ["splitLeft", "splitRight"])
    check("something is seen", picture.colours() > 5)
    true_picture(vm, "split-true")


def pointer(vm, options):
    """The divider by the pointer, which is an absolute one as tablets' and virtual machines' are."""
    state = vm.state()
    x, y, width, height = state["divider"]["target"]
    before = state["divider"]["fraction"]
    start = (x + width / 2, y + height / 2)
    vm.pointer(*start, SIZE)
    vm.screen("pointer")
    vm.button(True)
    for step in range(1, 13):
        vm.pointer(start[0] - step * 18, start[1], SIZE)
    vm.button(False)
    settled(vm)
    after = vm.state()["divider"]["fraction"]
    check(f"the divider follows the pointer ({before} to {after})", after < before - 0.05)
    true_picture(vm, "divider-true")


def fingers(vm, options):
    """Two fingers at once: each keeps its own place (a pinch would zoom; here both only have to arrive and to go)."""
    events = vm.until("statistics", lambda: json.loads(vm.ctl("statistics")))["events"]
    for line in ("down 0 9000 15000", "down 1 23000 15000", "move 0 9000 16000", "move 1 23000 16000", "up 0", "up 1"):
        vm.touch(line)
    vm.until("two fingers arrive", lambda: json.loads(vm.ctl("statistics"))["events"] >= events + 6, 60)


def consoles(vm, options):
    settled(vm)
    before = vm.screen("before-switch")
    vm.keys("ctrl", "alt", "f2")
    vm.until("the second console is in front", lambda: active_console(vm) == "tty2", 60)
    time.sleep(5)
    text = vm.screen("console")
    check("the console shows its text", 2 <= text.colours() < 6 and text.difference(before) > 0.03)
    check("the shell goes on answering", "windows" in vm.state())
    # Away from the screen it rests: what it costs while a terminal prints without end.
    process = vm.guest("pgrep -x mullion | head -n1").strip()
    frames = json.loads(vm.ctl("statistics"))["framesDrawn"]
    vm.guest("for i in 1 2 3 4 5; do echo $i >/dev/tty2; sleep 1; done")
    drawn = json.loads(vm.ctl("statistics"))["framesDrawn"] - frames
    check(f"nothing is drawn meanwhile ({drawn} frames)", drawn == 0)
    vm.keys("ctrl", "alt", "f1")
    vm.until("the first console is in front", lambda: active_console(vm) == "tty1", 60)
    vm.until("the picture is back", lambda: vm.screen("after-switch").difference(before) < 0.02, 60)
    check("it is the same program", vm.guest("pgrep -x mullion | head -n1").strip() == process)
    usable(vm, "after a switch")


def usable(vm, when):
    """Keys and touch still arrive, and what they do is seen."""
    if not apps(vm):   # alone, a part has nothing to come home from
        tap_open(vm, *(view(vm, "home/foot") or view(vm, "dock/foot")))
        vm.until(f"a window {when}", lambda: apps(vm), 300)
        settled(vm)
    vm.guest("rm -f /home/person/again")
    home = vm.state()["home"]
    vm.keys("meta_l", "d")
    vm.until(f"a key works {when}", lambda: vm.state()["home"] != home, 60)
    settled(vm)
    shown = vm.screen("usable-" + when.replace(" ", "-"))
    vm.keys("meta_l", "d")
    vm.until("and back", lambda: vm.state()["home"] == home, 60)
    settled(vm)
    check("and is seen", vm.screen("usable-back").difference(shown) > 0.05)
    if not home:
        return
    place = view(vm, "home/foot") or view(vm, "dock/foot")
    tap_open(vm, *place)
    vm.until(f"touch works {when}", lambda: not vm.state()["home"], 60)


def plugs(vm, options):
    """No monitor, another one, and the first again. (wlroots 0.15 reads no new modes while a monitor stays plugged in.)"""
    if options.display != "virtio":
        print("    this display has no plugs", flush=True)
        return
    status = "/sys/class/drm/card0-Virtual-1/status"
    process = vm.guest("pgrep -x mullion | head -n1").strip()
    # QEMU passes on only what it has not heard before, and what it heard first is a plug without a monitor.
    vm.resize(*SIZE)
    for width, height in ((1024, 768), SIZE):
        vm.until("the plug is pulled", lambda: vm.resize(0, 0) or vm.guest(f"cat {status}").strip() == "disconnected", 60)
        time.sleep(3)
        check("without any screen the shell goes on", "windows" in vm.state())
        vm.resize(width, height)
        vm.until("a monitor is plugged in", lambda: vm.guest(f"cat {status}").strip() == "connected", 60)
        vm.until(f"the shell uses its {width} by {height}", lambda: screen_size(vm) == [width, height], 60)
        settled(vm)
        picture = vm.screen(f"plug-{width}x{height}")
        check(f"so does the picture: {picture.width} by {picture.height}", (picture.width, picture.height) == (width, height))
        check("something is seen", picture.colours() > 5)
    check("it is the same program", vm.guest("pgrep -x mullion | head -n1").strip() == process)
    usable(vm, "after the plug")


def second_monitor(vm, options):
    if options.display != "virtio":
        print("    this display has one plug", flush=True)
        return
    before = screen_size(vm)
    vm.resize(1024, 768, head=1)
    vm.until("a second monitor", lambda: vm.guest("cat /sys/class/drm/card0-Virtual-2/status").strip() == "connected", 60)
    time.sleep(8)
    check("the first one stays as it is", screen_size(vm) == before)
    vm.screen("second-first")
    try:
        vm.screen("second-second", head=1)
    except Failure as failure:
        print(f"    no picture of the second: {failure}", flush=True)
    vm.resize(0, 0, head=1)
    time.sleep(8)
    check("it is pulled again, and the first one stays", screen_size(vm) == before)
    usable(vm, "after a second monitor")


def devices(vm, options):
    """A keyboard is pulled out and another put in."""
    vm.qmp("device_del", id="keyboard0")
    vm.until("the keyboard is gone", lambda: "QEMU Virtio Keyboard" not in vm.guest("cat /proc/bus/input/devices"), 60)
    check("the shell goes on", "windows" in vm.state())
    vm.qmp("device_add", driver="virtio-keyboard-pci", id="keyboard1")
    vm.until("another keyboard", lambda: "QEMU Virtio Keyboard" in vm.guest("cat /proc/bus/input/devices"), 60)
    time.sleep(3)
    usable(vm, "after another keyboard")


def sleep(vm, options):
    """Suspend to idle; woken by the power button."""
    if options.display != "cirrus":
        print("    not with this display: Linux' virtio-gpu does not come back from sleep", flush=True)
        return
    settled(vm)
    before = vm.screen("before-sleep")
    process = vm.guest("pgrep -x mullion | head -n1").strip()
    vm.guest("echo s2idle >/sys/power/mem_sleep; (sleep 2; systemctl suspend) >/dev/null 2>&1 &")
    time.sleep(25)
    vm.qmp("system_powerdown")
    vm.until("awake again", lambda: "suspend exit" in vm.guest("dmesg | tail -n 200"), 180)
    check("it slept", "suspend entry" in vm.guest("dmesg | tail -n 200"))
    check("it is the same program", vm.guest("pgrep -x mullion | head -n1").strip() == process)
    vm.until("the picture is back", lambda: vm.screen("after-sleep").difference(before) < 0.02, 90)
    usable(vm, "after sleep")


def film(vm, options):
    """An app that fills the screen with memory of the display's own: its buffers are the picture, and nothing is painted."""
    if options.display != "virgl" or json.loads(vm.ctl("version"))["renderer"] == "pixman":
        print("    without a GPU apps are offered no memory of the display", flush=True)
        return

    def scanned():
        return json.loads(vm.ctl("statistics"))["framesScannedOut"]

    def log(*words):
        return [line for line in vm.guest("cat /home/person/film.log").splitlines() if line.split()[:len(words)] == list(words)]

    def whole(picture, colour):
        """The share of the picture that has the colour."""
        pixels = [picture.pixel(x, y) for y in range(3, picture.height, 7) for x in range(3, picture.width, 7)]
        return sum(all(abs(a - b) < 10 for a, b in zip(pixel, colour)) for pixel in pixels) / len(pixels)

    green = (0x20, 0xA0, 0x60)
    # A finger hides the cursor, which has no plane of its own everywhere.
    vm.tap(SIZE[0] // 2, SIZE[1] // 2, SIZE)
    before = scanned()
    vm.guest("rm -f /home/person/film.log")
    vm.ctl("launch python3 /usr/local/share/mullion-vm/film.py /home/person/film.log 150")
    vm.until("the film begins", lambda: "test.film" in apps(vm), 120)
    time.sleep(4)
    vm.screen("film")
    vm.until("the film stands still", lambda: log("still"), 300)
    settled(vm)
    frames = scanned() - before
    check(f"its buffers were the picture in {frames} frames of 150", frames > 75)
    flags = [int(line.split()[1]) for line in log("presented")]
    check("it was told that nothing was copied", sum(1 for each in flags if each & 8) > 75)
    check("it got its buffers back", len(log("released")) > 75)
    check("all of its last frame is seen", whole(vm.screen("film-still"), green) > 0.999)
    true_picture(vm, "film-true")
    before = scanned()
    vm.keys("meta_l", "m")
    settled(vm)
    check("something over it is painted", whole(vm.screen("film-over"), green) < 0.98)
    vm.keys("esc")
    settled(vm)
    check("all of it is seen again", whole(vm.screen("film-again"), green) > 0.999)
    vm.ctl("close")
    vm.until("it goes", lambda: "test.film" not in apps(vm), 60)


def opengl(vm, options):
    """A program that draws by OpenGL ES on the GPU and fills the screen."""
    if options.display != "virgl":
        print("    this display has no GPU", flush=True)
        return
    before = json.loads(vm.ctl("statistics"))["framesScannedOut"]
    vm.tap(SIZE[0] // 2, SIZE[1] // 2, SIZE)
    vm.ctl("launch weston-simple-egl -f -o")
    vm.until("its buffers are the picture",
             lambda: json.loads(vm.ctl("statistics"))["framesScannedOut"] > before + 50, 300)
    picture = vm.screen("opengl")
    check("its triangle is seen", picture.colours() > 30)
    vm.ctl("close")
    vm.until("it goes", lambda: len(vm.state()["windows"]) == 0 or "weston" not in str(vm.state()["windows"]), 60)


def end(vm, options):
    """The session ends as a person ends it, and the login comes back."""
    process = vm.guest("pgrep -x mullion | head -n1").strip()
    vm.ctl("quit")
    vm.until("the shell ends", lambda: not vm.guest(f"ls -d /proc/{process}", check=False).startswith("/proc"), 60)
    # The console logs in again by itself here.
    vm.until("a new login begins a new session", lambda: vm.state()["screen"], 300)
    check("it is another program", vm.guest("pgrep -x mullion | head -n1").strip() != process)


PARTS = {
    "login": login, "touch": touch, "keyboard": keyboard, "split": split, "pointer": pointer, "fingers": fingers,
    "consoles": consoles, "plugs": plugs, "second-monitor": second_monitor, "devices": devices,
    "television": television.television, "gamepad": television.gamepad, "cec": television.cec, "dock": television.dock,
    **network.PARTS, "film": film, "opengl": opengl,
    "sleep": sleep, "freezing": life.freezing, "hog": life.hog, "reboot": life.reboot,
    "lock": lock.locked, "own-lock": own_lock.own_lock, **greetd.PARTS, "end": end,
}


def tell(vm, options, parts):
    """All parts, or those that were asked for; the first is always done. The names of those that failed."""
    first = next(iter(parts))
    failures = []
    for name, part in parts.items():
        if options.only and name not in options.only and name != first:
            continue
        print(f"{name}:", flush=True)
        try:
            part(vm, options)
        except (Failure, TimeoutError, OSError, ValueError, KeyError, TypeError) as failure:
            failures.append(name)
            if not isinstance(failure, Failure):
                traceback.print_exc()
            print(f"    FAILED: {failure}", flush=True)
            try:
                vm.screen(f"failed-{name}")
            except Exception as other:   # the machine may be gone
                print(f"    no picture: {other}", flush=True)
            if name == first or options.package:   # a package's parts build on each other
                break
    for what, command in (("journal", "journalctl -b --no-pager -n 3000"), ("kernel", "dmesg")):
        try:
            with open(f"{vm.out}/{vm.name}-{what}.txt", "w") as file:
                file.write(vm.guest(command))
        except (Failure, TimeoutError, OSError) as failure:
            print(f"    no {what}: {failure}", flush=True)
    return failures
