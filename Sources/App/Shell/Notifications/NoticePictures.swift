import Callers
import Chrome
import Compositor
import Descriptors
import FoundationEssentials
import Glibc
import NoticeBus
import Notices
import Processes

/// The small pictures of notifications, in a folder of the shell's own.
///
/// A file that a program names is copied at once, because browsers delete theirs when the notification changes. Another process makes the
/// copy
/// small (`IconService`), with its limits. A file that is no picture leaves none, so a notification never keeps room for something that
/// cannot be shown.
final class NoticePictures {
    private unowned let shell: Shell
    private let folder: String
    /// Writes and removes files.
    private let worker = Worker<Outcome>(owner: "pictures of notifications")
    private var source: EventSource?
    /// Those that copy files which programs name: a file system may be slow, and each owner waits for its own (P-06).
    private var copiers: [Owner: Copier] = [:]
    private var painter: IconPainter?
    private var serial = 0
    private var jobs: [NoticeID: Job] = [:]
    /// Copies that are to be made small.
    private var turns = PictureTurns<Copy>()
    private var holdings = Holdings()
    private var isFinished = false
    /// Those on the disk, by their notifications.
    private var kept: [NoticeID: String] = [:]

    private struct Job {
        var serial: Int
        var owner: Owner
        var done: (String?) -> Void
    }

    /// A thread that copies files of one owner, until there are none.
    private final class Copier {
        let worker = Worker<Outcome>(owner: "copies of notifications' pictures")
        var source: EventSource?
        var count = 0
    }

    private struct Copy: Sendable {
        var id: NoticeID
        var serial: Int
        var owner: Owner
        /// The copy of the whole file.
        var path: String

        var file: IconFile { IconFile(.picture, path: path, width: NoticePictures.side, height: NoticePictures.side) }
        /// The picture that is kept.
        var small: String { "\(path).png" }
    }

    private enum Outcome: Sendable {
        case copied(Copy)
        /// The end: where the picture is; nil: it is none.
        case made(NoticeID, serial: Int, path: String?)
    }

    /// Pixels of each side. It is shown in 36 to 40 points.
    private static let side = 128
    /// Bytes of a file: those of a photo of 25 megapixels.
    private static let most = 32 << 20

    init(_ shell: Shell, folder: String) {
        self.shell = shell
        self.folder = folder
    }

    /// - Parameter notices: of the last session. Pictures that none of them shows are removed.
    func start(_ notices: [Notice]) {
        source = shell.compositor.watch(fd: worker.descriptor) { [unowned self] _ in drain() }
        painter = shell.options.iconPainter.map { [unowned self, unowned shell] command in
            IconPainter(
                command: command, launcher: shell.launcher, compositor: shell.compositor, environment: shell.environment, log: shell.log,
                drawn: { [unowned self] in fetch() })
        }
        for notice in notices { if let path = notice.content.image { kept[notice.id] = path } }
        let folder = folder, needed = Set(kept.values), own = "-\(getpid())-"
        worker.add {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where !needed.contains("\(folder)/\(name)") && !name.contains(own) {
                unlink("\(folder)/\(name)")
            }
            return nil
        }
    }

    func finish() {
        painter?.close()
        for copier in copiers.values { copier.worker.finish() }
        worker.finish()
        isFinished = true
        drain()
        for owner in copiers.keys { drain(of: owner) }
        source?.cancel()
        source = nil
    }

    // MARK: Keeping

    /// Keeps a picture. `done` gets where it is, or nil: it cannot be shown. It is not called if the owner keeps too many at once, or if
    /// another one follows before it is kept.
    func keep(_ image: NoticeImage, of id: NoticeID, by owner: Owner, done: @escaping (String?) -> Void) {
        if let before = jobs.removeValue(forKey: id) { holdings.giveBack(.noticePictures, for: before.owner) }
        guard holdings.take(.noticePictures, for: owner) else { return }
        serial += 1
        jobs[id] = Job(serial: serial, owner: owner, done: done)
        let folder = folder, copy = Copy(id: id, serial: serial, owner: owner, path: "\(folder)/\(id.raw)-\(getpid())-\(serial)")
        let job: Worker<Outcome>.Job = {
            mkdir(folder, 0o700)
            let isThere: Bool
            switch image {
            case .pixels(let pixels, let width, let height):
                let isWritten = (try? PNG.write(pixels: pixels, width: width, height: height, stride: width * 4, to: copy.small)) != nil
                return .made(copy.id, serial: copy.serial, path: isWritten ? copy.small : nil)
            case .encoded(let bytes): isThere = (try? PrivateFile.write(bytes, to: copy.path)) != nil
            case .file(let source): isThere = PrivateFile.copy(source, to: copy.path, most: Self.most, owner: "picture of a notification")
            }
            return isThere ? .copied(copy) : .made(copy.id, serial: copy.serial, path: nil)
        }
        guard case .file = image else { return worker.add(job) }
        let copier = copier(of: owner)
        copier.count += 1
        copier.worker.add(job)
    }

