import Control
import Descriptors
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Processes
import Store
import Synchronization
import Testing
import Windows

/// A session that is killed again and again: shells one after the other on one folder, with an app that counts the states
/// that it hands over (`life.py count`) and a window beside it. Each new shell shows whether anything was lost.
final class KillRoom {
    enum Victim: String, CaseIterable { case shell, app, both }

    /// What is killed, and when.
    struct Blow: CustomStringConvertible {
        /// nil: at a random moment.
        var fault: FaultPoint?
        /// So many times it passes that point before.
        var passes = 0
        var victim: Victim
        /// Steps of the app's own at which it is killed, one after the other: `asked`, `gave`, `restored` or `resumed`.
        var ownSteps: [String] = []

        var description: String {
            "\(victim) at \(ownSteps.isEmpty ? fault.map { "\($0.rawValue):\(passes + 1)" } ?? "a random moment" : "\(ownSteps)")"
        }
    }

    /// Which window is where, as far as it is kept.
    struct Arrangement: Hashable {
        var spaces: [[String]]
        var shares: [Double]
        var slideOver: [String]
        var isHome: Bool

        init(_ state: StateReport) {
            func title(_ id: WindowID) -> String { state[id]?.title ?? "?" }
            spaces = state.spaces.map { $0.windows.map(title) }
            shares = state.spaces.compactMap { $0.fraction.map { ($0 * 100).rounded() } }
            slideOver = state.slideOver.stack.map(title)
            isHome = state.home
        }

        var titles: Set<String> { Set(spaces.joined() + slideOver) }

        /// No window came back beside its own placeholder.
        var hasTwins: Bool { spaces.joined().count + slideOver.count > titles.count }
    }

    /// A line of the app's log.
    private struct Entry: Decodable {
        var e: String
        var n: Int?
        var serial: UInt32?
        var process: Int32?
        /// The runtime directory of the shell that started it.
        var runtime: String?
    }

    private struct AppIsGone: Error {}

    private let folder: String
    private let log: String
    private let command: [String]
    var random: Random
    private static let config = "launch = []\nreduced-motion = true\n[life]\ngrace = 0.3\n"
    private static let counter = "Count", beside = "beside"

    /// The number of the last state that is certainly on the disk.
    private var least: Int?
    /// One of these comes back.
    private var arrangements: [Arrangement] = []
    /// Something may have changed that nobody looked at.
    private var isUncertain = false
    /// The runtime directory of the shell that runs. What the last one started counts no more, however late it says so.
    private var runtime = ""
    /// The process of the app that was looked at.
    private var looked: Int32?
    /// The last one that was seen to be dead: another takes its place.
    private var mourned: Int32?
    private(set) var kills = 0

