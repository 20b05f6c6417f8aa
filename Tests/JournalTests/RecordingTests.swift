import Foundation
import Geometry
import Journal
import MullionTesting
import Multitasking
import Testing
import Windows

@Suite("Record and replay (X-07)")
struct RecordingTests {
    /// A session of random doings, recorded as a shell does.
    static func record(seed: UInt64, ops: Int, finish: Bool = true) throws -> (lines: [String], system: System) {
        var generator = CoreGenerator(seed: seed)
        var world = CoreWorld()
        world.manner = .prompt
        while world.history.count < ops { generator.next().apply(to: &world) }
        return try write(world.history, finish: finish)
    }

    static func write(_ history: [CoreWorld.Happening], finish: Bool = true) throws -> (lines: [String], system: System) {
        let path = FileManager.default.temporaryDirectory.path + "/mullion-\(UUID().uuidString).jsonl"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var system = System(idiom: .pad)
        let recorder = try Recorder(path: path, version: "0.1.0", system: system)
        for happening in history {
            recorder.begins(happening.event, at: happening.when)
            recorder.ended(system.handle(happening.event, at: happening.when), system)
        }
        if finish { recorder.finish(system) }
        #expect(recorder.failure == nil && recorder.count == history.count)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasSuffix("\n"))
        return (text.split(separator: "\n").map(String.init), system)
    }

    static func replay(_ lines: [String], end: String = "\n") throws -> Replay {
        try Replay(of: Array((lines.joined(separator: "\n") + end).utf8))
    }

    @Test("a session replays to the same state", arguments: [1, 2, 3, 4] as [UInt64])
    func same(seed: UInt64) throws {
        let (lines, system) = try Self.record(seed: seed, ops: 500)
        #expect(lines.count { $0.contains("\"digest\"") } >= 2)
        let replay = try Self.replay(lines)
        #expect(replay.isSame && replay.isComplete, "\(replay.summary)")
        #expect(replay.system == system)
        #expect(replay.summary.hasSuffix("the same state"))
    }

