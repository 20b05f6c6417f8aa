"""Wi-Fi with NetworkManager, and Bluetooth with BlueZ, as a person uses them by finger and keys. The air is the kernel's: an access
point stands in a network namespace, and two Bluetooth controllers hear each other."""

import base64
import re
import time

from machine import Failure
from story_base import check

PAGE = "control-centre/"
NAME, PASSWORD = "Meadow", "correct horse"
HIDDEN, HIDDEN_PASSWORD = "Cellar", "battery staple"
ODD = "ff00636166e9"   # not UTF-8
SAVED = "/etc/NetworkManager/system-connections"


def key(name, security="personal"):
    """The shell's id of a network."""
    return f"{name.encode().hex()}-{security}"


# One radio, three networks.
ACCESS_POINT = f"""interface=wlan1
driver=nl80211
ctrl_interface=/run/hostapd
hw_mode=g
channel=6
bssid=02:00:00:00:01:00
ssid={NAME}
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase={PASSWORD}
bss=wlan1_1
bssid=02:00:00:00:01:01
ssid={HIDDEN}
ignore_broadcast_ssid=1
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase={HIDDEN_PASSWORD}
bss=wlan1_2
bssid=02:00:00:00:01:02
ssid2={ODD}
"""


def put(vm, path, text):
    vm.guest(f"mkdir -p $(dirname {path}); echo {base64.b64encode(text.encode()).decode()} | base64 -d >{path}")


class Facts:
    """What has to be so. What is not is told at the end, so that one fault does not hide the next."""

    def __init__(self, vm):
        self.vm, self.wrong = vm, []

    def __call__(self, what, fact):
        print(f"    {what}" if fact else f"    NOT SO: {what}", flush=True)
        if not fact:
            self.wrong.append(what)
            self.vm.screen(f"network-not-{len(self.wrong)}")

    def end(self):
        if self.wrong:
            raise Failure("; ".join(f"not so: {what}" for what in self.wrong))


# ---- the air ----

def services(vm):
    for unit in ("wpa_supplicant", "NetworkManager", "bluetooth"):
        vm.guest(f"systemctl start {unit}")


def point_on(vm):
    vm.guest("systemd-run --unit=air-point ip netns exec air hostapd /run/air/hostapd.conf")
    vm.until("three networks", lambda: vm.guest("ip -n air -br link show wlan1_2") and vm.guest("systemctl is-active air-point"), 60)
    for number, device in enumerate(("wlan1", "wlan1_1", "wlan1_2")):
        vm.guest(f"ip -n air addr replace 10.7.{number}.1/24 dev {device}")
    ranges = " ".join(f"--dhcp-range=10.7.{number}.10,10.7.{number}.99" for number in range(3))
    vm.guest("systemd-run --unit=air-addresses ip netns exec air dnsmasq -k --port=0 --no-resolv --no-hosts "
             f"--dhcp-leasefile=/run/air/leases --pid-file=/run/air/dnsmasq.pid {ranges}")


def point_off(vm):
    """NetworkManager switches off every radio of the machine, the access point's among them, which does not come back by itself."""
    vm.guest("systemctl stop air-point air-addresses")


def access_point(vm):
    """The access point, its addresses, and the radio that NetworkManager has."""
    if vm.guest("ip netns list").strip():
        return
    vm.guest("modprobe mac80211_hwsim radios=2")
    vm.until("two radios", lambda: vm.guest("ls -d /sys/class/net/wlan0 /sys/class/net/wlan1"), 60)
    put(vm, "/run/air/hostapd.conf", ACCESS_POINT)
    vm.guest("ip netns add air && iw phy $(cat /sys/class/net/wlan1/phy80211/name) set netns name air && ip netns exec air ip link set lo up")
    point_on(vm)
    vm.until("NetworkManager has a radio", lambda: "wlan0:wifi:disconnected" in vm.guest("nmcli -t -f DEVICE,TYPE,STATE device"), 60)


