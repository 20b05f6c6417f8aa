/// Numbers from outside (the control socket, D-Bus, Wayland, the configuration, what is kept) may have any value. Swift's
/// conversion to a whole number ends the program if the type does not hold it.
extension FixedWidthInteger {
    /// `value` without its fraction; the least or the greatest number of this type if it does not hold that, and 0 for NaN.
    @inlinable public init(clamping value: Double) {
        // The greatest number of 64 bits is rounded up here, so that nothing above it is converted.
        if value >= Double(Self.max) {
            self = .max
        } else if value <= Double(Self.min) {
            self = .min
        } else if Self.isSigned {
            self = Self(truncatingIfNeeded: Int64(exactly: value.rounded(.towardZero)) ?? 0)
        } else {
            self = Self(truncatingIfNeeded: UInt64(exactly: value.rounded(.towardZero)) ?? 0)
        }
    }

    @inlinable public init(clamping value: Float) { self.init(clamping: Double(value)) }
}

// These stand before Swift's own wherever this module is known, so that the compiler points to each conversion that would trap.
extension Int {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension Int8 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension Int16 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension Int32 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension Int64 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension UInt {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension UInt8 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension UInt16 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension UInt32 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension UInt64 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Double) {
        self.init(clamping: value)
    }
}
extension Int {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Float) {
        self.init(clamping: value)
    }
}
extension Int32 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Float) {
        self.init(clamping: value)
    }
}
extension UInt8 {
    @available(*, deprecated, message: "use init(clamping:) or init(exactly:)") @inlinable public init(_ value: Float) {
        self.init(clamping: value)
    }
}
