"""The shell's own lock screen with the machine's PAM, logind and power button: passwords that are wrong, expired and counted."""

import time

from lock import PASSWORD, configure, kind, write_diary
from story_base import check, settled

FAILLOCK = """auth required pam_faillock.so preauth deny=3 unlock_time=60 fail_interval=900
auth [success=1 default=bad] pam_unix.so
auth [default=die] pam_faillock.so authfail deny=3 unlock_time=60 fail_interval=900
auth sufficient pam_faillock.so authsucc deny=3
account required pam_unix.so
account required pam_faillock.so
"""


def session(vm):
    return vm.guest("loginctl --no-legend | awk '$3 == \"person\" && $4 == \"seat0\" {print $1; exit}'").strip()


def locked(vm, name):
    vm.until(f"it is locked ({name})", lambda: vm.state()["locked"], 30)
    vm.until("the lock screen is there", lambda: "lock/" in vm.ctl("views"), 30)
    check("nothing of the diary is seen", kind(vm.screen(f"own-lock-{name}")) != "diary")
    vm.until("the login manager says it as well",
             lambda: "yes" in vm.guest(f"loginctl show-session {session(vm)} -p LockedHint"), 30)


def unlock(vm, name):
    vm.type(PASSWORD + "\n")
    vm.until(f"the password unlocks ({name})", lambda: not vm.state()["locked"], 60)


def ask(vm):
    """As root, which every session obeys."""
    vm.guest(f"loginctl lock-session {session(vm)}")


def by_button(vm):
    vm.qmp("system_powerdown")
    locked(vm, "button")
    vm.until("the screen is dark", lambda: kind(vm.screen("own-lock-dark")) == "dark" and vm.screen("own-lock-dark").colours() < 3, 30)
    check("the machine is not switched off", vm.guest("systemctl is-system-running || true").strip() != "stopping")
    time.sleep(2)
    vm.qmp("system_powerdown")
    vm.until("the screen is lit", lambda: vm.screen("own-lock-lit").colours() > 5, 30)
    check("nothing of the diary is seen", kind(vm.screen("own-lock-lit")) != "diary")
    unlock(vm, "button")


def counted(vm):
    lines = FAILLOCK.replace("\n", "\\n")   # a command is one line
    vm.guest(f"[ ! -e /etc/pam.d/mullion ] || cp /etc/pam.d/mullion /root/mullion.pam; printf '%b' '{lines}' >/etc/pam.d/mullion; "
             # A failed login makes this file as root; the lock screen's helper, which is the person, only writes to it.
             "mkdir -p /run/faillock; install -o person -m 600 /dev/null /run/faillock/person")
    ask(vm)
    locked(vm, "faillock")
    for attempt in range(3):
        vm.type("wrong\n")
        time.sleep(3 if attempt < 2 else 8)
    vm.type(PASSWORD + "\n")
    time.sleep(4)
    check("the right password is refused, too", vm.state()["locked"])
    views = vm.ctl("views")
    print("    ", [line for line in views.splitlines() if "lock/words" in line])
    vm.screen("own-lock-faillock-words")
    vm.guest("faillock --user person --reset; rm /etc/pam.d/mullion; [ ! -e /root/mullion.pam ] || cp /root/mullion.pam /etc/pam.d/mullion")
    time.sleep(20)
    vm.key("esc", True)
    vm.key("esc", False)
    unlock(vm, "after faillock")


def own_lock(vm, options):
    vm.guest(f"echo 'person:{PASSWORD}' | chpasswd")
    configure(vm, "''")
    write_diary(vm)
    settled(vm)
    ask(vm)
    locked(vm, "asked")
    vm.type("wrong\n")
    time.sleep(4)
    check("a wrong password does not unlock", vm.state()["locked"])
    vm.screen("own-lock-wrong")
    vm.guest("pkill -9 -x mullion", check=False)
    vm.until("the shell is there again", vm.state, 60)
    locked(vm, "killed")
    unlock(vm, "killed")
    vm.until("the diary is seen", lambda: kind(vm.screen("own-lock-after")) == "diary", 60)
    by_button(vm)
    vm.guest("chage -d 0 person")
    ask(vm)
    locked(vm, "expired")
    unlock(vm, "expired")
    vm.until("it is told that the password has expired", lambda: "alert/" in vm.ctl("views"), 30)
    vm.screen("own-lock-expired")
    vm.guest("chage -d -1 person")
    vm.ctl("dismiss")
    counted(vm)