def controllers(vm):
    """Two Bluetooth controllers, the machine's own and that of the device to pair with. Their addresses."""
    if not vm.guest("ls -d /sys/class/bluetooth/hci1", check=False).startswith("/sys"):
        vm.guest("modprobe hci_vhci; systemd-run --unit=air-controllers btvirt -l2")
        vm.until("two controllers", lambda: vm.guest("ls -d /sys/class/bluetooth/hci1"), 60)
    vm.guest("systemctl start bluetooth")
    addresses = vm.until("BlueZ has them", lambda: [
        line.split()[1] for line in sorted(vm.guest("bluetoothctl list").splitlines()) if line.startswith("Controller")], 60)
    check(f"two controllers: {', '.join(addresses)}", len(addresses) == 2)
    return addresses


# ---- the shell ----

def status(vm):
    return vm.ask(get="status")


def views(vm):
    return {each["id"]: each for each in vm.ask(get="views")}


def words(vm):
    """Everything that the open page says."""
    return [each["name"] for name, each in views(vm).items() if name.startswith(PAGE)]


def has(vm, name):
    return PAGE + name in views(vm)


def tap(vm, size, name):
    """By finger, once it has come to rest. Again if the finger came between two pictures."""
    last = None
    end = time.monotonic() + 60
    while True:
        found = views(vm).get(PAGE + name)
        now = found and found["target"]
        if now and now == last:
            break
        last = now
        if time.monotonic() > end:
            raise Failure(f"there is no {name} to tap, but: {', '.join(views(vm))}")
        time.sleep(0.5)
    vm.tap(now[0] + now[2] / 2, now[1] + now[3] / 2, size)


def picture(vm, name):
    """Words and symbols are drawn after their page, one after another."""
    before = vm.screen(f"network-{name}")
    for _ in range(10):
        time.sleep(3)
        now = vm.screen(f"network-{name}")
        if now.difference(before, every=1) < 0.0002:
            return now
        before = now


def closed(vm):
    while vm.ask(get="state")["open"]:
        vm.ask(do="dismiss")
        time.sleep(1)


def opened(vm, size, page):
    """The page of the control centre, from the home screen on."""
    closed(vm)
    vm.ask(do="controlCentre")
    tap(vm, size, f"{page}/page")
    vm.until(f"the page {page}", lambda: has(vm, f"{page}/on"), 60)


def write(vm, text):
    vm.type(text)
    time.sleep(1)


# ---- NetworkManager ----

def profiles(vm):
    """The names of profiles of wireless networks, each with its file."""
    lines = vm.guest("nmcli -t -f TYPE,FILENAME,UUID connection show").splitlines()
    return {line.split(":")[2]: line.split(":")[1] for line in lines if line.startswith("802-11-wireless:")}


def network(vm, name):
    return next((one for one in status(vm).get("networks") or [] if one["name"] == name), None)


def joined(vm, name):
    def condition():
        one, bar = network(vm, name), status(vm)["network"]
        return one and one["state"] == "connected" and one["isSaved"] and bar["link"] == "wireless" and bar["name"] == name
    vm.until(f"{name} is connected, saved, and in the bar", condition, 120)


def saved(vm, facts, name, password=None, hidden=False):
    """It is on the disk, for this person alone, and with its password."""
    found = vm.until(f"the file of {name}", lambda: {
        one: file for one, file in profiles(vm).items() if file.startswith(SAVED)}, 30)
    facts(f"one profile is on the disk ({name})", len(found) == 1 and len(profiles(vm)) == 1)
    uuid = next(iter(found))
    if password:
        kept = vm.guest(f"nmcli -s -g 802-11-wireless-security.psk connection show {uuid}").strip()
        facts(f"with the password that worked ({name})", kept == password)
    allowed = vm.guest(f"nmcli -g connection.permissions connection show {uuid}").strip().replace("\\", "")
    facts(f"for this person ({name}): {allowed}", allowed in ("user:person", "user:person:"))
    if hidden:
        facts(f"as a hidden network ({name})", vm.guest(f"nmcli -g 802-11-wireless.hidden connection show {uuid}").strip() == "yes")


def forget(vm, size, name, id):
    tap(vm, size, f"wireless/{id}")
    tap(vm, size, "network/forget")
    vm.until(f"NetworkManager has forgotten {name}", lambda: not profiles(vm), 30)
    vm.until(f"so has the list: {name}", lambda: not any(one["isSaved"] for one in status(vm).get("networks") or []), 30)
    print(f"    {name} is forgotten", flush=True)


def asked(vm, wrong, wait=120):
    """Until the page asks for a password; whether it says as well that the last one was wrong."""
    said = "The password is wrong. Try again."
    vm.until("the question" + " after a wrong password" * wrong, lambda: has(vm, "wireless/password") and (said in words(vm)) == wrong, wait)


