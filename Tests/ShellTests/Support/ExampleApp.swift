import AudioSessions
import Control
import Foundation
import MullionTesting
import Testing

/// One of the apps in Examples in a running shell, controlled by lines on its input and output.
struct ExampleApp {
    var shell: ShellUnderTest
    var name: String

    init(_ shell: ShellUnderTest, _ name: String, _ arguments: [String] = []) throws {
        self.shell = shell
        self.name = name
        let program = "\(ExampleApp.folder)/mullion-\(name)"
        try #require(FileManager.default.isExecutableFile(atPath: program), "make examples builds it")
        let words = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let room = shell.room
        try shell.client.perform(
            .launch(command: [
                "sh", "-c", "mkfifo \(room)/\(name).in; exec 3<>\(room)/\(name).in; \(words) <&3 >\(room)/\(name).out 2>&1",
            ]))
        try shell.wait("the window of \(name)", within: 20) {
            try shell.client.state().windows.contains { $0.appID.lowercased() == "org.mullion.\(name)" }
        }
        // Before that, it would play as on a desktop without sessions.
        try shell.wait("the session of \(name)", within: 20) {
            try shell.client.ask(.get(.audio), for: SoundReport.self).sessions.contains { $0.app.id == "mullion-\(name)" }
        }
    }

    /// Without warnings of libraries: GStreamer prints some when a recording is stopped just after its start.
    var lines: [String] {
        shell.text(of: "\(shell.room)/\(name).out").split(separator: "\n").map(String.init).filter { !$0.contains("GStreamer-WARNING") }
    }

    func tell(_ line: String) throws {
        let pipe = try #require(FileHandle(forWritingAtPath: "\(shell.room)/\(name).in"))
        try pipe.write(contentsOf: Data("\(line)\n".utf8))
        try pipe.close()
    }

    /// Waits until exactly these lines have arrived since the last ones.
    func hears(_ expected: [String], after count: inout Int) throws {
        let begin = count
        try shell.wait("\(name) to say \(expected)", within: 20) { lines.count >= begin + expected.count }
        #expect(zip(lines[begin...], expected).allSatisfy { $0.hasPrefix($1) }, "\(name) said \(lines[begin...])")
        count += expected.count
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/.build/debug").path
}
