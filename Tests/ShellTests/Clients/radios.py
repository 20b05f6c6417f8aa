# The parts of NetworkManager and BlueZ that join networks and pair devices, for device.py. The password of every network is "correct horse",
# and every device shows the digits 000042.
from gi.repository import Gio, GLib

MANAGER = "/org/freedesktop/NetworkManager"
NM = "org.freedesktop.NetworkManager"
RIGHT = "correct horse"


def interface(name, *methods):
    parts = []
    for method in methods:
        member, takes, gives = method
        arguments = "".join(f'<arg type="{kind}" direction="in"/>' for kind in takes)
        arguments += "".join(f'<arg type="{kind}" direction="out"/>' for kind in gives)
        parts.append(f'<method name="{member}">{arguments}</method>')
    return Gio.DBusNodeInfo.new_for_xml(f'<node><interface name="{name}">{"".join(parts)}</interface></node>').interfaces[0]


class Radios:
    def __init__(self, bus, note, hanging, devices):
        self.bus, self.note, self.hanging, self.devices = bus, note, hanging, devices
        self.points, self.profiles, self.actives = {}, {}, {}
        self.near, self.agents, self.last = {}, {}, 0
        for path, face in (
            ("/org/freedesktop", interface("org.freedesktop.DBus.ObjectManager", ("GetManagedObjects", [], ["a{oa{sa{sv}}}"]))),
            (MANAGER, interface(
                NM, ("ActivateConnection", "ooo", "o"), ("AddAndActivateConnection2", ["a{sa{sv}}", "o", "o", "a{sv}"], ["o", "o", "a{sv}"]),
                ("DeactivateConnection", "o", ""))),
            (f"{MANAGER}/AgentManager", interface(f"{NM}.AgentManager", ("RegisterWithCapabilities", "su", ""))),
            (f"{MANAGER}/Devices/1", interface(f"{NM}.Device.Wireless", ("RequestScan", ["a{sv}"], []))),
            ("/org/bluez", interface("org.bluez.AgentManager1", ("RegisterAgent", "os", ""), ("RequestDefaultAgent", "o", ""))),
            ("/org/bluez/hci0", interface("org.bluez.Adapter1", ("StartDiscovery", "", ""), ("StopDiscovery", "", ""), ("RemoveDevice", "o", ""))),
        ):
            bus.register_object(path, face, self.called, None, None)

    def called(self, bus, sender, path, face, method, arguments, invocation):
        self.note(f"{face.split('.')[-1]} {method}")
        if ("network" if path.startswith("/org/freedesktop") else "bluez") in self.hanging:
            return
        getattr(self, method)(sender, path, arguments.unpack(), arguments, invocation)

    # NetworkManager

    def GetManagedObjects(self, sender, path, arguments, raw, invocation):
        objects = {f"{MANAGER}/Devices/1": {f"{NM}.Device.Wireless": {"LastScan": GLib.Variant("x", 1)}}}
        for point, table in self.points.items():
            objects[point] = {f"{NM}.AccessPoint": table}
        for profile in self.profiles:
            objects[profile] = {f"{NM}.Settings.Connection": {"Unsaved": GLib.Variant("b", False)}}
        for active, (profile, state) in self.actives.items():
            objects[active] = {f"{NM}.Connection.Active": {
                "Type": GLib.Variant("s", "802-11-wireless"), "Connection": GLib.Variant("o", profile), "State": GLib.Variant("u", state)}}
        invocation.return_value(GLib.Variant("(a{oa{sa{sv}}})", (objects,)))

    def point(self, ssid, strength, flags, rsn):
        self.last += 1
        self.points[f"{MANAGER}/AccessPoint/{100 + self.last}"] = {
            "Ssid": GLib.Variant("ay", bytes.fromhex(ssid)), "Strength": GLib.Variant("y", strength), "Flags": GLib.Variant("u", flags),
            "WpaFlags": GLib.Variant("u", 0), "RsnFlags": GLib.Variant("u", rsn)}

    def save(self, ssid, keys):
        self.last += 1
        path = f"{MANAGER}/Settings/{self.last}"
        self.profiles[path] = (ssid, keys)
        self.bus.register_object(path, interface(
            f"{NM}.Settings.Connection", ("GetSettings", [], ["a{sa{sv}}"]), ("Delete", "", ""),
            ("Update2", ["a{sa{sv}}", "u", "a{sv}"], ["a{sv}"])), self.called, None, None)
        return path

    def GetSettings(self, sender, path, arguments, raw, invocation):
        invocation.return_value(GLib.Variant("(a{sa{sv}})", (self.settings(path),)))

    def settings(self, path):
        ssid, keys = self.profiles[path]
        settings = {"connection": {"id": GLib.Variant("s", "a name")}, "802-11-wireless": {"ssid": GLib.Variant("ay", ssid)}}
        if keys:
            settings["802-11-wireless-security"] = {"key-mgmt": GLib.Variant("s", keys)}
        return settings

    def Delete(self, sender, path, arguments, raw, invocation):
        self.profiles.pop(path, None)
        invocation.return_value(None)
        self.stir()

    def Update2(self, sender, path, arguments, raw, invocation):
        self.note(f"kept {self.profiles[path][0].hex()} {arguments[1]}")
        invocation.return_value(GLib.Variant("(a{sv})", ({},)))

    def begin(self, profile):
        self.last += 1
        active = f"{MANAGER}/ActiveConnection/{100 + self.last}"
        self.actives[active] = (profile, 1)
        properties = interface("org.freedesktop.DBus.Properties", ("Get", "ss", "v"))
        self.bus.register_object(active, properties, self.called, None, None)
        return active

    def Get(self, sender, path, arguments, raw, invocation):
        invocation.return_value(GLib.Variant("(v)", (GLib.Variant("u", self.actives[path][1]),)))

    def end(self, active, state, reason):
        profile = self.actives[active][0]
        if state == 2:
            self.actives = {active: (profile, 2)}
        else:
            del self.actives[active]
        self.bus.emit_signal(None, active, f"{NM}.Connection.Active", "StateChanged", GLib.Variant("(uu)", (state, reason)))
        self.stir()
        return False

    def stir(self):
        self.bus.emit_signal(
            None, "/org/freedesktop", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved", GLib.Variant("(oas)", ("/none", [])))

    def AddAndActivateConnection2(self, sender, path, arguments, raw, invocation):
        settings, options = arguments[0], arguments[3]
        security = settings.get("802-11-wireless-security", {})
        self.note(f"joins {bytes(settings['802-11-wireless']['ssid']).hex()} {security.get('key-mgmt')} {options.get('persist')} "
                  f"{settings['802-11-wireless'].get('hidden', False)} {bool(settings['connection'].get('permissions'))}")
        profile = self.save(bytes(settings["802-11-wireless"]["ssid"]), security.get("key-mgmt", ""))
        active = self.begin(profile)
        invocation.return_value(GLib.Variant("(ooa{sv})", (profile, active, {})))
        isRight = not security or security.get("psk") == RIGHT

        def over():
            if not isRight:
                self.profiles.pop(profile)
            return self.end(active, 2 if isRight else 4, 0 if isRight else 10)

        GLib.timeout_add(150, over)

    def ActivateConnection(self, sender, path, arguments, raw, invocation):
        active = self.begin(arguments[0])
        invocation.return_value(GLib.Variant("(o)", (active,)))
        self.ask(arguments[0], 7, lambda secret: self.end(active, 2 if secret == RIGHT else 4, 0 if secret == RIGHT else 9))

    def DeactivateConnection(self, sender, path, arguments, raw, invocation):
        invocation.return_value(None)
        self.end(arguments[0], 4, 2)

    def RegisterWithCapabilities(self, sender, path, arguments, raw, invocation):
        self.agents["network"] = (sender, "/org/freedesktop/NetworkManager/SecretAgent")
        invocation.return_value(None)

    def RequestScan(self, sender, path, arguments, raw, invocation):
        invocation.return_value(None)

    def ask(self, profile, flags, done):
        """Asks the agent for the password of a profile."""
        sender, path = self.agents["network"]

        def answered(bus, result):
            try:
                secret = bus.call_finish(result).unpack()[0]["802-11-wireless-security"].get("psk")
                self.note(f"secret {'right' if secret == RIGHT else 'wrong'}")
            except GLib.Error as error:
                secret = None
                self.note(f"no secret {Gio.DBusError.get_remote_error(error)}")
            done(secret)

        self.bus.call(
            sender, path, f"{NM}.SecretAgent", "GetSecrets",
            GLib.Variant("(a{sa{sv}}osasu)", (self.settings(profile), profile, "802-11-wireless-security", [], flags)), None,
            Gio.DBusCallFlags.NONE, 120000, None, answered)

    def cancel(self, profile):
        sender, path = self.agents["network"]
        self.bus.call(
            sender, path, f"{NM}.SecretAgent", "CancelGetSecrets", GLib.Variant("(os)", (profile, "802-11-wireless-security")), None,
            Gio.DBusCallFlags.NONE, -1, None, None)

    # BlueZ

    def RegisterAgent(self, sender, path, arguments, raw, invocation):
        self.agents["bluez"] = (sender, arguments[0])
        invocation.return_value(None)

    def RequestDefaultAgent(self, sender, path, arguments, raw, invocation):
        invocation.return_value(None)

    def StartDiscovery(self, sender, path, arguments, raw, invocation):
        invocation.return_value(None)

    StopDiscovery = StartDiscovery

    def RemoveDevice(self, sender, path, arguments, raw, invocation):
        self.near.pop(arguments[0], None)
        invocation.return_value(None)
        self.changed("/org/bluez/hci0", {})

    def add(self, name, icon):
        path = f"/org/bluez/hci0/dev_{len(self.near) + 10}"
        self.near[path] = {
            "Name": GLib.Variant("s", name), "Alias": GLib.Variant("s", name), "Icon": GLib.Variant("s", icon),
            "Paired": GLib.Variant("b", False), "Connected": GLib.Variant("b", False)}
        self.bus.register_object(
            path, interface("org.bluez.Device1", ("Pair", "", ""), ("Connect", "", ""), ("Disconnect", "", ""), ("CancelPairing", "", "")),
            self.called, None, None)
        self.bus.register_object(
            path, interface("org.freedesktop.DBus.Properties", ("GetAll", "s", ["a{sv}"]), ("Set", "ssv", "")), self.called, None, None)
        self.changed(path, {})

    def changed(self, path, table):
        self.bus.emit_signal(
            None, path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            GLib.Variant("(sa{sv}as)", ("org.bluez.Device1", table, ["Connected"])))

    def set(self, path, **flags):
        for name, value in flags.items():
            self.near[path][name] = GLib.Variant("b", value)
        self.changed(path, {name: GLib.Variant("b", value) for name, value in flags.items()})

    def GetAll(self, sender, path, arguments, raw, invocation):
        invocation.return_value(GLib.Variant("(a{sv})", (self.near[path],)))

    def Set(self, sender, path, arguments, raw, invocation):
        self.note(f"{arguments[1]} {arguments[2]}")
        invocation.return_value(None)

    def Pair(self, sender, path, arguments, raw, invocation):
        agent, place = self.agents["bluez"]

        def answered(bus, result):
            try:
                bus.call_finish(result)
            except GLib.Error as error:
                self.note(f"refused {Gio.DBusError.get_remote_error(error)}")
                return invocation.return_dbus_error("org.bluez.Error.AuthenticationRejected", "Authentication Rejected")
            self.set(path, Paired=True)
            invocation.return_value(None)

        self.bus.call(
            agent, place, "org.bluez.Agent1", "RequestConfirmation", GLib.Variant("(ou)", (path, 42)), None, Gio.DBusCallFlags.NONE, 60000,
            None, answered)

    def Connect(self, sender, path, arguments, raw, invocation):
        self.set(path, Connected=True)
        invocation.return_value(None)

    def Disconnect(self, sender, path, arguments, raw, invocation):
        self.set(path, Connected=False)
        invocation.return_value(None)

    def CancelPairing(self, sender, path, arguments, raw, invocation):
        invocation.return_value(None)
