/// The pressed buttons of each pointing device. For clients, a button is released when the last device releases it.
public struct DeviceButtons<Device: Hashable>: Hashable {
    private var down: [Device: [UInt32]] = [:]

    /// Per device. wlroots' seat has the same limit.
    public static var most: Int { 16 }

    public init() {}

    public mutating func add(_ device: Device) { down[device] = [] }

    /// Returns true if the press or release is to be passed on. An unknown device is not restricted.
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

    /// Removes a device and returns the buttons that are released by that, because no event will release them.
    public mutating func remove(_ device: Device) -> [UInt32] {
        let held = down.removeValue(forKey: device) ?? []
        return held.reversed().filter { !isHeld($0, elsewhereThan: device) }
    }

    private func isHeld(_ button: UInt32, elsewhereThan device: Device) -> Bool {
        down.contains { $0.key != device && $0.value.contains(button) }
    }
}

extension DeviceButtons: Sendable where Device: Sendable {}
