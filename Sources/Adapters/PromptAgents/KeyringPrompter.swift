import MessageBus
import Processes
import Status

/// The prompter of the keyring (gcr): gnome-keyring asks it for the passwords of keyrings, and other programs through gcr.
///
/// All calls return at once. What a person answers goes back to an object of the caller. One caller is served at a time.
package final class KeyringPrompter: LinkedBus, PromptSource {
    package private(set) lazy var link = BusLink(self) { [address] in address }
    private let address: String
    private unowned let desk: any PromptDesk
    /// Oldest first. The first one is served.
    private var callers: [Caller] = []

    private struct Caller {
        var sender: String
        var path: String
        /// Whether its program is known, which the bus says.
        var isKnown = false
        var exchange: SecretExchange?
        /// Its question, from the first one on.
        var id: UInt64?
        /// Whether it waits for an answer.
        var isAsked = false
        var properties = Properties()
        var asker = AgentPrompt.Asker.unknown
    }

    /// The values that the caller sent. It sends changes alone.
    private struct Properties {
        var texts: [String: String] = [:]
        var isNew = false, isTicked = false
    }

    private static let name = "org.gnome.keyring.SystemPrompter", path = "/org/gnome/keyring/Prompter"
    private static let interface = "org.gnome.keyring.internal.Prompter", callback = "org.gnome.keyring.internal.Prompter.Callback"
    private static let most = 16

    package init(_ desk: any PromptDesk, address: String) {
        self.desk = desk
        self.address = address
    }

    package func close() {
        for caller in callers { done(caller) }
        callers = []
        link.close()
    }

    // MARK: The bus

    package func begins(_ bus: BusConnection) {
        bus.export(
            Self.interface, below: Self.path,
            [
                .method("BeginPrompting", takes: "o"), .method("PerformPrompt", takes: "osa{sv}s"), .method("StopPrompting", takes: "o"),
            ])
    }

    package func has(_ path: String, _ interface: String) -> Bool { path == Self.path && interface == Self.interface }

    package func joined() { link.own(Self.name, .inTurn, note: { [unowned self] in desk.note($0) }) }

    package func lost() {
        for caller in callers { if let id = caller.id { desk.end(id) } }
        callers = []
    }

    package func signal(_ signal: Incoming) {
        guard let (name, owner) = BusLink.ownerChange(signal), owner.isEmpty else { return }
        for caller in callers where caller.sender == name { remove(caller.sender, caller.path) }
    }

    package func method(_ call: Incoming) -> Int32 {
        guard let path = call.objectPath() else { return call.refuse("InvalidArgs", "an object is expected") }
        let sender = call.sender, index = callers.firstIndex { $0.sender == sender && $0.path == path }
        switch call.member {
        case "BeginPrompting":
            guard index == nil else { return call.refuse(Self.error("InProgress", "it is served already")) }
            guard callers.count < Self.most else { return call.refuse(Self.error("Failed", "too many programs wait")) }
            callers.append(Caller(sender: sender, path: path))
            link.watchOwner(of: sender)
            findProcess(of: sender)
            return call.reply { _ in }
        case "PerformPrompt":
            guard index == 0, !callers[0].isAsked else { return call.refuse(Self.error("Failed", "it is not its turn")) }
            guard let kind = call.string(), kind == "password" || kind == "confirm", let changes = call.table(.init(text: 4096)),
                let message = call.string(), let exchange = callers[0].exchange, exchange.receive(message)
            else { return call.refuse("InvalidArgs", "a question and an exchange are expected") }
            perform(kind, changes)
            return call.reply { _ in }
        case "StopPrompting":
            guard let index else { return call.reply { _ in } }
            let caller = callers[index]
            // It hears that it is over, and then the next one has its turn.
            done(caller)
            remove(caller.sender, caller.path)
            return call.reply { _ in }
        default: return call.refuse("UnknownMethod", "")
        }
    }

    private static func error(_ name: String, _ text: String) -> BusError {
        BusError(name: "org.gnome.keyring.Prompter.\(name)", text: text)
    }

    // MARK: Turns

    private func serve() {
        guard let caller = callers.first, caller.isKnown, caller.exchange == nil else { return }
        guard let exchange = SecretExchange() else {
            desk.note("no exchange of secrets: libgcrypt fails")
            done(caller)
            return remove(caller.sender, caller.path)
        }
        callers[0].exchange = exchange
        ready("", [:], exchange.greeting)
    }

    private func remove(_ sender: String, _ path: String) {
        guard let index = callers.firstIndex(where: { $0.sender == sender && $0.path == path }) else { return }
        let caller = callers.remove(at: index)
        if let id = caller.id { desk.end(id) }
        if index == 0 { serve() }
    }

    /// The bus names the process of a connection.
    private func findProcess(of sender: String) {
        link.callBus("GetConnectionUnixProcessID", { $0.string(sender) }) { [unowned self] answer in
            let process = (try? answer.get())?.uint32().flatMap { Int32(exactly: $0) } ?? 0
            let isSandboxed = process == 0 || AppIdentity.of(process: process).isSandboxed
            for caller in callers where caller.sender == sender {
                // A sandbox gets no password in the name of the keyring.
                guard !isSandboxed else {
                    done(caller)
                    remove(caller.sender, caller.path)
                    continue
                }
                guard let index = callers.firstIndex(where: { $0.sender == sender && $0.path == caller.path }) else { continue }
                (callers[index].asker, callers[index].isKnown) = (AgentPrompt.Asker(process: process), true)
            }
            serve()
        }
    }

    private func perform(_ kind: String, _ changes: [String: BusValue]) {
        for (name, value) in changes {
            switch (name, value) {
            case ("password-new", .flag(let isNew)): callers[0].properties.isNew = isNew
            case ("choice-chosen", .flag(let isTicked)): callers[0].properties.isTicked = isTicked
            case (_, .text(let text)): callers[0].properties.texts[name] = text
            default: break
            }
        }
        let caller = callers[0], properties = caller.properties
        func text(_ name: String) -> String { properties.texts[name] ?? "" }
        // gcr's own title and headline say the same; the headline is of one line.
        let headline = text("message").isEmpty ? text("title") : text("message")
        let prompt = AgentPrompt(
            .keyring, kind == "confirm" ? .confirm : .secret(isNew: properties.isNew), asker: caller.asker, title: headline,
            message: text("description"), warning: text("warning"),
            buttons: .init(yes: text("continue-label"), cancel: text("cancel-label")),
            box: .init(text("choice-label"), isTicked: properties.isTicked), endsWithAnswer: false)
        callers[0].isAsked = true
        if let id = caller.id { return desk.askAgain(id, prompt) }
        let id = desk.number(for: self)
        callers[0].id = id
        desk.ask(id, prompt)
    }

    // MARK: Answers

    /// A value that a person changed.
    private enum Change {
        case tick(Bool)
        /// Of a new password. The keyring takes one of no strength for an empty one, which does not encrypt.
        case strength(Int32)
    }

    /// Each value is a variant within a variant here.
    private func ready(_ answer: String, _ changes: [String: Change], _ exchange: String) {
        let caller = callers[0]
        link.call(
            caller.sender, caller.path, Self.callback, "PromptReady", starts: false,
            {
                $0.string(answer)
                $0.container(.array, "{sv}") {
                    for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
                        $0.container(.entry, "sv") {
                            $0.string(name)
                            $0.container(.variant, "v") {
                                switch value {
                                case .tick(let isTicked): $0.variant(.flag(isTicked))
                                case .strength(let strength): $0.container(.variant, "i") { $0.int32(strength) }
                                }
                            }
                        }
                    }
                }
                $0.string(exchange)
            }
        ) { [unowned self] answer in
            // It does not take part any more.
            if case .failure = answer { remove(caller.sender, caller.path) }
        }
        link.changed()
    }

    private func done(_ caller: Caller) {
        link.call(caller.sender, caller.path, Self.callback, "PromptDone", starts: false) { _ in }
        link.changed()
    }

    package func begins(_ id: UInt64) {}
    package func rests(_ id: UInt64) {}
    package func identity(_ id: UInt64, _ number: Int) {}

    package func answered(_ id: UInt64, _ answer: PromptAnswer) {
        guard let caller = callers.first, caller.id == id else { return }
        var isTicked = caller.properties.isTicked, words = "no", exchange = caller.exchange?.greeting ?? ""
        switch answer {
        case .words(let secret, let ticked):
            guard let message = caller.exchange?.message(with: secret.text) else { break }
            (isTicked, words, exchange) = (ticked, "yes", message)
        case .yes(let ticked): (isTicked, words) = (ticked, "yes")
        case .no, .cancelled, .refused: callers[0].id = nil
        }
        guard caller.isAsked else {
            // It was cancelled while the keyring worked.
            done(caller)
            return remove(caller.sender, caller.path)
        }
        callers[0].isAsked = false
        callers[0].properties.isTicked = isTicked
        callers[0].properties.texts["warning"] = nil
        var changes: [String: Change] = isTicked == caller.properties.isTicked ? [:] : ["choice-chosen": .tick(isTicked)]
        if case .words(let secret, _) = answer, caller.properties.isNew { changes["password-strength"] = .strength(secret.isEmpty ? 0 : 1) }
        ready(words, changes, exchange)
    }
}
