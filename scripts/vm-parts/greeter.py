"""A Debian package as a person meets it: installed by apt beside a login manager, chosen there, upgraded under its session, left."""

import json
import time

from greetd import as_user, press
from machine import Failure
from story import apps, view
from story_base import check, settled

# The version of the package that is installed first: lower than any that is released.
OLDER = "0.0.9"
PASSWORD = "open"
OTHER = "other"
# Of the pixels, what a blinking cursor changes, and a word does not.
STILL = 0.0001


def alike(one, other):
    return one.pixels == other.pixels or one.difference(other, every=1) < STILL


def still(vm, name, before=None):
    """The picture, no console's, when it changes no more; with `before`, when it is another one than that too."""
    last = None

    def rests():
        nonlocal last
        time.sleep(2)   # a slow machine paints in parts
        now, earlier = vm.screen(name), last
        last = now
        if now.colours() < 20 or earlier is None or (before and alike(now, before)):
            return None
        return now if alike(now, earlier) else None
    picture = vm.until(f"the picture {name} is there", rests, 180)
    print(f"    {vm.name}-{name}.png is seen", flush=True)
    return picture


def click(vm, screen, x, y):
    vm.pointer(x, y, (screen.width, screen.height))
    time.sleep(1)
    vm.button(True)
    vm.button(False)


def install(vm, package):
    """By apt, which may take longer than a command from outside. What it says."""
    vm.guest("rm -f /root/apt.status")
    vm.guest(f"(DEBIAN_FRONTEND=noninteractive apt-get install -y {package}; echo $? >/root/apt.status) >/root/apt.txt 2>&1 &")
    status = vm.until(f"apt has installed {package}", lambda: vm.guest("cat /root/apt.status").strip(), 3600)
    said = vm.guest("cat /root/apt.txt")
    with open(f"{vm.out}/{vm.name}-apt.txt", "a") as file:
        file.write(said)
    if status != "0":
        raise Failure(f"apt-get install {package} ended with status {status}:\n{said[-2000:]}")


def greeter(vm, name):
    """The picture of the login manager, and no shell."""
    vm.until("the greeter runs", lambda: vm.guest("pgrep -f '^/usr/sbin/lightdm-gtk-greeter$'"), 600)
    vm.until("a session of the greeter is active", lambda: "lightdm" in vm.guest("loginctl --no-legend"), 120)
    return still(vm, name)


def pass_greeter(vm, name, choose, person="person", password=PASSWORD):
    """Name, session (if it is to be chosen), and password."""
    empty = greeter(vm, f"{name}-greeter")
    vm.type(f"{person}\n")
    named = still(vm, f"{name}-named", empty)
    if choose:
        # The menu of the sessions in the bar above, and its second line: Debian's own session of X is the first.
        click(vm, named, named.width - 161, 12)
        menu = still(vm, f"{name}-sessions", named)
        click(vm, named, named.width - 122, 61)
        still(vm, f"{name}-chosen", menu)
    vm.type(password)
    vm.screen(f"{name}-password")
    vm.type("\n")


def log_in(vm, name, choose):
    """Past the greeter, until the home screen or the windows are there."""
    pass_greeter(vm, name, choose)
    version = vm.until("the shell answers its person", lambda: json.loads(vm.ctl("version")), 600)
    print("    " + json.dumps(version), flush=True)
    check("the screen is the machine's own", version["backend"] == "drm")
    vm.until("graphical-session.target is reached", lambda: vm.guest(
        "as-person systemctl --user is-active graphical-session.target").strip() == "active")
    number = vm.guest("loginctl --no-legend | awk '$3 == \"person\" && $4 == \"seat0\" {print $1}'").strip()
    session = dict(line.split("=", 1) for line in vm.guest(f"loginctl show-session {number}").splitlines())
    facts = ("Id", "Service", "Type", "Desktop", "Class", "State", "Leader")
    print("    " + " ".join(f"{key}={session[key]}" for key in facts), flush=True)
    check("logind has a Wayland session of the desktop mullion, which lightdm began",
          (session["Service"], session["Type"], session["Desktop"], session["State"]) == ("lightdm", "wayland", "mullion", "active"))
    check("its leader waits for mullion-session", vm.guest(f"pgrep -P {session['Leader']} -f /usr/bin/mullion-session"))
    vm.until("apps are known", lambda: json.loads(vm.ctl("apps")), 300)
    settled(vm)


