import Compositor
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Locking
import Multitasking
import Processes
import Status
import UnlockHelper

/// Runs the helper that speaks with PAM while a person unlocks the session.
final class Unlocking: Adapter {
    private final class Attempt {
        let number: UInt64
        var process: Int32 = 0
        var channel = Descriptor.none
        var source: EventSource?
        var bytes: [UInt8] = []

        init(_ number: UInt64) { self.number = number }
    }

    private unowned let shell: Shell
    private var attempt: Attempt?
    /// PAM's texts are short. A module that sends more has lost its way.
    private static let mostBytes = 1 << 16

    init(_ shell: Shell) { self.shell = shell }

    /// A greeter asks greetd (`Greeting`).
    var carriesOut: [Effect.Kind] { shell.options.greetd == nil ? [.unlocking] : [] }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .unlocking(let effect) = effect else { return }
        switch effect {
        case .start(let number, let byFinger): start(number, byFinger ? [UnlockHelper.account] : [])
        case .answer(let number, let secret): answer(number, secret)
        case .stop(let number): if attempt?.number == number { end() }
        case .greet, .startSession, .keepMemory, .reader: break
        case .log(let text): shell.log.error("the password cannot be checked: \(text)")
        }
    }

    private func start(_ number: UInt64, _ words: [String]) {
        end()
        let new = Attempt(number)
        guard let account = getpwuid(getuid()), let name = account.pointee.pw_name else {
            return tell(number, .ends(.broken("user \(getuid()) has no account")))
        }
        do {
            new.process = try HelperProcess.start(
                [OwnProgram.path, UnlockHelper.word, String(cString: name)] + words, by: shell.launcher, environment: shell.environment,
                log: shell.programLog, channel: &new.channel, owner: "helper that asks PAM")
        } catch {
            return tell(number, .ends(.broken(error.message)))
        }
        attempt = new
        new.source = shell.compositor.watch(fd: new.channel.number) { [unowned self, unowned new] _ in read(new) }
    }

    private func answer(_ number: UInt64, _ secret: Secret) {
        guard let attempt, attempt.number == number else { return }
        guard let line = try? JSONEncoder().encode(secret.text) else { return }
        let bytes = line + [UInt8(ascii: "\n")]
        let count = bytes.withUnsafeBytes { send(attempt.channel.number, $0.baseAddress!, bytes.count, Int32(MSG_NOSIGNAL)) }
        if count != bytes.count { fail(attempt, "the helper does not read") }
    }

    private func read(_ attempt: Attempt) {
        var room = [UInt8](repeating: 0, count: 4096)
        while self.attempt === attempt {
            let count = Glibc.read(attempt.channel.number, &room, room.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return fail(attempt, "the helper has ended") }
            guard attempt.bytes.count < Self.mostBytes else { return fail(attempt, "the helper sends without end") }
            attempt.bytes += room[..<count]
            while let end = attempt.bytes.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Data(attempt.bytes[..<end])
                attempt.bytes.removeFirst(end + 1)
                guard let event = try? JSONDecoder().decode(TalkEvent.self, from: line) else {
                    return fail(attempt, "the helper says something that means nothing")
                }
                if case .ends = event { self.end() }
                tell(attempt.number, event)
                guard self.attempt === attempt else { return }
            }
        }
    }

    private func tell(_ number: UInt64, _ event: TalkEvent) { shell.receive(.lockScreen(.talk(number, event))) }

    private func fail(_ attempt: Attempt, _ why: String) {
        end()
        tell(attempt.number, .ends(.broken(why)))
    }

    /// Ends the helper, whatever it does.
    private func end() {
        guard let attempt else { return }
        self.attempt = nil
        attempt.source?.cancel()
        // First: a helper that sees the end of its input might let PAM count that as a wrong password.
        shell.launcher.signal(attempt.process, SIGKILL)
        attempt.channel.close()
    }

    func ended(_ exit: ProcessExit) -> Bool {
        guard exit.command.count > 1, exit.command[1] == UnlockHelper.word else { return false }
        // Its last words come first.
        if let attempt, attempt.process == exit.pid {
            read(attempt)
            if self.attempt === attempt { fail(attempt, "the helper has ended") }
        }
        return true
    }

    func stop() { end() }
}
