import Chrome
import Clocks
import Control
import Geometry
import Glibc
import Multitasking
import Windows

/// Runs a step: acts on the shell as a user would, looks at the screen, and records results.
final class Guide {
    let shell: TourShell
    let out: String
    /// Windows by the key under which they were opened.
    var windows: [String: WindowID] = [:]
    private(set) var apps: [WindowID: App] = [:]
    /// Apps that are not installed.
    private var missing: [String: Missing] = [:]

    // State of the current step.
    var report: StepReport
    var number = 0
    private var trails: [Trail] = []
    private let pictures: Pictures
    private var down: [Int32: Trail] = [:]
    /// Whether the shell's time passes only with the acts of the step.
    private(set) var isByHand = false

    var client: ControlClient { shell.client }

    init(shell: TourShell, out: String) {
        self.shell = shell
        self.out = out
        report = StepReport(title: "", rules: [])
        pictures = Pictures(folder: shell.room)
    }

    func begin(_ step: Step) {
        report = StepReport(title: step.title, rules: step.rules)
        trails = []
        down = [:]
    }

    func note(_ action: String) { report.actions.append(action) }

    // MARK: Looking

    func state() throws -> StateReport { try client.state() }

    /// Waits until everything is at rest.
    func settle(_ milliseconds: Double = 6000) throws {
        guard isByHand else { return try client.waitUntilIdle(timeout: milliseconds * Guide.patience) }
        for _ in 0..<75 { try pass(8) }
    }

    /// How much longer than on an idle machine something may take.
    static let patience = 5.0

    func pause(_ milliseconds: Double) { isByHand ? _ = try? pass(milliseconds) : TourShell.sleep(milliseconds / 1000) }

    /// Runs a part of a step by the shell's manual clock, for effects that depend on fractions of a second: the shell's time passes only
    /// while a finger glides and in `pause` and `settle`, however long the machine takes. Apps have real time to answer meanwhile.
    func byHand<T>(_ body: () throws -> T) throws -> T {
        try client.ask(.clock(.hand))
        isByHand = true
        defer {
            isByHand = false
            _ = try? client.ask(.clock(.real))
        }
        return try body()
    }

    private func pass(_ milliseconds: Double) throws {
        try client.ask(.clock(.step(milliseconds)))
        TourShell.sleep(0.008)
    }

    /// Waits until a condition holds. Returns false on timeout, which comes late: on a machine with other work everything takes
    /// several times as long.
    func eventually(within seconds: Double = 3, _ condition: () throws -> Bool) rethrows -> Bool {
        let deadline = Clocks.monotonicSeconds + seconds * Guide.patience
        while true {
            if try condition() { return true }
            guard Clocks.monotonicSeconds < deadline else { return false }
            TourShell.sleep(0.02)
        }
    }

    func id(_ key: String) throws -> WindowID {
        if let id = windows[key] { return id }
        if let missing = missing[key] { throw missing }
        throw Trouble("no window is known as \"\(key)\": a step before did not open it")
    }

    func window(_ key: String) throws -> WindowReport {
        let id = try id(key)
        guard let window = try state()[id] else { throw Trouble("\(id) (\(key)) is gone") }
        return window
    }

    func name(_ id: WindowID) -> String { apps[id].map { "\($0.name) (\(id.raw))" } ?? "\(id)" }

    func isLive(_ id: WindowID) -> Bool { apps[id]?.isLive ?? false }

    func frame(_ key: String) throws -> Rect {
        guard let frame = try window(key).frame else { throw Trouble("\(key) has no place") }
        return frame
    }

    /// Restores the state in which every chapter begins: no finger is down, time passes, nothing is open and nothing starts.
    func beginChapter() throws {
        for finger in 0...2 { try? input(.touchCancel(touch: Int32(finger))) }
        try client.ask(.clock(.real))
        try shell.setPace(TourShell.usualPace)
        try restoreScreen()
        // An app that was started in the last moment opens its window after the others were closed.
        for _ in 0..<4 {
            try desk([])
            let isEmpty = try eventually(within: 2) {
                let state = try state()
                return state.windows.isEmpty && !state.open.contains("launching")
            }
            if isEmpty { return }
        }
    }

    /// Restores the initial screen size at the beginning of a chapter.
    private func restoreScreen() throws {
        guard let screen = try state().screen, screen.size != TourShell.size || screen.scale != 1 else { return }
        try? client.perform(.rotate(0))
        try client.perform(.resizeScreen(size: TourShell.size, scale: 1))
        try settle()
    }

    func screen() throws -> Rect {
        guard let screen = try state().screen else { throw Trouble("there is no screen") }
        return screen.bounds
    }

