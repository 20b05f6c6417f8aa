import Clocks
import Control
import Geometry
import Glibc
import Windows

/// Measures frames in each idiom of this build at its usual size, and how long a switch takes until every client has answered.
extension Bench {
    private static let crowd = 10

    /// The usual screen of an idiom, in points.
    private static func size(of idiom: Idiom) -> Size {
        switch idiom.device {
        case .tablet, .headset, .kiosk: Size(1180, 820)
        case .phone: Size(390, 844)
        case .desktop, .television: Size(1920, 1080)
        case .watch: Size(396, 484)
        case .roundWatch: Size(454, 454)
        case .car: Size(1280, 480)
        }
    }

    func idioms(limit: Double) throws {
        for idiom in Idiom.all {
            let size = Bench.size(of: idiom)
            let text = "\(Int(clamping: size.width))x\(Int(clamping: size.height))"
            // Windows at depths are scaled, which costs more.
            let count = idiom.depth == nil ? 4 : 6, limit = idiom.depth == nil ? limit : limit * 1.5
            print("CPU of a frame in the idiom \(idiom.name), \(text), \(count) windows, software drawing")
            let shell = try BenchShell(program: program, size: text, idiom: idiom.name)
            defer { shell.end() }
            for _ in 0..<count { guard try shell.open(["foot"]) != nil else { return line("needs foot", "skipped") } }
            let room = Rect(origin: .zero, size: size), client = shell.client
            report(
                "opening and closing the app switcher", limit,
                try shell.frames {
                    for _ in 0..<8 {
                        try client.perform(.appSwitcher)
                        try client.waitUntilIdle()
                    }
                })
            if idiom.edge > 0, idiom.zones.bottom == .switching {
                report(
                    "swipe up to the app switcher and back", limit,
                    try shell.frames {
                        for _ in 0..<4 {
                            try client.input(
                                .drag(
                                    from: Point(room.center.x, room.maxY - 4), to: Point(room.center.x, room.height * 0.6), duration: 300,
                                    rest: 400))
                            try client.waitUntilIdle()
                            if try client.state().open.contains("switcher") { try client.perform(.appSwitcher) }
                            try client.waitUntilIdle()
                        }
                    })
            }
            guard idiom.arrangement == .free, let window = try client.state().windows.first(where: \.active), let frame = window.frame
            else { continue }
            let isBelow = idiom.dressing == .barBelow
            report(
                isBelow ? "dragging a window by its bar" : "dragging a window by its title bar", limit,
                try shell.frames {
                    var place =
                        isBelow
                        ? Point(frame.center.x, frame.maxY + (idiom.depth?.barGap ?? 0) + 2) : Point(frame.center.x, frame.minY - 16)
                    for way in [Vector(-200, 60), Vector(280, -40), Vector(-80, 30)] {
                        try client.input(.drag(from: place, to: place + way, duration: 600, rest: 100))
                        try client.waitUntilIdle()
                        place = place + way
                    }
                })
        }
        try switches()
    }

    /// The time from the action until every window has answered its configure.
    private func switches() throws {
        print("A switch of the idiom with \(Bench.crowd) windows, 1180x820")
        let shell = try BenchShell(program: program, size: "1180x820")
        defer { shell.end() }
        for _ in 0..<Bench.crowd { guard try shell.open(["foot"]) != nil else { return line("needs foot", "skipped") } }
        let client = shell.client
        for idiom in Array(Idiom.all.dropFirst()) + [Idiom.all[0]] {
            var times: [Double] = []
            for _ in 0..<5 {
                for other in Idiom.all where other != idiom {
                    try client.perform(.idiom(other.name))
                    try client.waitUntilIdle()
                    // Apps out of sight are frozen after a while, and answer when they run again.
                    let begin = Clocks.monotonicSeconds
                    try client.perform(.idiom(idiom.name))
                    while try client.state().windows.contains(where: { $0.shown && $0.answered != ($0.configured ?? 0) }),
                        Clocks.monotonicSeconds - begin < 5
                    { usleep(1000) }
                    times.append((Clocks.monotonicSeconds - begin) * 1000)
                    try client.waitUntilIdle()
                }
            }
            times.sort()
            line(
                "to \(idiom.name)", "median \(milliseconds(times[times.count / 2])), worst \(milliseconds(times.last!)) of \(times.count)",
                target: "under 300 ms", isMet: times.last! < 300)
        }
    }
}
