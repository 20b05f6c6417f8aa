import Compositor
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Greetd
import Locking
import Logging
import Multitasking
import Processes
import Status

/// The greeter's side of the outside (decision 0200): the talk with greetd, the people and sessions of the machine, and what is kept from
/// login to login. It stands in the place of the adapters of the lock: nothing of a greeter's lock is kept, and no PAM is asked here.
final class Greeting: Adapter {
    private unowned let shell: Shell
    private let socket: String?
    private var line: GreetdLine?
    private var talk: (number: UInt64, words: GreetdTalk)?
    /// The attempt that begins when greetd has answered everything of the one before.
    private var next: (number: UInt64, person: String)?
    private let looking = Worker<Findings>(owner: "people and sessions of the greeter")
    private let writing = Worker<String>(owner: "memory of the greeter")
    private var sources: [EventSource] = []
    private var reader: Int32?

    private struct Findings: Sendable {
        var facts: GreeterFacts
        var faults: [String]
    }

    init(_ shell: Shell) {
        self.shell = shell
        socket = shell.options.greetd
    }

    var carriesOut: [Effect.Kind] { socket == nil ? [] : [.lockNote, .unlocking] }

    func start() {
        guard socket != nil else { return }
        sources.append(shell.compositor.watch(fd: looking.descriptor) { [unowned self] _ in foundSomething() })
        sources.append(
            shell.compositor.watch(fd: writing.descriptor) { [unowned self] _ in
                for reason in writing.outcomes() { shell.log.error("the greeter does not remember the login: \(reason)") }
            })
        // Before the first frame is drawn.
        shell.receive(.lockScreen(.greeter(.begins)))
        look()
    }

    // MARK: What there is

    private func look() {
        let environment = shell.environment, memory = memoryPath, looks = LookFile.folder(environment: shell.environment)
        looking.add {
            var faults: [String] = []
            // Next to this program, where a person may have it in no search path.
            let own = OwnProgram.path.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/mullion-session"
            let command = Executable.find(own, path: nil).map { [$0] } ?? [OwnProgram.path, "run"]
            let sessions = Sessions.all(environment: environment, own: command) { faults.append("the session \($0) is left out: \($1)") }
            var facts = GreeterFacts(
                people: Accounts.people(), sessions: sessions, hasReader: Executable.find("orca", path: environment["PATH"]) != nil)
            if let memory {
                switch GreeterFile.read(memory) {
                case .success(let kept): if let kept { facts.memory = kept }
                case .failure(let reason): faults.append("\(memory) is ignored: \(reason)")
                }
            }
            if let name = facts.memory.person, let account = getpwnam(name) {
                let look = LookFile.read(of: account.pointee.pw_uid, in: looks)
                facts.look = look.parts
                if let fault = look.fault { faults.append(fault) }
            }
            return Findings(facts: facts, faults: faults)
        }
    }

    private func foundSomething() {
        for found in looking.outcomes() {
            for fault in found.faults { shell.log.warning("\(fault)") }
            shell.log.info("the greeter has \(found.facts.people.count) people and \(found.facts.sessions.count) sessions")
            shell.receive(.lockScreen(.greeter(.found(found.facts))))
        }
    }

    private var memoryPath: String? { shell.stateFolder.map { "\($0)/greeter.json" } }

    // MARK: Effects

    func carryOut(_ effect: Effect, at moment: Moment) {
        switch effect {
        // A shell that starts again is a greeter again.
        case .noteLock(true): shell.receive(.lock(.noted))
        case .unlocking(let effect): carryOut(effect)
        default: break
        }
    }

    private func carryOut(_ effect: UnlockEffect) {
        switch effect {
        case .greet(let number, let person): begin(number, person.text)
        case .answer(let number, let secret): step(number) { $0.answer(secret) }
        case .startSession(let number, let session):
            guard talk?.number == number else { return tell(.refused(number, "greetd has ended the login")) }
            shell.log.info("the session \(session.id) starts")
            step(number) { $0.start(session) }
        case .stop(let number): stop(number)
        case .start(let number, _): shell.receive(.lockScreen(.talk(number, .ends(.broken("there is no person")))))
        case .log(let text): shell.log.error("the password cannot be checked: \(text)")
        case .keepMemory(let memory): keep(memory)
        case .reader(let isOn): read(isOn)
        }
    }

