import Control
import Foundation
import Geometry
import MullionTesting
import Testing
import Windows

/// One of the examples of docs/windows-api.md in a running shell. What it says on its output is what happened.
struct WindowExample {
    var shell: ShellUnderTest
    let list: WindowReport
    private let output: String

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples").path

    /// `language`: as in LC_ALL.
    init(_ shell: ShellUnderTest, _ command: [String], language: String = "C.UTF-8") throws {
        self.shell = shell
        let output = "\(shell.room)/\(UUID().uuidString).out"
        self.output = output
        let program = command[0] == "python3" ? command[1] : command[0]
        try #require(FileManager.default.isExecutableFile(atPath: program), "make examples builds it")
        let words = command.map { "'\($0)'" }.joined(separator: " ")
        list = try shell.open([
            "sh", "-c", "mkfifo \(output).in; exec 3<>\(output).in; LC_ALL=\(language) exec \(words) <&3 >\(output) 2>&1",
        ])
    }

    var lines: [String] { shell.text(of: output).split(separator: "\n").map(String.init) }

    func tell(_ line: String) throws {
        let pipe = try #require(FileHandle(forWritingAtPath: "\(output).in"))
        try pipe.write(contentsOf: Data("\(line)\n".utf8))
        try pipe.close()
    }

    func hears(_ line: String, times: Int = 1) throws {
        do {
            try shell.wait("\"\(line)\"", within: 10) { lines.count { $0 == line } >= times }
        } catch {
            throw ShellUnderTest.Failure("\(error): it said \(lines)")
        }
    }

    /// The window of this title, shown and at rest.
    func window(_ title: String) throws -> WindowReport {
        try shell.wait("the window \(title)") { try shell.state().windows.contains { $0.title == title && $0.shown } }
        try shell.settle()
        return try #require(try shell.state().windows.first { $0.title == title })
    }
}
