import Glibc
import MessageBus
import Processes
import Status

/// The agent of polkit for this session: polkitd asks it to have a person prove who they are.
///
/// polkitd waits without limit, so each of its calls is answered when the question has ended, whichever way.
package final class PolkitAgent: LinkedBus, PromptSource {
    package private(set) lazy var link = BusLink(self) { [address] in address }
    private let address: String
    private unowned let desk: any PromptDesk
    private let locale: String
    /// The login session as the environment names it; else the login manager says it.
    private let session: String?
    /// Stand-ins for tests.
    private let helper: String?
    /// The connection of polkitd; "" while it is not there.
    private var authority = ""
    private var asked: [UInt64: Asked] = [:]
    private var isRegistering = false, isAgainDue = false

    private struct Asked {
        var call: HeldCall
        var cookie: String
        var message: String
        var users: [uid_t]
        var user: Int
        var asker: AgentPrompt.Asker
        var helper: PolkitHelper?
        /// Words of PAM since the last question.
        var words: [String] = []
        var wasWrong = false
        /// How often the helper ended before it asked anything.
        var failures = 0
        var hasAsked = false
    }

    private static let name = "org.freedesktop.PolicyKit1", agent = "org.freedesktop.PolicyKit1.AuthenticationAgent"
    private static let path = "/org/mullion/PolkitAgent"
    private static let most = 16

    /// - Parameters:
    ///   - locale: the language in which polkitd writes its messages.
    ///   - session: the id of the login session; nil: the login manager is asked.
    ///   - helper: the program that checks passwords, for tests; nil: polkit's own.
    package init(_ desk: any PromptDesk, address: String, locale: String, session: String?, helper: String? = nil) {
        self.desk = desk
        self.address = address
        self.locale = locale
        self.session = session
        self.helper = helper
    }

    package func close() {
        endAll()
        link.close()
    }

    // MARK: The bus

    package func begins(_ bus: BusConnection) {
        bus.export(
            Self.agent, below: Self.path,
            // polkitd has a user of its own.
            [.openMethod("BeginAuthentication", takes: "sssa{ss}sa(sa{sv})"), .openMethod("CancelAuthentication", takes: "s")])
    }

    package func has(_ path: String, _ interface: String) -> Bool { path == Self.path && interface == Self.agent }

    package func joined() {
        link.watchOwner(of: Self.name)
        // Asking for its owner would not start polkitd; to register does.
        register()
    }

    package func lost() {
        authority = ""
        (isRegistering, isAgainDue) = (false, false)
        endAll()
    }

    package func signal(_ signal: Incoming) {
        guard let (name, owner) = BusLink.ownerChange(signal), name == Self.name, owner != authority else { return }
        authority = owner
        endAll()
        if !owner.isEmpty { register() }
    }

    private func register() {
        guard !isRegistering else { return isAgainDue = true }
        isRegistering = true
        if let session, !session.isEmpty { return register(session) }
        link.call(
            "org.freedesktop.login1", "/org/freedesktop/login1/session/auto", "org.freedesktop.DBus.Properties", "Get", timeout: 5000,
            starts: false,
            {
                $0.string("org.freedesktop.login1.Session")
                $0.string("Id")
            }
        ) { [unowned self] answer in
            guard let id = (try? answer.get())?.value()?.text, !id.isEmpty else {
                isRegistering = false
                return desk.note("no login session: polkit gets no agent of the shell")
            }
            register(id)
        }
    }

    private func register(_ session: String) {
        link.call(
            Self.name, "/org/freedesktop/PolicyKit1/Authority", "\(Self.name).Authority", "RegisterAuthenticationAgent", timeout: 20_000,
            {
                $0.container(.structure, "sa{sv}") {
                    $0.string("unix-session")
                    $0.table(["session-id": .text(session)])
                }
                $0.string(self.locale)
                $0.string(Self.path)
            }
        ) { [unowned self] answer in
            isRegistering = false
            switch answer {
            case .success(let message):
                authority = message.sender
                isAgainDue = false
            // polkitd started anew meanwhile.
            case .failure where isAgainDue:
                isAgainDue = false
                register()
            case .failure(let error): desk.note("polkit takes no agent of the shell: \(error.text)")
            }
        }
    }

    // MARK: Questions of polkitd

    package func method(_ call: Incoming) -> Int32 {
        // Another program could show a person any words.
        guard !authority.isEmpty, call.sender == authority else { return call.refuse("AccessDenied", "only polkitd may ask") }
        switch call.member {
        case "BeginAuthentication": return begin(call)
        case "CancelAuthentication":
            guard let cookie = call.string() else { return call.refuse("InvalidArgs", "a cookie is expected") }
            for (id, one) in asked where one.cookie == cookie { end(id, cancelled: "polkit does not need it any more") }
            return call.reply { _ in }
        default: return call.refuse("UnknownMethod", "")
        }
    }

    private func begin(_ call: Incoming) -> Int32 {
        guard call.string() != nil, let message = call.string(), call.string() != nil else { return call.refuse("InvalidArgs", "") }
        var details: [String: String] = [:]
        let pairs = call.wholeArray(of: "{ss}", limit: 64) {
            call.entry("ss") {
                guard let key = call.string(), let value = call.string() else { return nil as Bool? }
                details[key] = value
                return true
            }
        }
        guard pairs != nil, let cookie = call.string() else { return call.refuse("InvalidArgs", "") }
        let identities = call.wholeArray(of: "(sa{sv})", limit: 64) {
            call.structure("sa{sv}") { () -> uid_t?? in
                guard let kind = call.string(), let table = call.table() else { return nil }
                guard kind == "unix-user", let number = table["uid"]?.integer, let uid = uid_t(exactly: number) else { return .some(nil) }
                return .some(uid)
            }
        }
        let users = (identities ?? []).compactMap(\.self).filter { Self.name(of: $0) != nil }
        guard !users.isEmpty else { return call.refuse(Self.error("Failed", "no person who can be asked")) }
        guard asked.count < Self.most else { return call.refuse(Self.error("Cancelled", "too many questions wait")) }
        // polkitd removes such keys of others.
        let process = (details["polkit.subject-pid"] ?? details["polkit.caller-pid"]).flatMap { Int32($0) }
        let id = desk.number(for: self)
        let user = users.firstIndex(of: getuid()) ?? users.firstIndex(of: 0) ?? 0
        asked[id] = Asked(
            call: call.keep(), cookie: cookie, message: message, users: users, user: user,
            asker: process.map(AgentPrompt.Asker.init(process:)) ?? .unknown)
        desk.ask(id, prompt(asked[id]!, .waiting))
        return 1
    }

    private static func error(_ name: String, _ text: String) -> BusError {
        BusError(name: "org.freedesktop.PolicyKit1.Error.\(name)", text: text)
    }

    private static func name(of user: uid_t) -> String? { getpwuid(user).map { String(cString: $0.pointee.pw_name) } }

    private func prompt(_ one: Asked, _ kind: AgentPrompt.Kind, label: String = "") -> AgentPrompt {
        var prompt = AgentPrompt(
            .authority, kind, asker: one.asker, message: one.message, label: label, warning: one.words.joined(separator: "\n"),
            identities: one.users.compactMap(Self.name), identity: one.user, endsWithAnswer: false)
        prompt.wasWrong = one.wasWrong
        return prompt
    }

    // MARK: The helper

    private func start(_ id: UInt64) {
        guard let one = asked[id], let user = Self.name(of: one.users[one.user]) else { return }
        one.helper?.end()
        asked[id]!.helper = nil
        asked[id]!.hasAsked = false
        guard
            let helper = PolkitHelper(
                desk, user: user, cookie: one.cookie, own: self.helper, take: { [unowned self] in heard(id, $0) })
        else {
            desk.note("polkit's helper cannot be started")
            return end(id, failed: "the helper of polkit cannot be started")
        }
        asked[id]!.helper = helper
    }

    private func heard(_ id: UInt64, _ line: PolkitHelper.Line) {
        guard asked[id] != nil else { return }
        switch line {
        case .asks(let label, let isSecret):
            asked[id]!.hasAsked = true
            // Many modules ask in English for what the shell says in the person's language.
            let isPlain = isSecret && label.lowercased().hasPrefix("password")
            desk.askAgain(id, prompt(asked[id]!, isSecret ? .secret(isNew: false) : .words, label: isPlain ? "" : label))
            asked[id]!.words = []
        case .says(let words, _):
            asked[id]!.words = (asked[id]!.words + [words]).suffix(3)
            desk.askAgain(id, prompt(asked[id]!, .waiting))
        case .succeeded:
            asked[id]!.helper = nil
            guard let one = asked.removeValue(forKey: id) else { return }
            _ = one.call.call.reply { _ in }
            link.changed()
            desk.end(id)
        case .failed:
            asked[id]!.helper = nil
            asked[id]!.failures = asked[id]!.hasAsked ? 0 : asked[id]!.failures + 1
            // A helper that asks nothing would be started again and again.
            guard asked[id]!.failures < 3 else { return end(id, failed: "the helper of polkit fails") }
            asked[id]!.wasWrong = asked[id]!.hasAsked
            start(id)
        }
    }

    private func end(_ id: UInt64, cancelled reason: String) { end(id, Self.error("Cancelled", reason)) }

    private func end(_ id: UInt64, failed reason: String) { end(id, Self.error("Failed", reason)) }

    private func end(_ id: UInt64, _ error: BusError, tells: Bool = true) {
        guard let one = asked.removeValue(forKey: id) else { return }
        one.helper?.end()
        one.call.call.refuse(error)
        link.changed()
        if tells { desk.end(id) }
    }

    private func endAll() { for id in asked.keys.sorted() { end(id, cancelled: "polkit is gone") } }

    // MARK: PromptSource

    package func begins(_ id: UInt64) { start(id) }

    package func rests(_ id: UInt64) {
        guard let one = asked[id] else { return }
        // One that waits would keep a fingerprint reader from the locker.
        one.helper?.end()
        asked[id]!.helper = nil
        asked[id]!.words = []
        desk.askAgain(id, prompt(asked[id]!, .waiting))
    }

    package func identity(_ id: UInt64, _ number: Int) {
        guard let one = asked[id], one.users.indices.contains(number) else { return }
        asked[id]!.user = number
        asked[id]!.wasWrong = false
        asked[id]!.words = []
        desk.askAgain(id, prompt(asked[id]!, .waiting))
        start(id)
    }

    package func answered(_ id: UInt64, _ answer: PromptAnswer) {
        switch answer {
        case .words(let secret, _):
            asked[id]?.wasWrong = false
            asked[id]?.helper?.answer(secret.text)
        case .yes, .no, .cancelled, .refused: end(id, Self.error("Cancelled", "the person did not agree"), tells: false)
        }
    }
}

extension AgentPrompt.Asker {
    /// The program of a process, as the kernel names it. A name that the process gives itself counts for nothing.
    package init(process: Int32) {
        let name = AppIdentity.executable(of: process).split(separator: "/").last.map(String.init) ?? ""
        self = name.isEmpty ? .unknown : .program(name)
    }
}
