import Foundation
import Seat
import Testing
import Windows

@testable import Multitasking

/// Shortcuts under the layouts of the world. `Tests/Clients/layouts.txt` holds what libxkbcommon says of the printing keys of
/// a pc105 keyboard, a layout a line: for each key its symbols by level, in lower case.
@Suite struct LayoutTests {
    static let codes = Array(UInt32(2)..<14) + Array(16..<28) + Array(30..<42) + [43] + Array(44..<54) + [86]

    struct Layout: CustomStringConvertible {
        var name: String
        /// By level.
        var keys: [UInt32: [KeySymbol]] = [:]
        var description: String { name }
        private(set) var whole = ShortcutKey.Layout()

        init(_ line: Substring) {
            let words = line.split(separator: " ")
            name = String(words[0])
            for (code, word) in zip(codes, words.dropFirst()) {
                keys[code] = word.split(separator: ",").map { KeySymbol(rawValue: UInt32($0, radix: 16)!) }
                whole.insert(symbols(code))
            }
        }

        func symbols(_ code: UInt32) -> ShortcutKey.Symbols {
            let levels = keys[code] ?? []
            return .init(levels.first ?? 0, levels.count > 1 ? levels[1] : 0)
        }
    }

    static let layouts: [Layout] = {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Clients/layouts.txt"
        ).path
        return ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(Layout.init)
    }()

    static let us = layouts.first { $0.name == "us" }!

    /// The shortcut that a key has: the level is 0, 1 with Shift, 2 with AltGr, or 3 with both.
    static func shortcut(_ code: UInt32, level: Int, _ extra: Modifiers = [], in layouts: [Layout]) -> KeyBinding? {
        let levels = layouts[0].keys[code] ?? [], isShifted = level % 2 == 1 || extra.contains(.shift)
        let key = ShortcutKey(
            code: code, symbols: layouts.map { $0.symbols(code) }, active: 0,
            effective: level < levels.count ? levels[level] : levels.first ?? 0,
            isShifted: isShifted)
        let modifiers: Modifiers = extra.union(isShifted ? [.super, .shift] : .super)
        return KeyBinding.standard.binding(
            of: Key(
                code: code, symbol: layouts[0].symbols(code).plain, isPressed: true, modifiers: modifiers, text: "",
                others: key.aliases(in: layouts.map(\.whole))))
    }

    /// The shortcuts of keys that print something, with Super alone.
    static var printing: [KeyBinding] {
        KeyBinding.standard.filter { $0.chord.modifiers == .super && (0x21..<0x7f).contains($0.chord.symbol.rawValue) }
    }

    @Test("X-02: every shortcut is on a key, in thirty layouts, alone and before the US layout")
    func reachable() {
        #expect(Self.layouts.count >= 30 && Self.printing.count > 20)
        for layout in Self.layouts {
            for group in [[layout], [layout, Self.us]] {
                for binding in Self.printing {
                    let found = Self.codes.contains { code in (0..<4).contains { Self.shortcut(code, level: $0, in: group) == binding } }
                    // These keys have slash and minus in Thai, and a comma in Armenian, which come first (docs/keys.md).
                    let isHidden =
                        layout.name == "th" && ["Super+2", "Super+3"].contains(binding.chord)
                        || layout.name == "am" && binding.chord == "Super+4"
                    #expect(found != isHidden, "\(group.map(\.name)): \(binding.chord)")
                }
            }
        }
    }

    @Test("X-02: a letter or digit is the key that has it in the layout, else the key at its place on a US keyboard")
    func letters() {
        for layout in Self.layouts {
            for group in [[layout], [layout, Self.us]] {
                for binding in Self.printing where binding.chord.symbol.rawValue != 0x2f && binding.chord.symbol.rawValue != 0x60 {
                    let symbol = binding.chord.symbol
                    guard (0x30...0x39).contains(symbol.rawValue) || (0x61...0x7a).contains(symbol.rawValue) else { continue }
                    let own =
                        Self.codes.first { layout.symbols($0).plain == symbol } ?? Self.codes.first { layout.symbols($0).shifted == symbol }
                    let code = own ?? Self.codes.first { Self.us.symbols($0).plain == symbol }!
                    let taken = Self.printing.contains { $0.chord.symbol == layout.symbols(code).plain }
                    #expect(taken || Self.shortcut(code, level: 0, in: group) == binding, "\(group.map(\.name)): \(binding.chord)")
                }
            }
        }
    }

    @Test("X-02: a French A is not the Q of the US layout behind it, and Shift stays part of a shortcut with a letter")
    func nothingElse() {
        let french = Self.layouts.first { $0.name == "fr" }!, russian = Self.layouts.first { $0.name == "ru" }!
        #expect(Self.shortcut(16, level: 0, in: [french, Self.us])?.action == .appSwitcher, "A")
        #expect(Self.shortcut(30, level: 0, in: [french, Self.us])?.action == nil, "Q")
        #expect(Self.shortcut(33, level: 1, in: [Self.us]) == nil, "Shift+F is not F")
        #expect(Self.shortcut(33, level: 1, in: [russian, Self.us]) == nil)
        #expect(Self.shortcut(25, level: 1, in: [russian])?.action == .pipControls, "Shift+P by its place")
        #expect(Self.shortcut(2, level: 0, in: [french])?.action == .pipCorner(.topLeft), "1 without Shift")
        let german = Self.layouts.first { $0.name == "de" }!
        #expect(Self.shortcut(8, level: 1, in: [german])?.action == .keyHelp, "Shift+7 is slash")
        #expect(Self.shortcut(53, level: 0, in: [german])?.action == .pipStep(-1), "minus is where slash is on a US keyboard")
        #expect(Self.shortcut(9, level: 2, in: [german])?.action == .dividerStep(-1), "AltGr+8 is a bracket")
    }
}
