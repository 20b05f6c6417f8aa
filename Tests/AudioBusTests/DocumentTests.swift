import AudioSessions
import Clocks
import Foundation
import Geometry
import MullionTesting
import Testing

@testable import AudioBus

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The documentation is correct: the interface's XML, and the example in the manual.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every member with its types: "org.mullion…Session method SetLevel d →".
    private final class Members: NSObject, XMLParserDelegate {
        var found: Set<String> = []
        private var interface = "", member = "", takes = "", gives = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            switch name {
            case "interface": interface = attributes["name"] ?? ""
            case "method", "signal": (member, takes, gives) = ("\(name) \(attributes["name"] ?? "")", "", "")
            case "property":
                found.insert("\(interface) property \(attributes["name"] ?? "") \(attributes["type"] ?? "") \(attributes["access"] ?? "")")
            case "arg" where attributes["direction"] == "out": gives += attributes["type"] ?? ""
            case "arg": takes += attributes["type"] ?? ""
            default: break
            }
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if name == "method" || name == "signal" { found.insert("\(interface) \(member) \(takes) → \(gives)") }
        }

        static func of(_ text: String) throws -> Set<String> {
            let members = Members(), parser = XMLParser(data: Data(text.utf8))
            parser.delegate = members
            try #require(parser.parse())
            return members.found.filter { $0.hasPrefix("org.mullion.") }
        }
    }

    @Test("The interface's XML and the manual name what the service has, and nothing else")
    func introspection() throws {
        let bus = try TestBus(), rig = Rig(bus)
        rig.connect()
        let client = try rig.client(bus)
        let path = try rig.session(client)
        var served: Set<String> = []
        for place in ["/org/mullion/AudioSession1", path] {
            let answer = try rig.ask(
                client,
                [
                    "do": "call", "path": place, "interface": "org.freedesktop.DBus.Introspectable", "member": "Introspect",
                ])
            served.formUnion(try Members.of(try #require((answer["answer"] as? [String])?.first)))
        }
        let file = try String(contentsOf: Self.root.appending(path: "Protocols/org.mullion.AudioSession1.xml"), encoding: .utf8)
        let written = try Members.of(file)
        #expect(written == served, "\(written.symmetricDifference(served).sorted())")
        let manual = try String(contentsOf: Self.root.appending(path: "docs/audio-api.md"), encoding: .utf8)
        for member in written {
            let name = member.split(separator: " ")[2]
            #expect(manual.contains("`\(name)"), "\(name) is not in docs/audio-api.md")
        }
        for word in Category.allCases.map(\.rawValue) + Mode.allCases.map(\.rawValue) + Options.names.map(\.name)
            + RemoteCommand.Name.allCases.map(\.rawValue) + AudioOutput.Kind.allCases.map(\.rawValue)
            + AudioInput.Kind.allCases.map(\.rawValue) + InterruptionReason.allCases.map(\.rawValue)
            + CallState.allCases.map(\.rawValue) + CallCommand.allCases.map(\.rawValue) + SessionState.allCases.map(\.rawValue)
            + SystemSoundKind.allCases.map(\.rawValue)
            + SessionError.Kind.allCases.map({ $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst() })
        {
            #expect(manual.contains("`\(word)`"), "\(word) is not in docs/audio-api.md")
        }
    }

    @Test("The manual's Python example declares, sounds, is interrupted, goes on, obeys and ends, over D-Bus alone")
    func example() throws {
        let manual = try String(contentsOf: Self.root.appending(path: "docs/audio-api.md"), encoding: .utf8)
        let start = try #require(manual.range(of: "```python\n")),
            end = try #require(manual.range(of: "```", range: start.upperBound..<manual.endIndex))
        let bus = try TestBus(), rig = Rig(bus)
        rig.connect()
        // With the real rules: the example's requests must be granted.
        var rules = AudioSessions()
        rig.decide = { rules.handle($0, at: Moment(nanoseconds: Clocks.monotonicNanoseconds)) }
        try String(manual[start.upperBound..<end.lowerBound]).write(toFile: bus.folder + "/example.py", atomically: true, encoding: .utf8)
        let process = Process(), output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-W", "ignore", bus.folder + "/example.py"]
        process.environment = bus.environment
        process.standardOutput = output
        process.standardError = output
        try process.run()
        defer { if process.isRunning { process.terminate() } }
        let file = output.fileHandleForReading.fileDescriptor
        _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK)
        var said = ""
        func says(_ text: String) -> Bool {
            rig.run {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(file, &bytes, bytes.count)
                if count > 0 { said += String(decoding: bytes[..<count], as: UTF8.self) }
                return said.contains(text)
            }
        }
        #expect(says("\nplaying\n"), "\(said)")
        let (id, app) = try #require(rig.opened.first)
        #expect(app.id == "example")
        rig.bus.perform(.tell(id, .interruptionBegan(.standard)))
        #expect(says("interrupted: standard\npaused\n"), "\(said)")
        said = ""
        rig.bus.perform(.tell(id, .interruptionEnded(shouldResume: true)))
        #expect(says("playing\n"), "\(said)")
        for notice: SessionNotice in [
            .routeChanged(.override, previous: AudioRoute(), current: AudioRoute()), .secondaryAudioHint(true),
            .inputAvailable(true), .command(.skipForward(nil)), .command(.pause),
        ] { rig.bus.perform(.tell(id, notice)) }
        #expect(says("paused\n"), "\(said)")
        for line in ["route: 4 None", "others are heard: True", "input: True", "skips 30.0 s"] { #expect(said.contains(line), "\(said)") }
        rig.decide = { event in
            if case .sessionAsked(_, .activate, let reply) = event {
                return [.answer(reply, .failed(SessionError(.insufficientPriority, "a call")))]
            }
            if case .sessionAsked(_, _, let reply) = event { return [.answer(reply, .done)] }
            return []
        }
        rig.bus.perform(.tell(id, .command(.play)))
        #expect(says("not now: org.mullion.AudioSession1.Error.InsufficientPriority"), "\(said)")
        rig.bus.perform(.tell(id, .command(.stop)))
        #expect(says("ended"), "\(said)")
        #expect(rig.run { rig.closed == [id] })
        #expect(rig.requests.contains(.setCategory(.playback, .spokenAudio, [.prefersInterruptionOnRouteDisconnect])))
        #expect(rig.requests.contains(.setCommands([.play, .pause, .stop, .skipForward], skipForward: 30, skipBackward: nil)))
        #expect(rig.requests.contains(.deactivate(notifyOthers: true)))
    }
}
