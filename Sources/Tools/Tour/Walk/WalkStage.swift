import Control
import FoundationEssentials
import Geometry
import Glibc
import Multitasking
import Windows

/// A violation, or the end of the shell, during a walk.
struct WalkFinding: Equatable {
    /// Sentences: the laws that do not hold, or how the shell ended.
    var what: [String]

    /// The same fault has the same key, whatever numbers its windows and connections have.
    var keys: Set<String> { Set(what.map { $0.filter { !$0.isNumber && $0 != "-" && $0 != "." } }) }

    func isLike(_ other: WalkFinding) -> Bool { !keys.isDisjoint(with: other.keys) }
}

/// A shell that checks itself, and the apps of a walk in it.
final class WalkStage {
    private let shell: TourShell
    private let apps: [String: App]
    private let size: Size
    /// The shell was ended in order, as a person may.
    private(set) var isOver = false
    /// How often the laws were checked, and how often something still moved then.
    private(set) var checks = 0, restless = 0

    var recording: String { shell.recording }

    /// - Parameter name: begins the names of the files of this shell in `out`.
    init(program: String, out: String, name: String, idiom: String, apps: [String]) throws {
        size = WalkStage.size(of: idiom)
        shell = try TourShell(
            program: program, out: out,
            chapter: Chapter(
                id: name, title: "", about: "", idiom: idiom, settings: ["idiom = \"\(idiom)\"", "new-windows = \"always\""], size: size,
                steps: []),
            checksLaws: true)
        self.apps = Dictionary(uniqueKeysWithValues: App.walkers.filter { apps.contains($0.id) }.map { ($0.id, $0.app) })
        shell.client.timeout = 10
        try App.swing.write(toFile: "\(shell.room)/home/Walk.java", atomically: false, encoding: .utf8)
    }

    /// Screens as these devices have them; a television's is smaller, because it is drawn by the processor.
    static func size(of idiom: String) -> Size {
        switch idiom {
        case "phone": Size(390, 844)
        case "mac": Size(1440, 900)
        case "tv": Size(1280, 720)
        case "watch": Size(368, 448)
        case "round-watch": Size(454, 454)
        default: TourShell.size
        }
    }

    func clear() { shell.clear() }

    /// Ends the shell, so that its recording is complete.
    func quit() { _ = shell.quit() }

    /// Saves a picture of the screen, if the shell still draws one.
    func shoot(_ path: String) { _ = try? shell.client.ask(.screenshot(ScreenshotRequest(path: path))) }

    // MARK: Steps

    /// Plays steps, and checks at the end. Returns the first finding.
    func play(_ steps: [WalkStep]) -> WalkFinding? {
        for step in steps where !isOver { if let found = play(step) { return found } }
        return steps.last == .rest || isOver ? nil : play(.rest)
    }

    func play(_ step: WalkStep) -> WalkFinding? {
        do {
            if step == .rest { return try rest() }
            try take(step)
        } catch {
            // Most refusals are the shell's: there is no such window, or it cannot be done now.
            return try? fault()
        }
        return nil
    }

    private func take(_ step: WalkStep) throws {
        let client = shell.client
        switch step {
        case .open(let name): try open(name)
        case .input(let input): try client.input(input)
        case .press(let number, let byPointer):
            let views = try client.ask(.get(.views), for: [ViewReport].self).filter { $0.press != nil }
            guard !views.isEmpty else { return }
            let place = views[number % views.count].frame.intersection(Rect(origin: .zero, size: size)).center
            try client.input(byPointer ? .click(at: place) : .tap(at: place))
        case .close(let number): if let window = try window(number) { try client.perform(.close(window: window.id)) }
        case .kill(let number): if let process = try window(number)?.pid, process > 1 { kill(process, SIGKILL) }
        case .idiom(let name): try client.perform(.idiom(name))
        case .rotate(let quarters): try client.perform(.rotate(quarters))
        case .rest: break
        }
    }

    private func window(_ number: Int) throws -> WindowReport? {
        let windows = try shell.client.state().windows
        return windows.isEmpty ? nil : windows[number % windows.count]
    }

    /// Waits only a moment: a slow app that still works while a person gives more input belongs to the walk. At the start there is time.
    private func open(_ name: String) throws {
        guard let app = apps[name] else { return }
        let command = app.command.map { word in
            word.split(separator: "{room}", omittingEmptySubsequences: false).joined(separator: shell.room)
        }
        let newest = try shell.client.state().windows.filter { $0.placeholder == nil }.map(\.id).max() ?? WindowID(0)
        try shell.client.perform(.launch(command: command))
        _ = try? shell.client.waitForWindow(after: newest, timeout: checks == 0 ? app.patience * 500 : 2000)
    }

    // MARK: Checks

    /// Lets go of everything, waits until nothing moves, and asks which laws do not hold.
    private func rest() throws -> WalkFinding? {
        let client = shell.client
        for touch: Int32 in 0...4 { try client.input(.touchUp(touch: touch)) }
        for button in [InputRequest.Button.left, .right, .middle] { try client.input(.pointerButton(button: button, pressed: false)) }
        do { try client.waitUntilIdle(timeout: 4000) } catch { restless += 1 }
        checks += 1
        var report = try client.ask(.get(.violations), for: ViolationReport.self)
        guard !report.all.isEmpty else { return nil }
        // An app may be about to end a drag, or a window about to come. A violation that lasts is a fault.
        for _ in 0..<2 {
            TourShell.sleep(0.4)
            try? client.waitUntilIdle(timeout: 2000)
            let again = Set(try client.ask(.get(.violations), for: ViolationReport.self).all)
            report.wire.removeAll { !again.contains($0) }
            report.system.removeAll { !again.contains($0) }
            report.person.removeAll { !again.contains($0) }
        }
        return report.all.isEmpty ? nil : WalkFinding(what: report.all)
    }

    /// Whether the shell still runs and answers. Throws if it does, or if it was ended in order.
    private func fault() throws -> WalkFinding {
        if (try? shell.client.ask(.get(.version))) != nil { throw Trouble("it was refused") }
        // Its end may come after the end of the connection.
        for _ in 0..<100 where shell.ending == nil { TourShell.sleep(0.05) }
        guard let ending = shell.ending else { return WalkFinding(what: ["the shell does not answer in \(short(shell.client.timeout)) s"]) }
        if ending == "the shell ended with status 0" {
            isOver = true
            throw Trouble("a person ended it")
        }
        return WalkFinding(what: [ending])
    }
}
