import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// Apps over the lock screen of the shell, with real programs (X-10).
    @Suite(.serialized) struct OverLockTests {
        private static let red = Picture.Pixel(0xcc4422), green = Picture.Pixel(0x22aa44), blue = Picture.Pixel(0x2244aa)
        private static let config = """
            launch = []
            reduced-motion = true
            [lock]
            keys = "letters"
            on-sleep = false
            emergency = "test.calls"
            apps = ["test.camera", "test.broken", "test.absent"]

            """

        private final class Desk {
            let shell: ShellUnderTest
            let log: String

            init(_ shell: ShellUnderTest, _ log: String) { (self.shell, self.log) = (shell, log) }

            func has(_ id: String) throws -> Bool { try shell.views().contains { $0.id == id } }

            func tap(_ id: String) throws {
                try shell.wait("\(id)") { try has(id) }
                try shell.tap(try shell.view(id).frame.center)
            }

            func shows(_ colour: Picture.Pixel) throws -> Bool {
                try shell.picture().pixels.contains { Picture.Pixel(raw: $0) == colour }
            }

            func opens(_ app: String = "test.camera", _ colour: Picture.Pixel = green) throws {
                try tap("lock/app/\(app)")
                try shell.wait("the app over the lock", within: 20) { try shows(colour) }
            }

            func count(_ event: String) -> Int { shell.text(of: "\(log).camera").components(separatedBy: "\"e\": \"\(event)\"").count - 1 }

            /// The processes of an app of this test.
            func processes(_ app: String) -> [Int32] {
                let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
                return all.compactMap { Int32($0) }.filter { shell.text(of: "/proc/\($0)/cmdline").contains("\(log).\(app)") }
            }

            /// Nothing of the session is seen or done, whatever stands over the lock.
            func expectShut(_ what: String = "") throws {
                #expect(try shell.state().locked, "\(what)")
                #expect(try !shows(red), "the session shows: \(what)")
                for action in [Action.home, .appSwitcher, .launch(command: ["true"]), .lockScreen(.over("test.camera")), .quit] {
                    #expect(throws: (any Error).self, "\(action) \(what)") { try shell.client.perform(action) }
                }
            }

            func unlock() throws {
                try tap("lock/open")
                try shell.wait("the keys") { try has("lock/key/shift") }
                for letter in "sesame" {
                    try shell.tap(
                        try #require(try shell.views().first { $0.id.hasPrefix("lock/key/") && $0.name == String(letter) }).frame.center)
                }
                try tap("lock/submit")
                try shell.wait("the unlock") { try !shell.state().locked }
            }
        }

        private func with(size: String = "1180x820", idiom: String = "pad", camera: String = "", _ body: (Desk) throws -> Void) throws {
            let log = NSTemporaryDirectory() + "mullion-over-\(UInt32.random(in: 0 ... .max))"
            let logs = ["\(log).camera", "\(log).calls"]
            defer { for log in logs { try? FileManager.default.removeItem(atPath: log) } }
            let apps = [
                TestApp("test.calls", "Calls", command: "\(TestApp.window("test.calls", "dialler", colour: "2244aa")) --log \(logs[1])"),
                TestApp(
                    "test.camera", "Camera",
                    command: "\(TestApp.window("test.camera", "viewfinder", colour: "22aa44")) \(camera) --log \(logs[0])"),
                TestApp("test.broken", "Broken", command: "sh -c \"exit 3\""),
            ]
            try ShellUnderTest.with(
                apps: apps, size: size, config: "idiom = \"\(idiom)\"\n\(Self.config)", files: try OwnLockTests.files(),
                environment: OwnLockTests.environment
            ) { shell in
                try shell.open(
                    ["python3", "\(TestClient.folder)/window.py", "--title", "my-diary", "--colour", "cc4422"], title: "my-diary")
                try shell.perform(.lockScreen(.lock))
                try shell.wait("the lock") { try shell.state().locked }
                try body(Desk(shell, log))
                if try shell.state().locked { try Desk(shell, log).unlock() }
            }
        }

        @Test("by finger: the camera opens over the lock and gets fingers and keys, and its way back leads to the lock alone")
        func camera() throws {
            try with { desk in
                try desk.shell.keepPicture("lock-with-apps")
                try desk.opens()
                try desk.expectShut("the camera is open")
                try desk.shell.keepPicture("lock-camera")
                let middle = Point(500, 400)
                try desk.shell.tap(middle)
                try desk.shell.wait("the finger at the camera") { desk.count("down") == 1 && desk.count("up") == 1 }
                try desk.shell.press("a")
                try desk.shell.wait("the key at the camera") { desk.count("key") >= 2 }
                // A swipe from the bottom edge, and every key that leads elsewhere in the session, lead to the lock screen at most.
                for keys in ["Super+d", "Alt+Tab", "Super+Tab"] {
                    try desk.shell.press(keys)
                    try desk.expectShut(keys)
                }
                try desk.shell.wait("the lock screen") { try desk.has("lock/open") }
                try desk.shell.wait("the end of the camera") { try !desk.shows(Self.green) && desk.processes("camera").isEmpty }
                try desk.opens()
                try desk.tap("lock/over/back")
                try desk.expectShut("on the way back")
                try desk.unlock()
                try desk.shell.wait("the diary") { try desk.shows(Self.red) }
            }
        }

        @Test("W-11: fingers move in a window that is shown smaller as far as they move on the screen")
        func smaller() throws {
            try with(camera: "--minimum 2200x1500") { desk in
                try desk.opens()
                let start = Point(400, 400), end = Point(600, 300)
                try desk.shell.client.input(.drag(from: start, to: end, duration: 200))
                try desk.shell.wait("the drag at the camera") { desk.count("up") == 1 }
                try desk.shell.tap(end)
                try desk.shell.wait("the tap at the camera") { desk.count("up") == 2 }
                let places = try desk.shell.text(of: "\(desk.log).camera").split(separator: "\n").compactMap { line -> [Double]? in
                    guard let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                        let name = event["e"] as? String, name == "down" || name == "motion", let arguments = event["a"] as? [Any]
                    else { return nil }
                    return arguments.suffix(2).compactMap { ($0 as? NSNumber)?.doubleValue }
                }
                let tapped = try #require(places.last), dragged = try #require(places.dropLast().last), first = try #require(places.first)
                #expect(abs(tapped[0] - dragged[0]) < 2 && abs(tapped[1] - dragged[1]) < 2, "\(dragged) \(tapped)")
                #expect(dragged[0] - first[0] > 300, "it is shown smaller: \(first) \(dragged)")
                try desk.tap("lock/over/back")
            }
        }

        @Test("a window with the name of the camera, one of the session and a killed camera bring nothing over the lock")
        func hostile() throws {
            try with { desk in
                try desk.opens()
                let window = "\(TestClient.folder)/window.py"
                _ = try desk.shell.start(["python3", window, "--app-id", "test.camera", "--title", "false", "--colour", "cc4422"])
                _ = try desk.shell.start(["python3", window, "--app-id", "test.calls", "--title", "false", "--colour", "cc4422"])
                for _ in 0..<20 {
                    try desk.expectShut("beside a false camera")
                    usleep(100_000)
                }
                let camera = try #require(desk.processes("camera").first)
                kill(camera, SIGKILL)
                try desk.shell.wait("the lock screen") { try desk.has("lock/open") }
                try desk.expectShut("the camera was killed")
            }
        }

        @Test("an app that cannot start says so, an absent one has no button, and an emergency call stays when a person leaves it")
        func failures() throws {
            try with(size: "400x800", idiom: "phone") { desk in
                #expect(try !desk.has("lock/app/test.absent"))
                try desk.tap("lock/app/test.broken")
                try desk.shell.wait("the words") {
                    try desk.shell.views().contains { $0.id == "lock/over/words" && $0.name.contains("Not") }
                }
                try desk.shell.keepPicture("lock-app-failed")
                try desk.tap("lock/over/back")
                try desk.tap("lock/open")
                try desk.shell.keepPicture("lock-emergency")
                try desk.opens("test.calls", Self.blue)
                try desk.tap("lock/over/back")
                try desk.shell.wait("the lock screen") { try !desk.shows(Self.blue) }
                #expect(desk.processes("calls").count == 1)
                try desk.opens("test.calls", Self.blue)
                #expect(desk.processes("calls").count == 1, "a second call")
                try desk.tap("lock/over/back")
            }
        }
    }
}
