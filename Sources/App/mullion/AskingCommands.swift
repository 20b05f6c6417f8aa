import ArgumentParser
import Control
import FoundationEssentials
import Glibc
import Processes

struct PinentryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pinentry", abstract: "Ask for passphrases for GnuPG, in an alert of the shell.",
        discussion: """
            gpg-agent starts it: write "pinentry-program /usr/bin/pinentry-mullion" into ~/.gnupg/gpg-agent.conf. It speaks the \
            protocol of pinentry on the standard input and output. Where no shell runs, pinentry-curses or pinentry-tty takes its place.
            """)

    @Argument(parsing: .captureForPassthrough, help: "What gpg-agent says of the terminal.") var words: [String] = []

    /// The name under which it is installed.
    static let link = "pinentry-mullion"

    func run() throws {
        if words.first == "--help" || words.first == "-h" { throw CleanExit.helpRequest(Self.self) }
        Self.serve(words)
    }

    static func serve(_ words: [String]) {
        if (try? ControlPath.find(nil, environment: ProcessInfo.processInfo.environment)) == nil {
            for other in ["/usr/bin/pinentry-curses", "/usr/bin/pinentry-tty"] where access(other, X_OK) == 0 {
                var list: [UnsafeMutablePointer<CChar>?] = ([other] + words).map { strdup($0) } + [nil]
                execv(other, &list)
            }
        }
        var pinentry = Pinentry(process: getpid(), version: Mullion.version)
        say([Pinentry.greeting])
        while let line = readLine() {
            switch pinentry.take(line) {
            case .nothing: break
            case .say(let lines): say(lines)
            case .leave(let line): return say([line])
            case .ask(let question, let seconds): say(pinentry.answer(ShellQuestion.ask(question, within: seconds)))
            }
        }
    }

    private static func say(_ lines: [String]) {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }
}

struct AskpassCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "askpass", abstract: "Ask for a password for ssh, sudo and others, in an alert of the shell.",
        discussion: """
            The password goes to the standard output. The exit status is 1 if the person cancelled.

                export SSH_ASKPASS=/usr/bin/mullion-askpass SUDO_ASKPASS=/usr/bin/mullion-askpass
            """)

    @Argument(parsing: .captureForPassthrough, help: "The question.") var words: [String] = []

    /// The name under which it is installed.
    static let link = "mullion-askpass"

    func run() throws {
        if words.first == "--help" || words.first == "-h" { throw CleanExit.helpRequest(Self.self) }
        try Self.serve(words)
    }

    static func serve(_ words: [String]) throws {
        let message = words.joined(separator: " ").split(whereSeparator: \.isNewline).joined(separator: "\n")
        let kind: AskRequest.Kind =
            switch ProcessInfo.processInfo.environment["SSH_ASKPASS_PROMPT"] {
            case "confirm": .confirm
            case "none": .message
            // ssh wants such words themselves.
            default: message.contains("(yes/no") ? .words : .secret
            }
        switch ShellQuestion.ask(AskRequest(kind, message: message.isEmpty ? nil : message), within: nil) {
        case .answered(let report) where report.outcome == .words:
            let bytes = Array(((report.text ?? "") + "\n").utf8)
            _ = write(STDOUT_FILENO, bytes, bytes.count)
        case .answered(let report) where report.outcome == .yes: break
        case .answered, .timedOut: throw ExitCode(1)
        case .noShell(let reason):
            let line = Array("mullion askpass: \(reason)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            throw ExitCode(1)
        }
    }
}

/// One question to the shell of the session. The connection is for it alone: when this program ends, the question closes.
private enum ShellQuestion {
    static func ask(_ question: AskRequest, within seconds: Double?) -> Pinentry.End {
        do throws(ControlError) {
            let client = try ControlClient(finding: nil)
            guard let report = try client.ask(question, within: seconds) else { return .timedOut }
            return .answered(report)
        } catch {
            return .noShell("\(error)")
        }
    }
}
