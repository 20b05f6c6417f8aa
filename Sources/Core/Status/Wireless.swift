import Geometry
import Rooms

/// An act of a person on wireless networks.
public enum WirelessAction: Hashable, Codable, Sendable {
    /// Joins a network of the list, by its id.
    case join(String)
    /// Leaves the network in use.
    case leave
    /// Opens the page on which the network in use asks for a login.
    case logIn
    /// Shows more about a network of the list, by its id.
    case details(String)
    /// Forgets a saved network, by its id.
    case forget(String)
    /// Joins a network that hides its name.
    case joinHidden(WirelessSecurity)
    /// Sends the password that stands in the field.
    case answer
    case cancel
}

/// A wish to join a network, for NetworkManager.
public struct WirelessJoin: Hashable, Codable, Sendable {
    public var ssid: [UInt8]
    public var security: WirelessSecurity
    /// The saved profile to use; nil: a new one is made, and kept once it has worked.
    public var profile: String?
    public var password: Secret?
    public var isHidden = false

    public init(ssid: [UInt8], security: WirelessSecurity, profile: String? = nil, password: Secret? = nil, isHidden: Bool = false) {
        self.ssid = ssid
        self.security = security
        self.profile = profile
        self.password = password
        self.isHidden = isHidden
    }
}

/// The wireless networks in reach, and how a person joins one. NetworkManager asks for passwords through its secret agent, which is
/// this room, too.
///
/// A network is saved once it has worked: a wrong password leaves nothing behind. A question waits only where a person sees it.
public struct Wireless: Room {
    /// The list, while a person looks at it.
    public private(set) var networks: [WirelessNetwork] = []
    /// Whether the list is in sight.
    public private(set) var isSeen = false
    /// The network that is being joined.
    public private(set) var attempt: Attempt?
    public private(set) var question: Question?
    /// Why the last network was not joined.
    public private(set) var trouble: Trouble?
    /// The network that a person wants to know more about, by its id.
    public private(set) var detailed: String?
    private var lastAttempt: UInt64 = 0

    public init() {}

    public struct Attempt: Hashable, Codable, Sendable {
        public var number: UInt64
        public var join: WirelessJoin
        /// A person went back from the question for its password, so that its end is no news.
        var isDropped = false
    }

    /// The password of a network.
    public struct Question: Hashable, Codable, Sendable {
        public var ssid: [UInt8]
        public var security: WirelessSecurity
        /// The last one did not work.
        public var wasWrong = false
        /// The request of NetworkManager that it answers; nil: a person wants to join the network.
        public var request: UInt64?
        /// The network hides its name, which a person writes, too.
        public var isHidden = false

        public var name: String { NetworkFacts.name(ssid) }
    }

    public enum Trouble: Hashable, Codable, Sendable {
        /// It wants a name and a password of a company, which the shell cannot ask for.
        case enterprise(name: String)
        /// It did not answer, or refused.
        case failed(name: String)
        /// In NetworkManager's own words.
        case says(String)
        /// No network has such a password.
        case badPassword(WirelessSecurity)
        /// A name has 1 to 32 bytes.
        case badName
    }

    /// How an attempt to join ended.
    public enum End: Hashable, Codable, Sendable {
        case connected
        /// The network refused the password, or there was none.
        case noSecret
        case failed
        /// NetworkManager refused, in its words.
        case refused(String)
    }

    public enum Event: Hashable, Codable, Sendable {
        case seen(Bool)
        /// nil: NetworkManager is gone, or hangs.
        case facts(WirelessFacts?)
        /// A person acts. `name` and `password`: the fields as they stand.
        case wish(WirelessAction, name: Secret, password: Secret)
        /// NetworkManager asks for the password of a network. `isNew`: the one that it has is wrong; `mayAsk`: a person asked for the
        /// connection.
        case asked(UInt64, ssid: [UInt8], security: WirelessSecurity, isNew: Bool, mayAsk: Bool)
        /// It does not need the answer any more.
        case withdrawn(UInt64)
        case ended(attempt: UInt64, End)
        /// The session is locked: no question waits unseen.
        case locked
    }

    public enum Outcome: Hashable, Sendable {
        case changed
        /// Tell the networks, and search for them; false: no more.
        case watch(Bool)
        case join(UInt64, WirelessJoin)
        /// The profile of this attempt stays.
        case keep(UInt64)
        case forget([String])
        case leave
        /// Open the page of the login.
        case logsIn
        /// nil: a person does not answer.
        case answer(UInt64, Secret?)
        case showsDetails
        /// Show the question.
        case asks
        /// The question is over.
        case settled
        case refuse(String)
    }

    /// - Parameter context: whether a person can be asked now: the session is not locked.
    public mutating func handle(_ event: Event, in context: Bool, at now: Moment) -> [Outcome] {
        (context ? [] : dropQuestion()) + take(event, isOpen: context)
    }

    private mutating func take(_ event: Event, isOpen: Bool) -> [Outcome] {
        switch event {
        case .seen(let isSeen):
            guard isSeen != self.isSeen else { return [] }
            self.isSeen = isSeen
            if !isSeen {
                networks = []
                (trouble, detailed) = (nil, nil)
            }
            return [.watch(isSeen), .changed] + (isSeen ? [] : dropQuestion())
        case .facts(let facts):
            let networks = isSeen ? facts?.networks ?? [] : []
            guard networks != self.networks else { return [] }
            self.networks = networks
            return [.changed]
        case .wish(let action, let name, let password): return carryOut(action, name.text, password)
        case .asked(let request, let ssid, let security, let isNew, let mayAsk):
            guard isOpen, mayAsk, security.needsPassword else { return [.answer(request, nil)] }
            trouble = nil
            return ask(Question(ssid: ssid, security: security, wasWrong: isNew, request: request))
        case .withdrawn(let request):
            guard question?.request == request else { return [] }
            question = nil
            return [.settled, .changed]
        case .ended(let number, let end): return ended(number, end)
        case .locked: return []
        }
    }

