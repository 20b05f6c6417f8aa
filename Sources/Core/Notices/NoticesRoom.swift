import Geometry
import Rooms

extension Notices: Room {
    public enum Event: Hashable, Sendable {
        /// From an adapter.
        case outside(NoticeEvent)
        /// Of a person.
        case act(NoticeAct)
        /// The shell itself notifies.
        case told(NoticeContent)
        /// A person wrote an answer. `by`: the key of the button; nil: the first one that takes one.
        case answered(NoticeID, String, by: String?)
        /// The answer had no receiver any more.
        case unsent(NoticeID, String)
        /// Its banner went.
        case bannerEnded(NoticeID)
        /// A person saw all in the list.
        case readAll
        /// A person used it, and it stays.
        case used(NoticeID)
        /// A person uses an app, and its process.
        case read(app: String, process: Int32?)
    }

    public enum Outcome: Hashable, Sendable {
        case effect(NoticeEffect)
        /// It may show a banner now.
        case banner(NoticeID)
        /// One sound for all that come at once.
        case sound(String)
        /// The shell tells this app something, so the app has to run. `process`: whose windows are the app's, if it is known.
        case calls(app: String, process: Int32?)
        /// A person wants to see this app. `isTold`: it hears of it over the bus, and is started that way if it is gone.
        case opens(app: String, process: Int32?, isTold: Bool)
    }

    public mutating func handle(_ event: Event, in surroundings: Surroundings, at now: Moment) -> [Outcome] {
        switch event {
        case .outside(let event): outcomes(of: handle(event, in: surroundings, at: now))
        case .act(let act): outcomes(of: perform(act, at: now))
        case .told(let content): outcomes(of: tell(content, in: surroundings, at: now))
        case .answered(let id, let text, let button): outcomes(of: answer(id, text, by: button))
        case .unsent(let id, let text): outcomes(of: keepUnsent(id, text))
        case .bannerEnded(let id): outcomes(of: bannerEnded(id))
        case .readAll: outcomes(of: read())
        case .used(let id): outcomes(of: read(id))
        case .read(let app, let process): outcomes(of: read(app)) + (process.map { outcomes(of: read(process: $0)) } ?? [])
        }
    }

    mutating func read(_ id: NoticeID) -> Turn {
        var turn = Turn()
        guard var notice = all[id], !notice.isRead else { return turn }
        notice.isRead = true
        put(notice)
        turn.effects.append(.keepRead(id))
        return turn
    }

    private func outcomes(of turn: Turn) -> [Outcome] {
        turn.banners.map(Outcome.banner) + turn.sounds.prefix(1).map(Outcome.sound)
            + (turn.calls.map { [.calls(app: $0, process: turn.process)] } ?? [])
            + (turn.opens.map { [.opens(app: $0, process: turn.process, isTold: turn.isTold)] } ?? []) + turn.effects.map(Outcome.effect)
    }

    public func violations(in surroundings: Surroundings) -> [String] { violations() }
}
