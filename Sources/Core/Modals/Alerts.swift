import Geometry
import Interface
import Rooms
import Stage

/// The shell's own alerts, in the order in which they are shown. Nothing of the shell stands over one, and an alert waits for an alert
/// (M-11).
public struct Alerts: Room {
    private struct Alert: Hashable, Codable, Sendable {
        var content: Interface.Popover
        /// It comes back until a person has answered it. Any other one ends with whatever closes it.
        var stays: Bool
    }

    /// Oldest first. The first one is in sight, or comes as soon as it can.
    private var line: [Alert] = []
    private var isShown = false

    public static let most = 8

    public init() {}

    public var waiting: [Interface.Popover] { line.map(\.content) }

    /// Whether a person still has to say if the windows of the last session come back (W-20).
    public var asksWindowsAside: Bool { line.contains { Alerts.isWindowsAside($0.content) } }

    public enum Event: Hashable, Sendable {
        /// The shell has to tell or ask a person something. It takes the place of a menu at once, and waits for another alert and for the
        /// unlocking. `stays`: it waits until nothing else of the shell is open, and comes back until it is answered.
        case told(Interface.Popover, stays: Bool)
        /// A question that stays until it is withdrawn, and takes the place of a menu at once: it never waits unseen (law 12).
        case asked(Interface.Popover)
        /// A change settled. Programs that start and a locker close views; an alert that stays comes back then.
        case settled
        /// Another alert makes those with this title superfluous, whether they are in sight or wait.
        case superseded(title: Text)
        /// They are outdated, in sight or not.
        case withdrawn([Interface.Popover])
        /// A person closes the popover that is open. If it is an alert, it is answered.
        case closed
        /// The shell crashed several times, and a person decides whether so many windows come back.
        case windowsSetAside(Int)
        case windowsAsideAnswered
    }

    public struct Context: Hashable, Sendable {
        /// The popover that is open.
        public var open: Interface.Popover?
        public var isLocked: Bool

        public init(open: Interface.Popover?, isLocked: Bool) {
            self.open = open
            self.isLocked = isLocked
        }
    }

    public enum Outcome: Hashable, Sendable {
        case presents(Interface.Popover)
        /// The popover that is open closes.
        case closes
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .told(let content, let stays): return add(content, stays: stays, context)
        case .asked(let content): return add(content, stays: true, isUrgent: true, context)
        case .settled:
            leaveSeen(context)
            return context.open == nil ? showFirst(context) : []
        case .superseded(let title):
            leave(context) { if case .alert(title, _) = $0 { true } else { false } }
            return []
        case .withdrawn(let alerts):
            leave(context, alerts.contains)
            return context.open.map { $0.isAlert && alerts.contains($0) } ?? false ? [.closes] : []
        case .closed:
            if isShown, isFirstOpen(context) {
                line.removeFirst()
                isShown = false
            }
            return [.closes]
        case .windowsSetAside(let count): return asksWindowsAside ? [] : add(.windowsAside(count), stays: true, context)
        case .windowsAsideAnswered:
            let isOpen = context.open.map(Alerts.isWindowsAside) ?? false
            leaveSeen(Context(open: isOpen ? nil : context.open, isLocked: context.isLocked))
            line.removeAll { Alerts.isWindowsAside($0.content) }
            return isOpen ? [.closes] : []
        }
    }

    private mutating func add(_ content: Interface.Popover, stays: Bool, isUrgent: Bool = false, _ context: Context) -> [Outcome] {
        leaveSeen(context)
        guard line.count < Alerts.most + (isUrgent ? 1 : 0), !line.contains(where: { $0.content == content }) else { return [] }
        line.insert(Alert(content: content, stays: stays), at: isUrgent ? (isShown ? 1 : 0) : line.count)
        // One in sight that is no longer in the line makes room at once.
        return (!stays || isUrgent) && !(isShown && context.open?.isAlert ?? false) ? showFirst(context) : []
    }

    private mutating func showFirst(_ context: Context) -> [Outcome] {
        guard !context.isLocked, let next = line.first else { return [] }
        isShown = true
        return [.presents(next.content)]
    }

    private func isFirstOpen(_ context: Context) -> Bool { context.open != nil && context.open == line.first?.content }

    /// The one in sight was closed.
    private mutating func leaveSeen(_ context: Context) {
        guard isShown, !isFirstOpen(context) else { return }
        isShown = false
        if line.first?.stays == false { line.removeFirst() }
    }

    private mutating func leave(_ context: Context, _ isMeant: (Interface.Popover) -> Bool) {
        let isFirst = isShown && isFirstOpen(context) && isMeant(line[0].content)
        line.removeAll { isMeant($0.content) }
        if isFirst { isShown = false }
    }

    private static func isWindowsAside(_ content: Interface.Popover) -> Bool { if case .windowsAside = content { true } else { false } }

    public func violations(in context: Context) -> [String] {
        (isShown && line.isEmpty ? ["an alert is in sight that nobody asked for"] : [])
            + (line.count > Alerts.most + 1 ? ["\(line.count) alerts wait"] : [])
    }
}
