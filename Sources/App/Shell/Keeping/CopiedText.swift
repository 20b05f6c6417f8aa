import Compositor
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Multitasking
import Seat

/// Keeps the text that was copied over a restart of the shell, in a file beside the store that only this user can read.
///
/// A file of its own, because a database keeps what was removed: in pages that are free, in its log, and in its copy.
final class CopiedText: Adapter {
    private unowned let shell: Shell
    private let worker = Worker<String>(owner: "keeper of copied text")
    private var source: EventSource?
    private var path: String?
    /// The last failure in the log: a full disk fails each time.
    private var logged: String?

    /// The content of the file.
    private struct Kept: Codable {
        struct Form: Codable {
            var type: String
            var offered: [String]
            var text: Data
        }

        var version = 1
        var forms: [Form]
    }

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.copying]

    func start() {
        guard let folder = shell.adapter(SessionStore.self).folder else { return }
        path = "\(folder)/copied"
        source = shell.compositor.watch(fd: worker.descriptor) { [unowned self] _ in drain() }
        restore()
    }

    private func restore() {
        guard let path, let bytes = Self.read(path) else { return }
        guard let kept = try? JSONDecoder().decode(Kept.self, from: Data(bytes)), kept.version == 1 else {
            return shell.log.warning("the text that was copied in the last session is not understood, and is left out")
        }
        // Types that this version would not read are not offered.
        let planned = CopiedForms.plan(for: kept.forms.flatMap(\.offered))
        let forms = kept.forms.compactMap { form -> (form: CopiedForm, bytes: [UInt8])? in
            guard var plan = planned.first(where: { $0.type == form.type }), plan.isText, form.text.count <= plan.most else { return nil }
            plan.bytes = form.text.count
            return (plan, Array(form.text))
        }
        shell.compositor.restoreCopied(forms)
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .copying(let effect) = effect else { return }
        switch effect {
        case .keepText: keep()
        case .forgetText: forget()
        default: shell.compositor.carryOut(effect)
        }
    }

    private func keep() {
        guard let path else { return }
        let kept = Kept(forms: shell.compositor.copiedTexts.map { Kept.Form(type: $0.form.type, offered: $0.form.offered, text: Data($0.bytes)) })
        worker.add { Self.write(kept, to: path) }
    }

    private func forget() {
        guard let path else { return }
        worker.add {
            unlink(path)
            return nil
        }
    }

    private func drain() {
        for problem in worker.outcomes() where problem != logged {
            logged = problem
            shell.log.warning("\(problem)")
        }
    }

    func stop() {
        worker.finish()
        drain()
        source?.cancel()
        source = nil
    }

    // MARK: The file

    /// The whole file or nothing: it replaces the last one when it is complete. Returns what went wrong.
    private static func write(_ kept: Kept, to path: String) -> String? {
        guard let data = try? JSONEncoder().encode(kept) else { return nil }
        let new = "\(path).new"
        unlink(new)
        var file = Descriptor(open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600), owner: "copied text")
        let isWritten = file.isOpen && data.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(file.number, bytes.baseAddress! + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
        let reason = isWritten ? "" : String(cString: strerror(errno))
        file.close()
        if isWritten, rename(new, path) == 0 { return nil }
        unlink(new)
        // The text of an earlier copy must not come back instead.
        unlink(path)
        return "what was copied is not kept for the next session: \(path) cannot be written\(reason.isEmpty ? "" : " (\(reason))")"
    }

    private static func read(_ path: String) -> [UInt8]? {
        let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW), owner: "copied text")
        var state = stat()
        // In Base64, with the names.
        guard file.isOpen, fstat(file.number, &state) == 0, state.st_mode & S_IFMT == S_IFREG, state.st_size < 8 << 20 else { return nil }
        var bytes: [UInt8] = []
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                count = max(0, Glibc.read(file.number, buffer.baseAddress, buffer.count))
            }
            guard !piece.isEmpty else { return bytes }
            bytes += piece
        }
    }
}
