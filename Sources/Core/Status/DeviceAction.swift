/// A setting of the device that a person makes. The services of the machine keep it.
public enum DeviceAction: Hashable, Codable, Sendable {
    /// Wireless networks on or off; nil: the other way.
    case wireless(Bool? = nil)
    case bluetooth(Bool? = nil)
    /// All radios off, or those on again that were on before.
    case aeroplane(Bool? = nil)
    /// The light of the screen, from 0 (the darkest that can still be read) to 1.
    case brightness(Double)
    /// One step of a key or a wheel, up or down.
    case brightnessStep(Int)
    /// Whether the screen stays as it is when the device is turned.
    case rotationLock(Bool? = nil)
    /// Warmer colours; nil: the other way.
    case nightLight(Bool? = nil)
    /// The lamp of the camera; nil: the other way.
    case flashLight(Bool? = nil)
    /// A film of the screen begins or ends; nil: the other way.
    case record(Bool? = nil)
    /// By its name (`PowerProfiles.known`).
    case powerProfile(String)
    case network(WirelessAction)
    case pairing(PairingAction)
    /// A removable drive.
    case drive(DriveAct)
    /// Which apps may know where the device is.
    case location(LocationAct)
    /// The data that the shell keeps for apps.
    case kept(KeptAct)
    /// Turns the machine off, once apps have ended; or restarts it, or lets it sleep.
    case end(MachineEnd)
    /// The same, whatever programs hold it up.
    case endAnyway(MachineEnd)
    /// Locks the session, and shows the greeter of the machine.
    case switchUser
    /// The power button of a device that has none, or whose button is elsewhere.
    case powerButton(isLong: Bool)
}

/// A setting for a service to carry out.
public enum DeviceSetting: Hashable, Codable, Sendable {
    case wireless(Bool)
    case bluetooth(Bool)
    case cellular(Bool)
    case brightness(Double)
    case flashLight(Bool)
    case record(Bool)
    case powerProfile(String)
    case end(MachineEnd)
    /// An administrator's password may be asked for it.
    case endAnyway(MachineEnd)
    case switchUser
}
