import Compositor
import Control
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import LifeBus
import LifeService
import LinuxLibrary
import Logging
import Modality
import Multitasking
import Processes
import ShareHelper
import Stage
import Windows

/// The content that programs share (M-05): the helper that looks at the files of each request, and the effect of a person's choice. The
/// core decides about the view and the target.
final class SharedThings: Adapter {
    private final class Request {
        let id: ModalID
        let names: [String]
        let text: String
        let window: WindowID?
        let program: String
        /// The asker's name, for the person.
        let asker: String
        /// Called once; nil after that, or when the program is gone.
        var done: ((ShareAnswer) -> Void)?
        /// The person's choice.
        var target: Sharing.Target?
        var mailer: String?
        var process: Int32 = 0
        var channel = Descriptor.none
        var source: EventSource?
        var timer: EventSource?
        var bytes: [UInt8] = []

        init(
            _ id: ModalID, _ names: [String], text: String, window: WindowID?, program: String, asker: String,
            done: @escaping (ShareAnswer) -> Void
        ) {
            self.id = id
            self.names = names
            self.text = text
            self.window = window
            self.program = program
            self.asker = asker
            self.done = done
        }

        var hasFiles: Bool { !names.isEmpty }

        /// The text, if it is one web address or mail address and nothing else.
        var address: String? {
            guard !hasFiles, text.utf8.count <= 4096, text.unicodeScalars.allSatisfy({ $0.value > 32 && $0.value != 127 }),
                ["http://", "https://", "mailto:"].contains(where: text.lowercased().hasPrefix),
                // Some mail programs would put any file of the person's into the mail.
                !text.lowercased().hasPrefix("mailto:") || !text.lowercased().contains("attach")
            else { return nil }
            return text
        }
    }