# ---- parts ----

def wireless(vm, facts, size):
    opened(vm, size, "wireless")
    odd = r"\xff\x00caf\xe9"
    vm.until("the list", lambda: {one["name"] for one in status(vm).get("networks") or []} == {NAME, odd}, 90)
    print("    the networks that tell their names are in the list", flush=True)
    picture(vm, "list")

    # A wrong password.
    tap(vm, size, f"wireless/{key(NAME)}")
    asked(vm, wrong=False)
    write(vm, "wrong one\n")
    asked(vm, wrong=True)
    facts("a wrong password is asked for again, and nothing is on the disk", not any(
        file.startswith(SAVED) for file in profiles(vm).values()))
    picture(vm, "wrong")
    tap(vm, size, "back")
    vm.until("without an answer it ends", lambda: not profiles(vm) and has(vm, "wireless/on"), 60)
    time.sleep(3)
    facts("a person who goes back reads of no failure", not any("could not be joined" in one for one in words(vm)))
    picture(vm, "back")

    # The right one after a wrong one.
    tap(vm, size, f"wireless/{key(NAME)}")
    asked(vm, wrong=False)
    write(vm, "wrong two\n")
    asked(vm, wrong=True)
    write(vm, PASSWORD)
    tap(vm, size, "wireless/join")
    joined(vm, NAME)
    saved(vm, facts, NAME, PASSWORD)
    facts("with an address from there", "10.7.0." in vm.guest("nmcli -g IP4.ADDRESS device show wlan0"))
    picture(vm, "joined")
    forget(vm, size, NAME, key(NAME))
    facts("and left", "wlan0:disconnected" in vm.guest("sleep 2; nmcli -t -f DEVICE,STATE device"))

    # A name that is no text, without a password.
    tap(vm, size, f"wireless/{ODD}-open")
    joined(vm, odd)
    saved(vm, facts, odd)
    picture(vm, "odd")
    forget(vm, size, odd, f"{ODD}-open")

    # A hidden one.
    tap(vm, size, "wireless/other")
    vm.until("the fields", lambda: has(vm, "wireless/name") and has(vm, "wireless/password"), 30)
    write(vm, HIDDEN)
    tap(vm, size, "wireless/password")
    write(vm, HIDDEN_PASSWORD)
    picture(vm, "hidden-fields")
    tap(vm, size, "wireless/join")
    joined(vm, HIDDEN)
    saved(vm, facts, HIDDEN, HIDDEN_PASSWORD, hidden=True)
    picture(vm, "hidden")
    forget(vm, size, HIDDEN, key(HIDDEN))


def agent(vm, facts, size):
    """Saved without a password, or with one that is wrong now: NetworkManager asks."""
    add = f"nmcli connection add type wifi con-name saved ssid {NAME} wifi-sec.key-mgmt wpa-psk connection.permissions user:person autoconnect no"
    vm.guest(add)
    opened(vm, size, "wireless")
    vm.until("the saved network", lambda: (network(vm, NAME) or {}).get("isSaved"), 60)
    tap(vm, size, f"wireless/{key(NAME)}")
    asked(vm, wrong=False)
    write(vm, PASSWORD + "\n")
    joined(vm, NAME)
    saved(vm, facts, NAME, PASSWORD)
    vm.guest("nmcli connection down saved; nmcli connection modify saved wifi-sec.psk 'an old one'")
    vm.until("left", lambda: network(vm, NAME)["state"] == "away", 60)
    tap(vm, size, f"wireless/{key(NAME)}")
    asked(vm, wrong=True)
    write(vm, PASSWORD + "\n")
    joined(vm, NAME)
    saved(vm, facts, NAME, PASSWORD)
    # The person turns away from the question.
    vm.guest("nmcli connection down saved; nmcli connection modify saved wifi-sec.psk 'an old one'")
    vm.until("left", lambda: network(vm, NAME)["state"] == "away", 60)
    tap(vm, size, f"wireless/{key(NAME)}")
    asked(vm, wrong=True)
    vm.ask(do="controlCentre")
    vm.until("it ends with its page", lambda: "wlan0:disconnected" in vm.guest("nmcli -t -f DEVICE,STATE device"), 60)
    facts("the saved profile stays", len(profiles(vm)) == 1)
    # Another program of the person's connects, and no page is open.
    path = vm.guest("nmcli -t -e no -f DBUS-PATH,NAME connection show | sed -n 's/:saved$//p'").strip()
    vm.guest("as-person systemd-run --user --quiet --wait --pipe busctl call org.freedesktop.NetworkManager /org/freedesktop/NetworkManager "
             f"org.freedesktop.NetworkManager ActivateConnection ooo {path} / /")
    asked(vm, wrong=True)
    picture(vm, "asked")
    write(vm, PASSWORD + "\n")
    vm.until("connected", lambda: "wlan0:connected" in vm.guest("nmcli -t -f DEVICE,STATE device"), 120)
    saved(vm, facts, NAME, PASSWORD)
    vm.guest("nmcli connection modify saved connection.autoconnect yes")


