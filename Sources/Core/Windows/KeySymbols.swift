/// A key by its meaning, numbered as in X11 and xkbcommon (keysymdef.h).
public struct KeySymbol: RawRepresentable, Hashable, Codable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension KeySymbol: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: UInt32) { self.init(rawValue: value) }
}

extension KeySymbol: Comparable {
    public static func < (a: KeySymbol, b: KeySymbol) -> Bool { a.rawValue < b.rawValue }
}

extension KeySymbol {
    public static let space: KeySymbol = 0x20
    public static let plus: KeySymbol = 0x2b
    public static let minus: KeySymbol = 0x2d
    public static let backspace: KeySymbol = 0xff08
    public static let tab: KeySymbol = 0xff09
    /// Shift and Tab on many layouts.
    public static let backTab: KeySymbol = 0xfe20
    public static let enter: KeySymbol = 0xff0d
    public static let keypadEnter: KeySymbol = 0xff8d
    public static let escape: KeySymbol = 0xff1b
    public static let home: KeySymbol = 0xff50
    public static let leftArrow: KeySymbol = 0xff51
    public static let upArrow: KeySymbol = 0xff52
    public static let rightArrow: KeySymbol = 0xff53
    public static let downArrow: KeySymbol = 0xff54
    public static let pageUp: KeySymbol = 0xff55
    public static let pageDown: KeySymbol = 0xff56
    public static let end: KeySymbol = 0xff57
    public static let menu: KeySymbol = 0xff67
    public static let keypadPlus: KeySymbol = 0xffab
    public static let keypadMinus: KeySymbol = 0xffad
    public static let leftShift: KeySymbol = 0xffe1
    public static let rightShift: KeySymbol = 0xffe2
    public static let leftControl: KeySymbol = 0xffe3
    public static let rightControl: KeySymbol = 0xffe4
    public static let leftAlt: KeySymbol = 0xffe9
    public static let rightAlt: KeySymbol = 0xffea
    public static let leftSuper: KeySymbol = 0xffeb
    public static let rightSuper: KeySymbol = 0xffec
    public static let delete: KeySymbol = 0xffff

    // Remote controls. Those that xkbcommon has no older name for are numbered by their Linux codes.
    public static let homePage: KeySymbol = 0x1008_ff18
    public static let back: KeySymbol = 0x1008_ff26
    public static let remoteMenu: KeySymbol = 0x1008_ff65
    public static let red: KeySymbol = 0x1008_ffa3
    public static let green: KeySymbol = 0x1008_ffa4
    public static let yellow: KeySymbol = 0x1008_ffa5
    public static let blue: KeySymbol = 0x1008_ffa6
    public static let info: KeySymbol = 0x1008_1166
    public static let guide: KeySymbol = 0x1008_116d
    public static let channelUp: KeySymbol = 0x1008_1192
    public static let channelDown: KeySymbol = 0x1008_1193
    public static let brightnessUp: KeySymbol = 0x1008_ff02
    public static let brightnessDown: KeySymbol = 0x1008_ff03

    public static let insert: KeySymbol = 0xff63
    public static let lowerVolume: KeySymbol = 0x1008_ff11
    public static let mute: KeySymbol = 0x1008_ff12
    public static let raiseVolume: KeySymbol = 0x1008_ff13
    public static let audioPlay: KeySymbol = 0x1008_ff14
    public static let audioStop: KeySymbol = 0x1008_ff15
    public static let audioPrevious: KeySymbol = 0x1008_ff16
    public static let audioNext: KeySymbol = 0x1008_ff17
    public static let audioPause: KeySymbol = 0x1008_ff31
    public static let audioMedia: KeySymbol = 0x1008_ff32
    public static let audioRewind: KeySymbol = 0x1008_ff3e
    public static let audioForward: KeySymbol = 0x1008_ff97
    public static let microphoneMute: KeySymbol = 0x1008_ffb2

    /// Whether it types nothing by itself: Shift, Control, Caps Lock, AltGr, Mode switch and the like.
    public var isModifier: Bool {
        switch self {
        case 0xffe1...0xffee, 0xfe01...0xfe13, 0xff7e, 0xff7f: true
        default: false
        }
    }

    /// Whether its meaning is independent of modifiers: volume, playback, the microphone.
    public var isForSound: Bool {
        switch self {
        case Self.lowerVolume...Self.audioNext, Self.audioPause, Self.audioMedia, Self.audioRewind, Self.audioForward,
            Self.microphoneMute:
            true
        default: false
        }
    }
}
