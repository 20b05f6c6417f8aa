"""The life of apps on a real system: scopes of systemd, freezing, memory, and two reboots, one of them by the plug."""

import json
import time

from story_base import check, settled


def groups(vm, process):
    """The folder of a process' control group."""
    return "/sys/fs/cgroup" + vm.guest(f"cat /proc/{process}/cgroup").strip().split("::", 1)[1]


def life(vm, app):
    return next((each for each in json.loads(vm.ctl("life", "--json"))["apps"] if each["app"] == app), None)


def windows(vm, *apps):
    return [w for w in vm.state()["windows"] if w["app"] in apps]


def install(vm, app, command):
    """An app with a desktop entry: a command in a terminal."""
    folder = "/home/person/.local/share/applications"
    vm.guest(f"mkdir -p {folder}; printf '%s\\n' '[Desktop Entry]' Type=Application Name={app.title()} "
             f"\"Exec=foot --app-id {app} {command}\" StartupWMClass={app} >{folder}/{app}.desktop; chown -R person:person /home/person")
    vm.until("the app is known", lambda: f'"{app}"' in vm.ctl("apps"), 60)


def install_busy(vm):
    install(vm, "busy", "sh -c 'while :; do :; done'")


def only(vm, *apps):
    """Closes every window, and opens these apps, one after another."""
    for window in vm.state()["windows"]:
        vm.guest(f"as-person /usr/local/bin/mullion ctl close {window['id']}", check=False)
    vm.until("no window is left", lambda: not vm.state()["windows"], 60)
    for app in apps:
        vm.ctl("open", app)
        vm.until(f"{app} is open", lambda a=app: windows(vm, a) and windows(vm, a)[0].get("pid"), 120)
        settled(vm)


def freezing(vm, options):
    """An app that counts without end, out of sight: its scope, its state, and what it costs."""
    install_busy(vm)
    only(vm, "busy")
    process = windows(vm, "busy")[0]["pid"]
    group = groups(vm, process)
    check(f"it has a scope of its own ({group.rsplit('/', 1)[1]})", "/app-mullion-busy-" in group and group.endswith(".scope"))
    check("doctor and life name systemd", json.loads(vm.ctl("life", "--json"))["means"] == "systemd")

    def used():
        return int(vm.guest(f"sed -n 's/^usage_usec //p' {group}/cpu.stat"))
    first = used()
    time.sleep(2)
    check("in front it counts", used() - first > 500_000)
    vm.ctl("home")
    vm.until("it is frozen after its grace", lambda: life(vm, "busy")["phase"] == "frozen", 60)
    check("by the kernel's word too", "frozen 1" in vm.guest(f"cat {group}/cgroup.events"))
    first = used()
    time.sleep(5)
    check(f"and it uses no processor ({used() - first} us in 5 s)", used() == first)
    vm.ctl("open", "busy")
    vm.until("it goes on when it is looked at", lambda: "frozen 0" in vm.guest(f"cat {group}/cgroup.events"), 20)
    first = used()
    time.sleep(2)
    check("and counts again", used() - first > 500_000)
    vm.guest(f"kill -9 {process}")


def hog(vm, options):
    """A program that takes all memory takes its scope with it, and nothing else."""
    vm.guest("printf '%s\\n' 'import time' 'time.sleep(15)' 'kept = []' 'while True: kept.append(bytearray(b\"x\") * 16000000)' "
             ">/home/person/hog.py")
    install(vm, "hog", "python3 /home/person/hog.py")
    only(vm, "foot", "hog")
    # Beside it: out of sight it would be frozen, and a frozen app may be ended for its memory.
    vm.ctl("split", "left", str(windows(vm, "foot")[0]["id"]))
    shell, other = json.loads(vm.ctl("version"))["process"], windows(vm, "foot")[0]["pid"]
    scope = groups(vm, windows(vm, "hog")[0]["pid"])
    vm.until("the program runs in the terminal's scope", lambda: len(vm.guest(f"cat {scope}/cgroup.procs").split()) > 1, 20)
    own = set(vm.guest(f"cat {scope}/cgroup.threads").split())
    vm.until("the kernel ends the program", lambda: "Out of memory" in vm.guest("dmesg | tail -n 400") or not windows(vm, "hog"), 180)
    vm.until("its window goes", lambda: not windows(vm, "hog"), 60)
    victims = [line.split("Killed process ", 1)[1].split(" total")[0] for line in vm.guest("dmesg").splitlines() if "Killed process" in line]
    print(f"    ended: {'; '.join(victims)}", flush=True)
    check("the program among them", any("python3" in victim for victim in victims))
    check("and nothing outside its scope", all(victim.split()[0] in own for victim in victims))
    check("the shell is the same", json.loads(vm.ctl("version"))["process"] == shell)
    check("so is the other app", windows(vm, "foot")[0]["pid"] == other)
    vm.screen("after-hog")


def arrange(vm):
    install_busy(vm)
    only(vm, "foot", "busy")
    vm.ctl("split", "right", str(windows(vm, "foot")[0]["id"]))
    vm.until("a Split View", lambda: any(len(s["windows"]) == 2 for s in vm.state()["spaces"]), 60)
    vm.ctl("divider", "0.33")
    settled(vm)
    state = vm.state()
    return {w["app"]: w["place"] for w in state["windows"]}, state["divider"]["fraction"]


def came_back(vm, when, before, boot):
    vm.wait_for_boot(600)
    check("it is another boot", vm.guest("cat /proc/sys/kernel/random/boot_id") != boot)
    vm.until(f"the shell answers {when}", lambda: vm.state()["screen"], 300)
    places, fraction = before

    def now():
        state = vm.state()
        return ({w["app"]: w["place"] for w in state["windows"]} == places and all(w.get("pid") for w in state["windows"])
                and abs(state["divider"]["fraction"] - fraction) < 0.01)
    vm.until(f"both apps stand as they stood, with programs of their own, {when}", now, 120)
    settled(vm)
    print(f"    {json.dumps(places)}, divider at {fraction:.2f}", flush=True)
    picture = vm.screen(when.replace(" ", "-"))
    check("something is seen", picture.colours() > 5)


def reboot(vm, options):
    """In the middle of a Split View: by the system, and then by the plug."""
    before, boot = arrange(vm), vm.guest("cat /proc/sys/kernel/random/boot_id")
    vm.screen("before-reboot")
    vm.guest("(sleep 1; systemctl reboot) >/dev/null 2>&1 &")
    came_back(vm, "after a reboot", before, boot)
    boot = vm.guest("cat /proc/sys/kernel/random/boot_id")
    vm.qmp("system_reset")
    came_back(vm, "after a power cut", before, boot)
    # wlroots reports each seat and renderer that it tries and does not find.
    journal = vm.guest("journalctl -b --no-pager | grep 'error mullion: ' | grep -v '\\[Compositor\\]' | tail -n 5", check=False)
    check("no error is in the journal" + (f": {journal}" if journal else ""), not journal)
    # What login had made in the guest.
    vm.guest("modprobe uinput; systemd-run --unit=touch python3 /usr/local/share/mullion-vm/touch.py /run/touch")
