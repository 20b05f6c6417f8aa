"""A locked session and reboots: of the system, and by the plug. Until the locker unlocks, the screen shows nothing of it."""

import time

from life import install, only
from story_base import check, settled
from watch import Watch

DIARY, LOCKER = (0xCC, 0x44, 0x22), (0x33, 0x66, 0x99)
PASSWORD = "open sesame"
CONFIG = "/home/person/.config/mullion/config.toml"
SWAYLOCK = "swaylock --no-unlock-indicator --color 336699"


def kind(picture):
    """`dark`: nothing but black, white and grey: a console, the shell's own message. `locker`: its colour alone. `diary`: anything
    of the window that was locked away. `other`: colours of something else, as of a home screen."""
    counts = {"dark": 0, "locker": 0, "diary": 0, "other": 0}
    pixels = picture.pixels
    for at in range(0, len(pixels) - 2, 3 * 31):
        pixel = pixels[at:at + 3]
        if max(pixel) - min(pixel) < 16:
            counts["dark"] += 1
        else:
            near = [name for name, colour in (("diary", DIARY), ("locker", LOCKER))
                    if all(abs(a - b) < 16 for a, b in zip(pixel, colour))]
            counts[near[0] if near else "other"] += 1
    if counts["diary"]:
        return "diary"
    if counts["other"] > 0.001 * sum(counts.values()):
        return "other"
    return "locker" if counts["locker"] > counts["dark"] else "dark"


def configure(vm, lines):
    """The shell's settings, besides those of the image."""
    vm.guest(f"[ -e {CONFIG}.before ] || cp {CONFIG} {CONFIG}.before; cp {CONFIG}.before {CONFIG}; printf '%s\\n' {lines} >>{CONFIG}; "
             "sync; chown -R person:person /home/person/.config")
    time.sleep(3)   # read again by the shell


def write_diary(vm):
    """A window of one colour with words in it, the only one."""
    install(vm, "diary", "-o colors.background=cc4422 -o main.pad=40x40 sh -c 'yes dear diary | head -n 12; sleep infinity'")
    only(vm, "diary")
    vm.until("the diary is seen", lambda: kind(vm.screen("lock-diary")) == "diary", 60)


def lock(vm, name):
    """By a locker of the person's own. It answers as soon as the session is locked."""
    vm.guest(f"as-person env WAYLAND_DISPLAY=wayland-0 {SWAYLOCK} --daemonize >/dev/null 2>&1", wait=60)
    # Dark until the locker has drawn.
    check(f"the diary is covered ({name})", kind(vm.screen(f"lock-{name}")) in ("dark", "locker"))


def hidden_boot(vm, boot, name, cut):
    """Goes down and comes up, watched all the time. The watch, when the shell answers."""
    watch = Watch(vm, f"lock-{name}", kind)
    cut()
    vm.wait_for_boot(600)
    check("it is another boot", vm.guest("cat /proc/sys/kernel/random/boot_id") != boot)
    state = vm.until("the shell answers", vm.state, 300)
    check("from its first answer on it is locked", state["locked"])
    check("it names no window", all(w["title"] == "" and w["app"] == "" for w in state["windows"]))
    check("the diary's program is not started", not vm.guest("pgrep -x foot", check=False).strip())
    vm.until("the login manager says it as well", lambda: "yes" in vm.guest(
        "loginctl show-session $(loginctl --no-legend | awk '$3 == \"person\" && $4 == \"seat0\" {print $1; exit}') -p LockedHint"), 30)
    return watch


def unlocked(vm, watch, name):
    """What was seen until now; then the password, and the diary again."""
    time.sleep(2)
    vm.type("wrong\n")
    time.sleep(6)
    check("a wrong password does not unlock", vm.state()["locked"])
    check("nothing but the locker, the shell's words and the console was seen", set(watch.end()) <= {"dark", "locker"})
    check("the locker is seen", kind(vm.screen(f"lock-{name}-locker")) == "locker")
    vm.type(PASSWORD + "\n")
    vm.until("the password unlocks", lambda: not vm.state()["locked"], 60)
    vm.until("the diary is there again, with a program of its own", lambda: vm.guest("pgrep -x foot", check=False).strip()
             and kind(vm.screen(f"lock-{name}-after")) == "diary", 120)
    check("no note is left", not vm.guest("ls /home/person/.local/state/mullion | grep locked- || true").strip())


def configured(vm, boot, name, cut):
    watch = hidden_boot(vm, boot, name, cut)
    vm.until("the configured locker comes", lambda: vm.guest("pgrep -x swaylock", check=False).strip()
             and kind(vm.screen(f"lock-{name}-boot")) == "locker", 120)
    unlocked(vm, watch, name)


def without(vm, boot, name, cut):
    """No locker is configured: the shell's own lock screen has the session."""
    watch = hidden_boot(vm, boot, name, cut)
    vm.until("the shell's lock screen", lambda: "lock/open" in vm.ctl("views"), 60)
    settled(vm)
    vm.type("wrong\n")
    time.sleep(4)
    check("a wrong password does not unlock", vm.state()["locked"])
    check("nothing of the diary was seen", "diary" not in watch.end())
    vm.type(PASSWORD + "\n")
    vm.until("the password unlocks", lambda: not vm.state()["locked"], 60)
    vm.until("the diary is there again", lambda: kind(vm.screen(f"lock-{name}-after")) == "diary", 120)


def locked(vm, options):
    """The plug, twice, with and without a configured locker; and a reboot in good order."""
    vm.guest(f"echo 'person:{PASSWORD}' | chpasswd")
    write_diary(vm)
    settled(vm)

    def boot():
        return vm.guest("cat /proc/sys/kernel/random/boot_id")

    def plug():
        vm.qmp("system_reset")

    def order():
        vm.guest("(sleep 1; systemctl reboot) >/dev/null 2>&1 &")
    command = ", ".join(f'\\"{word}\\"' for word in SWAYLOCK.split())
    configure(vm, f"'[lock]' \"command = [{command}]\"")
    now = boot()
    lock(vm, "cut")
    configured(vm, now, "cut", plug)
    now = boot()
    lock(vm, "reboot")
    configured(vm, now, "reboot", order)
    configure(vm, "''")
    now = boot()
    lock(vm, "alone")
    without(vm, now, "alone", plug)
    vm.guest(f"cp {CONFIG}.before {CONFIG}; modprobe uinput; systemd-run --unit=touch python3 /usr/local/share/mullion-vm/touch.py /run/touch")