    /// The point at which a finger grabs a window to drag it.
    func grip(_ key: String) throws -> Point {
        let window = try window(key)
        guard let frame = window.frame else { throw Trouble("\(key) has no place") }
        // A Slide Over card has its dots in its own strip.
        if window.place == .slideOver { return Point(frame.center.x, try card().minY + 12) }
        // A dialog's dots are above it, if the screen has room there.
        if window.place == .dialog, frame.minY >= 20 { return Point(frame.center.x, frame.minY - 10) }
        // Nearer to the screen edge, edge gestures start. Below another window, the divider's touch target extends
        // into it.
        return Point(frame.center.x, frame.minY + (window.place == .splitBottom ? 28 : 18))
    }

    func divider() throws -> Point {
        guard let divider = try state().divider else { throw Trouble("no Split View is in front") }
        return divider.frame.center
    }

    func card() throws -> Rect {
        guard let card = try state().slideOver.card else { throw Trouble("no Slide Over is shown") }
        return card
    }

    // MARK: Apps

    /// Launches an app like the home screen, and waits for its window.
    @discardableResult
    func open(_ app: App, as key: String? = nil, to destination: Destination? = nil) throws -> WindowID {
        let key = key ?? app.program
        windows[key] = nil
        guard shell.has(app.program) else {
            let lack = Missing(what: app.name, package: app.package)
            missing[key] = lack
            throw lack
        }
        let last = try state().windows.map(\.id).max()
        note("launch \(app.name)")
        try client.perform(.launch(command: app.command, to: destination))
        let window = try client.waitForWindow(after: last ?? WindowID(0), timeout: app.patience * 1000 * Guide.patience)
        adopt(window.id, app, as: key)
        try settle()
        return window.id
    }

    /// Registers a window that was opened in another way.
    func adopt(_ id: WindowID, _ app: App, as key: String) {
        windows[key] = id
        apps[id] = app
    }

    /// Resets the desk: exactly these apps are open in full screen, the last one in front.
    func desk(_ wanted: [(key: String, app: App)]) throws {
        try clearViews()
        let before = try state()
        let kept = Set(wanted.compactMap { windows[$0.key] })
        for window in before.windows where !kept.contains(window.id) { try close(window) }
        for (key, app) in wanted {
            if let id = windows[key], try state()[id].map({ $0.place != .unmapped }) ?? false {
                try client.perform(.fullScreen(window: id))
            } else {
                try open(app, as: key, to: .fullScreen)
            }
        }
        try settle()
        report.actions = []
    }

    func desk(_ apps: App...) throws { try desk(apps.map { ($0.program, $0) }) }

    private func close(_ window: WindowReport) throws {
        for (key, id) in windows where id == window.id { windows[key] = nil }
        try? client.perform(.close(window: window.id))
        // If closing puts a window away (V-03), its app closes it then.
        if try state()[window.id]?.place == .minimized { try? client.perform(.close(window: window.id)) }
        if (try? client.waitUntilGone(window.id, timeout: 400 * Guide.patience)) != nil { return }
        guard let process = window.pid else { return }
        kill(process, SIGKILL)
        try client.waitUntilGone(window.id, timeout: 3000 * Guide.patience)
    }

    // MARK: Acting

    /// Sends a single input.
    func input(_ input: InputRequest) throws { try client.input(input) }

    /// Drags from point to point. `rest`: milliseconds before the finger lifts, so that nothing is thrown.
    func drag(
        _ from: Point, to: Point, via: [Point] = [], duration: Double = 260, rest: Double? = nil, pointer: Bool = false
    ) throws {
        note("\(pointer ? "pointer" : "finger") from \(words(from)) to \(words(to)) in \(Int(clamping: duration)) ms")
        trails.append(Trail(kind: pointer ? .pointer : .finger, points: [from] + via + [to]))
        try client.input(
            .drag(
                from: from, to: to, via: via.isEmpty ? nil : via, duration: duration, rest: rest, pointer: pointer ? true : nil))
    }

    func tap(_ at: Point) throws {
        note("tap \(words(at))")
        trails.append(Trail(kind: .finger, points: [at]))
        guard isByHand else { return try client.input(.tap(at: at)) }
        try client.input(.touchDown(at: at))
        try pass(50)
        try client.input(.touchUp())
    }

    func click(_ at: Point) throws {
        note("click \(words(at))")
        trails.append(Trail(kind: .pointer, points: [at]))
        try client.input(.click(at: at))
    }

    func pinch(_ center: Point, from: Double, to: Double, duration: Double = 260) throws {
        note("pinch at \(words(center)), \(Int(clamping: from)) to \(Int(clamping: to)) points apart")
        for sign in [-1.0, 1.0] {
            trails.append(Trail(kind: .finger, points: [from, to].map { Point(center.x + sign * $0 / 2, center.y) }))
        }
        try client.input(.pinch(center: center, from: from, to: to, duration: duration, rest: 80))
    }

    func press(_ keys: String) throws {
        note("press \(keys)")
        try client.input(.press(keys: keys))
    }

