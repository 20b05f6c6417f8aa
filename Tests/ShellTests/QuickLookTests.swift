import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

/// The colours of the files that `Clients/shown_files.py` makes.
enum FileColour {
    static let red: UInt32 = 0xc82828, green: UInt32 = 0x28a03c, blue: UInt32 = 0x283cc8, yellow: UInt32 = 0xe6c828
}

extension ShellUnderTest {
    /// Makes the files, and returns their folder.
    func makeFiles() throws -> String {
        let made = try run(["/usr/bin/python3", Helper.path("shown_files.py"), "make", "\(room)/files"])
        guard made.status == 0 else { throw Failure(made.output) }
        return "\(room)/files"
    }

    /// Opens quick look for files of `makeFiles`. What it says goes to a file, with its exit status at last.
    func look(at files: [String], in folder: String, by wrapper: String = "", says: String = "look") throws -> WindowReport {
        let names = files.map { "'\(folder)/\($0)'" }.joined(separator: " ")
        return try open(
            ["sh", "-c", "\(wrapper) '\(try program)' view \(names) >'\(room)/\(says)' 2>&1; echo status $? >>'\(room)/\(says)'"],
            appID: "org.mullion.View")
    }

    func waitForColour(_ colour: UInt32, of window: WindowReport? = nil, at place: Point? = nil, within seconds: Double = 10) throws {
        try wait("the colour \(String(colour, radix: 16))", within: seconds) {
            let picture = try picture(of: window?.id), place = place ?? Point(Double(picture.width) / 2, Double(picture.height) / 2)
            return picture[Int(clamping: place.x), Int(clamping: place.y)].distance(to: Picture.Pixel(colour)) < 12
        }
    }

    /// The processes that decode for a window of quick look.
    func helpers(of window: WindowReport) -> [Int32] {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        var parents: [Int32: Int32] = [:]
        for process in all {
            let line = text(of: "/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("PPid:") }
            parents[process] = line.flatMap { Int32($0.split(separator: "\t").last ?? "") }
        }
        func descends(_ process: Int32) -> Bool {
            var next = process
            for _ in 0..<20 {
                guard let parent = parents[next] else { return false }
                if parent == window.pid { return true }
                next = parent
            }
            return false
        }
        return all.filter { process in
            let words = text(of: "/proc/\(process)/cmdline").split(separator: "\0")
            return words.count == 2 && words[1] == "draw-file" && descends(process)
        }
    }

    /// Kibibytes.
    func residentMemory(of process: Int32) -> Int {
        let line = text(of: "/proc/\(process)/status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
    }
}

extension RunningShell {
    /// Quick look: `mullion view`, by touch and keys (W-18).
    @Suite(.serialized) struct QuickLookTests {
        @Test("W-18: mullion view shows a picture in its colours; a swipe shows the next file, and a swipe down closes")
        func pictures() throws {
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles()
                let window = try shell.look(at: ["red.png", "green.png", "blue.png"], in: files)
                try shell.expectPlaces([window.id: .full])
                try shell.waitForColour(FileColour.red)
                // The picture alone, in its own size, and nothing of it beside.
                #expect(abs(try shell.picture().share(of: FileColour.red) - 400 * 300 / (1180.0 * 820)) < 0.005)
                try shell.keepPicture("look-picture")
                try shell.drag(Point(900, 400), Point(300, 420), rest: 0)
                try shell.waitForColour(FileColour.green)
                try shell.wait("the title") { try shell.window(window.id).title == "green.png" }
                try shell.drag(Point(900, 400), Point(300, 420), rest: 0)
                try shell.waitForColour(FileColour.blue)
                // Past the last one it springs back.
                try shell.drag(Point(900, 400), Point(300, 420), rest: 0)
                try shell.waitForColour(FileColour.blue)
                try shell.press("Left")
                try shell.waitForColour(FileColour.green)
                // A finger catches what moves: it would go on with the flip.
                usleep(1_000_000)
                try shell.drag(Point(590, 250), Point(600, 700), rest: 0)
                try shell.waitUntilGone(window.id)
                try shell.wait("its end") { shell.text(of: "\(shell.room)/look").contains("status") }
                #expect(shell.text(of: "\(shell.room)/look") == "status 0\n")
            }
        }

        @Test("W-18, W-19: mullion view says in the terminal that its window waits, and nothing if it does not", arguments: [true, false])
        func waits(_ isAsked: Bool) throws {
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles(), says = "\(shell.room)/look"
                _ = try shell.open(["foot"])
                let line = "sleep 1; '\(try shell.program)' view '\(files)/red.png' 2>'\(says)'; echo status $? >>'\(says)'"
                if isAsked {
                    try shell.client.perform(.launch(command: ["sh", "-c", line]))
                } else {
                    try shell.start(["sh", "-c", line])
                }
                try shell.wait("its window", within: 15) {
                    try shell.state().windows.contains { $0.app == "org.mullion.View" && $0.place != .unmapped }
                }
                let window = try #require(try shell.state().windows.first { $0.app == "org.mullion.View" })
                #expect((window.place == .waiting) == !isAsked)
                usleep(1_000_000)
                let words = "mullion view: the window waits: Open on its banner, or Super+N, shows it\n"
                #expect(shell.text(of: says) == (isAsked ? "" : words))
                try shell.client.perform(.close(window: window.id))
                try shell.wait("its end") { shell.text(of: says).hasSuffix("status 0\n") }
            }
        }

        @Test("W-18: a pinch zooms around the place between the fingers, and two taps go back")
        func pinch() throws {
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles()
                let window = try shell.look(at: ["quarters.png"], in: files)
                try shell.waitForColour(FileColour.red, at: Point(400, 300))
                let before = try shell.picture().share(of: FileColour.red)
                try shell.pinch(Point(400, 300), from: 80, to: 320)
                // All that is in sight is the red quarter.
                try shell.wait("the zoom") { try shell.picture().share(of: FileColour.red) > 3 * before }
                try shell.waitForColour(FileColour.red, at: Point(800, 600))
                try shell.keepPicture("look-zoomed")
                // One finger now moves the picture, and flips nothing.
                try shell.drag(Point(900, 700), Point(200, 150))
                try shell.drag(Point(900, 700), Point(200, 150))
                try shell.waitForColour(FileColour.yellow, at: Point(900, 700))
                for _ in 0..<2 { try shell.tap(Point(600, 400)) }
                try shell.settle()
                try shell.wait("the whole picture") { abs(try shell.picture().share(of: FileColour.red) - before) < 0.002 }
                try shell.tap(Point(50, 34))
                try shell.waitUntilGone(window.id)
            }
        }

