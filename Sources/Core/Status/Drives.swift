import Geometry
import Rooms

/// The removable drives, and how a person opens and ejects them. UDisks does the work.
///
/// Nothing is mounted without an act of a person, and nothing begins in a locked session. What a person began before the lock ends.
public struct Drives: Room {
    /// By their ids.
    public private(set) var volumes: [DriveVolume] = []
    /// The work of UDisks at the moment: at most one job for each drive.
    public private(set) var jobs: [Job] = []
    private var lastStep: UInt64 = 0
    /// Whether the volumes that were there at the start are known.
    private var isFollowing = false

    public init() {}

    public struct Job: Hashable, Codable, Sendable {
        public var volume: String
        public var isEject: Bool
        /// As a person knows it, should it be pulled out meanwhile.
        fileprivate var name: String
        fileprivate var drive: String
        /// The number of the step that runs, and the steps that follow.
        fileprivate var number: UInt64
        fileprivate var step: Step
        fileprivate var left: [Step]
    }

    public enum Step: Hashable, Codable, Sendable {
        /// `Answer.done` has the folder.
        case mount(String)
        case unmount(String)
        case eject(drive: String)
        case powerOff(drive: String)
    }

    public enum Answer: Hashable, Codable, Sendable {
        case done(String)
        /// The name of the error, and the words of UDisks.
        case failed(String, String)
        case silent
    }

    public enum Event: Hashable, Codable, Sendable {
        /// All filesystems that UDisks knows.
        case volumes([VolumeFacts])
        /// There is no such service, or it went.
        case absent
        case wish(DriveAct)
        case ended(step: UInt64, Answer)
    }

    public enum Outcome: Hashable, Sendable {
        case changed
        /// A person learns that it is there. `isNew`: it was connected now.
        case tells(DriveVolume, isNew: Bool)
        /// The words about it do not hold any more.
        case withdraws(id: String)
        case take(step: UInt64, Step)
        case opens(folder: String)
        /// It may be taken out.
        case freed(name: String)
        /// Why a person's wish failed.
        case fails(name: String, isEject: Bool, Trouble)
        case refuse(String)
    }

    public enum Trouble: Hashable, Sendable {
        /// A program uses a file on it.
        case busy
        case notAllowed
        case silent
        case says(String)
    }

    /// The most volumes that are shown.
    public static let most = 32

    public subscript(id: String) -> DriveVolume? { volumes.first { $0.id == id } }

    /// The work of UDisks on a volume, or on another one of its drive.
    public func job(of volume: DriveVolume) -> Job? { jobs.first { $0.drive == volume.place } }

    /// - Parameter isOpen: whether the session is not locked.
    public mutating func handle(_ event: Event, in isOpen: Bool, at now: Moment) -> [Outcome] {
        switch event {
        case .volumes(let facts): return follow(facts)
        case .absent:
            let gone = volumes.map { Outcome.withdraws(id: $0.id) }
            volumes = []
            isFollowing = false
            return gone.isEmpty ? [] : gone + [.changed]
        case .wish(let act):
            guard isOpen else { return [.refuse("the screen is locked")] }
            return carryOut(act)
        case .ended(let number, let answer): return ended(number, answer, isOpen)
        }
    }

    private mutating func follow(_ facts: [VolumeFacts]) -> [Outcome] {
        var new: [DriveVolume] = []
        for volume in facts.filter(\.isOfPerson).map(DriveVolume.init).sorted(by: { $0.id < $1.id })
        where new.last?.id != volume.id && new.count < Drives.most { new.append(volume) }
        let before = volumes, isNews = isFollowing
        isFollowing = true
        guard new != before else { return [] }
        volumes = new
        var out: [Outcome] = []
        // One with another name or size under the same id is another one.
        let known = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
        func isKnown(_ volume: DriveVolume) -> Bool { known[volume.id]?.isSame(as: volume) ?? false }
        for old in before where !new.contains(where: { $0.isSame(as: old) }) { out.append(.withdraws(id: old.id)) }
        for volume in new where !isKnown(volume) { out.append(.tells(volume, isNew: isNews)) }
        return out + [.changed]
    }

