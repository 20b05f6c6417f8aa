import Geometry

/// The arrangement as it is kept on disk, so that every window is restored where it was (W-20).
///
/// Windows are named by numbers that are valid within this value only. A reader must not trust any part of it.
public struct KeptArrangement: Hashable, Codable, Sendable {
    /// Incremented when older shells could not read it.
    public static let newest = 1

    public var version = KeptArrangement.newest
    public var windows: [KeptWindow] = []
    public var spaces: [KeptSpace] = []
    /// The space in front, as a position in `spaces`.
    public var current: Int?
    public var isHome = false
    /// Front first.
    public var slideOver: [UInt32] = []
    public var slideOverSide = Side.right
    public var isSlideOverHidden = false
    public var pip: KeptPicture?
    /// Oldest first.
    public var waiting: [UInt32] = []
    /// Where a person last had the windows of apps (W-25). Older shells did not keep it.
    public var appPlaces: [FreePlace]?

    // MARK: Older shells did not keep these

    /// The idiom that was in effect. The fields above are its arrangement.
    public var idiom: String?
    /// The idiom that the hardware and the configuration named then (`IdiomChoice`).
    public var settledIdiom: String?
    /// The type of its arrangement.
    public var kind: String?
    public var frames: [KeptFrame]?
    public var minimized: [UInt32]?
    /// The arrangements of other idioms.
    public var elsewhere: [KeptPlaces]?
    /// Programs that a person started and that had no window yet.
    public var launching: [KeptLaunch]?

    /// Larger counts cannot come from a real session.
    static let latest: UInt64 = 1 << 48

    public init() {}
}

public struct KeptWindow: Hashable, Codable, Sendable {
    public var number: UInt32
    public var appID: String
    public var title: String
    /// `WindowFacts.session`.
    public var session: String?
    /// The command that starts its program.
    public var command: [String]
    public var directory: String?
    /// The process of its program, which may outlive the shell.
    public var process: KeptProcess?
    /// The process that had the window, running or not. Older shells did not keep it.
    public var origin: KeptProcess?
    /// In points.
    public var size: Size
    /// The size that its app chose for it. Older shells did not keep it.
    public var natural: Size?
    /// The name that an adapter gave to its last picture.
    public var picture: String?
    /// When it last had the focus; larger is later.
    public var lastFocus: UInt64
}

/// A program that was started and had no window yet, for which no placeholder stands.
public struct KeptLaunch: Hashable, Codable, Sendable {
    public var app: String?
    public var command: [String]
    /// Nil: it was kept before its program was started, or the program is gone.
    public var process: KeptProcess?
    /// When it was asked for, on the clock that begins with the machine. Older shells did not keep it.
    public var when: Moment?
    /// It must not be started again: that was done once, or the next shell starts its command anyway.
    public var isAgain: Bool?
    /// Its program was started, and is gone.
    public var isGone: Bool?

    public init(app: String?, command: [String], process: KeptProcess? = nil, when: Moment? = nil, isAgain: Bool = false) {
        self.app = app
        self.command = command
        self.process = process
        self.when = when
        self.isAgain = isAgain ? true : nil
    }

    /// Whether it is started anew, as the person who asked for it still waits.
    func isStartedAgain(at now: Moment) -> Bool {
        guard process == nil, isAgain != true, let when else { return false }
        return when <= now && now - when <= Launches.appPatience
    }
}

/// A process, so that it is not confused with a later one of the same number.
public struct KeptProcess: Hashable, Codable, Sendable {
    public var number: Int32
    /// When it began, as the kernel counts it.
    public var started: UInt64

    public init(number: Int32, started: UInt64) {
        self.number = number
        self.started = started
    }
}

public struct KeptSpace: Hashable, Codable, Sendable {
    /// One window, or the two of a Split View: left or top first.
    public var windows: [UInt32]
    /// The first window's share of a Split View.
    public var fraction: Double?
    public var portraitAxis: Axis?
    /// When it was last in front; larger is later.
    public var lastUse: UInt64

    public init(windows: [UInt32], fraction: Double?, portraitAxis: Axis?, lastUse: UInt64) {
        self.windows = windows
        self.fraction = fraction
        self.portraitAxis = portraitAxis
        self.lastUse = lastUse
    }
}

