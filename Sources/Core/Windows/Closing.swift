/// That a window was asked to close, by a person or for one: the only place that knows (S-04, W-18). It is forgotten when the window
/// goes, and when a person is back in it, because the app kept it.
public enum ClosingState: Hashable, Codable, Sendable {
    case asked
    /// The same, and its card is out of the app switcher. It comes back if the window is still there after a second: the app may
    /// have a question.
    case askedFromCard
}

extension Workspace {
    /// Whether its card left the app switcher because it was asked to close.
    public func isCardOut(_ id: WindowID) -> Bool { windows[id]?.closing == .askedFromCard }

    public var isAnyCardOut: Bool { windows.values.contains { $0.closing == .askedFromCard } }

    /// No place is kept for another window of its app (S-04).
    public mutating func askedToClose(_ id: WindowID) {
        edit(id) {
            if $0.isMapped { $0.closing = $0.closing ?? .asked }
            $0.restored?.firstTitle = nil
        }
    }

    public mutating func takeCardOut(_ id: WindowID) { edit(id) { $0.closing = .askedFromCard } }

    public mutating func bringCardsBack() {
        for id in windows.keys where isCardOut(id) { edit(id) { $0.closing = .asked } }
    }

    /// A person is back in these windows, which their apps kept.
    public mutating func keptOpen(_ seen: [WindowID]) {
        for id in seen where windows[id]?.closing == .asked { edit(id) { $0.closing = nil } }
    }
}
