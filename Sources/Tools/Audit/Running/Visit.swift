import Chrome
import Clocks
import Control
import FoundationEssentials
import Geometry
import Glibc
import Journal
import Multitasking
import Processes
import Seeded
import Windows

/// The window of the app is gone, and the app does not come back.
struct AppGone: Error {
    let why: Phrase
}

/// A check could not tell, or the app has nothing of the kind: ends it with this finding.
struct Untold: Error {
    var finding: Finding

    init(_ why: Phrase, part: String = "app", _ verdict: Verdict = .couldNotTell) { finding = Finding(verdict, part: part, why) }
}

/// The app writes so much to its output that the audit must end it.
struct Flood: Error {}

/// One app in its room, and the actions of checks on it. Checks run one after another and leave the app running in full screen.
final class Visit {
    let room: Room
    let subject: Subject
    let idiom: Idiom
    let isQuick: Bool
    /// The screen's size between checks.
    let standard: Size
    var random: SeededRandom
    private let pictureFolder: String?
    private(set) var start = Start()
    /// The view of assistive technology; nil if the machine has no accessibility bus.
    private(set) lazy var assistive = Assistive(session: room.busAddress)
    /// The windows of the audit's own neighbour.
    private var helpers: Set<WindowID> = []
    /// The notes of the shell about windows that closed again (M-15).
    var notes: Set<String> = []
    /// The ends of the app that the audit did not ask for.
    var crashes: [AppEnd] = []
    private var pictureCount = 0
    private let program: String
    /// Keys that leave the first view of a new app, such as a notice.
    private var firstKeys: [String]

    /// How the app started.
    struct Start: Hashable {
        /// From the launch to its first window.
        var seconds: Double?
        /// The reason why it has none.
        var failure: Phrase?
        /// Whether it has no window and runs on.
        var isRunning = false
        var wasTried = false
        /// When its first window came.
        var moment = 0.0
    }

    /// - Parameter pictureFolder: where pictures of findings are kept; nil to keep none.
    init(
        room: Room, subject: Subject, idiom: Idiom, standard: Size, seed: UInt64, quick: Bool, pictureFolder: String?, program: String,
        firstKeys: [String] = []
    ) {
        self.firstKeys = firstKeys
        self.room = room
        self.subject = subject
        self.idiom = idiom
        self.standard = standard
        self.pictureFolder = pictureFolder
        self.program = program
        isQuick = quick
        random = SeededRandom(seed: seed)
    }

    var client: ControlClient { room.client }

    // MARK: Looking

    func state() throws -> StateReport {
        if let number = Interruption.number { throw Trouble(.signal(Int64(number))) }
        return try client.state()
    }

    /// The windows of the app that have a program.
    func windows() throws -> [WindowReport] {
        try state().windows.filter { $0.placeholder == nil && $0.place != .unmapped && !helpers.contains($0.id) }
    }

    /// Returns its first window without a parent, or else its first window.
    func main() throws -> WindowReport? {
        let windows = try windows()
        return windows.first { $0.parent == nil && $0.place != .waiting } ?? windows.first { $0.parent == nil } ?? windows.first
    }

    /// Throws if the app has no window any more and cannot be started again.
    func window() throws -> WindowReport {
        if let window = try main() { return window }
        try launch()
        if let window = try main() { return window }
        throw AppGone(why: start.failure ?? .windowsGone)
    }

    var processes: [Int32] {
        get throws { Load.whole(Array(Set(try windows().compactMap(\.pid)))) }
    }

    /// Waits until the condition holds. Returns whether it does. Seconds in which the app could not run do not count.
    @discardableResult
    func wait(_ seconds: Double, every pause: Double = 0.03, _ condition: () throws -> Bool) throws -> Bool {
        let patience = Patience(seconds)
        while true {
            if try condition() { return true }
            if let number = Interruption.number { throw Trouble(.signal(Int64(number))) }
            try stopFlood()
            guard !patience.isOver else { return false }
            Pause.sleep(pause)
        }
    }

