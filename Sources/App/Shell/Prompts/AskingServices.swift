import Compositor
import Control
import Descriptors
import Geometry
import Glibc
import MessageBus
import Multitasking
import Processes
import PromptAgents
import Status

/// The services and programs that ask a person: polkit, the keyring, and programs that use `mullion pinentry` and `mullion askpass`.
final class AskingServices: Adapter {
    private unowned let shell: Shell
    private var polkit: PolkitAgent?
    private var keyring: KeyringPrompter?
    private var followers: [BusFollower] = []
    private lazy var programs = AskingPrograms(self)
    /// The questions that have not ended, with those who asked them.
    private var sources: [UInt64: any PromptSource] = [:]
    private var lastNumber: UInt64 = 0
    private var helpers: Set<Int32> = []
    private var isOver = false

    /// Names a stand-in for polkit's helper, for tests.
    private static let helper = "MULLION_POLKIT_HELPER"

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.prompts]

    func start() {
        // A question would wait for a session.
        guard shell.options.greetd == nil else { return }
        if let address = BusAddress.system(shell.environment) {
            let agent = PolkitAgent(
                self, address: address, locale: shell.environment["LC_ALL"] ?? shell.environment["LANG"] ?? "",
                session: shell.environment["XDG_SESSION_ID"], helper: shell.environment[Self.helper])
            polkit = agent
            followers.append(BusFollower(agent, shell.compositor))
        }
        if let address = BusAddress.session(shell.environment) {
            let prompter = KeyringPrompter(self, address: address)
            keyring = prompter
            followers.append(BusFollower(prompter, shell.compositor))
        }
    }

    func stop() {
        isOver = true
        for follower in followers { follower.end() }
        followers = []
        polkit?.close()
        keyring?.close()
        (polkit, keyring) = (nil, nil)
    }

    func ended(_ exit: ProcessExit) -> Bool { helpers.remove(exit.pid) != nil }

    /// A program asks over the control socket.
    func ask(_ request: AskRequest, from process: Int32, reply: ControlReply) { programs.ask(request, from: process, reply: reply) }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .prompt(let effect) = effect else { return }
        switch effect {
        case .begins(let id): sources[id]?.begins(id)
        case .rests(let id): sources[id]?.rests(id)
        case .identity(let id, let number): sources[id]?.identity(id, number)
        case .answer(let id, let answer):
            let source = sources[id]
            // Nothing follows what a person cancelled.
            if answer == .cancelled || answer == .refused { sources[id] = nil }
            source?.answered(id, answer)
        }
    }
}

extension AskingServices: PromptDesk {
    func number(for source: any PromptSource) -> UInt64 {
        lastNumber += 1
        sources[lastNumber] = source
        return lastNumber
    }

    func ask(_ id: UInt64, _ prompt: AgentPrompt) { tell(.asked(id, prompt), id) }
    func askAgain(_ id: UInt64, _ prompt: AgentPrompt) { tell(.again(id, prompt), id) }

    func end(_ id: UInt64) {
        guard sources.removeValue(forKey: id) != nil, !isOver else { return }
        shell.receive(.prompts(.ended(id)))
    }

    private func tell(_ event: AgentPrompts.Event, _ id: UInt64) { if sources[id] != nil, !isOver { shell.receive(.prompts(event)) } }

    func note(_ text: String) { shell.log.info("questions: \(text)") }

    func watch(_ fd: Int32, _ ready: @escaping () -> Void) -> () -> Void {
        let source = shell.compositor.watch(fd: fd) { _ in ready() }
        return { source.cancel() }
    }

    func start(_ command: [String], channel: inout Descriptor) -> Int32? {
        // The helper of polkit trusts nothing of its environment.
        let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        guard
            let process = try? HelperProcess.start(
                command, by: shell.launcher, environment: environment, channel: &channel, owner: "polkit's helper")
        else { return nil }
        helpers.insert(process)
        return process
    }

    func kill(_ process: Int32) { if helpers.contains(process) { shell.launcher.signal(process, SIGTERM) } }
}