    private unowned let shell: Shell
    private var requests: [ModalID: Request] = [:]

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.sharing]

    /// Seconds in which the helper has to see the files.
    private static let patience = 10.0
    /// Bytes of the text that the view shows, at most.
    private static let shownText = 300
    private static let mostAnswerBytes = 1 << 20

    // MARK: Choices of a person

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .share(let id, let target) = effect, let request = requests[id] else { return }
        request.target = target
        switch target {
        case .app where request.address != nil: hand(request, [request.text])
        case .mail where !request.hasFiles:
            hand(
                request,
                [request.address.flatMap { $0.lowercased().hasPrefix("mailto:") ? $0 : nil } ?? "mailto:?body=\(App.escaped(request.text))"]
            )
        case .copy where !request.hasFiles: copy(request, [])
        case .app, .mail, .copy: ask(request, .hand)
        case .save: ask(request, .save)
        }
    }

    /// Takes the core's answer. Returns whether this was such a request.
    func answered(_ id: ModalID, _ answer: ModalAnswer) -> Bool {
        guard let request = requests[id] else { return false }
        switch answer {
        // The choice follows, as an effect.
        case .chose, .marked, .picked: break
        case .dismissed: end(request, .dismissed)
        case .closed: end(request, .closed)
        case .refused(let why): end(request, .refused(why))
        }
        return true
    }

    private func hand(_ request: Request, _ items: [String]) {
        guard let target = request.target else { return }
        let answer: ShareAnswer = if case .app(let id) = target { .shared(app: id) } else { .mailed }
        let handed = HandedOver(target, items, text: request.text, mailer: request.mailer)
        end(request, answer)
        shell.receive(.handedOver(handed))
    }

    private func copy(_ request: Request, _ paths: [String]) {
        var forms: [(type: String, bytes: [UInt8])] = []
        if !paths.isEmpty {
            let addresses = paths.map(App.address)
            forms.append(("text/uri-list", Array(addresses.map { $0 + "\r\n" }.joined().utf8)))
            // The form that file managers of GTK look for.
            forms.append(("x-special/gnome-copied-files", Array((["copy"] + addresses).joined(separator: "\n").utf8)))
        }
        let text = Array((request.text.isEmpty ? paths.joined(separator: "\n") : request.text).utf8)
        for type in ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING", "STRING", "TEXT"] { forms.append((type, text)) }
        shell.compositor.copy(forms)
        end(request, .copied)
    }

    private func failed(_ request: Request, _ trouble: SharingTrouble) {
        guard let target = request.target else {
            end(request, .refused("the files cannot be read"))
            shell.receive(.viewWithdrawn(request.id))
            return
        }
        end(request, .refused("what was chosen did not work: \(trouble.rawValue)"))
        shell.receive(.sharingFailed(target, trouble))
    }

    private func end(_ request: Request, _ answer: ShareAnswer) {
        guard requests.removeValue(forKey: request.id) != nil else { return }
        close(request)
        let done = request.done
        request.done = nil
        done?(answer)
    }

    // MARK: The helper

    private func start(_ request: Request, _ files: [HandedFile]) {
        do {
            mkdir(shell.sessionFolder, 0o700)
            request.process = try HelperProcess.start(
                [OwnProgram.path, ShareHelper.word, shell.sharedFolder] + files.map(\.name), by: shell.launcher,
                environment: shell.environment, log: shell.programLog, files: files.map { $0.file.number }, channel: &request.channel,
                owner: "helper for shared files")
        } catch {
            return end(request, .refused(error.message))
        }
        withExtendedLifetime(files) {}
        request.source = shell.compositor.watch(fd: request.channel.number) { [unowned self, unowned request] _ in read(request) }
        let timer = shell.compositor.timer { [unowned self, unowned request] in
            shell.launcher.signal(request.process, SIGKILL)
            end(request, .refused("the files do not answer"))
        }
        timer.arm(Compositor.now() + Self.patience)
        request.timer = timer
    }

    private func ask(_ request: Request, _ what: ShareHelper.Request) {
        let line = Array("\(what.rawValue)\n".utf8)
        guard send(request.channel.number, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { return failed(request, .failed) }
    }

    private func read(_ request: Request) {
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(request.channel.number, &room, room.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0, request.bytes.count < Self.mostAnswerBytes else { return failed(request, .failed) }
            request.bytes += room[..<count]
            guard request.bytes.last == UInt8(ascii: "\n") else { continue }
            let line = Data(request.bytes)
            request.bytes = []
            guard let report = try? JSONDecoder().decode(ShareReport.self, from: line) else { return failed(request, .failed) }
            return heard(report, request)
        }
    }

    private func heard(_ report: ShareReport, _ request: Request) {
        request.timer?.arm(nil)
        switch report {
        case .refused(let why): end(request, .refused(why))
        case .failed(let word): failed(request, SharingTrouble(rawValue: word) ?? .failed)
        case .seen(let types, let mailer, let mailsFiles):
            guard request.target == nil else { return }
            request.mailer = mailer
            show(request, types, mailsFiles: mailsFiles)
        case .ready(let paths):
            switch request.target {
            case .app, .mail: hand(request, paths)
            case .copy: copy(request, paths)
            case .save: end(request, .saved)
            case nil: end(request, .closed)
            }
        }
    }

    private func show(_ request: Request, _ types: [[String]], mailsFiles: Bool) {
        let files = zip(request.names, types).map { Sharing.File(Self.shown($0, most: 255), types: $1) }
        let text = Self.shown(request.text, most: Self.shownText)
        let sharing = Sharing(files: files, text: text, address: request.address, mailer: request.mailer, mailsFiles: mailsFiles)
        let title = files.first?.name ?? text
        // A text of spaces has no words to show.
        shell.receive(
            .viewAsked(
                ModalView(
                    request.id, .activity, over: request.window, of: request.program,
                    title: title.isEmpty ? " " : Self.shown(title, most: 200),
                    sharing: sharing, asker: request.asker)))
    }

    /// The start of a text, in one paragraph without control characters.
    private static func shown(_ text: String, most: Int) -> String {
        var shown = ""
        for character in text {
            let isSpace = character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
            if isSpace, shown.isEmpty || shown.last == " " { continue }
            guard shown.utf8.count + character.utf8.count + 3 <= most else { return shown + "…" }
            shown.append(isSpace ? " " : character)
        }
        return shown
    }

    // MARK: Ends

    func ended(_ exit: ProcessExit) -> Bool {
        guard exit.command.count > 1, exit.command[1] == ShareHelper.word else { return false }
        if let request = requests.values.first(where: { $0.process == exit.pid }) {
            // Its last message comes first.
            read(request)
            if requests[request.id] === request { failed(request, .failed) }
        }
        return true
    }

    private func close(_ request: Request) {
        request.source?.cancel()
        request.timer?.cancel()
        request.source = nil
        request.timer = nil
        request.channel.close()
    }

    func stop() {
        for id in requests.keys.sorted() { if let request = requests[id] { end(request, .refused("the session ends")) } }
    }
}

extension SharedThings: ShareHost {
    func share(_ files: [HandedFile], text: String, by caller: LifeCaller, done: @escaping (ShareAnswer) -> Void) -> ModalID {
        let views = shell.adapter(ProgramViews.self), id = views.nextView(), window = views.window(of: caller)
        let request = Request(
            id, files.map(\.name), text: text, window: window, program: views.program(caller), asker: views.asker(caller, window),
            done: done)
        requests[id] = request
        var handed = files
        if files.isEmpty {
            // An app that opens texts gets a file with the text.
            let name = "\(shell.adapter(Look.self).painter.string(.message(.sharedText))).txt"
            guard let file = Self.file(name, text) else {
                end(request, .refused("the shell has no memory for the text"))
                return id
            }
            handed = [file]
        }
        start(request, handed)
        return id
    }

    func withdrawShare(_ id: ModalID) {
        guard let request = requests[id] else { return }
        request.done = nil
        guard request.target == nil else { return }
        shell.receive(.viewWithdrawn(id))
        end(request, .closed)
    }

    private static func file(_ name: String, _ text: String) -> HandedFile? {
        let number = memfd_create("shared text", UInt32(MFD_CLOEXEC))
        guard number >= 0 else { return nil }
        let file = HandedFile(number, name: name), bytes = Array(text.utf8)
        return write(number, bytes, bytes.count) == bytes.count ? file : nil
    }
}