def processes(vm):
    return vm.guest("pgrep -u person -f '^/usr/bin/mullion run'").split()


def first(vm, options):
    """The older version, into a Debian that runs; from its next start on it lists the session."""
    vm.wait_for_boot(1200)
    print(f"    booted after {vm.guest('cut -d. -f1 /proc/uptime').strip()} s of the guest's time", flush=True)
    vm.guest(f"echo 'person:{PASSWORD}' | chpasswd")
    greeter(vm, "before")
    check("nothing of Mullion is there", not vm.guest("find /usr/bin /usr/share -name '*mullion*'").strip())
    install(vm, "/usr/local/older.deb")
    check(f"apt installed {OLDER}", vm.guest("dpkg-query -W -f '${Version}' mullion") == OLDER)
    vm.guest("(sleep 1; systemctl reboot) >/dev/null 2>&1 &")
    vm.wait_for_boot(1200)


def login(vm, options):
    log_in(vm, "first", choose=True)
    home = vm.screen("home")
    check("the home screen is seen", vm.state()["home"] and home.colours() > 50)

    def finds():
        with open(f"{vm.out}/{vm.name}-doctor.txt", "w") as file:
            file.write(said := vm.guest("as-person mullion doctor"))
        return all(words in " ".join(said.split()) for words in ("ok seat logind", "ok portal FileChooser gtk", "Mullion can run here."))
    vm.until("the doctor finds a seat, portals and all that is needed", finds, 300)


def terminal(vm, options):
    click(vm, vm.screen("home"), *view(vm, "home/foot"))
    vm.until("a click on its icon opens foot", lambda: "foot" in apps(vm), 300)
    vm.until("the terminal has a shell", lambda: vm.guest("pgrep -u person -x bash -c").strip() not in ("", "0"), 120)
    settled(vm)
    vm.type("mullion ctl windows >windows\n")
    vm.until("a command in it reaches the shell", lambda: "foot" in vm.guest("cat /home/person/windows"), 120)
    settled(vm)
    vm.screen("terminal")


def upgrade(vm, options):
    """The session goes on, with the program that it has."""
    before = processes(vm)
    install(vm, "/usr/local/new.deb")
    version = vm.guest("dpkg-query -W -f '${Version}' mullion")
    check(f"apt upgraded to {version}", version not in ("", OLDER))
    check("the shell's processes are the same", before and processes(vm) == before)
    check("their program is the older one", vm.guest(f"readlink /proc/{before[0]}/exe").strip().endswith("(deleted)"))
    vm.type("mullion ctl version >version\n")
    vm.until("the new command reaches the old shell from the terminal", lambda: "drm" in vm.guest("cat /home/person/version"), 120)
    settled(vm)
    vm.screen("upgraded")


def out(vm, options):
    vm.type("mullion ctl log-out\n")
    vm.until("the shell ends", lambda: not vm.guest("pgrep -u person -f '^/usr/bin/mullion'", check=False).strip(), 120)
    greeter(vm, "logged-out")
    vm.until("nothing of the person's runs on", lambda: not vm.guest("pgrep -u person", check=False).strip(), 120)
    check("no unit has failed", not vm.guest("systemctl --failed --no-legend").strip())


def again(vm, options):
    """The login manager remembers the session, and the shell its windows."""
    log_in(vm, "again", choose=False)
    check("it is the new program", vm.guest(f"readlink /proc/{processes(vm)[0]}/exe").strip() == "/usr/bin/mullion")
    vm.until("foot is back", lambda: "foot" in apps(vm), 300)
    settled(vm)
    vm.screen("again")
    check("no program crashed", not vm.guest("journalctl -b --no-pager -k | grep -E 'segfault|traps:'", check=False).strip())