def switches(vm, facts, size):
    """Wi-Fi off and on, and aeroplane mode. A saved network comes back by itself."""
    def radios():
        return vm.guest("nmcli -t radio wifi").strip(), "Powered: yes" in vm.guest("bluetoothctl show")

    def returned():
        vm.until("the saved network is back", lambda: "wlan0:connected" in vm.guest("nmcli -t -f DEVICE,STATE device"), 180)
    opened(vm, size, "wireless")
    tap(vm, size, "wireless/on")
    vm.until("Wi-Fi is off", lambda: radios()[0] == "disabled" and not status(vm)["network"]["isWirelessOn"], 60)
    vm.until("the page has no list", lambda: not has(vm, "wireless/other"), 30)
    picture(vm, "off")
    point_off(vm)
    tap(vm, size, "wireless/on")
    vm.until("Wi-Fi is on", lambda: radios()[0] == "enabled" and status(vm)["network"]["isWirelessOn"], 60)
    point_on(vm)
    returned()
    print("    Wi-Fi off and on: the saved network is back", flush=True)
    vm.until("the list says so", lambda: (network(vm, NAME) or {}).get("state") == "connected", 60)
    picture(vm, "on")
    vm.ask(do="controlCentre")
    vm.until("aeroplane mode is offered", lambda: status(vm)["isAeroplane"] is False, 60)
    vm.ask(do="controlCentre")
    tap(vm, size, "aeroplane")
    vm.until("all radios are off", lambda: radios() == ("disabled", False) and status(vm)["isAeroplane"], 60)
    picture(vm, "aeroplane")
    point_off(vm)
    tap(vm, size, "aeroplane")
    vm.until("and on again", lambda: radios() == ("enabled", True) and not status(vm)["isAeroplane"], 60)
    point_on(vm)
    returned()
    print("    aeroplane mode on and off: the saved network is back", flush=True)
    vm.ask(do="controlCentre")


def unasked(vm, facts):
    """NetworkManager connects by itself with a password that is wrong now, while the person does something else. It waits two minutes
    for an answer, and does not say that it has stopped waiting."""
    closed(vm)
    vm.guest("nmcli connection delete saved")
    vm.guest(f"nmcli connection add type wifi con-name saved ssid {NAME} wifi-sec.key-mgmt wpa-psk wifi-sec.psk 'an old one' "
             "connection.permissions user:person autoconnect yes")
    began = time.monotonic()
    since = vm.guest("date +%s").strip()

    def over():
        return "no secrets:" in vm.guest(f"journalctl -u NetworkManager --no-pager -S @{since}")

    def shown():
        return has(vm, "wireless/password")
    vm.until("NetworkManager asks, or has asked", lambda: over() or shown(), 120)
    facts("nobody is asked for a network that nobody asked for", not shown())
    vm.until("NetworkManager waits no more", over, 180)
    time.sleep(5)
    print(f"    NetworkManager waited {time.monotonic() - began:.0f} s", flush=True)
    facts("the question ends when NetworkManager waits no more", not shown())
    closed(vm)


def wifi(vm, options):
    from story import SIZE
    facts = Facts(vm)
    services(vm)
    access_point(vm)
    controllers(vm)
    vm.until("the shell has a wireless device", lambda: status(vm)["network"]["hasWireless"], 60)
    wireless(vm, facts, SIZE)
    agent(vm, facts, SIZE)
    switches(vm, facts, SIZE)
    unasked(vm, facts)
    vm.guest("nmcli -t -f UUID,TYPE connection show | sed -n 's/:802-11-wireless//p' | xargs -r nmcli connection delete")
    facts.end()