    /// Whether this check ended the app itself (`endApp`).
    var hasEndedApp = false
    /// Whether the app was ended because it flooded its output.
    private(set) var isFlooded = false
    private var looked = 0.0

    /// Ends an app that would fill the disk.
    private func stopFlood() throws {
        guard Clocks.monotonicSeconds - looked > 0.2 else { return }
        looked = Clocks.monotonicSeconds
        guard room.logBytes > Visit.mostOutput else { return }
        isFlooded = true
        room.endApps()
        throw Flood()
    }

    /// Bytes of output in one audit.
    static let mostOutput = 256 << 20

    /// Until nothing moves; some apps are never at rest.
    func settle(_ milliseconds: Double = 1500) { try? client.waitUntilIdle(timeout: milliseconds) }

    // MARK: Starting

    /// Starts the app and waits for its first window.
    ///
    /// - Parameter variables: more of its environment. An app with them starts as a plain command.
    func launch(patience: Double = 20, with variables: [String: String] = [:]) throws {
        let newest = try state().windows.map(\.id).max()
        let time = Patience(patience)
        var ends = LaunchEnds(room)
        start = Start(wasTried: true)
        do {
            // An entry that another desktop alone shows (OnlyShowIn) is no installed app for the shell, but its command is one.
            if subject.entry != nil, variables.isEmpty,
                try client.ask(.get(.apps), for: [App].self).contains(where: { $0.id == subject.id })
            {
                try client.perform(.openApp(app: subject.id))
            } else {
                try client.perform(.launch(command: subject.start(with: variables)))
            }
        } catch {
            // An app that ends the shell at once cuts its answer off.
            if room.hasEnded(within: 0.5) { throw error }
            start.failure = .notStartedByShell(why: "\(error)")
            return
        }
        let isOpen = try wait(patience) {
            let windows = try windows()
            if windows.contains(where: { window in newest.map { window.id > $0 } ?? true }) { return true }
            return !windows.isEmpty || ends.isOver
        }
        if isOpen, try !windows().isEmpty {
            start.moment = Clocks.monotonicSeconds
            start.seconds = time.spent
            settle(3000)
            try passStartPicture()
            for keys in firstKeys {
                press(keys)
                settle(1500)
            }
            if !firstKeys.isEmpty { try wait(5) { try !windows().isEmpty } }
            firstKeys = []
            return
        }
        start.isRunning = ends.reason == nil
        start.failure = ends.reason ?? .noWindowWithin(seconds: Int(clamping: patience))
    }

    /// Whether the first window is the app's own, and no picture of its start.
    private var hasNoStartPicture = false

    /// Large apps show a picture of their start, of one size, until they are ready. No check is about it.
    private func passStartPicture() throws {
        guard !hasNoStartPicture, let first = try main(), !first.minimum.isEmpty, first.size == first.minimum else { return }
        hasNoStartPicture = try !wait(8) { try state()[first.id] == nil && main() != nil }
        settle(3000)
    }

    /// Whether it counts as audited: it has a window, or had one.
    var isStarted: Bool { start.seconds != nil }

    /// Ends the shell and starts it again with the same home.
    func restartShell(killing processes: [Int32]?) throws {
        assistive = nil
        try room.restart(killing: processes)
        // The accessibility bus ends with the session, and the numbers of windows begin again.
        assistive = Assistive(session: room.busAddress)
        helpers = []
        start.failure = nil
    }

    // MARK: Acting

    struct Reaction: Hashable {
        /// The size of the screen.
        var screen: Size
        /// The size that the shell told the window; nil if the app may choose.
        var told: Size?
        var drew = Size.zero
        var minimum = Size.zero
        var maximum = Size.zero
        /// The scale of its picture on the screen.
        var scale = 1.0
        /// The seconds until it had drawn the new size; nil if it never did, or got no configure.
        var seconds: Double?
        /// Whether it acked the last configure.
        var isAnswered = false
        var isGone = false