def state_of(vm, person):
    """Of the person's session at the seat: online, active or closing."""
    number = vm.guest(f"loginctl --no-legend | awk '$3 == \"{person}\" && $4 == \"seat0\" {{print $1}}'").strip()
    return vm.guest(f"loginctl show-session {number} -p State --value").strip()


def ticks(vm, process):
    """The processor that it has used, in hundredths of a second."""
    return sum(int(field) for field in vm.guest(f"cat /proc/{process}/stat").rsplit(")", 1)[1].split()[11:13])


def switch_user(vm, person):
    """By the power page, with the pointer."""
    as_user(vm, person, "mullion ctl device power-button --long")
    press(vm, "control-centre/power/switch-user", person)
    vm.until(f"the session of {person} is locked", lambda: json.loads(as_user(vm, person, "mullion ctl state"))["locked"], 60)
    vm.until(f"the session of {person} is behind", lambda: state_of(vm, person) == "online", 120)


def switch(vm, options):
    """Another person, while the first one's session stays: locked, behind, and at rest."""
    vm.guest(f"id anna >/dev/null 2>&1 || useradd -m -s /bin/bash anna; echo 'anna:{OTHER}' | chpasswd")
    shell, windows = processes(vm), sorted(apps(vm))
    work = vm.screen("work")
    switch_user(vm, "person")
    pass_greeter(vm, "anna", True, "anna", OTHER)
    vm.until("the shell answers anna", lambda: as_user(vm, "anna", "mullion ctl version"), 600)
    vm.until("anna's session is active", lambda: state_of(vm, "anna") == "active", 60)
    check("person's session is there, behind", state_of(vm, "person") == "online")
    check("anna's is not locked", not json.loads(as_user(vm, "anna", "mullion ctl state"))["locked"])
    vm.until("apps are known", lambda: json.loads(as_user(vm, "anna", "mullion ctl apps")), 300)
    hers = still(vm, "hers")
    check("she sees nothing of person's windows", not alike(hers, work))
    group = vm.guest("sed -n 's/^0:://p' /proc/$(pgrep -u person -x foot)/cgroup").strip()
    vm.until("person's app is frozen", lambda: "frozen 1" in vm.guest(f"cat /sys/fs/cgroup{group}/cgroup.events"), 120)
    before = sum(ticks(vm, each) for each in shell)
    time.sleep(30)
    used = sum(ticks(vm, each) for each in shell) - before
    print(f"    the shell behind used {used / 100} s of processor in 30 s", flush=True)
    check("the shell behind rests", used < 150)
    switch_user(vm, "anna")
    pass_greeter(vm, "back", False)
    vm.until("person's session is active", lambda: state_of(vm, "person") == "active", 120)
    check("it is the same shell", processes(vm) == shell)
    time.sleep(3)
    back = vm.screen("back")
    check("it is locked, though the greeter let the person in", vm.state()["locked"])
    check("nothing of its windows is seen", not alike(back, work))
    vm.type("wrong\n")
    time.sleep(8)
    check("a wrong password does not open it", vm.state()["locked"])
    vm.type(PASSWORD + "\n")
    vm.until("the password does", lambda: not vm.state()["locked"], 60)
    vm.until("its app goes on", lambda: "frozen 0" in vm.guest(f"cat /sys/fs/cgroup{group}/cgroup.events"), 30)
    settled(vm)
    check("with the same windows", sorted(apps(vm)) == windows)
    vm.screen("unlocked")
    check("no program crashed", not vm.guest("journalctl -b --no-pager -k | grep -E 'segfault|traps:'", check=False).strip())


PARTS = {"install": first, "login": login, "terminal": terminal, "upgrade": upgrade, "log-out": out, "login-again": again, "switch-user": switch}
