"""The greeter under the real greetd, on the machine's own screen: into a session, out again, in as another person, and into one of X11."""

import json
import time

from lock import PASSWORD
from story_base import check

OTHER = "other words"


def as_user(vm, user, command, check_=True):
    return vm.guest(f"runuser -u {user} -- env XDG_RUNTIME_DIR=/run/user/$(id -u {user}) {command}", check=check_)


def views(vm, user="_greetd"):
    return {view["id"]: view for view in json.loads(as_user(vm, user, "mullion ctl views"))}


def shown(vm, name, user="_greetd"):
    try:
        return name in views(vm, user)
    except Exception:   # the greeter is starting
        return False


def size_of(vm):
    picture = vm.screen("greetd-size")
    return picture.width, picture.height


def press(vm, name, user="_greetd"):
    """With the pointer, as a person does."""
    vm.until(f"{name} is there", lambda: shown(vm, name, user), 120)
    x, y, width, height = views(vm, user)[name]["target"]
    vm.pointer(x + width / 2, y + height / 2, size_of(vm))
    time.sleep(0.3)
    vm.button(True)
    vm.button(False)
    time.sleep(1)


def sessions(vm, type="wayland"):
    """User, class and desktop of each session at the seat that is in front."""
    ids = vm.guest("loginctl --no-legend | awk '{print $1}'").split()
    found = []
    for each in ids:
        lines = vm.guest(f"loginctl show-session {each} -p Name -p Class -p Type -p Active -p Desktop", check=False).splitlines()
        facts = dict(line.split("=", 1) for line in lines if "=" in line)
        if facts.get("Active") == "yes" and facts.get("Type") == type:
            found.append((facts["Name"], facts["Class"], facts.get("Desktop", "")))
    return found


def enter(vm, person, password):
    """From the list of people, or from the field of the last one."""
    if shown(vm, f"lock/greeter/person/{person}"):
        press(vm, f"lock/greeter/person/{person}")
    vm.until("the field is there", lambda: shown(vm, "lock/field"), 60)
    vm.screen(f"greetd-field-{person}")
    vm.type("wrong\n")
    vm.until("a wrong password is told of", lambda: "wrong" in views(vm).get("lock/words", {}).get("name", ""), 60)
    vm.screen(f"greetd-wrong-{person}")
    check("no session came of it", [who for who, kind, _ in sessions(vm) if kind == "user"] == [])
    vm.type(password + "\n")
    vm.until(f"the session of {person}", lambda: (person, "user", "mullion") in sessions(vm), 120)
    vm.until("its shell answers", lambda: as_user(vm, person, "mullion ctl version"), 300)
    check("it is a shell of that person", vm.guest("ps -o user= -C mullion | sort -u").split() == [person])
    check("on the machine's own screen", json.loads(as_user(vm, person, "mullion ctl version"))["backend"] == "drm")
    check("it is not locked", not json.loads(as_user(vm, person, "mullion ctl state"))["locked"])
    time.sleep(3)
    vm.screen(f"greetd-session-{person}")


def x11(vm, person, password):
    """Twm's own file among the sessions. It is a desktop without a picture: the menu behind its button is seen."""
    if shown(vm, "lock/close"):
        press(vm, "lock/close")
    time.sleep(3)   # the greeter is new
    press(vm, "lock/greeter/sessions")
    vm.screen("greetd-sessions")
    press(vm, "lock/greeter/session/twm")
    press(vm, f"lock/greeter/person/{person}")
    vm.until("the field is there", lambda: shown(vm, "lock/field"), 60)
    vm.screen("greetd-twm")
    vm.type(password + "\n")
    vm.until(f"the X11 session of {person}", lambda: (person, "user", "twm") in sessions(vm, "x11"), 120)
    vm.until("its window manager runs", lambda: vm.guest(f"pgrep -u {person} -x twm", check=False).strip(), 60)
    check("the server is that person's", vm.guest("ps -o user= -C Xorg").split() == [person])
    time.sleep(5)
    empty = vm.screen("greetd-x11")
    vm.pointer(300, 300, (empty.width, empty.height))
    time.sleep(1)
    vm.button(True)
    vm.until("a press opens twm's menu", lambda: vm.screen("greetd-x11-menu").difference(empty, every=1) > 0.005, 30)
    vm.button(False)
    vm.guest(f"pkill -u {person} -x twm")
    vm.until("the greeter is there again", lambda: shown(vm, "lock/screen"), 180)
    check(f"nothing of {person}'s session runs", not vm.guest(f"pgrep -u {person} -x Xorg", check=False).strip())


def log_out(vm, person):
    as_user(vm, person, "mullion ctl log-out", check_=False)
    vm.until("the greeter is there again", lambda: shown(vm, "lock/screen"), 180)
    check(f"nothing of {person}'s session runs", not vm.guest(f"pgrep -u {person} -x mullion", check=False).strip())


def greetd(vm, options):
    vm.guest(f"echo 'person:{PASSWORD}' | chpasswd; id anna >/dev/null 2>&1 || useradd -m -s /bin/bash -c 'Anna Kim' anna; "
             f"echo 'anna:{OTHER}' | chpasswd; mkdir -p /etc/greetd; cd /usr/local/share/doc/mullion/greetd; "
             "cp config.toml /etc/greetd/config.toml; cp mullion-greeter.conf /etc/tmpfiles.d/; systemd-tmpfiles --create")
    # The console's own login gives way, as the display manager of before does.
    vm.guest("systemctl mask --runtime getty@tty1.service; systemctl stop getty@tty1.service; loginctl terminate-user person || true; "
             "systemctl unmask greetd.service; systemctl daemon-reload; systemctl start greetd.service", check=False)
    vm.until("the greeter is there", lambda: shown(vm, "lock/screen"), 300)
    check("the seat is the greeter's", ("_greetd", "greeter", "") in sessions(vm))
    time.sleep(3)
    check("it is seen", vm.screen("greetd").colours() > 50)
    enter(vm, "person", PASSWORD)
    log_out(vm, "person")
    process = vm.guest("pgrep -u _greetd -x mullion").split()
    vm.guest("kill -9 " + " ".join(process[-1:]))
    vm.until("the greeter is there after its kill", lambda: shown(vm, "lock/screen"), 120)
    check("no session came of it", [who for who, kind, _ in sessions(vm) if kind == "user"] == [])
    if shown(vm, "lock/close"):
        press(vm, "lock/close")
    enter(vm, "anna", OTHER)
    log_out(vm, "anna")
    x11(vm, "anna", OTHER)
    vm.guest("systemctl stop greetd.service; systemctl mask greetd.service; systemctl unmask --runtime getty@tty1.service; chvt 1; "
             "systemctl start getty@tty1.service", check=False)
    vm.until("the session of the console is there again", lambda: vm.state()["screen"], 300)


PARTS = {"greetd": greetd}
