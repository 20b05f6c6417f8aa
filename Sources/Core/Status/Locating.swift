import Geometry
import Rooms

/// An act of a person on which apps may know where the device is.
public enum LocationAct: Hashable, Codable, Sendable {
    /// Whether an app may know it from now on.
    case allow(app: String, Bool)
    /// The app may not know it this time, and asks again.
    case later(app: String)
}

/// Which apps may know where the device is, and which of them do. GeoClue asks through its agent, which is this room; a person
/// answers once for each app.
public struct Locating: Room {
    /// An app that asks, with the requests that wait for the answer.
    public struct Question: Hashable, Codable, Sendable {
        public var app: String
        var requests: [UInt64]
    }

    private struct Admitted: Hashable, Codable, Sendable {
        var app: String
        var at: Moment
    }

    /// Whether a program uses the location now; nil: there is no such service, or it hangs.
    public private(set) var isInUse: Bool?
    /// Oldest first.
    public private(set) var questions: [Question] = []
    /// The apps that got the location since no program used it.
    private var admitted: [Admitted] = []

    public static let mostQuestions = 4, mostRequests = 8
    /// Seconds within which an app that may know the location begins to use it. One that does not is not named later.
    public static let patience = 60.0

    public init() {}

    public enum Event: Hashable, Codable, Sendable {
        case inUse(Bool?)
        /// An app wants to know it: the request of GeoClue, and the app's id, which its sandbox vouches for.
        case asked(UInt64, app: String)
        case withdrawn(UInt64)
        case wish(LocationAct)
        case locked
    }

    public struct Context: Hashable, Sendable {
        public var isLocked: Bool
        /// The answers that a person gave before.
        public var decided: [String: Bool]

        public init(isLocked: Bool, decided: [String: Bool]) {
            self.isLocked = isLocked
            self.decided = decided
        }
    }

    public enum Outcome: Hashable, Sendable {
        /// These apps use the location now; "": one of which nothing is known.
        case used([String])
        case answer(UInt64, Bool)
        /// A person has to say whether this app may know it.
        case asks(app: String)
        /// The question about this app is over.
        case settled(app: String)
        case remember(app: String, Bool)
        case refuse(String)
    }

    public mutating func handle(_ event: Event, in context: Context, at now: Moment) -> [Outcome] {
        (context.isLocked ? refuseAll() : []) + take(event, context, at: now)
    }

    private mutating func take(_ event: Event, _ context: Context, at now: Moment) -> [Outcome] {
        switch event {
        case .inUse(let isInUse):
            guard isInUse != self.isInUse else { return [] }
            self.isInUse = isInUse
            if isInUse == true { admitted.removeAll { now - $0.at > Locating.patience } } else { admitted = [] }
            return [.used(users)] + (isInUse == nil ? withdrawAll() : [])
        case .asked(let request, let app):
            guard (1...256).contains(app.utf8.count), !context.isLocked else { return [.answer(request, false)] }
            if let isAllowed = context.decided[app] { return [.answer(request, isAllowed)] + (isAllowed ? admit(app, at: now) : []) }
            if let index = questions.firstIndex(where: { $0.app == app }) {
                guard questions[index].requests.count < Locating.mostRequests else { return [.answer(request, false)] }
                questions[index].requests.append(request)
                return []
            }
            guard questions.count < Locating.mostQuestions else { return [.answer(request, false)] }
            questions.append(Question(app: app, requests: [request]))
            return [.asks(app: app)]
        case .withdrawn(let request):
            guard let index = questions.firstIndex(where: { $0.requests.contains(request) }) else { return [] }
            questions[index].requests.removeAll { $0 == request }
            guard questions[index].requests.isEmpty else { return [] }
            return [.settled(app: questions.remove(at: index).app)]
        case .wish(.allow(let app, let isAllowed)):
            guard (1...256).contains(app.utf8.count) else { return [.refuse("an app has a name of 1 to 256 bytes")] }
            let answered = end(app, isAllowed)
            return [.remember(app: app, isAllowed)] + answered + (isAllowed && !answered.isEmpty ? admit(app, at: now) : [])
        case .wish(.later(let app)):
            let answered = end(app, false)
            return answered.isEmpty ? [.refuse("\"\(app)\" does not ask for the location")] : answered
        case .locked: return []
        }
    }

    private mutating func admit(_ app: String, at now: Moment) -> [Outcome] {
        admitted.removeAll { $0.app == app }
        admitted = (admitted + [Admitted(app: app, at: now)]).suffix(SensorUse.most)
        return isInUse == true ? [.used(users)] : []
    }

    private var users: [String] { isInUse == true ? admitted.isEmpty ? [""] : admitted.map(\.app) : [] }

    /// Empty: nothing was asked about this app.
    private mutating func end(_ app: String, _ isAllowed: Bool) -> [Outcome] {
        guard let index = questions.firstIndex(where: { $0.app == app }) else { return [] }
        return questions.remove(at: index).requests.map { .answer($0, isAllowed) } + [.settled(app: app)]
    }

    private mutating func refuseAll() -> [Outcome] { questions.map(\.app).flatMap { end($0, false) } }

    /// There is none any more that waits for an answer.
    private mutating func withdrawAll() -> [Outcome] {
        let apps = questions.map(\.app)
        questions = []
        return apps.map { .settled(app: $0) }
    }

    public func violations(in context: Context) -> [String] {
        var found: [String] = []
        if context.isLocked, !questions.isEmpty { found.append("an app asks for the location in a locked session") }
        if Set(questions.map(\.app)).count != questions.count { found.append("an app asks twice for the location") }
        if questions.contains(where: \.requests.isEmpty) { found.append("the location is asked for by no request") }
        return found
    }
}