        /// Whether the app can have one size only. Some toolkits answer no configure that changes nothing.
        var isFixed: Bool { minimum == maximum && !minimum.isEmpty && drew == minimum }
        /// Whether it keeps the shell waiting although it could change.
        var isSilent: Bool { !isAnswered && !isFixed }
    }

    /// Gives the screen this size in points, and so the window in full screen, and waits until the app answers.
    @discardableResult
    func arrange(_ size: Size, scale: Double = 1, patience: Double = 5) throws -> Reaction {
        let window = try window()
        try client.perform(.resizeScreen(size: size * scale, scale: scale))
        try wait(3) { try state().screen.map { $0.size == size && $0.scale == scale } ?? false }
        return try reaction(of: window.id, screen: size, patience: patience)
    }

    /// Waits until the window has answered its last configure.
    func reaction(of id: WindowID, screen: Size, patience: Double = 5) throws -> Reaction {
        let time = Patience(patience)
        var reaction = Reaction(screen: screen), acked: Double?
        try wait(patience) {
            guard let window = try state()[id], window.place != .unmapped else {
                reaction.isGone = true
                return true
            }
            reaction.told = window.told.flatMap { $0.isEmpty ? nil : $0 }
            reaction.drew = window.size
            reaction.minimum = window.minimum
            reaction.maximum = window.maximum
            reaction.scale = window.scale ?? 1
            reaction.isAnswered = window.isX11 || window.configured.map { $0 <= window.answered } ?? true
            if reaction.told == nil || window.size == reaction.told, reaction.isAnswered {
                if reaction.told != nil { reaction.seconds = time.spent }
                return true
            }
            // An app that acked and keeps another size has a second to change its mind.
            if reaction.isAnswered { acked = acked ?? Clocks.monotonicSeconds } else { acked = nil }
            return acked.map { Clocks.monotonicSeconds - $0 > 1.2 } ?? false
        }
        settle(600)
        if let window = try state()[id] { reaction.scale = window.scale ?? 1 }
        return reaction
    }

    /// Restores the state in which every check begins: the app's first window in full screen on the standard screen, even if the idiom has
    /// free windows.
    func rest() throws {
        let state = try state()
        if state.screen?.size != standard || state.screen?.scale != 1 { try client.perform(.resizeScreen(size: standard, scale: 1)) }
        if !state.open.isEmpty { try? client.perform(.dismiss) }
        let window = try window()
        try show(window)
        if window.place == .free, window.told != standard {
            try? client.perform(.tile(window: window.id, to: .full))
            try wait(2) { try self.state()[window.id].map { $0.told == standard } ?? true }
        }
        settle()
    }

    /// Leaves dialogs that an act of an earlier check opened: by Escape, or by a request to close.
    func leaveDialogs() throws {
        // A dialog may ask once more.
        for _ in 0..<3 {
            let windows = try windows()
            guard
                let dialog = windows.last(where: { window in window.parent.map { parent in windows.contains { $0.id == parent } } ?? false }
                )
            else { return }
            try leave(dialog)
            if try state()[dialog.id].map({ $0.place != .unmapped }) ?? false { return }
        }
    }

    func leave(_ dialog: WindowReport) throws {
        func isGone() throws -> Bool { try state()[dialog.id].map { $0.place == .unmapped } ?? true }
        try? client.perform(.focus(window: dialog.id))
        press("Escape")
        if try !wait(1.5, isGone) {
            try? client.perform(.close(window: dialog.id))
            try wait(2, isGone)
        }
    }

    /// Brings it in front.
    func show(_ window: WindowReport) throws {
        if window.place == .waiting {
            try? client.perform(.openWaiting(window: window.id))
        } else if try !state().windows.contains(where: { $0.id == window.id && $0.active && $0.shown }) {
            try? client.perform(.focus(window: window.id))
        }
        try wait(2) { try self.state()[window.id].map(\.shown) ?? true }
    }