    func type(_ text: String) throws {
        note("type \(text.debugDescription)")
        try client.input(.type(text: text))
    }

    func act(_ action: Action, _ words: String) throws {
        note(words)
        try client.perform(action)
    }

    // A finger whose every step is ours, to look while it is down.

    func touch(_ at: Point, finger: Int32 = 0) throws {
        note("finger down at \(words(at))")
        down[finger] = Trail(kind: .finger, points: [at], isDown: true)
        try client.input(.touchDown(touch: finger, at: at))
    }

    /// Moves it at a steady speed. The shell times the steps, so that a busy machine changes no swipe.
    ///
    /// `lifts`: it lifts at the end, at that speed after `rest` milliseconds. A `lift` of its own comes later by an unknown time.
    func glide(_ to: Point, duration: Double = 260, finger: Int32 = 0, lifts: Bool = false, rest: Double? = nil) throws {
        try glide([to], duration: duration, finger: finger, lifts: lifts, rest: rest)
    }

    /// The same by way of places.
    func glide(_ path: [Point], duration: Double, finger: Int32 = 0, lifts: Bool = false, rest: Double? = nil) throws {
        guard let to = path.last, var trail = down[finger], let from = trail.points.last else { throw Trouble("the finger is not down") }
        note("finger on to \(path.map(words).joined(separator: ", ")) in \(Int(clamping: duration)) ms\(lifts ? ", and up" : "")")
        trail.points += path
        trail.isDown = !lifts
        down[finger] = lifts ? nil : trail
        if lifts { trails.append(trail) }
        guard !isByHand else { return try glideByHand([from] + path, duration, finger, lifts: lifts, rest: rest ?? 0) }
        try client.input(
            .drag(
                from: from, to: to, via: path.count > 1 ? Array(path.dropLast()) : nil, duration: duration, rest: rest, touch: finger,
                isDown: true,
                staysDown: !lifts))
    }

    /// The same by the manual clock, with `watching` after each step.
    func glide(_ to: Point, duration: Double, finger: Int32 = 0, watching: () throws -> Void) throws {
        guard let from = down[finger]?.points.last else { throw Trouble("the finger is not down") }
        note("finger on to \(words(to)) in \(Int(clamping: duration)) ms")
        try glideByHand([from, to], duration, finger, watching: watching)
        down[finger]!.points.append(to)
    }

    private func glideByHand(
        _ path: [Point], _ duration: Double, _ finger: Int32, lifts: Bool = false, rest: Double = 0, watching: () throws -> Void = {}
    ) throws {
        let plan = try InputPlan(
            .drag(
                from: path[0], to: path[path.count - 1], via: path.count > 2 ? Array(path.dropFirst().dropLast()) : nil, duration: duration,
                rest: rest, touch: finger, isDown: true, staysDown: !lifts))
        var passed = 0.0
        for step in plan.steps {
            try pass((step.after - passed) * 1000)
            passed = step.after
            switch step.step {
            case .touchMotion(let finger, let place): try client.input(.touchMotion(touch: finger, at: place))
            case .touchUp(let finger): try client.input(.touchUp(touch: finger))
            default: break
            }
            try watching()
        }
    }

    func lift(finger: Int32 = 0) throws {
        note("finger up")
        if var trail = down.removeValue(forKey: finger) {
            trail.isDown = false
            trails.append(trail)
        }
        try client.input(.touchUp(touch: finger))
    }

    /// A picture in the middle of a swipe. Time stands still meanwhile, because a finger that rests may mean something else.
    @discardableResult
    func shootMeanwhile(_ caption: String) throws -> Picture {
        try client.ask(.clock(.hand))
        defer { _ = try? client.ask(.clock(.real)) }
        return try shoot(caption)
    }

    /// A slow drag with a picture of the moment before the finger lets go.
    func dragShowing(_ from: Point, to: Point, _ caption: String, duration: Double = 300) throws {
        try touch(from)
        try glide(to, duration: duration)
        pause(200)
        try shoot(caption)
        try lift()
        try settle()
    }

    private func words(_ p: Point) -> String { "(\(Int(clamping: p.x)), \(Int(clamping: p.y)))" }

    // MARK: Pictures

    /// Takes a picture for the page, with the acts since the picture before.
    @discardableResult
    func shoot(_ caption: String) throws -> Picture {
        number += 1
        let digits = String(number)
        let name = "pictures/\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits).png"
        let picture = try pictures.take(.output, client, keeping: "\(out)/\(name)")
        report.shots.append(Shot(file: name, caption: caption, size: try screen().size, trails: trails + down.values))
        trails = []
        return picture
    }

    /// A picture to look at that is not for the page.
    func look(_ window: WindowID? = nil) throws -> Picture {
        try pictures.take(window.map(Pictures.Subject.window) ?? .output, client)
    }
}