    init(seed: UInt64) throws {
        random = Random(state: seed)
        folder = FileManager.default.temporaryDirectory.appending(path: "mullion-kills-\(UInt32.random(in: 0 ... .max))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        log = "\(folder)/count.log"
        command = ["python3", "\(TestClient.folder)/life.py", "count", "--log", log]
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    // MARK: A round

    /// A first shell, which ends in order.
    func begin() throws {
        let shell = try ShellUnderTest(config: Self.config, environment: ["XDG_STATE_HOME": folder])
        defer { shell.clear() }
        runtime = shell.runtime
        try bringWindows(shell, Blow(victim: .shell))
        try step(shell)
        try shell.quit()
    }

    /// A shell from its start to its end. Returns whether the blow came.
    @discardableResult
    func live(_ blow: Blow) throws -> Bool {
        let before = kills
        defer {
            if kills / 100 > before / 100 {
                print("\(kills) kills")
                fflush(nil)
            }
        }
        age()
        if kills % 3 == 2 { try checkStore() }
        try blow.ownSteps.first.map(condemn)
        let first = try entries.count
        (looked, mourned) = (nil, nil)
        var environment = ["XDG_STATE_HOME": folder]
        if let fault = blow.fault {
            environment["MULLION_FAULT"] = "\(fault.rawValue):\(blow.passes + 1)\(blow.victim == .shell ? "" : ":stop")"
        }
        let shell: ShellUnderTest
        do {
            shell = try ShellUnderTest(config: Self.config, environment: environment)
        } catch  where "\(error)".contains("the shell did not start: signalled(9)") {
            kills += 1
            return true
        }
        defer { shell.clear() }
        runtime = shell.runtime
        let executioner = Executioner(shell.process, blow, after: UInt32(random.next() % 2_500_000)) { [log, runtime] in
            Self.process(in: log, of: runtime)
        }
        defer { executioner.finish() }
        do {
            try follow(shell, blow, executioner)
        } catch {
            // It is dead, or has a moment to be.
            for _ in 0..<100 where shell.ending == nil { usleep(5000) }
            guard shell.ending == "the shell was ended by signal 9" else {
                let apps = (try? shell.client.ask(.get(.life), for: LifeReport.self).apps).map { "\($0)" } ?? "nobody answers"
                throw ShellUnderTest.Failure("\(blow): \(error); \(apps); the app is \(process ?? 0); \(shell.log.suffix(2000))")
            }
        }
        executioner.finish()
        let struck = shell.ending != nil || executioner.hasStruck || !blow.ownSteps.isEmpty
        if struck { kills += max(1, blow.ownSteps.count) }
        if shell.ending == nil {
            kill(shell.process, SIGKILL)
            kills += 1
            isUncertain = true
        }
        try readConfirmed(shell, from: first)
        for words in ["damaged", "is left", "last good copy", "understood", "not kept", "not renewed", "could not be"] {
            #expect(!shell.log.contains(words), "\(blow): \(shell.log)")
        }
        return struck
    }

    /// What a person does, until the blow came and its consequences are seen.
    private func follow(_ shell: ShellUnderTest, _ blow: Blow, _ executioner: Executioner) throws {
        try lookAtArrangement(shell, blow)
        let end = Date(timeIntervalSinceNow: 15 * ShellUnderTest.patience)
        var left = blow.ownSteps.dropFirst()
        while Date() < end {
            // It may have died right after what was waited for, and was started again.
            if !isCondemned { try left.popFirst().map(condemnNow) }
            let isLast = blow.ownSteps.isEmpty ? executioner.hasStruck : left.isEmpty && !isCondemned
            do {
                try bringWindows(shell, blow)
                try step(shell)
                if isLast { return }
            } catch {
                // The kill is noted a moment after it is done.
                for _ in 0..<100 where blow.victim == .app && blow.ownSteps.isEmpty && !executioner.hasStruck { usleep(5000) }
                // It may be condemned again already while it is still dying.
                let isDead = error is AppIsGone || !isCondemned || process.map(ProcessTree.hasEnded) ?? false
                guard shell.ending == nil, blow.victim == .app, executioner.hasStruck || !blow.ownSteps.isEmpty && isDead else {
                    throw error
                }
                // It may be started at once.
                if !isCondemned { try left.popFirst().map(condemnNow) }
                try mourn(shell)
            }
        }
        if !blow.ownSteps.isEmpty { throw ShellUnderTest.Failure("the app did not come to \(blow.ownSteps)") }
    }

    private func step(_ shell: ShellUnderTest) throws {
        guard let counter = try window(Self.counter, shell)?.id, let beside = try window(Self.beside, shell)?.id else { throw AppIsGone() }
        switch random.next() % 4 {
        case 0: try act(.home, shell)
        case 1: try act(.fullScreen(window: beside), shell)
        case 2:
            try act(.focus(window: counter), shell)
            try act(.splitView(window: beside, side: .right), shell)
            try act(.divider(fraction: [0.33, 0.5, 0.67][Int(random.next() % 3)]), shell)
            try act(.home, shell)
        default:
            try act(.focus(window: counter), shell)
            try act(.slideOver(window: beside), shell)
            try act(.home, shell)
        }
        let resumed = try entries.count { $0.e == "resumed" }
        try shell.wait("the app is frozen") {
            guard let now = try window(Self.counter, shell), now.placeholder == nil else { throw AppIsGone() }
            return try shell.client.ask(.get(.life), for: LifeReport.self).apps.contains {
                $0.windows.contains(counter) && $0.phase == .frozen
            }
        }
        try act(.focus(window: counter), shell)
        try shell.wait("the app goes on") {
            guard try window(Self.counter, shell) != nil else { throw AppIsGone() }
            return try entries.count { $0.e == "resumed" } > resumed
        }
    }

    /// An action, and a look at what came of it.
    private func act(_ action: Action, _ shell: ShellUnderTest) throws {
        isUncertain = true
        try shell.client.perform(action)
        try note(shell)
        try shell.settle()
    }

    private func note(_ shell: ShellUnderTest) throws {
        let state = try shell.state(), arrangement = Arrangement(state)
        if arrangement.hasTwins {
            throw ShellUnderTest.Failure("twins: \(state.windows), \(try entries.suffix(12)), \(shell.log.suffix(1500))")
        }
        if arrangements.last != arrangement { arrangements.append(arrangement) }
        isUncertain = false
    }

    /// The app was killed alone. It leaves its place, or a placeholder in it.
    private func mourn(_ shell: ShellUnderTest) throws {
        isUncertain = true
        if let process, ProcessTree.hasEnded(process) { (looked, mourned) = (process, process) }
        if let counter = try window(Self.counter, shell), counter.placeholder == nil {
            // A frozen one may be ended only when it is thawed.
            try? shell.client.perform(.focus(window: counter.id))
            // The window may be the next one's already.
            let end = Date(timeIntervalSinceNow: 1)
            try shell.wait("the window of the dead app is gone") {
                if Date() > end, let process, !ProcessTree.hasEnded(process) { return true }
                return try shell.state()[counter.id] == nil
            }
        }
        try tryAgain(shell)
        // It ended before it had shown a window: who wants it taps its picture.
        if let counter = try window(Self.counter, shell), counter.placeholder == true {
            // The next one's window may replace it at any moment.
            try? shell.client.perform(.focus(window: counter.id))
            try shell.settle()
            // Not in its middle: an alert may come there meanwhile.
            if let frame = try shell.state()[counter.id]?.frame, process.map(ProcessTree.hasEnded) ?? true {
                try shell.tap(Point(frame.minX + 40, frame.maxY - 60))
            }
        }
        try shell.settle()
        try note(shell)
    }

    /// An app that is killed three times in a row as it gets its state back is asked about. Nobody here gives up the state.
    private func tryAgain(_ shell: ShellUnderTest) throws {
        guard let again = try shell.find("crashing/again") else { return }
        try shell.tap(again.frame.center)
        try shell.settle()
    }

    // MARK: What has to be there

    private func window(_ title: String, _ shell: ShellUnderTest) throws -> WindowReport? {
        let all = try shell.state().windows.filter { $0.title == title }
        return all.first { $0.place != .unmapped } ?? all.first
    }

    /// What the last shell kept is there again.
    private func lookAtArrangement(_ shell: ShellUnderTest, _ blow: Blow) throws {
        let now = Arrangement(try shell.state())
        if isUncertain {
            #expect(now.titles.isSubset(of: [Self.counter, Self.beside]) && now.titles.contains(Self.beside), "\(blow): \(now)")
        } else {
            #expect(arrangements.contains(now), "\(blow): \(now), not one of \(arrangements)")
        }
        arrangements = [now]
        isUncertain = false
    }

    /// Both windows have programs, and the app has its state back.
    private func bringWindows(_ shell: ShellUnderTest, _ blow: Blow) throws {
        for (title, command) in [(Self.beside, ["foot", "--title", Self.beside]), (Self.counter, command)] {
            isUncertain = true
            if let window = try window(title, shell) {
                if window.placeholder == true { try? shell.client.perform(.focus(window: window.id)) }
            } else {
                // It may have died after the last look. Starting a third one would leave two.
                if title == Self.counter { mourned = process }
                try shell.client.perform(.launch(command: command))
            }
            try shell.wait("\(title) has a program", within: 10) {
                try tryAgain(shell)
                if try shell.state().windows.contains(where: { $0.title == title && $0.placeholder == nil && $0.place != .unmapped }) {
                    return true
                }
                if title == Self.counter, let process, process != mourned, ProcessTree.hasEnded(process) { throw AppIsGone() }
                return false
            }
            try shell.settle()
            try note(shell)
        }
        guard process != looked else { return }
        var given: Entry?
        try shell.wait("the app has its state back") {
            let all = try entries
            guard let start = all.lastIndex(where: { $0.e == "start" && $0.runtime == runtime }) else { return false }
            given = all[start...].first { $0.e == "restore" || $0.e == "fresh" }
            return given != nil
        }
        looked = process
        let words = Comment(rawValue: "\(blow): had \(given?.n.map { "\($0)" } ?? "nothing whole"), at least \(least ?? 0) is kept")
        guard given?.e == "restore" else {
            let (last, windows) = (try entries.suffix(12), try shell.state().windows)
            #expect(least == nil, "\(words); \(last); \(windows)")
            return
        }
        #expect(given?.n.map { $0 >= least ?? 0 } ?? false, words)
        #expect(try entries.contains { $0.e == "gives" && $0.n == given?.n }, words)
        least = given?.n ?? least
    }

    /// What the shell had confirmed when it was killed: an event is recorded before it is handled.
    private func readConfirmed(_ shell: ShellUnderTest, from first: Int) throws {
        var numbers: [UInt32: Int] = [:]
        for entry in try entries.dropFirst(first) where entry.e == "gives" { numbers[entry.serial ?? 0] = entry.n }
        for line in shell.text(of: shell.recordingPath).split(separator: "\n") where line.contains("\"stateSaved\"") {
            guard let match = line.firstMatch(of: /"stateSaved":\{"_0":\{"raw":\d+\},"_1":\{"raw":(\d+)\}\}/), let serial = UInt32(match.1)
            else {
                Issue.record("the recording is another one: \(line)")
                continue
            }
            if let number = numbers[serial] { least = max(least ?? 0, number) }
        }
    }

    /// It opens, says nothing, and every picture that it names is there.
    private func checkStore() throws {
        let store = Store(folder: "\(folder)/mullion", copyInterval: 32)
        defer { store.close() }
        #expect(store.notices.isEmpty, "\(store.notices)")
        let bytes = try #require(try store.read(.arrangement, key: "windows"))
        let kept = try JSONDecoder().decode(KeptArrangement.self, from: Data(bytes))
        for picture in kept.windows.compactMap(\.picture) {
            #expect(access("\(folder)/mullion/pictures/\(picture)", R_OK) == 0, "the picture of a window is gone")
        }
    }

    /// Pictures that nothing names are removed when they are old.
    private func age() {
        let pictures = "\(folder)/mullion/pictures"
        for name in (try? FileManager.default.contentsOfDirectory(atPath: pictures)) ?? [] {
            try? FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -600)], ofItemAtPath: "\(pictures)/\(name)")
        }
    }

    // MARK: The app's log

    private var entries: [Entry] {
        get throws {
            guard let bytes = FileManager.default.contents(atPath: log) else { return [] }
            return try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
                try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
            }
        }
    }

    /// The app's process, as the shell that runs started it last.
    private var process: Int32? { Self.process(in: log, of: runtime) }

    private static func process(in log: String, of runtime: String) -> Int32? {
        let text = FileManager.default.contents(atPath: log).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let line = text.split(separator: "\n").last(where: { $0.contains("\"start\"") && $0.contains("\"\(runtime)\"") }) else {
            return nil
        }
        return try? JSONDecoder().decode(Entry.self, from: Data(line.utf8)).process
    }

    /// The app is killed when it comes to this step.
    private func condemn(to step: String) throws { try Data(step.utf8).write(to: URL(filePath: "\(log).die"), options: .atomic) }

    /// The same, while a shell runs. An app that has its state back comes to that step no more: the next one does.
    private func condemnNow(to step: String) throws {
        try condemn(to: step)
        if step == "restored", let process, !ProcessTree.hasEnded(process) { kill(process, SIGKILL) }
    }

    private var isCondemned: Bool { access("\(log).die", F_OK) == 0 }
}

