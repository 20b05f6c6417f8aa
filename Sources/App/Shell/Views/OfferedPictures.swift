import Chrome
import Compositor
import Descriptors
import FoundationEssentials
import Glibc
import LifeBus
import Logging
import Multitasking
import Processes

/// Pictures that apps offer as the wallpaper: copies in the folder of the session's store, so that they outlive their apps.
///
/// A thread of its own copies each file, because a file system may be slow. The process that paints icons decodes the copy before anything
/// else does (`IconService`), with its limits: a picture that it cannot decode never becomes the wallpaper.
final class OfferedPictures: Adapter {
    private struct Copy: Sendable {
        var path: String
        var file: IconFile { IconFile(.wallpaper, path: path, width: OfferedPictures.width, height: OfferedPictures.height) }
        var preview: String { "\(path).preview.png" }
    }

    private enum Outcome: Sendable {
        case copied(Copy?)
        /// Where the preview is; nil: it is no picture.
        case drawn(OfferedPicture?)
    }

    /// One picture on its way.
    private final class Work {
        let worker = Worker<Outcome>(owner: "copy of an offered picture")
        var source: EventSource?
        /// The copy that the other process draws.
        var copy: Copy?
        let done: (OfferedPicture?) -> Void

        init(_ done: @escaping (OfferedPicture?) -> Void) { self.done = done }
    }

    private unowned let shell: Shell
    private lazy var folder = "\(shell.adapter(SessionStore.self).folder ?? shell.sessionFolder)/wallpapers"
    private var painter: IconPainter?
    private var works: [Int: Work] = [:]
    private var last = 0
    /// Those on which a person decides.
    private var offered: Set<String> = []
    /// Those that a person has just chosen.
    private var answered: [(OfferedPicture, (Bool) -> Void)] = []
    private var soon: EventSource?

    /// Pixels of the preview, which is shown about half as wide.
    private static let width = 640, height = 400
    /// Bytes of a file: the most that a wallpaper can have.
    private static let most = 64 << 20

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        soon = shell.compositor.timer { [unowned self] in choose() }
        painter = shell.options.iconPainter.map { [unowned self, unowned shell] command in
            IconPainter(
                command: command, launcher: shell.launcher, compositor: shell.compositor, environment: shell.environment, log: shell.log,
                drawn: { [unowned self] in fetch() })
        }
    }

    /// Copies that no longer are the wallpaper. The choices of the last session are known now.
    func allStarted() { removeAll() }

    func stop() {
        painter?.close()
        soon?.cancel()
        soon = nil
        for work in works.values {
            work.source?.cancel()
            work.worker.finish()
        }
        works = [:]
    }

    // MARK: Taking

    func take(_ path: String, done: @escaping (OfferedPicture?) -> Void) {
        last += 1
        let number = last, work = Work(done), folder = folder
        let copy = Copy(path: "\(folder)/\(String(UInt64.random(in: 0 ... .max), radix: 36))")
        works[number] = work
        work.source = shell.compositor.watch(fd: work.worker.descriptor) { [unowned self] _ in drain(number) }
        let session = shell.sessionFolder
        work.worker.add {
            mkdir(session, 0o700)
            mkdir(folder, 0o700)
            return .copied(PrivateFile.copy(path, to: copy.path, most: Self.most, owner: "offered picture") ? copy : nil)
        }
    }

    private func drain(_ number: Int) {
        guard let work = works[number] else { return }
        for outcome in work.worker.outcomes() {
            switch outcome {
            case .copied(nil): end(number, nil)
            case .copied(let copy?):
                work.copy = copy
                // A shell without that process, as in tests, paints by itself.
                if painter == nil { draw(number) { copy.file.picture } } else { fetch() }
            case .drawn(let picture): end(number, picture)
            }
        }
    }

    /// The other process may have answers.
    private func fetch() {
        for (number, work) in works.sorted(by: { $0.key < $1.key }) {
            guard let painter, let copy = work.copy else { continue }
            switch painter.picture(of: copy.file) {
            case .later: break
            case .nothing: draw(number) { nil }
            case .picture(let picture): draw(number) { picture }
            }
        }
    }

    private func draw(_ number: Int, _ picture: @escaping @Sendable () -> Picture?) {
        guard let work = works[number], let copy = work.copy else { return }
        work.copy = nil
        work.worker.add {
            let isWritten = picture().map { (try? PNG.write($0, to: copy.preview)) != nil } ?? false
            if !isWritten { unlink(copy.path) }
            return .drawn(isWritten ? OfferedPicture(path: copy.path, preview: copy.preview) : nil)
        }
    }

    private func end(_ number: Int, _ picture: OfferedPicture?) {
        guard let work = works.removeValue(forKey: number) else { return }
        work.source?.cancel()
        work.worker.finish()
        if let picture { offered.formUnion([picture.path, picture.preview]) }
        work.done(picture)
    }

    // MARK: A person's answer

    /// The person's answer. `done` hears whether the picture is the wallpaper now.
    func settle(_ picture: OfferedPicture, isChosen: Bool, done: @escaping (Bool) -> Void) {
        unlink(picture.preview)
        offered.remove(picture.preview)
        if isChosen {
            // The answer comes while the shell handles an event, which ends before an action is carried out.
            answered.append((picture, done))
            soon?.arm(Compositor.now())
        } else {
            remove(picture)
            done(false)
        }
    }

    private func choose() {
        let all = answered
        answered = []
        for (picture, done) in all {
            if let refusal = shell.act(.setting(key: "wallpaper", value: picture.path)) {
                shell.log.notice("an offered picture does not become the wallpaper: \(refusal.reason)")
                remove(picture)
                done(false)
            } else {
                offered.remove(picture.path)
                removeAll()
                done(true)
            }
        }
    }

    private func remove(_ picture: OfferedPicture) {
        offered.remove(picture.path)
        unlink(picture.path)
    }

    /// Removes all copies but the wallpapers and those on which a person still decides.
    private func removeAll() {
        guard works.isEmpty else { return }
        let wallpapers = shell.system.wallpapers
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            if !wallpapers.contains(path), !offered.contains(path) { unlink(path) }
        }
    }
}
