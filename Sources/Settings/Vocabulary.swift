/// Names that the settings may use but that other rooms define.
public struct Vocabulary: Equatable, Sendable {
    /// Idioms that this build has.
    public var idioms: [String]
    /// Actions that can have keys, with the chords they have when nothing is said.
    public var keys: [String: [KeyChord]]

    public init(idioms: [String], keys: [String: [KeyChord]]) {
        self.idioms = idioms
        self.keys = keys
    }

    /// The standard keys: those of an iPad keyboard where it has one, with Super in place of Globe.
    public static let standard = Vocabulary(idioms: ["pad"], keys: [
        "home": [.super(letter: "h")],
        "switcher": [.super(.up)],
        "previous-app": [.super(.left)],
        "next-app": [.super(.right)],
        "tile-left": [.super(.left, .ctrl)],
        "tile-right": [.super(.right, .ctrl)],
        "full-screen": [.super(letter: "f")],
        "divider-left": [.super(.left, .shift)],
        "divider-right": [.super(.right, .shift)],
        "swap-sides": [.super(letter: "s")],
        "slide-over-left": [.super(.left, .alt)],
        "slide-over-right": [.super(.right, .alt)],
        "slide-over-toggle": [.super(letter: "\\")],
        "slide-over-next": [.super(letter: "\\", .shift)],
        "picture-in-picture": [.super(letter: "p")],
        "picture-in-picture-corner": [.super(letter: "p", .shift)],
        "picture-in-picture-stash": [.super(letter: "p", .ctrl)],
        "picture-in-picture-larger": [.super(letter: "=")],
        "picture-in-picture-smaller": [.super(letter: "-")],
        "focus-next": [.super(letter: "`")],
        "close-window": [.super(letter: "w")],
        "accept-window": [.super(letter: "n")],
        "rotate": [.super(letter: "r")],
        "quit": [.super(letter: "q", .shift)],
    ])
}

extension KeyChord {
    enum Arrow: UInt32 {
        case left = 0xff51, up, right, down
    }

    static func `super`(_ arrow: Arrow, _ more: KeyModifiers = []) -> KeyChord {
        KeyChord([.super, more], keysym: arrow.rawValue)
    }

    static func `super`(letter: Unicode.Scalar, _ more: KeyModifiers = []) -> KeyChord {
        KeyChord([.super, more], keysym: letter.value)
    }
}