    private mutating func carryOut(_ act: DriveAct) -> [Outcome] {
        let id = act.volume
        guard let volume = self[id] else { return [.refuse("no drive \"\(id)\" is there")] }
        switch act {
        case .open:
            if let folder = volume.mountPoint { return [.opens(folder: folder)] }
            guard job(of: volume) == nil else { return [.refuse("drive \"\(id)\" is being opened or ejected")] }
            return begin(volume, isEject: false, [.mount(volume.path)])
        case .eject:
            guard job(of: volume) == nil else { return [.refuse("drive \"\(id)\" is being opened or ejected")] }
            var steps = volumes.filter { $0.place == volume.place && $0.mountPoint != nil }.map { Step.unmount($0.path) }
            if volume.canPowerOff {
                steps.append(.powerOff(drive: volume.place))
            } else if volume.canEject {
                steps.append(.eject(drive: volume.place))
            }
            guard !steps.isEmpty else { return [.withdraws(id: id), .freed(name: volume.name)] }
            return begin(volume, isEject: true, steps)
        }
    }

    private mutating func begin(_ volume: DriveVolume, isEject: Bool, _ steps: [Step]) -> [Outcome] {
        lastStep += 1
        jobs.append(
            Job(
                volume: volume.id, isEject: isEject, name: volume.name, drive: volume.place, number: lastStep, step: steps[0],
                left: Array(steps.dropFirst())))
        return [.take(step: lastStep, steps[0]), .changed]
    }

    private mutating func ended(_ number: UInt64, _ answer: Answer, _ isOpen: Bool) -> [Outcome] {
        guard let index = jobs.firstIndex(where: { $0.number == number }) else { return [] }
        let job = jobs[index]
        switch (answer, job.step) {
        case (.done(let folder), .mount):
            jobs.remove(at: index)
            guard folder.hasPrefix("/"), folder != "/" else { return [fails(job, .says(folder)), .changed] }
            return (isOpen ? [.opens(folder: folder)] : []) + [.changed]
        case (.done, _): return goOn(index)
        // Another program did it meanwhile.
        case (.failed(Drives.error("NotMounted"), _), .unmount): return goOn(index)
        case (.failed(let name, let words), _):
            jobs.remove(at: index)
            // One that is pulled out cannot be opened, and the person knows.
            guard job.isEject || self[job.volume] != nil else { return [.changed] }
            if name == Drives.error("AlreadyMounted"), isOpen, let folder = self[job.volume]?.mountPoint {
                return [.opens(folder: folder), .changed]
            }
            return [fails(job, Drives.trouble(name, words)), .changed]
        case (.silent, _):
            jobs.remove(at: index)
            return [fails(job, .silent), .changed]
        }
    }

    private mutating func goOn(_ index: Int) -> [Outcome] {
        guard let next = jobs[index].left.first else {
            let job = jobs.remove(at: index)
            let told = volumes.filter { $0.place == job.drive }.map { Outcome.withdraws(id: $0.id) }
            return told + [.freed(name: job.name), .changed]
        }
        lastStep += 1
        jobs[index].number = lastStep
        jobs[index].step = next
        jobs[index].left.removeFirst()
        return [.take(step: lastStep, next), .changed]
    }

    private func fails(_ job: Job, _ trouble: Trouble) -> Outcome { .fails(name: job.name, isEject: job.isEject, trouble) }

    private static func error(_ name: String) -> String { "org.freedesktop.UDisks2.Error.\(name)" }

    private static func trouble(_ name: String, _ words: String) -> Trouble {
        switch name {
        case error("DeviceBusy"): .busy
        case error("NotAuthorized"), error("NotAuthorizedCanObtain"), error("NotAuthorizedDismissed"),
            "org.freedesktop.DBus.Error.AccessDenied":
            .notAllowed
        case error("Timedout"): .silent
        default: .says(words.oneLine(200))
        }
    }

    public func violations(in isOpen: Bool) -> [String] {
        var found: [String] = []
        if Set(volumes.map(\.id)).count != volumes.count { found.append("a drive is there twice") }
        if volumes.count > Drives.most { found.append("\(volumes.count) drives are shown") }
        if Set(jobs.map(\.drive)).count != jobs.count { found.append("two jobs of one drive run at once") }
        return found
    }
}
