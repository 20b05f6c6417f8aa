"""What every part uses."""

import time

from machine import Failure


def check(what, fact):
    if not fact:
        raise Failure(f"not so: {what}")
    print(f"    {what}", flush=True)


def settled(vm):
    vm.ctl("wait idle || true")
    time.sleep(2)