    /// It holds what was typed.
    @Test("a recording is for its user alone, and written through no link")
    func privacy() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/mullion-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/session", victim = folder + "/victim"
        for file in [path, victim] { try "precious".write(toFile: file, atomically: false, encoding: .utf8) }
        chmod(path, 0o666)
        _ = try Recorder(path: path, version: "0", system: System(idiom: .pad))
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("precious"))
        symlink(victim, folder + "/link")
        #expect { _ = try Recorder(path: folder + "/link", version: "0", system: System(idiom: .pad)) } throws: {
            "\($0)".contains("the recording \(folder)/link cannot be written: it is a link")
        }
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test("the same session is the same recording, byte for byte")
    func stable() throws {
        #expect(try Self.record(seed: 5, ops: 300).lines == Self.record(seed: 5, ops: 300).lines)
    }

    @Test("a crash loses nothing that was handled; half a line at the end is nothing")
    func cutShort() throws {
        let (lines, system) = try Self.record(seed: 6, ops: 250, finish: false)
        let replay = try Self.replay(lines)
        #expect(replay.isSame && !replay.isComplete && replay.system == system)
        #expect(replay.summary.contains("cut short"))
        #expect(try Self.replay(lines + [#"{"t":1,"eve"#], end: "").isSame)
        // An event whose handling never came to an end.
        let last = try #require(lines.lastIndex { $0.contains("\"event\"") })
        #expect(try Self.replay(Array(lines[...last])).isSame)
    }

    static func session() throws -> [String] {
        var world = CoreWorld()
        world.open(1)
        world.open(2)
        world.act(.splitView(window: WindowID(2), side: .left))
        world.act(.divider(fraction: 0.33))
        world.open(3, to: .slideOver)
        world.act(.slideOverSide(.left))
        return try write(world.history).lines
    }

    @Test("another effect is found at its very event")
    func otherEffect() throws {
        var lines = try Self.session()
        let index = try #require(lines.firstIndex { $0.contains("\"divider\":{\"fraction\"") })
        let number = lines[...index].count { $0.contains("\"event\"") }
        lines[index] = lines[index].replacing("0.33", with: "0.66")
        let replay = try Self.replay(lines)
        #expect(replay.firstDifference?.events == number...number)
        #expect(replay.firstDifference?.kind == .effects)
        #expect(replay.firstDifference?.line == index + 1)
        #expect(replay.differences.contains { $0.path.contains("fraction") })
        #expect(replay.summary.contains("event \(number), line \(index + 1)"))
    }

    @Test("another last state is said path by path, with both values")
    func otherState() throws {
        var lines = try Self.session()
        let end = try #require(lines.last)
        let place = "\"isHidden\":false,\"side\":\"left\""
        #expect(end.contains(place))
        lines[lines.count - 1] = end.replacing(place, with: place.replacing("left", with: "right"))
        let replay = try Self.replay(lines)
        #expect(
            replay.differences == [
                JSONDifference(
                    path: "screenful.workspace.arrangement.pad._0.slideOver.side", first: .string("right"), second: .string("left"))
            ])
        #expect(replay.firstDifference?.kind == .state)
        #expect(replay.summary.contains(#"screenful.workspace.arrangement.pad._0.slideOver.side: recorded "right", replayed "left""#))
    }

    @Test("an effect that never was, or was left out")
    func missingEffects() throws {
        var lines = try Self.session()
        let index = try #require(lines.firstIndex { $0.contains("\"effects\"") })
        lines.remove(at: index)
        #expect(try Self.replay(lines).firstDifference?.kind == .effects)
    }

    @Test("a digest that differs names the span")
    func otherDigest() throws {
        var (lines, _) = try Self.record(seed: 7, ops: 450)
        let index = try #require(lines.lastIndex { $0.contains("\"after\":400") })
        lines[index] = #"{"after":400,"digest":"0000000000000000"}"#
        #expect(try Self.replay(lines).firstDifference?.events == 201...400)
    }

    @Test("a file that is not a recording, or is damaged, gives an error with its line")
    func damaged() throws {
        let lines = try Self.session()
        func error(_ lines: [String], end: String = "\n") -> RecordingError? {
            do {
                _ = try Self.replay(lines, end: end)
                return nil
            } catch {
                return error as? RecordingError
            }
        }
        #expect(error([""])?.line == 1)
        #expect(error(["{}"])?.what.contains("no recording") == true)
        #expect(error([#"{"mullion":{"format":13}}"#])?.line == 1)
        // Whatever else stands in the line of another format, the program that made it is named.
        let old = error([#"{"mullion":{"format":1,"version":"0.1.0","start":{"of":"before"}}}"#])
        #expect(old?.line == 1 && old?.what == "version 0.1.0 made this recording in format 1; this program reads format 27")
        #expect(error(lines.map { $0.replacing("\"format\":27", with: "\"format\":28") })?.what.contains("format 27") == true)
        var broken = lines
        broken[3] = "{\"t\":1,"
        #expect(error(broken)?.line == 4)
        #expect(error(broken)?.what.contains("not JSON") == true)
        broken[3] = #"{"t":1,"event":{"windowGrew":{}}}"#
        #expect(error(broken)?.line == 4)
        broken[3] = #"{"event":{"touchFrame":{}}}"#
        #expect(error(broken)?.what == "t: the event has no time")
        broken[3] = #"{"hello":1}"#
        #expect(error(broken)?.line == 4)
        #expect(error(lines + [lines[2]])?.what.contains("after its end") == true)
        var short = lines
        short.remove(at: try #require(lines.lastIndex { $0.contains("\"event\"") }))
        #expect(error(short) != nil || (try? Self.replay(short).isSame) == false)
    }

    @Test("a recording that cannot be written ends with a reason")
    func unwritable() throws {
        #expect(throws: Recorder.Failure.self) {
            try Recorder(path: "/no/such/folder/x", version: "0", system: System(idiom: .pad))
        }
        // A disk that is full.
        #expect(throws: Recorder.Failure.self) {
            try Recorder(path: "/dev/full", version: "0", system: System(idiom: .pad))
        }
    }
}
