import Control
import Glibc
import Processes
import PromptAgents
import Status

/// Programs of the person that ask over the control socket: `mullion pinentry` for GnuPG, and `mullion askpass` for ssh and sudo.
///
/// The secret goes back over the connection that asked, and nowhere else.
final class AskingPrograms: PromptSource {
    private unowned let desk: any PromptDesk
    private var asked: [UInt64: ControlReply] = [:]

    init(_ desk: any PromptDesk) { self.desk = desk }

    func ask(_ request: AskRequest, from process: Int32, reply: ControlReply) {
        let id = desk.number(for: self)
        asked[id] = reply
        reply.whenGone = { [weak self] in
            guard let self, asked.removeValue(forKey: id) != nil else { return }
            desk.end(id)
        }
        desk.ask(id, request.prompt(asker: asker(process)))
    }

    /// The shell's own small program asks for its parent. Any other program asks for itself.
    private func asker(_ process: Int32) -> AgentPrompt.Asker {
        guard process > 0 else { return .unknown }
        guard AppIdentity.executable(of: process) == AppIdentity.executable(of: getpid()) else { return .init(process: process) }
        guard let parent = ProcessTree.record(of: process)?.parent, parent > 1 else { return .unknown }
        return .init(process: parent)
    }

    func begins(_ id: UInt64) {}
    func rests(_ id: UInt64) {}
    func identity(_ id: UInt64, _ number: Int) {}

    func answered(_ id: UInt64, _ answer: PromptAnswer) {
        guard let reply = asked.removeValue(forKey: id) else { return }
        reply.whenGone = nil
        reply.answer(AskReport(answer))
        // The answer was the end of it.
        desk.end(id)
    }
}
