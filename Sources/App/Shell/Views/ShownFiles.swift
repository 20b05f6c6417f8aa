import Geometry
import Glibc
import LifeBus
import LifeService
import Modality
import Multitasking
import Processes
import Windows

/// Files that programs hand over to be shown (W-18): which request waits for which process of quick look. The core decides
/// whether it is started, and whether its window waits.
final class ShownFiles: EventObserver {
    private struct Request {
        var files: [HandedFile]
        let done: (FileAnswer) -> Void
        var process: Int32?
    }

    private unowned let shell: Shell
    private var requests: [ModalID: Request] = [:]

    init(_ shell: Shell) { self.shell = shell }

    // MARK: Its process

    func files(of id: ModalID) -> [HandedFile] { requests[id]?.files ?? [] }

    func started(_ id: ModalID, process: Int32) {
        requests[id]?.process = process
        // The process has them.
        requests[id]?.files = []
    }

    func failed(_ id: ModalID, _ reason: String) { answer(id, .refused(reason)) }

    /// - Parameter says: the last line that it printed.
    func ended(_ process: Int32, says: String?) {
        guard let id = requests.first(where: { $0.value.process == process })?.key else { return }
        let prefix = "mullion view: "
        let line = says ?? "quick look ended without a window"
        answer(id, .refused(line.hasPrefix(prefix) ? String(line.dropFirst(prefix.count)) : line))
    }

    /// Takes the core's answer. Returns whether this was such a request.
    func answered(_ id: ModalID, _ answer: ModalAnswer) -> Bool {
        guard requests[id] != nil else { return false }
        if case .refused(let why) = answer { self.answer(id, .refused(why)) }
        return true
    }

    private func answer(_ id: ModalID, _ answer: FileAnswer) { requests.removeValue(forKey: id)?.done(answer) }

    // MARK: Its window

    func didCarryOut(_ event: Event) {
        guard !requests.isEmpty else { return }
        switch event {
        case .windowMapped, .windowsMapped: break
        default: return
        }
        let workspace = shell.system.workspace
        for (id, request) in requests {
            guard let process = request.process,
                let window = workspace.windows.values.first(where: { $0.isMapped && $0.facts.lineage.contains(process) })
            else { continue }
            answer(id, workspace.waiting.contains(window.id) ? .waiting : .shown)
        }
    }

    func stop() {
        for id in requests.keys.sorted() { answer(id, .refused("the session ends")) }
    }
}

extension ShownFiles: FileHost {
    func showFiles(_ files: [HandedFile], by caller: LifeCaller, done: @escaping (FileAnswer) -> Void) {
        let views = shell.adapter(ProgramViews.self), id = views.nextView()
        requests[id] = Request(files: files, done: done)
        let words = files.enumerated().flatMap { ["--descriptor", "\(3 + $0.offset)=\($0.element.name)"] }
        shell.receive(.filesAsked(FilesRequest(id, from: views.window(of: caller), command: [OwnProgram.path, "view"] + words)))
    }
}
