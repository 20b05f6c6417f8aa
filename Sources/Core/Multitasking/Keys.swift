import AudioSessions
import Windows

/// A key with modifiers, and its action. Every function has a keyboard path (X-02, law 9).
public struct KeyBinding: Hashable, Codable, Sendable {
    public var chord: KeyChord
    public var action: Action

    public init(_ chord: KeyChord, _ action: Action) {
        self.chord = chord
        self.action = action
    }

    /// The keys of a fresh installation, listed in `docs/keys.md`.
    public static let standard: [KeyBinding] = [
        .init("Super+Up", .fullScreen()),
        .init("Super+Left", .splitView(side: .left)),
        .init("Super+Right", .splitView(side: .right)),
        .init("Super+Ctrl+Up", .splitView(side: .top)),
        .init("Super+Ctrl+Down", .splitView(side: .bottom)),
        .init("Super+Down", .slideOver()),
        .init("Super+p", .pictureInPicture()),
        .init("Super+w", .close()),
        .init("Super+f", .focusNext),
        .init("Super+bracketleft", .dividerStep(-1)),
        .init("Super+bracketright", .dividerStep(1)),
        .init("Super+x", .swapSides),
        .init("Super+s", .slideOverToggle),
        .init("Super+Shift+Left", .slideOverSide(.left)),
        .init("Super+Shift+Right", .slideOverSide(.right)),
        .init("Super+grave", .slideOverNext),
        .init("Super+Shift+grave", .slideOverPrevious),
        .init("Super+1", .pipCorner(.topLeft)),
        .init("Super+2", .pipCorner(.topRight)),
        .init("Super+3", .pipCorner(.bottomLeft)),
        .init("Super+4", .pipCorner(.bottomRight)),
        .init("Super+equal", .pipStep(1)),
        .init("Super+minus", .pipStep(-1)),
        .init("Super+Ctrl+equal", .magnify(by: .larger)),
        .init("Super+Ctrl+minus", .magnify(by: .smaller)),
        .init("Super+Alt+Left", .magnify(by: .left)),
        .init("Super+Alt+Right", .magnify(by: .right)),
        .init("Super+Alt+Up", .magnify(by: .up)),
        .init("Super+Alt+Down", .magnify(by: .down)),
        .init("Super+h", .pipToggle),
        .init("Super+Page_Up", .depthStep(-1)),
        .init("Super+Page_Down", .depthStep(1)),
        .init("Super+Shift+p", .pipControls),
        .init("Super+Tab", .nextSpace),
        .init("Super+Shift+Tab", .previousSpace),
        .init("Super+n", .openWaiting()),
        .init("Super+comma", .controlPage(.settings)),
        .init("Super+l", .lockScreen(.lock)),
        .init("Super+d", .home),
        .init("Super+space", .search()),
        .init("Super+a", .appSwitcher),
        .init("Super+b", .dock),
        .init("Super+e", .appShelf()),
        .init("Super+Shift+e", .appExpose()),
        .init("Super+m", .controls()),
        .init("Super+Shift+n", .newWindow()),
        .init("Super+Shift+w", .notifications),
        .init("Super+c", .controlCentre),
        .init("Super+k", .screenKeyboard()),
        .init("Super+slash", .keyHelp),
        .init("XF86AudioRaiseVolume", .audio(.volumeStep(1))),
        .init("XF86AudioLowerVolume", .audio(.volumeStep(-1))),
        .init("XF86AudioMute", .audio(.mute(nil))),
        .init("XF86MonBrightnessUp", .device(.brightnessStep(1))),
        .init("XF86MonBrightnessDown", .device(.brightnessStep(-1))),
        .init("XF86AudioMicMute", .audio(.muteMicrophone(nil))),
        .init("XF86AudioPlay", .audio(.remote(.togglePlayPause, .key))),
        .init("XF86AudioPause", .audio(.remote(.pause, .key))),
        .init("XF86AudioStop", .audio(.remote(.stop, .key))),
        .init("XF86AudioNext", .audio(.remote(.next, .key))),
        .init("XF86AudioPrev", .audio(.remote(.previous, .key))),
        .init("XF86AudioForward", .audio(.remote(.skipForward(nil), .key))),
        .init("XF86AudioRewind", .audio(.remote(.skipBackward(nil), .key))),
        // The only button of a headset.
        .init("XF86AudioMedia", .audio(.headsetButton())),
    ]
}

extension [KeyBinding] {
    /// The binding of a key by its own symbol, else by the first of its other meanings that has one.
    func binding(of key: Key) -> KeyBinding? {
        key.chords.lazy.compactMap { binding(of: $0.symbol, $0.modifiers) }.first
    }