        @Test("W-18: the pages of a PDF are turned by a swipe and by keys")
        func pages() throws {
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles()
                _ = try shell.look(at: ["pages.pdf"], in: files)
                try shell.waitForColour(FileColour.red)
                try shell.keepPicture("look-pdf")
                try shell.drag(Point(590, 780), Point(590, 100), duration: 200, rest: 0)
                try shell.wait("the second page", within: 10) { try shell.picture().share(of: FileColour.green) > 0.2 }
                try shell.press("End")
                try shell.waitForColour(FileColour.blue)
                try shell.press("Home")
                try shell.waitForColour(FileColour.red)
                // A swipe down at the top of a document scrolls, and closes nothing.
                try shell.drag(Point(590, 200), Point(590, 700))
                try shell.waitForColour(FileColour.red)
            }
        }

        @Test("W-18: a long text is laid out for the window, and scrolls")
        func text() throws {
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles()
                let window = try shell.look(at: ["text.txt"], in: files)
                func ink() throws -> Picture { try shell.picture(of: window.id).cropped(to: Rect(220, 100, 700, 700)) }
                try shell.wait("the text", within: 10) {
                    let picture = try ink()
                    return picture.share(of: 0xffffff) > 0.5 && picture.share(of: 0x1c1c1e, tolerance: 60) > 0.02
                }
                try shell.keepPicture("look-text")
                let first = try ink()
                try shell.drag(Point(590, 700), Point(590, 200), rest: 300)
                try shell.wait("other lines") { try ink().pixelsDifferent(from: first, rim: 0) > 5000 }
                try shell.press("Home")
                try shell.wait("the first lines", within: 10) { try ink().pixelsDifferent(from: first, rim: 0) < 600 }
                // Half as wide, the lines are broken anew.
                let other = try TestClient(shell, to: .splitView(.right))
                try shell.expectPlaces([window.id: .splitLeft, other.id: .splitRight])
                try shell.wait("the text in half the width", within: 10) {
                    let picture = try shell.picture().cropped(to: Rect(20, 90, 540, 700))
                    return picture.share(of: 0xffffff) > 0.5 && picture.share(of: 0x1c1c1e, tolerance: 60) > 0.02
                }
                try shell.keepPicture("look-text-half")
            }
        }

        @Test("W-18: the button on a sound starts mpv with that file, in a window that ends with quick look's")
        func player() throws {
            try ShellUnderTest.require("mpv", of: "mpv")
            try ShellUnderTest.with { shell in
                // A second of silence.
                try shell.write(
                    "import wave; w = wave.open('\(shell.room)/tone.wav', 'wb'); w.setnchannels(1); w.setsampwidth(2); w.setframerate(8000); w.writeframes(bytes(16000)); w.close()",
                    to: "\(shell.room)/tone.py")
                #expect(try shell.run(["/usr/bin/python3", "\(shell.room)/tone.py"]).status == 0)
                let window = try shell.look(at: ["tone.wav"], in: shell.room)
                try shell.settle()
                try shell.keepPicture("look-sound")
                let frame = try #require(try shell.window(window.id).frame)
                try shell.tap(Point(frame.center.x, frame.center.y + 8))
                var player: WindowReport?
                try shell.wait("mpv", within: 20) {
                    player = try shell.state().windows.first { $0.appID == "org.mullion.View.Player" && $0.place != .unmapped }
                    return player != nil
                }
                // It says something else until it has read the file.
                let id = try #require(player).id
                try shell.wait("the file's name", within: 20) { try shell.window(id).title.contains("tone.wav") }
                try shell.settle()
                try shell.keepPicture("look-player")
                let report = try shell.window(id)
                #expect(report.active && report.place != .waiting, "\(report.place) \(report)")
                try shell.perform(.close(window: window.id))
                try shell.waitUntilGone(window.id)
                try shell.wait("the end of mpv", within: 10) {
                    try !shell.state().windows.contains { $0.appID == "org.mullion.View.Player" }
                }
            }
        }

        @Test("W-18: the words are those of the person's language (X-04)")
        func languages() throws {
            var bars: [Picture] = []
            for language in ["en_US.UTF-8", "ko_KR.UTF-8", "ja_JP.UTF-8"] {
                try ShellUnderTest.with(environment: ["LANG": language]) { shell in
                    let files = try shell.makeFiles()
                    let window = try shell.look(at: ["red.png", "tone.wav"], in: files)
                    try shell.waitForColour(FileColour.red)
                    try shell.tap(Point(1130, 34))
                    usleep(600_000)
                    try shell.keepPicture("look-\(language.prefix(2))")
                    bars.append(try shell.picture(of: window.id).cropped(to: Rect(0, 0, 1180, 200)))
                    try shell.press("Escape")
                    try shell.press("Right")
                    usleep(300_000)
                    try shell.keepPicture("look-\(language.prefix(2))-sound")
                    try shell.press("Escape")
                    try shell.waitUntilGone(window.id)
                }
            }
            for (one, other) in [(0, 1), (0, 2), (1, 2)] { #expect(bars[one].pixelsDifferent(from: bars[other], rim: 0) > 200) }
        }

        @Test("W-18: the shell stays in order while a hundred pictures are swiped through, and memory stays bounded")
        func hundred() throws {
            try ShellUnderTest.with { shell in
                let files = try shell.makeFiles(), count = 100
                for number in 0..<count {
                    try FileManager.default.copyItem(
                        atPath: "\(files)/\(["red", "green", "blue"][number % 3]).png", toPath: "\(files)/\(number).png")
                }
                let window = try shell.look(at: (0..<count).map { "\($0).png" }, in: files), process = try #require(window.pid)
                try shell.waitForColour(FileColour.red)
                func walk() throws {
                    for number in 1..<count {
                        try shell.client.input(.press(keys: "Right"))
                        // Each is seen: some are slow to come, and then the next press would pass them by.
                        if number % 10 == 0 { try shell.waitForColour([FileColour.red, FileColour.green, FileColour.blue][number % 3]) }
                        #expect(shell.helpers(of: window).count <= 3)
                    }
                    try shell.waitForColour([FileColour.red, FileColour.green, FileColour.blue][(count - 1) % 3])
                }
                try walk()
                let once = shell.residentMemory(of: process)
                for _ in 1..<count { try shell.client.input(.press(keys: "Left")) }
                try shell.waitForColour(FileColour.red)
                try walk()
                let twice = shell.residentMemory(of: process)
                #expect(twice < once + 16 << 10, "\(once) KiB, then \(twice) KiB")
                #expect(twice < 200 << 10)
                for helper in shell.helpers(of: window) { #expect(shell.residentMemory(of: helper) < 150 << 10) }
            }
        }
    }
}