public struct KeptPicture: Hashable, Codable, Sendable {
    public var window: UInt32
    public var corner: Corner
    /// In points.
    public var width: Double
    public var aspect: Double
    public var stashed: Side?

    public init(window: UInt32, corner: Corner, width: Double, aspect: Double, stashed: Side?) {
        self.window = window
        self.corner = corner
        self.width = width
        self.aspect = aspect
        self.stashed = stashed
    }
}

extension Workspace {
    /// The page that belongs where a window of a browser stands that has just come, with another title: another crash must not make the
    /// browser's first window of it, or its question whether to restore. A page that is loaded anew loses its title for a moment.
    private func awaited(in window: Window, of process: KeptProcess?) -> KeptWindow? {
        guard let place = window.restored, !place.title.isEmpty, place.title != window.facts.title, !place.wasAskedByPerson,
            place.leftOver == nil, !place.placeholder.command.isEmpty, kin(place).start != nil,
            let deadline = launches.deadline(of: kin(place)), deadline > launches.latest
        else { return nil }
        return KeptWindow(
            number: window.id.raw, appID: place.appID ?? window.facts.appID, title: place.title, session: nil,
            command: place.placeholder.command,
            directory: place.placeholder.directory, process: process, origin: place.origin, size: window.commit.size,
            natural: window.naturalSize,
            picture: place.picture, lastFocus: window.lastFocus)
    }

    /// The arrangement with every window whose program can be started again. Dialogs are left out: they are part of their
    /// windows.
    ///
    /// - Parameters:
    ///   - program: how to start the program of a window; nil if unknown.
    ///   - running: a process that the shell started; nil if it is not known well enough to be found again.
    public func kept(
        program: (Window) -> (command: [String], directory: String?, process: KeptProcess?)?,
        running: (Int32) -> KeptProcess? = { _ in nil }
    ) -> KeptArrangement {
        var kept = KeptArrangement()
        let placed = windowsWithPlace
        for window in windows.values where window.isMapped && placed.contains(window.id) && !window.facts.isSplash && !isUnseen(window) {
            // A prompt ends with its question, so it does not come back.
            if window.prompt != nil || (window.facts.sandbox == nil && isPrompter(window.facts.appID)) { continue }
            if let awaited = awaited(in: window, of: program(window)?.process) {
                kept.windows.append(awaited)
                continue
            }
            guard let program = program(window), !program.command.isEmpty else { continue }
            // A program that starts for it may outlive the shell, and must not be started twice.
            let starting = window.placeholder?.launch.flatMap { launches[$0]?.process }.flatMap(running)
            kept.windows.append(
                KeptWindow(
                    number: window.id.raw, appID: window.facts.appID, title: window.facts.title,
                    session: window.facts.session.isEmpty ? nil : window.facts.session, command: program.command,
                    directory: program.directory,
                    process: starting ?? program.process, origin: window.placeholder.map(\.origin) ?? program.process,
                    size: window.commit.size, natural: window.naturalSize, picture: window.picture, lastFocus: window.lastFocus))
        }
        let known = Set(kept.windows.map(\.number))
        kept.places = arrangement.kept(family.name, known)
        let others = elsewhere.sorted { $0.key < $1.key }.map { $0.value.kept($0.key, known) }
        kept.elsewhere = others.isEmpty ? nil : others
        kept.waiting = (waiting + confinement.unplaced).map(\.raw).filter(known.contains)
        if !keptPlaces.isEmpty { kept.appPlaces = keptPlaces }
        let starting = launches.all.compactMap { launch -> KeptLaunch? in
            guard !launch.isUsed, launch.holder == nil, launch.placeholder == nil, let command = launch.command else { return nil }
            let process = launch.process.flatMap(running), isAgain = launch.isAgain ?? isOwn(launch)
            guard process != nil || (launch.hasRun != true && !isAgain) else { return nil }
            return KeptLaunch(app: launch.app, command: command, process: process, when: launch.when, isAgain: isAgain)
        }
        if !starting.isEmpty { kept.launching = starting }
        return kept
    }
}
