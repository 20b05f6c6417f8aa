import Geometry
import Rooms
import Windows

extension Modality: Room {
    public enum Event: Hashable, Sendable {
        /// A program wants a view to be shown. `below`: the app's own last modal view on that window, if there is one.
        case presented(ModalView, over: ModalKind?)
        /// A person chose this answer.
        case chosen(Int, of: ModalID)
        /// A person marked this part of the screen for a view that asks for one.
        case marked(Rect, of: ModalID, on: Rect)
        /// A person dismissed a view that need not be answered (`ModalView.dismissal`).
        case dismissed(ModalID)
        /// Its program takes it back, or is gone.
        case withdrawn(ModalID)
        /// A window closed.
        case windowGone(WindowID)
        /// A person goes home: what programs show over the screen stands aside, with whatever waits for it.
        case standsAside
        /// A person comes back to the apps.
        case comesBack
        /// A person dismissed a sheet of an app. `isInstant`: without motion there is nothing to wait for.
        case sheetDismissed(WindowID, isInstant: Bool)
        /// The app shows something on this sheet: perhaps whether to save.
        case appKeeps(WindowID)
        case timeIsUp

        /// Whether a view may look different, and stay.
        public var changesView: Bool {
            switch self {
            case .chosen, .marked: true
            default: false
            }
        }
    }

    public mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [Outcome] {
        switch event {
        case .presented(let view, let below): return present(view, over: below, at: now)
        case .chosen(let choice, let id): return choose(choice, of: id)
        case .marked(let frame, let id, let screen):
            _ = mark(frame, for: id, on: screen)
            return []
        case .dismissed(let id):
            var outcomes: [Outcome] = []
            _ = dismiss(id, &outcomes)
            return outcomes
        case .withdrawn(let id): return withdraw(id)
        case .windowGone(let window): return windowGone(window)
        case .standsAside:
            _ = standAside()
            return []
        case .comesBack:
            comeBack()
            return []
        case .sheetDismissed(let sheet, let isInstant): return dismiss(sheet, isInstant: isInstant, at: now)
        case .appKeeps(let sheet): return appKeeps(sheet)
        case .timeIsUp: return alarmRang(at: now)
        }
    }

    public func violations(in context: Void) -> [String] { violations() }
}
