import Clocks
import FoundationEssentials
import Glibc
import MessageBus
import Processes

/// Asks the portals of the session bus, all at once, and notes how soon each answers.
final class PortalCheck {
    private enum Question: Hashable {
        case frontend
        case backend(String)
        /// Whether the frontend offers a portal.
        case offers(String)
    }

    private var session = Doctor.Portals()
    private var questions: [UInt64: Question] = [:]
    private let begun = Clocks.monotonicNanoseconds

    /// nil without a session bus.
    static func examine(environment: [String: String]) -> Doctor.Portals? {
        BusAddress.session(environment).flatMap { PortalCheck(environment).ask(on: $0) }
    }

    private init(_ environment: [String: String]) {
        session.desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(separator: ":").map(String.init)
        let folder = environment["XDG_DESKTOP_PORTAL_DIR"] ?? "/usr/share/xdg-desktop-portal/portals"
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where file.hasSuffix(".portal") {
            guard let text = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8) else { continue }
            if let backend = Doctor.PortalBackend(name: String(file.dropLast(".portal".count)), text: text) {
                session.backends.append(backend)
            }
        }
        guard Self.readsPreferences else { return }
        let home = environment["XDG_CONFIG_HOME"] ?? "\(environment["HOME"] ?? "")/.config"
        let folders = [home, "/etc/xdg", "/etc", "/usr/local/share", "/usr/share"].map { "\($0)/xdg-desktop-portal" }
        session.preferred = [:]
        for folder in folders {
            for name in session.desktops.map({ "\($0)-portals.conf" }) + ["portals.conf"] {
                guard let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) else { continue }
                session.preferred = Doctor.preferred(text)
                return
            }
        }
    }

    /// xdg-desktop-portal 1.17 and later read `portals.conf`.
    private static var readsPreferences: Bool {
        for folder in ["/usr/libexec", "/usr/lib/xdg-desktop-portal", "/usr/lib"] {
            let program = "\(folder)/xdg-desktop-portal"
            guard access(program, X_OK) == 0, let pipe = popen("\(program) --version 2>/dev/null", "r") else { continue }
            defer { pclose(pipe) }
            var line = [CChar](repeating: 0, count: 256)
            guard fgets(&line, Int32(line.count), pipe) != nil else { return true }
            let numbers = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split { !$0.isNumber }
                .compactMap { Int($0) }
            return numbers.count < 2 || (numbers[0], numbers[1]) >= (1, 17)
        }
        return true
    }

    private func ask(on address: String) -> Doctor.Portals? {
        guard let bus = BusConnection(address: address, handler: self) else { return nil }
        defer { bus.close() }
        let object = "/org/freedesktop/portal/desktop", name = "org.freedesktop.portal.Desktop"
        let patience = UInt64(clamping: Doctor.portalPatience * 1_000_000)
        func ask(
            _ question: Question, _ destination: String, _ interface: String, _ member: String,
            _ arguments: (inout Outgoing) -> Void = { _ in }
        ) {
            let token = UInt64(questions.count + 1)
            questions[token] = question
            if !bus.call(destination, object, interface, member, token: token, timeout: patience, arguments) { questions[token] = nil }
        }
        ask(.frontend, name, "org.freedesktop.DBus.Peer", "Ping")
        for busName in Set(session.backends.map(\.busName)) { ask(.backend(busName), busName, "org.freedesktop.DBus.Peer", "Ping") }
        // Portals that the frontend offers under another name, or under none, are not asked for.
        for portal in Set(session.backends.flatMap(\.portals)).subtracting(["Access", "AppChooser", "Lockdown"]) {
            ask(.offers(portal), name, "org.freedesktop.DBus.Properties", "Get") {
                $0.string("org.freedesktop.portal.\(portal)")
                $0.string("version")
            }
        }
        let end = begun + Int64(clamping: (Doctor.portalPatience + 0.5) * 1e9)
        while !questions.isEmpty, Clocks.monotonicNanoseconds < end, bus.process(steps: 64) {
            var ready = pollfd(fd: bus.descriptor, events: Int16(POLLIN) | (bus.events.write ? Int16(POLLOUT) : 0), revents: 0)
            let next = min(bus.deadline ?? end, end) - Clocks.monotonicNanoseconds
            if !questions.isEmpty { _ = poll(&ready, 1, Int32(clamping: max(0, (next + 999_999) / 1_000_000))) }
        }
        for question in questions.values { note(question, .late) }
        return session
    }

    private func note(_ question: Question, _ answer: Doctor.PortalAnswer) {
        switch question {
        case .frontend: session.frontend = answer
        case .backend(let name): session.answers[name] = answer
        case .offers: break
        }
    }
}

extension PortalCheck: BusHandler {
    func answer(_ token: UInt64, _ answer: Result<Incoming, BusError>) {
        guard let question = questions.removeValue(forKey: token) else { return }
        let time = Doctor.PortalAnswer.after(milliseconds: Int((Clocks.monotonicNanoseconds - begun) / 1_000_000))
        switch answer {
        case .success: note(question, time)
        case .failure(let error):
            let isLate = error.name.hasSuffix(".NoReply") || error.name.hasSuffix(".Timeout") || error.name.hasSuffix(".TimedOut")
            let isNobody =
                error.name.hasSuffix(".ServiceUnknown") || error.name.hasSuffix(".NameHasNoOwner") || error.name.contains(".Spawn.")
            if case .offers(let portal) = question {
                if !isLate, !isNobody { session.withheld.insert(portal) }
            } else {
                // It is there, and does not know the question.
                note(question, isLate ? .late : isNobody ? .nobody : time)
            }
        }
    }
}