    private func copier(of owner: Owner) -> Copier {
        if let copier = copiers[owner] { return copier }
        let copier = Copier()
        copier.source = shell.compositor.watch(fd: copier.worker.descriptor) { [unowned self] _ in drain(of: owner) }
        copiers[owner] = copier
        return copier
    }

    private func drain(of owner: Owner) {
        guard let copier = copiers[owner] else { return }
        let outcomes = copier.worker.outcomes()
        copier.count -= outcomes.count
        if copier.count <= 0 || isFinished {
            copiers[owner] = nil
            copier.source?.cancel()
            copier.worker.finish()
        }
        take(outcomes)
    }

    private func drain() { take(worker.outcomes()) }

    private func take(_ outcomes: [Outcome]) {
        for outcome in outcomes {
            switch outcome {
            case .copied(let copy): turns.add(copy, of: copy.owner)
            case .made(let id, let serial, let path): end(id, serial, path)
            }
        }
        work()
    }

    private func isWanted(_ id: NoticeID, _ serial: Int) -> Bool { jobs[id]?.serial == serial }

    // MARK: Making small

    private func work() {
        while !isFinished, let copy = turns.next() {
            guard isWanted(copy.id, copy.serial) else {
                turns.ended(copy.owner)
                remove([copy.path])
                continue
            }
            // A shell without that process, as in tests, paints by itself.
            guard let painter else {
                make(copy) { copy.file.picture }
                continue
            }
            take(painter.picture(of: copy.file), for: copy)
        }
    }

    /// The other process may have answers.
    private func fetch() {
        guard let painter else { return }
        for copy in Array(turns.present.values) { take(painter.picture(of: copy.file), for: copy) }
        work()
    }

    private func take(_ answer: IconPainter.Answer, for copy: Copy) {
        switch answer {
        case .later: return
        case .nothing: make(copy) { nil }
        case .picture(let picture): make(copy) { picture }
        }
    }

    /// Writes the small picture in place of the copy.
    private func make(_ copy: Copy, _ picture: @escaping @Sendable () -> Picture?) {
        worker.add {
            let isWritten = picture().map { (try? PNG.write($0, to: copy.small)) != nil } ?? false
            unlink(copy.path)
            return .made(copy.id, serial: copy.serial, path: isWritten ? copy.small : nil)
        }
        turns.ended(copy.owner)
    }

    private func end(_ id: NoticeID, _ serial: Int, _ path: String?) {
        guard let job = jobs[id], job.serial == serial else { return remove([path].compactMap(\.self)) }
        jobs[id] = nil
        holdings.giveBack(.noticePictures, for: job.owner)
        let before = kept.removeValue(forKey: id)
        job.done(path)
        // Its notification may have ended meanwhile.
        kept[id] = shell.system.notices[id]?.content.image
        remove([before, path].compactMap(\.self).filter { $0 != kept[id] })
    }

    // MARK: Removing

    /// The picture of a notification that ended; nil: it has none, or is still there.
    func takeUnneeded(of id: NoticeID) -> String? {
        guard let path = kept[id], shell.system.notices[id]?.content.image != path else { return nil }
        kept[id] = nil
        return path
    }

    /// Removes files of the folder.
    func remove(_ paths: [String]) {
        let own = paths.filter { $0.hasPrefix("\(folder)/") }
        guard !isFinished else { return own.forEach { unlink($0) } }
        guard !own.isEmpty else { return }
        worker.add {
            for path in own { unlink(path) }
            return nil
        }
    }
}
