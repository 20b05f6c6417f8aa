import Geometry
import Interface
import Locking
import Status
import Windows

extension System {
    /// An event as a recording may hold it. Keys that write a password are all the same one there, so that a replay has as many of them.
    public func masked(_ event: Event) -> Event {
        if case .lockScreen(.input(let input)) = event { return .lockScreen(.input(masked(input))) }
        guard interface.isWritingSecret else { return event }
        switch event {
        case .typed(let text): return .typed(maskedSigns(text))
        case .key(_, let symbol, let isPressed, let modifiers, let text, _)
        where symbol.isSign && (symbol != .space || interface.focus == nil):
            return .key(
                code: Self.maskedCode, symbol: .maskedSign, pressed: isPressed,
                modifiers: modifiers.intersection([.control, .alt, .super]),
                text: text.map(maskedSigns))
        default: return event
        }
    }

    /// Input for the lock screen: all keys that write are one key, on the screen, too.
    private func masked(_ input: LockInput) -> LockInput {
        func masked(_ point: Point) -> Point {
            guard let views = screenful.views(at: .zero), let control = views.lockControl(at: point), control.press?.writesOnLock ?? false,
                let first = views.lockedControls().first(where: { $0.press?.writesOnLock ?? false })
            else { return point }
            return first.frame.center
        }
        switch input {
        case .down(let id, let point): return .down(id, at: masked(point))
        case .moved(let id, let point): return .moved(id, to: masked(point))
        case .key(let symbol, let text):
            return symbol.isSign && text != nil ? .key(.maskedSign, text: text.map(Secret.masked)) : .key(symbol, text: text)
        case .up, .cancelled, .scrolled, .chord: return input
        }
    }

    /// Other signs where a password that is written twice differs from the first time, so that a replay says so, too.
    private func maskedSigns(_ text: String) -> String {
        let form = interface.prompt.form
        guard interface.isPromptOpen, form.writing == .promptRepeated,
            !form.text(of: .promptSecret).text.hasPrefix(form.text(of: .promptRepeated).text + text)
        else { return Secret.masked(text) }
        return String(repeating: "b", count: text.count)
    }

    /// The code of the key A.
    private static let maskedCode: UInt32 = 30
}

extension Action {
    fileprivate var writesOnLock: Bool { if case .lockScreen(.type) = self { true } else { false } }
}

extension KeySymbol {
    /// Whether the key writes a sign: those of Latin 1 and of Unicode, and those of other scripts.
    fileprivate var isSign: Bool {
        (0x20..<0xfd00).contains(rawValue) || (0xffaa...0xffb9).contains(rawValue) || rawValue >= 0x100_0000 && rawValue < 0x1000_0000
    }
    fileprivate static let maskedSign = KeySymbol(rawValue: 0x61)
}