    // MARK: greetd

    private func begin(_ number: UInt64, _ person: String) {
        if let talk { stop(talk.number) }
        next = (number, person)
        if line == nil {
            do {
                line = try GreetdLine(
                    socket ?? "", shell.compositor, heard: { [unowned self] in heard($0) }, rested: { [unowned self] in beginNext() },
                    lost: { [unowned self] in lost($0) })
            } catch { return lost("\(socket ?? ""): \(error.description)") }
        }
        beginNext()
    }

    private func beginNext() {
        guard let line, line.isQuiet, talk == nil, let next else { return }
        self.next = nil
        let words = GreetdTalk(person: next.person)
        talk = (next.number, words)
        line.send(words.first)
    }

    private func step(_ number: UInt64, _ body: (inout GreetdTalk) -> [GreetdTalk.Outcome]) {
        guard talk?.number == number else { return }
        let outcomes = body(&talk!.words)
        carryOut(outcomes, of: number)
    }

    private func heard(_ reply: GreetdReply) {
        if let number = talk?.number { step(number) { $0.hear(reply) } }
    }

    private func carryOut(_ outcomes: [GreetdTalk.Outcome], of number: UInt64) {
        var news: [LockScreenEvent] = []
        for outcome in outcomes {
            switch outcome {
            case .send(let request): line?.send(request)
            case .cancel:
                line?.cancel()
                if talk?.number == number { talk = nil }
            case .tell(let event): news.append(.talk(number, event))
            case .started:
                talk = nil
                news.append(.greeter(.started(number)))
            case .refused(let why): news.append(.greeter(.refused(number, why)))
            }
        }
        // The next effect of the core may need the line.
        for event in news { shell.receive(.lockScreen(event)) }
    }

    /// A person went back, or the attempt is over.
    private func stop(_ number: UInt64) {
        if next?.number == number {
            // greetd has not answered what came before: it hangs, and another connection may not.
            next = nil
            hangUp()
        }
        guard let talk, talk.number == number else { return }
        self.talk = nil
        if talk.words.isOpen { line?.cancel() }
    }

    /// greetd closed the connection, or says what means nothing.
    private func lost(_ why: String) {
        hangUp()
        let waiting = next
        next = nil
        if let number = talk?.number { step(number) { $0.breakOff(why) } }
        if let waiting { shell.receive(.lockScreen(.talk(waiting.number, .ends(.broken(why))))) }
    }

    private func hangUp() {
        line?.close()
        line = nil
    }

    private func tell(_ event: GreeterEvent) { shell.receive(.lockScreen(.greeter(event))) }

    // MARK: Memory

    private func keep(_ memory: GreeterMemory) {
        guard let path = memoryPath else { return }
        writing.add { GreeterFile.write(memory, to: path) }
    }

    // MARK: The screen reader

    private func read(_ isOn: Bool) {
        if let reader { shell.launcher.signal(reader, SIGTERM) }
        reader = nil
        guard isOn else { return }
        do {
            reader = try shell.launcher.launch(["orca"], environment: shell.environment, log: shell.programLog)
        } catch {
            shell.log.error("the screen reader cannot be started: \(error.message)")
            tell(.readerEnded)
        }
    }

    func ended(_ exit: ProcessExit) -> Bool {
        guard exit.pid == reader else { return false }
        reader = nil
        shell.log.notice("the screen reader has ended")
        tell(.readerEnded)
        return true
    }

    func stop() {
        guard socket != nil else { return }
        for source in sources { source.cancel() }
        sources = []
        hangUp()
        // Where the accounts hang, their thread ends with the process.
        writing.finish()
    }
}