    /// The binding of a key. Keys for sound have the same meaning whatever modifiers are held.
    func binding(of symbol: KeySymbol, _ modifiers: Modifiers) -> KeyBinding? {
        var plain: Int?
        // By index, because each element that is taken out is copied with its action, and this is asked at every key.
        for index in indices where self[index].chord.symbol == symbol {
            if self[index].chord.modifiers == modifiers { return self[index] }
            if plain == nil, self[index].chord.modifiers.isEmpty { plain = index }
        }
        return symbol.isForSound ? plain.map { self[$0] } : nil
    }
}

public struct KeyChord: Hashable, Sendable {
    public var modifiers: Modifiers
    /// Keysym of the key alone.
    public var symbol: KeySymbol

    public init(modifiers: Modifiers, symbol: KeySymbol) {
        self.modifiers = modifiers
        self.symbol = symbol
    }

    /// Keys that have a name; letters, digits and other signs of Latin-1 stand for themselves.
    static let names: [(name: String, symbol: KeySymbol)] =
        [
            ("Left", .leftArrow), ("Up", .upArrow), ("Right", .rightArrow), ("Down", .downArrow), ("Tab", .tab), ("Return", .enter),
            ("Escape", .escape), ("space", .space), ("BackSpace", .backspace), ("Delete", .delete), ("Home", .home),
            ("End", .end), ("Page_Up", .pageUp), ("Page_Down", .pageDown), ("bracketleft", 0x5b), ("bracketright", 0x5d),
            ("grave", 0x60), ("equal", 0x3d), ("minus", .minus), ("plus", .plus), ("comma", 0x2c), ("period", 0x2e),
            ("slash", 0x2f), ("semicolon", 0x3b), ("apostrophe", 0x27), ("backslash", 0x5c),
            ("XF86AudioLowerVolume", .lowerVolume), ("XF86AudioMute", .mute), ("XF86AudioRaiseVolume", .raiseVolume),
            ("XF86AudioPlay", .audioPlay), ("XF86AudioStop", .audioStop), ("XF86AudioPrev", .audioPrevious),
            ("XF86AudioNext", .audioNext), ("XF86AudioPause", .audioPause), ("XF86AudioMedia", .audioMedia),
            ("XF86AudioRewind", .audioRewind), ("XF86AudioForward", .audioForward), ("XF86AudioMicMute", .microphoneMute),
            ("XF86HomePage", .homePage), ("XF86Back", .back), ("XF86MenuKB", .remoteMenu), ("XF86Red", .red), ("XF86Green", .green),
            ("XF86Yellow", .yellow), ("XF86Blue", .blue), ("XF86Info", .info), ("XF86Guide", .guide),
            ("XF86ChannelUp", .channelUp), ("XF86ChannelDown", .channelDown),
            ("XF86MonBrightnessUp", .brightnessUp), ("XF86MonBrightnessDown", .brightnessDown),
        ] + (1...12).map { ("F\($0)", KeySymbol(rawValue: 0xffbe + UInt32($0) - 1)) }

    /// Volume, microphone or playback. The shell takes such a key even without a modifier.
    public var isForSound: Bool { symbol.isForSound }

    /// Parses "Super+Shift+Left"; nil if a part of it is unknown.
    public init?(parsing text: String) {
        var modifiers: Modifiers = []
        var symbol: KeySymbol?
        for part in text.split(separator: "+", omittingEmptySubsequences: false) {
            switch part.lowercased() {
            case "super", "logo": modifiers.insert(.super)
            case "shift": modifiers.insert(.shift)
            case "ctrl", "control": modifiers.insert(.control)
            case "alt": modifiers.insert(.alt)
            default:
                guard symbol == nil else { return nil }
                if let known = KeyChord.names.first(where: { $0.name.lowercased() == part.lowercased() }) {
                    symbol = known.symbol
                } else if part.unicodeScalars.count == 1, let scalar = part.lowercased().unicodeScalars.first,
                    (0x21...0xff).contains(scalar.value)
                {
                    symbol = KeySymbol(rawValue: scalar.value)
                } else {
                    return nil
                }
            }
        }
        guard let symbol else { return nil }
        self.init(modifiers: modifiers, symbol: symbol)
    }
}

extension KeyChord: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) {
        guard let chord = KeyChord(parsing: text) else { preconditionFailure("\(text) names no key") }
        self = chord
    }
}

extension KeyChord: CustomStringConvertible {
    public var description: String { parts.joined(separator: "+") }

    /// The names of its modifiers and of its key.
    var parts: [String] {
        var parts: [String] = []
        if modifiers.contains(.super) { parts.append("Super") }
        if modifiers.contains(.control) { parts.append("Ctrl") }
        if modifiers.contains(.alt) { parts.append("Alt") }
        if modifiers.contains(.shift) { parts.append("Shift") }
        let known = KeyChord.names.first { $0.symbol == symbol }?.name
        parts.append(known ?? Unicode.Scalar(symbol.rawValue).map { String(Character($0)) } ?? "?")
        return parts
    }
}

extension KeyChord: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let chord = KeyChord(parsing: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" names no key")
        }
        self = chord
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
