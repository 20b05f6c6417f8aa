/// The relevant switches of one device, by the kernel's numbers.
public struct SwitchState: Hashable, Sendable {
    private static let lid: UInt = 1 << 0x00, machineCover: UInt = 1 << 0x10
    private static let covers = lid | machineCover
    private static let silence: UInt = 1 << 0x0e

    private let has: UInt
    private var on: UInt = 0

    /// Returns nil if the device has none of them. `capabilities`: a line from sysfs, hexadecimal words with the
    /// lowest last.
    public init?(capabilities: String) {
        let last = capabilities.split(whereSeparator: \.isWhitespace).last.flatMap { UInt($0, radix: 16) } ?? 0
        has = last & (Self.covers | Self.silence)
        if has == 0 { return nil }
    }

    /// Sets the current switch states, and returns what to report; nil if unchanged. A mute switch is reported when
    /// it is found, even if it is off, because it may have been on when the shell last ended.
    public mutating func set(_ bits: UInt, isFirst: Bool) -> (silence: Bool?, cover: Bool?) {
        let now = bits & has, changed = now ^ on
        on = now
        let tellsSilence = changed & Self.silence != 0 || (isFirst && has & Self.silence != 0)
        return (tellsSilence ? now & Self.silence != 0 : nil, changed & Self.covers != 0 ? now & Self.covers != 0 : nil)
    }
}
