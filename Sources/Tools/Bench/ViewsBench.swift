import Clocks
import Control
import Geometry
import Glibc
import Multitasking
import Windows

/// Measures the shell's own views: home screen, app switcher, app shelf, launching.
extension Bench {
    /// The number of windows in the app switcher.
    private static let windows = 20
    private static let apps = 60

    func views(size: String, limit: Double) throws {
        print("CPU of a frame with \(Bench.windows) windows and \(Bench.apps) apps, \(size), software drawing")
        let shell = try BenchShell(program: program, size: size, scale: size == "1180x820" ? "1" : "2", apps: Bench.apps)
        defer { shell.end() }
        let client = shell.client
        try client.waitUntilIdle(timeout: 15000)
        let room = Rect(origin: .zero, size: try client.state().screen?.size ?? Size(1180, 820))
        func drag(_ from: Point, _ to: Point, _ duration: Double, rest: Double? = nil) throws {
            try client.input(.drag(from: from, to: to, duration: duration, rest: rest))
            try client.waitUntilIdle()
        }
        // Twice, so that every icon has been painted.
        for _ in 0..<2 {
            try drag(Point(room.width * 0.8, 500), Point(room.width * 0.2, 500), 200)
            try drag(Point(room.width * 0.2, 500), Point(room.width * 0.8, 500), 200)
        }
        let pictures = Double(try shell.statistics.pictureBytes) / 1_048_576
        line("memory with \(Bench.apps) icons (PSS)", "\(decimal(shell.memory, 1)) MiB")
        line(
            "of it the shell's own pictures", "\(decimal(pictures, 1)) MiB", target: "under 40 MiB", isMet: pictures < 40)
        report(
            "turning pages of the home screen", limit,
            try shell.frames {
                for _ in 0..<3 {
                    try drag(Point(room.width * 0.8, 500), Point(room.width * 0.2, 500), 250)
                    try drag(Point(room.width * 0.2, 500), Point(room.width * 0.8, 500), 250)
                }
            })
        guard try shell.open(["foot"]) != nil else { return line("needs foot", "skipped") }
        report(
            "launching an app", limit,
            try shell.frames {
                for _ in 0..<3 {
                    try client.perform(.home)
                    try client.waitUntilIdle()
                    let newest = try client.state().windows.map(\.id).max()
                    try client.perform(.newWindow(app: "foot"))
                    _ = try client.ask(.wait(.init(until: .window(after: newest), timeout: 15000)))
                    try client.waitUntilIdle(timeout: 15000)
                }
            })
        while try client.state().windows.count < Bench.windows { _ = try shell.open(["foot"]) }
        report(
            "opening and closing the app switcher", limit,
            try shell.frames {
                for _ in 0..<4 {
                    try client.perform(.appSwitcher)
                    try client.waitUntilIdle()
                    try client.perform(.appSwitcher)
                    try client.waitUntilIdle()
                }
            })
        try drag(Point(room.center.x, room.maxY - 4), Point(room.center.x, room.height * 0.6), 300, rest: 400)
        report(
            "scrolling the app switcher", limit,
            try shell.frames {
                for way in [0.7, 0.7, 0.25, 0.25] {
                    try drag(Point(room.width * way, room.height * 0.5), Point(room.width * (1 - way), room.height * 0.5), 140)
                }
            })
        try client.perform(.dismiss)
        try client.waitUntilIdle()
        report(
            "swiping up from the bottom edge and back", limit,
            try shell.frames {
                for _ in 0..<3 {
                    try client.input(
                        .drag(
                            from: Point(room.center.x, room.maxY - 4), to: Point(room.center.x, room.maxY - 8),
                            via: [Point(room.center.x, room.height * 0.5)], duration: 900))
                    try client.waitUntilIdle()
                    _ = try? client.perform(.dismiss)
                    try client.waitUntilIdle()
                }
            })
        report(
            "opening the app shelf", limit,
            try shell.frames {
                for _ in 0..<6 {
                    try client.perform(.appShelf(app: "foot"))
                    try client.waitUntilIdle()
                }
            })
        for (name, action) in [
            ("the dock over an app", Action.dock), ("the control centre", .controlCentre), ("the settings", .controlPage(.settings)),
            ("the notifications", .notifications),
            ("the controls of a window", .controls()), ("the list of keys", .keyHelp),
        ] {
            try client.perform(.home)
            try client.perform(.openApp(app: "foot"))
            try client.waitUntilIdle()
            report(
                "opening and closing " + name, limit,
                try shell.frames {
                    for _ in 0..<4 {
                        try client.perform(action)
                        try client.waitUntilIdle()
                        try client.perform(.dismiss)
                        try client.waitUntilIdle()
                    }
                })
        }
        try firstFrame(shell, room)
    }

    /// From the touch on the bottom edge to the first frame that shows its movement.
    private func firstFrame(_ shell: BenchShell, _ room: Rect) throws {
        var times: [Double] = []
        for _ in 0..<20 {
            let before = try shell.statistics.framesDrawn
            try shell.client.input(.touchDown(at: Point(room.center.x, room.maxY - 4)))
            let begin = Clocks.monotonicSeconds
            try shell.client.input(.touchMotion(at: Point(room.center.x, room.maxY - 60)))
            while try shell.statistics.framesDrawn == before, Clocks.monotonicSeconds - begin < 1 { usleep(300) }
            times.append((Clocks.monotonicSeconds - begin) * 1000)
            try shell.client.input(.touchUp())
            try shell.client.waitUntilIdle()
            // A fast swipe went home; a slow one opened something.
            if try shell.client.state().home { try shell.client.perform(.home) } else { _ = try? shell.client.perform(.dismiss) }
            try shell.client.waitUntilIdle()
        }
        times.sort()
        line(
            "touch to first changed frame", "median \(milliseconds(times[times.count / 2])), worst \(milliseconds(times.last!))",
            target: "under 2 refreshes (33.3 ms)", isMet: times.last! < 33.4)
    }
}
