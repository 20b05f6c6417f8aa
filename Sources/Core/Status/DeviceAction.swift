/// A setting of the device that a person makes. The services of the machine keep it.
public enum DeviceAction: Hashable, Codable, Sendable {
    /// Wireless networks on or off; nil: the other way.
    case wireless(Bool? = nil)
    case bluetooth(Bool? = nil)
    /// The light of the screen, from 0 (the darkest that can still be read) to 1.
    case brightness(Double)
    /// One step of a key or a wheel, up or down.
    case brightnessStep(Int)
}

/// A setting for a service to carry out.
public enum DeviceSetting: Hashable, Codable, Sendable {
    case wireless(Bool)
    case bluetooth(Bool)
    case brightness(Double)
}
