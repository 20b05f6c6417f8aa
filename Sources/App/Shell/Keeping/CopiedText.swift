import Compositor
import Descriptors
import FoundationEssentials
import Geometry
import Glibc
import Multitasking
import Seat
import Store

/// Keeps the text that was copied over a restart of the shell, in a file beside the store that only this user can read.
///
/// A file of its own, because a database keeps removed data: in pages that are free, in its log, and in its copy.
final class CopiedText: Adapter {
    private unowned let shell: Shell
    private lazy var store = shell.adapter(SessionStore.self)
    private let worker = Worker<Outcome>(owner: "keeper of copied text")
    private var source: EventSource?
    /// Tries again to write the text that the disk did not take.
    private var retry: EventSource?
    private var backOff = BackOff()
    /// Whether the text of this session is not on the disk.
    private var isBehind = false
    /// False for text that must not be on the disk, such as a password.
    private var isWanted = false
    private var path: String?
    /// The last failure in the log: a full disk fails each time.
    private var logged: String?

    private enum Outcome: Sendable {
        case done
        case failed(String, isFull: Bool)
    }

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
        guard let folder = store.folder else { return }
        path = "\(folder)/copied"
        source = shell.compositor.watch(fd: worker.descriptor) { [unowned self] _ in drain() }
        retry = shell.compositor.timer { [unowned self] in if isBehind { keep() } }
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
        isWanted = true
        let kept = Kept(
            forms: shell.compositor.copiedTexts.map { Kept.Form(type: $0.form.type, offered: $0.form.offered, text: Data($0.bytes)) })
        worker.add { Self.write(kept, to: path) }
    }

    private func forget() {
        guard let path else { return }
        (isWanted, isBehind) = (false, false)
        worker.add {
            unlink(path)
            return .done
        }
    }

    private func drain() {
        for outcome in worker.outcomes() {
            switch outcome {
            case .done:
                (isBehind, logged) = (false, nil)
                backOff.reset()
                store.caughtUp(.copiedText)
            case .failed(let problem, let isFull):
                guard isWanted else { continue }
                isBehind = true
                retry?.arm(Compositor.now() + backOff.wait())
                store.note(isFull ? .diskFull : .unusable, of: .copiedText)
                guard problem != logged else { continue }
                logged = problem
                shell.log.warning("\(problem)")
            }
        }
    }

    func stop() {
        drain()
        // The last try.
        if isBehind { keep() }
        worker.finish()
        drain()
        source?.cancel()
        retry?.cancel()
        (source, retry) = (nil, nil)
    }

    // MARK: The file

    /// The whole file or nothing: it replaces the last one when it is complete.
    private static func write(_ kept: Kept, to path: String) -> Outcome {
        guard let data = try? JSONEncoder().encode(kept) else { return .done }
        let new = "\(path).new"
        unlink(new)
        var file = Descriptor(open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600), owner: "copied text")
        let isWritten =
            file.isOpen
            && data.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let count = Glibc.write(file.number, bytes.baseAddress! + done, bytes.count - done)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return false }
                    done += count
                }
                return true
            }
        let number = isWritten ? 0 : errno
        file.close()
        if isWritten, rename(new, path) == 0 { return .done }
        let reason = number == 0 ? "" : " (\(String(cString: strerror(number))))"
        unlink(new)
        // The text of an earlier copy must not come back instead.
        unlink(path)
        return .failed("what was copied is not kept: \(path) cannot be written\(reason)", isFull: number == ENOSPC || number == EDQUOT)
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
