/// The buttons that each pointing device holds down. To clients a button is up when the last device lets go of it.
public struct DeviceButtons<Device: Hashable>: Hashable {
    private var down: [Device: [UInt32]] = [:]

    /// Of one device; wlroots' seat counts no more of them either.
    public static var most: Int { 16 }

    public init() {}

    public mutating func add(_ device: Device) { down[device] = [] }

    /// True if the press or release goes on to the shell. A device that is not known may do anything.
    public mutating func change(_ device: Device, _ button: UInt32, pressed: Bool) -> Bool {
        guard let held = down[device] else { return true }
        let index = held.firstIndex(of: button)
        if pressed {
            guard index == nil, held.count < Self.most else { return false }
            down[device]!.append(button)
        } else {
            guard let index else { return false }
            down[device]!.remove(at: index)
        }
        return !isHeld(button, elsewhereThan: device)
    }

    /// The device is gone, whatever it held: nobody else would ever let that go. The buttons that are up now.
    public mutating func remove(_ device: Device) -> [UInt32] {
        let held = down.removeValue(forKey: device) ?? []
        return held.reversed().filter { !isHeld($0, elsewhereThan: device) }
    }

    private func isHeld(_ button: UInt32, elsewhereThan device: Device) -> Bool {
        down.contains { $0.key != device && $0.value.contains(button) }
    }
}

extension DeviceButtons: Sendable where Device: Sendable {}