# ---- Bluetooth ----

def tell_peer(vm, line):
    vm.guest(f"echo '{line}' >/run/air/peer")
    time.sleep(1)


def heard_by_peer(vm):
    return vm.guest("cat /run/air/peer.log")


def peer(vm, address):
    """The device to pair with: the second controller, and BlueZ's own tool for its person. As the default agent it answers what comes
    in; the shell's agent answers for what the shell begins."""
    vm.guest("mkdir -p /run/air; [ -p /run/air/peer ] || mkfifo /run/air/peer")
    vm.guest("systemd-run --unit=air-peer sh -c 'exec bluetoothctl --agent DisplayYesNo <>/run/air/peer >/run/air/peer.log 2>&1'")
    vm.until("the other device's agent", lambda: "Agent registered" in heard_by_peer(vm), 60)
    for line in (f"select {address}", "system-alias Buds", "default-agent", "pairable on", "discoverable on"):
        tell_peer(vm, line)
    vm.until("the other device can be found", lambda: "Discoverable: yes" in vm.guest(f"bluetoothctl show {address}"), 30)


def device(vm, name):
    return next((one for one in status(vm).get("devices") or [] if one["name"] == name), None)


def pairing(vm, facts, size, own):
    opened(vm, size, "bluetooth")
    found = vm.until("the device is found", lambda: device(vm, "Buds"), 120)
    print(f"    {found['path']}", flush=True)
    picture(vm, "devices")
    row = "bluetooth/" + found["path"].split("/")[-1]

    def digits():
        """The six digits on both sides."""
        shown = next(each["name"] for name, each in views(vm).items() if name.startswith(PAGE + "pairing/code"))
        there = re.findall(r"Confirm passkey (\d+)", heard_by_peer(vm))
        return shown, there[-1] if there else None

    # Refused.
    tap(vm, size, row)
    vm.until("the question", lambda: has(vm, "pairing/no"), 60)
    picture(vm, "digits")
    here, there = vm.until("digits on both sides", lambda: (lambda pair: pair[1] and pair)(digits()), 30)
    facts(f"both show the same digits: {here}, {there}", there in here.replace(" ", ""))
    tap(vm, size, "pairing/no")
    vm.until("back at the list", lambda: has(vm, "bluetooth/on"), 30)
    tell_peer(vm, "no")
    vm.until("nothing is paired", lambda: not (device(vm, "Buds") or {"isPaired": False})["isPaired"], 30)
    time.sleep(3)
    facts(f"a person who refuses reads of no failure: {words(vm)}", not any("could not" in one for one in words(vm)))
    picture(vm, "refused")

    # Confirmed on both sides.
    tap(vm, size, row)
    vm.until("the question", lambda: has(vm, "pairing/yes"), 60)
    tell_peer(vm, "yes")
    tap(vm, size, "pairing/yes")
    vm.until("it is paired", lambda: device(vm, "Buds")["isPaired"], 60)
    trusted = f"busctl get-property org.bluez {found['path']} org.bluez.Device1 Trusted"
    vm.until("and trusted", lambda: vm.guest(trusted).strip() == "b true", 30)
    print("    a device is found and paired", flush=True)
    time.sleep(5)
    picture(vm, "paired")
    facts(f"a device that offers nothing to connect to is no failure: {words(vm)}", not any("could not" in one for one in words(vm)))
    tap(vm, size, row + "/more")
    tap(vm, size, "device/forget")
    vm.until("it is forgotten", lambda: not (device(vm, "Buds") or {"isPaired": False})["isPaired"], 60)
    print("    and forgotten", flush=True)
    vm.ask(do="controlCentre")
    vm.until("the search ends", lambda: "Discovering: yes" not in vm.guest("bluetoothctl show " + own), 30)


def bluetooth(vm, options):
    from story import SIZE
    facts = Facts(vm)
    services(vm)
    own, other = controllers(vm)
    vm.until("the shell has an adapter", lambda: status(vm).get("bluetooth"), 60)
    peer(vm, other)
    pairing(vm, facts, SIZE, own)
    facts.end()


PARTS = {"network": wifi, "bluetooth": bluetooth}
