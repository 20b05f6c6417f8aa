import Clocks
import FoundationEssentials
import Notices
import OrderedCollections
import Store

/// Notifications, schedules and a person's choices on the disk, and the small pictures beside them. The changes of one event are
/// written in one step, so that nothing is lost and nothing is there twice.
final class KeptNotices {
    private unowned let shell: Shell
    private lazy var store = shell.adapter(SessionStore.self)
    /// The changes since the last step, by place and key.
    private var dirty: [NoticeEffect] = []
    /// The notifications that a person saw and that are to be written. A long list is seen at once, so they are written in small steps.
    private var seen: OrderedSet<NoticeID> = []
    private static let step = 128
    private var isWriting = false
    private var waiting: [(Bool) -> Void] = []
    private(set) lazy var pictures = NoticePictures(shell, folder: "\(store.folder ?? shell.sessionFolder)/notifications")
    /// Pictures of notifications that ended. They leave the disk once it is known there that those ended.
    private var pastPictures: [String] = []

    /// An entry of the store, with the version of its form. A version of the shell that reads another form leaves it alone.
    private struct Kept<Value: Codable>: Codable {
        var version = 1
        var value: Value
        /// The run of the machine in which it was written; nil: not known.
        var boot: String?
    }

    /// The number of this run of the machine.
    private let boot = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))
        .map { String($0.prefix { !$0.isNewline }) }

    init(_ shell: Shell) { self.shell = shell }

    /// Reads the disk.
    func start(_ handle: (NoticeEvent) -> Void) {
        let kept = read(.notice, Notice.self)
        let notices = kept.map(\.value).sorted { ($0.arrived, $0.id) < ($1.arrived, $1.id) }
        let endedRuns = boot.map { boot in kept.filter { $0.boot.map { $0 != boot } ?? false }.map(\.value.id) } ?? []
        let schedules = read(.noticeSchedule, NoticeSchedule.self).map(\.value).sorted { $0.due < $1.due }
        let wishes = read(.choice, NoticeChoices.Wishes.self, only: Self.choices).map(\.value)
        pictures.start(notices)
        handle(.restored(notices, schedules, wishes.first, at: Clocks.secondsSince1970, endedRuns: endedRuns))
        store.onReplaced.append { [weak self] in self?.writeAll() }
    }

    /// The disk has an older session: everything is written anew.
    private func writeAll() {
        let notices = shell.system.notices
        dirty += notices.all.keys.map { .keep($0) } + notices.schedules.keys.map { .keepSchedule($0) } + [.keepChoices]
        write(notices)
    }

    /// The key of a person's choices for notifications, among the other choices.
    static let choices = "notifications"

    private func read<Value: Codable>(_ place: Place, _ type: Value.Type, only key: String? = nil) -> [Kept<Value>] {
        store.readAll(place).filter { key == nil || $0.key == key }.compactMap { entry in
            guard let kept = try? JSONDecoder().decode(Kept<Value>.self, from: Data(entry.bytes)), kept.version == 1 else {
                shell.log.warning("\(place.rawValue) \"\(entry.key.prefix(64))\" of the last session is not understood, and is left out")
                return nil
            }
            return kept
        }
    }

    func note(_ effect: NoticeEffect) {
        switch effect {
        case .keepRead(let id): seen.append(id)
        case .forget(let id):
            if let picture = pictures.takeUnneeded(of: id) { pastPictures.append(picture) }
            dirty.append(effect)
        default: dirty.append(effect)
        }
    }

    var isDirty: Bool { !dirty.isEmpty || !seen.isEmpty }

    /// Calls `done` when everything so far is on the disk; false: it cannot be written. Without a store, it lives as long as the shell.
    func whenWritten(_ done: @escaping (Bool) -> Void) {
        guard store.isKeeping, isWriting || !dirty.isEmpty else { return done(true) }
        waiting.append(done)
    }

    /// One step after the other: changes while one is on its way are part of the next one.
    func write(_ notices: borrowing Notices) {
        guard isDirty, !isWriting else { return }
        guard store.isKeeping else {
            dirty = []
            seen = []
            pictures.remove(pastPictures)
            pastPictures = []
            return
        }
        noteSeen(Self.step)
        let changes = changes(notices), done = waiting, past = pastPictures
        (dirty, waiting, pastPictures) = ([], [], [])
        isWriting = true
        store.commit(changes) { [weak self] isKept in
            guard let self else { return }
            isWriting = false
            // A picture that nothing names is removed at the next start.
            if isKept { pictures.remove(past) }
            for body in done { body(isKept) }
            if isDirty { return write(shell.system.notices) }
            // Callers that came while this step was on its way waited for a part of it.
            let rest = waiting
            waiting = []
            for body in rest { body(isKept) }
        }
    }

    private func noteSeen(_ count: Int) {
        for id in seen.prefix(count) { dirty.append(.keep(id)) }
        seen.removeFirst(min(count, seen.count))
    }

    private func changes(_ notices: borrowing Notices) -> [Change] {
        var out: [Change] = [], seen: Set<NoticeEffect> = []
        let encoder = JSONEncoder()
        func put(_ place: Place, _ key: String, _ value: some Codable) {
            guard let data = try? encoder.encode(Kept(value: value, boot: boot)) else { return }
            out.append(.put(place, key: key, Array(data)))
        }
        for effect in dirty {
            switch effect {
            case .keep(let id), .forget(let id):
                guard seen.insert(.keep(id)).inserted else { continue }
                let key = "\(id.raw)"
                if let notice = notices[id], !notice.content.isTransient, notice.content.drive == nil {
                    put(.notice, key, notice)
                } else {
                    out.append(.remove(.notice, key: key))
                }
            case .keepSchedule(let key), .forgetSchedule(let key):
                guard seen.insert(.keepSchedule(key)).inserted else { continue }
                if let schedule = notices.schedules[key] {
                    put(.noticeSchedule, key, schedule)
                } else {
                    out.append(.remove(.noticeSchedule, key: key))
                }
            case .keepChoices:
                if seen.insert(effect).inserted { put(.choice, Self.choices, notices.choices.chosen) }
            case .closed, .invoked, .replied, .activate, .tapped, .wake, .copy, .keepRead: break
            }
        }
        return out
    }

    func finish(_ notices: borrowing Notices) {
        noteSeen(seen.count)
        if store.isKeeping, !dirty.isEmpty { store.commit(changes(notices)) }
        dirty = []
        pictures.remove(pastPictures)
        pictures.finish()
    }
}