    private mutating func carryOut(_ action: WirelessAction, _ name: String, _ password: Secret) -> [Outcome] {
        switch action {
        case .join(let id):
            guard let network = networks.first(where: { $0.id == id }) else {
                return [.refuse("no wireless network \"\(id)\" is in the list")]
            }
            trouble = nil
            guard network.state == .away else { return [] }
            if let profile = network.profiles.first {
                return begin(WirelessJoin(ssid: network.ssid, security: network.security, profile: profile))
            }
            guard network.security != .enterprise else { return fail(.enterprise(name: network.name)) }
            guard network.security.needsPassword else { return begin(WirelessJoin(ssid: network.ssid, security: network.security)) }
            return ask(Question(ssid: network.ssid, security: network.security))
        case .leave:
            guard networks.contains(where: { $0.state != .away }) || attempt != nil else {
                return [.refuse("no wireless network is in use")]
            }
            return [.leave]
        case .logIn: return [.logsIn]
        case .details(let id):
            guard networks.contains(where: { $0.id == id }) else { return [.refuse("no wireless network \"\(id)\" is in the list")] }
            detailed = id
            return [.showsDetails, .changed]
        case .forget(let id):
            guard let network = networks.first(where: { $0.id == id }), network.isSaved else {
                return [.refuse("no saved network \"\(id)\" is in the list")]
            }
            trouble = nil
            return [.forget(network.profiles), .changed]
        case .joinHidden(let security):
            guard security != .enterprise else { return [.refuse("a network of a company cannot be joined here")] }
            trouble = nil
            guard question?.isHidden ?? false else { return ask(Question(ssid: [], security: security, isHidden: true)) }
            question!.security = security
            return [.changed]
        case .answer: return answer(name, password)
        case .cancel:
            guard question != nil else { return [.refuse("no password is asked for")] }
            return dropQuestion()
        }
    }

    private mutating func answer(_ name: String, _ password: Secret) -> [Outcome] {
        guard let question else { return [.refuse("no password is asked for")] }
        let ssid = question.isHidden ? Array(name.utf8) : question.ssid
        guard (1...32).contains(ssid.count) else { return fail(.badName) }
        guard !question.security.needsPassword || question.security.isPossible(password.text) else {
            return fail(.badPassword(question.security))
        }
        self.question = nil
        trouble = nil
        if let request = question.request { return [.answer(request, password), .settled, .changed] }
        return begin(
            WirelessJoin(
                ssid: ssid, security: question.security, password: question.security.needsPassword ? password : nil,
                isHidden: question.isHidden)) + [.settled]
    }

    /// A question takes the place of the last one.
    private mutating func ask(_ next: Question) -> [Outcome] {
        let out = dropQuestion(isReplaced: true)
        question = next
        return out + [.asks, .changed]
    }

    private mutating func begin(_ join: WirelessJoin) -> [Outcome] {
        lastAttempt += 1
        attempt = Attempt(number: lastAttempt, join: join)
        return [.join(lastAttempt, join), .changed]
    }

    private mutating func fail(_ trouble: Trouble) -> [Outcome] {
        guard trouble != self.trouble else { return [] }
        self.trouble = trouble
        return [.changed]
    }

    private mutating func ended(_ number: UInt64, _ end: End) -> [Outcome] {
        guard let attempt, attempt.number == number else { return [] }
        let join = attempt.join
        self.attempt = nil
        if end != .connected, attempt.isDropped { return [.changed] }
        switch end {
        case .connected: return (join.profile == nil ? [.keep(number)] : []) + [.changed]
        // A saved network gets a new password by the agent.
        case .noSecret where join.security.needsPassword && join.profile == nil && isSeen:
            return ask(Question(ssid: join.ssid, security: join.security, wasWrong: true, isHidden: join.isHidden))
        // Networks with WPA3 do not say that a password is wrong: they do not answer.
        case .failed where join.password != nil && join.profile == nil && isSeen:
            let out = ask(Question(ssid: join.ssid, security: join.security, isHidden: join.isHidden))
            trouble = .failed(name: NetworkFacts.name(join.ssid))
            return out
        case .noSecret, .failed: trouble = .failed(name: NetworkFacts.name(join.ssid))
        case .refused(let words): trouble = .says(words)
        }
        return [.changed]
    }

    /// No person answers the question any more. `isReplaced`: another one follows.
    private mutating func dropQuestion(isReplaced: Bool = false) -> [Outcome] {
        guard let old = question else { return [] }
        if old.request != nil, !isReplaced, attempt?.join.ssid == old.ssid { attempt!.isDropped = true }
        question = nil
        return (old.request.map { [.answer($0, nil)] } ?? []) + (isReplaced ? [] : [.settled, .changed])
    }

    public func violations(in context: Bool) -> [String] {
        var found: [String] = []
        if !isSeen, !networks.isEmpty { found.append("networks are listed that nobody looks at") }
        if !context, question != nil { found.append("a password is asked for in a locked session") }
        if Set(networks.map(\.id)).count != networks.count { found.append("a network is in the list twice") }
        return found
    }
}
