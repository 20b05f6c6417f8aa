/// The relevant switches of one device, by the kernel's numbers (A-06, A-20, W-25).
public struct SwitchState: Hashable, Sendable {
    private static let lid: UInt = 1 << 0x00, machineCover: UInt = 1 << 0x10
    private static let covers = lid | machineCover
    private static let silence: UInt = 1 << 0x0e
    private static let tablet: UInt = 1 << 0x01

    private let has: UInt
    private var on: UInt = 0

    /// Returns nil if the device has none of them. `capabilities`: a line from sysfs, hexadecimal words with the
    /// lowest last.
    public init?(capabilities: String) {
        let last = capabilities.split(whereSeparator: \.isWhitespace).last.flatMap { UInt($0, radix: 16) } ?? 0
        has = last & (Self.covers | Self.silence | Self.tablet)
        if has == 0 { return nil }
    }

    /// Whether a convertible says by it how it is folded.
    public var tellsTabletMode: Bool { has & Self.tablet != 0 }

    /// The changes that a device has to report; nil for a switch without a change.
    public struct Report: Hashable, Sendable {
        public var silence: Bool?
        public var cover: Bool?
        public var tabletMode: Bool?

        public init(silence: Bool? = nil, cover: Bool? = nil, tabletMode: Bool? = nil) {
            self.silence = silence
            self.cover = cover
            self.tabletMode = tabletMode
        }
    }

    /// Sets the current switch states, and returns what to report. A mute switch and a tablet switch are reported when they are
    /// found, even if they are off: the one may have been on when the shell last ended, and that there is the other means something.
    public mutating func set(_ bits: UInt, isFirst: Bool) -> Report {
        let now = bits & has, changed = now ^ on
        on = now
        func told(_ kind: UInt, _ isAlways: Bool) -> Bool? {
            changed & kind != 0 || (isFirst && isAlways && has & kind != 0) ? now & kind != 0 : nil
        }
        return Report(silence: told(Self.silence, true), cover: told(Self.covers, false), tabletMode: told(Self.tablet, true))
    }
}