    /// Hides the windows as a person would: by the home screen, or if that covers no windows, by putting them away. Ends the check if one
    /// stays visible.
    func hide() throws {
        func isHidden() throws -> Bool { try !windows().contains(where: \.shown) }
        try client.perform(.home)
        if try wait(idiom.arrangement == .free ? 1 : 3, isHidden) { return }
        for window in try windows() where window.shown && window.parent == nil { try? client.perform(.minimize(window: window.id)) }
        guard try wait(3, isHidden) else { throw Untold(.staysInSight, part: "sight") }
    }

    /// Asks the app to close a window. If the control at its top only puts the window away, asks the whole app to end.
    func askToClose(_ window: WindowReport) throws {
        if idiom.closing == .putsAway, window.parent == nil {
            try client.perform(.quitApp(app: window.app))
        } else {
            try client.perform(.close(window: window.id))
        }
    }

    func press(_ keys: String) { try? client.input(.press(keys: keys)) }

    func type(_ text: String) { try? client.input(.type(text: text)) }

    /// Opens a window of the audit's own beside the app, for places that need two.
    func neighbour() throws -> WindowID? {
        if let known = try state().windows.first(where: { helpers.contains($0.id) }) { return known.id }
        let file = "\(room.path)/home/neighbour.txt"
        try Data("A neighbour.\n".utf8).write(to: URL(filePath: file))
        let before = Set(try state().windows.map(\.id))
        try client.perform(.launch(command: [program, "view", file]))
        var found: WindowID?
        try wait(8) {
            found = try state().windows.first { !before.contains($0.id) && $0.place != .unmapped }?.id
            return found != nil
        }
        if let found { helpers.insert(found) }
        return found
    }

    func closeNeighbour() throws {
        for id in helpers where try state()[id] != nil {
            try? client.perform(.close(window: id))
            try? client.waitUntilGone(id, timeout: 3000)
        }
    }

    // MARK: Pictures

    /// Takes a picture of one window by itself; nil if it has no content.
    func picture(of window: WindowID) -> Picture? {
        let file = "\(room.path)/pictures/look.png"
        guard (try? client.ask(.screenshot(ScreenshotRequest(window: window, path: file)))) != nil else { return nil }
        return try? PNG.read(file)
    }

    /// Ends the check if the window has no picture.
    func needPicture(of window: WindowID) throws -> Picture {
        guard let picture = picture(of: window) else { throw Untold(.noPicture) }
        return picture
    }

    /// Keeps a picture of the screen for the report. Returns its name, if pictures are kept.
    func keepPicture(_ check: String, of window: WindowID? = nil) -> [String] {
        guard let pictureFolder else { return [] }
        pictureCount += 1
        let name = "\(Visit.fileName(subject.id))-\(check)-\(pictureCount).png"
        guard (try? client.ask(.screenshot(ScreenshotRequest(window: window, path: "\(room.path)/pictures/kept.png")))) != nil else {
            return []
        }
        unlink("\(pictureFolder)/\(name)")
        guard (try? FileManager.default.moveItem(atPath: "\(room.path)/pictures/kept.png", toPath: "\(pictureFolder)/\(name)")) != nil
        else { return [] }
        return [name]
    }

    static func fileName(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_") ? $0 : "-" }.prefix(60))
    }

    // MARK: Assistive technology

    /// nil if the app exposes nothing, or the machine has no accessibility bus.
    func nodes() throws -> [Assistive.Node]? {
        let processes = try processes
        return assistive?.nodes(of: processes)
    }

    /// Ends the check if the machine has no accessibility bus.
    func needAssistive() throws {
        if assistive == nil { throw Untold(.noAccessibilityBus, part: "bus") }
    }

    /// All texts that the app exposes, which is how typed text is found again.
    func texts() throws -> [String] { try (nodes() ?? []).compactMap(\.text) }
}

extension Size {
    var words: String { "\(Int(clamping: width.rounded()))x\(Int(clamping: height.rounded()))" }
}

extension Double {
    /// With one decimal.
    var words: String {
        let tenths = Int(clamping: (self * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10))"
    }
}
