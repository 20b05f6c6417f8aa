import Geometry
import OrderedCollections
import Windows

/// Who gets what a person types, and which panels of other programs stand on the screen.
///
/// A room of the core: adapters report what panels ask for, and carry out where they stand and who has the keys. Nobody
/// else decides either.
public struct Seat: Hashable, Codable, Sendable {
    /// Oldest first; later ones of a layer lie above.
    public internal(set) var panels: OrderedDictionary<PanelID, Panel> = [:]
    /// What panels keep for themselves at each edge of the screen, in points.
    public internal(set) var reserved = Insets.zero
    /// The panel that a person chose: it came up for them, or was pressed, and wants keys on demand.
    private var chosen: PanelID?
    /// Menus of X11 programs that belong to no window are there and want keys.
    private var hasX11Menus = false

    public init() {}

    // MARK: What happens

    /// A panel is new, or its program committed something else.
    public mutating func panelChanged(_ id: PanelID, _ facts: PanelFacts) {
        let wasMapped = panels[id]?.facts.isMapped ?? false
        // One that goes away and comes again is the newest.
        let frame = wasMapped && !facts.isMapped ? panels.removeValue(forKey: id)?.frame : panels[id]?.frame
        panels[id] = Panel(facts: facts, frame: frame)
        // A launcher or a menu that wants keys: a person opened it to type. Panels want none.
        if facts.isMapped, !wasMapped, facts.isAboveWindows { choose(id) }
        if !wantsKeys(chosen) { chosen = nil }
    }

    public mutating func panelGone(_ id: PanelID) {
        panels[id] = nil
        if chosen == id { chosen = nil }
    }

    /// A finger or a button went down: on a panel, or (nil) elsewhere, which takes the keys from one that was chosen.
    public mutating func pressed(_ id: PanelID?) {
        guard let id else { return chosen = nil }
        choose(id)
    }

    /// Another window became active, or a view of the shell's own opened over everything.
    public mutating func leavePanel() { chosen = nil }

    public mutating func x11MenusWantKeys(_ want: Bool) { hasX11Menus = want }

    private mutating func choose(_ id: PanelID) {
        if wantsKeys(id) { chosen = id }
    }

    private func wantsKeys(_ id: PanelID?) -> Bool {
        guard let facts = id.flatMap({ panels[$0] })?.facts else { return false }
        return facts.isMapped && !facts.isOffScreen && facts.keyboard != .never
    }

    // MARK: What follows

    /// A person chose a panel, or one holds the keys: what is typed is neither the shell's nor a window's.
    public var panelWithKeys: PanelID? {
        let exclusive = panels.elements.filter { wantsKeys($0.key) && $0.value.facts.keyboard == .always && $0.value.facts.isAboveWindows }
        // The topmost one: of the highest layer the newest.
        let top = exclusive.reversed().max { $0.value.facts.layer.rawValue < $1.value.facts.layer.rawValue }
        return top?.key ?? (hasX11Menus ? nil : chosen)
    }

    /// Who gets what is typed.
    /// - Parameters:
    ///   - window: the active one.
    ///   - isShell: a view of the shell's own wants the keys.
    public func keyboard(window: WindowID?, isShell: Bool, isLocked: Bool) -> KeyboardTarget {
        if isLocked { return .locker }
        if let panel = panelWithKeys { return .panel(panel) }
        if hasX11Menus { return .x11Menus }
        if isShell { return .shell }
        return window.map { .window($0) } ?? .nobody
    }

    /// What must hold at all times; empty if it does.
    public func violations() -> [String] {
        var found: [String] = []
        if let chosen, !wantsKeys(chosen) { found.append("\(chosen) was chosen and wants no keys") }
        for (edge, value) in [("top", reserved.top), ("right", reserved.right), ("bottom", reserved.bottom), ("left", reserved.left)]
        where value < 0 || !value.isFinite { found.append("panels keep \(value) points at the \(edge)") }
        return found
    }
}

/// Who gets what is typed: one at a time.
public enum KeyboardTarget: Hashable, Codable, Sendable {
    case nobody
    /// A window, or the popup that it opened over itself.
    case window(WindowID)
    case panel(PanelID)
    /// Menus of X11 programs that belong to no window.
    case x11Menus
    /// A view of the shell's own.
    case shell
    case locker
}