/// Strikes from another thread: when the shell stops at its fault point, or at a moment.
private final class Executioner: Sendable {
    private let state = Atomic(0)
    private let thread: Mutex<pthread_t?> = Mutex(nil)

    private static let waits = 0, struck = 1, over = 2

    /// - Parameters:
    ///   - delay: microseconds, if it is to be at a moment.
    ///   - app: the app's process.
    init(_ shell: Int32, _ blow: KillRoom.Blow, after delay: UInt32, app: @escaping @Sendable () -> Int32?) {
        // It kills itself.
        if blow.fault != nil && blow.victim == .shell || !blow.ownSteps.isEmpty { return }
        let victim = blow.victim, isAtMoment = blow.fault == nil
        Thread.detachNewThread { [self] in
            var left = Int(delay)
            while state.load(ordering: .acquiring) == Self.waits {
                if isAtMoment ? left <= 0 : ProcessTree.isStopped(shell) {
                    if victim != .app { kill(shell, SIGKILL) }
                    if victim != .shell, let app = app() { kill(app, SIGKILL) }
                    _ = state.compareExchange(expected: Self.waits, desired: Self.struck, ordering: .acquiringAndReleasing)
                    kill(shell, SIGCONT)
                    return
                }
                usleep(1000)
                left -= 1000
            }
        }
    }

    var hasStruck: Bool { state.load(ordering: .acquiring) == Self.struck }

    func finish() { _ = state.compareExchange(expected: Self.waits, desired: Self.over, ordering: .acquiringAndReleasing) }
}

extension ProcessTree {
    fileprivate static func hasEnded(_ process: Int32) -> Bool { record(of: process)?.hasEnded ?? true }

    fileprivate static func isStopped(_ process: Int32) -> Bool {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return false }
        return String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.hasPrefix(" T") ?? false
    }
}

/// The same numbers for the same seed.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6364136223846793005 &+ 1442695040888963407
        return (state ^ (state >> 33)) &* 0xD6E8_FEB8_6659_FD93 >> 7
    }
}
