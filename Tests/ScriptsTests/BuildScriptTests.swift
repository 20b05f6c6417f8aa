import Foundation
import Glibc
import Processes
import Testing

/// `scripts/build` compiles again what SwiftPM forgets. The driver here is a script that notes each call, and compiles what is newer.
@Suite struct BuildScriptTests {
    private let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path(percentEncoded: false)

    /// A plan of three modules, each on the one before, as SwiftPM writes it; and a driver that compiles a module whose source is newer.
    private static let driver = """
        #!/usr/bin/env python3
        import os, sys
        root = os.path.dirname(os.path.abspath(__file__))
        with open(root + "/calls", "a") as calls:
            calls.write(" ".join(sys.argv[1:]) + "\\n")
        for name in "ABC":
            source, list = f"{root}/{name}.swift", f"{root}/.build/{name}.build/{name}.d"
            if not os.path.exists(list) or os.stat(source).st_mtime_ns > os.stat(list).st_mtime_ns:
                open(list, "w").close()
                if "forgetful" in os.environ:
                    os.utime(list, (1, 1))
        """

    private func plan(_ root: String) -> String {
        let names = ["A", "B", "C"]
        return "commands:\n"
            + names.enumerated().map { index, name in
                let below = index == 0 ? "" : ",\"\(root)/.build/\(names[index - 1]).swiftmodule\""
                return """
                      "C.\(name)-debug.module":
                        tool: shell
                        inputs: ["\(root)/\(name).swift"\(below)]
                        outputs: ["\(root)/.build/\(name).build/\(name).swift.o","\(root)/.build/\(name).swiftmodule"]

                    """
            }.joined() + """
                  "C.shell-debug.exe":
                    tool: shell
                    inputs: ["\(root)/.build/A.build/A.swift.o","\(root)/.build/B.build/B.swift.o"]
                    outputs: ["\(root)/.build/shell"]

                """
    }

    /// Builds after the interface of `changed` was written again; every other file is older. Returns the driver's calls and the status.
    private func build(changed: String?, _ arguments: [String] = [], forgetful: Bool = false) throws -> (
        calls: Int, exit: ProcessExit.Reason, log: String
    ) {
        let root = NSTemporaryDirectory() + "mullion-build-" + UUID().uuidString, files = FileManager.default
        defer { try? files.removeItem(atPath: root) }
        try files.createDirectory(atPath: "\(root)/.build", withIntermediateDirectories: true)
        try Self.driver.write(toFile: "\(root)/swift", atomically: true, encoding: .utf8)
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(root)/swift")
        try plan(root).write(toFile: "\(root)/.build/debug.yaml", atomically: true, encoding: .utf8)
        let now = Date()
        for name in ["A", "B", "C"] {
            try files.createDirectory(atPath: "\(root)/.build/\(name).build", withIntermediateDirectories: true)
            // The objects are the oldest: a compiler keeps those that would be the same.
            for (file, age) in [
                ("\(name).swift", 60.0), (".build/\(name).swiftmodule", 50), (".build/\(name).build/\(name).d", 40),
                (".build/\(name).build/\(name).swift.o", 500),
            ] {
                let age = name == changed && file.hasSuffix(".swiftmodule") ? 20 : name == changed && file.hasSuffix(".d") ? 10 : age
                try Data().write(to: URL(filePath: "\(root)/\(file)"))
                try files.setAttributes([.modificationDate: now.addingTimeInterval(-age)], ofItemAtPath: "\(root)/\(file)")
            }
        }
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT"] = "\(root)/swift"
        if forgetful { environment["forgetful"] = "1" }
        let launcher = try Launcher()
        try launcher.launch(
            ["\(repository)/scripts/build", "--package-path", root] + arguments, environment: environment, log: "\(root)/log")
        while true {
            var item = pollfd(fd: launcher.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&item, 1, 10_000)
            guard let exit = launcher.drain().first else { continue }
            let calls = try String(contentsOfFile: "\(root)/calls", encoding: .utf8).split(separator: "\n").count
            return (calls, exit.reason, try String(contentsOfFile: "\(root)/log", encoding: .utf8))
        }
    }

    @Test("a build of which nothing is forgotten is one call")
    func nothing() throws {
        let once = try build(changed: nil)
        #expect(once.calls == 1 && once.exit == .exited(0))
        // SwiftPM looks itself at the module that a target names.
        let named = try build(changed: "B")
        #expect(named.calls == 1 && named.exit == .exited(0))
    }

    @Test("a module that reaches a changed one only by way of another is compiled again")
    func forgotten() throws {
        let again = try build(changed: "A")
        #expect(again.calls == 2 && again.exit == .exited(0))
        #expect(again.log.contains("compiling again") && again.log.contains(": C\n"))
    }

    @Test("what a product does not need is left alone")
    func product() throws {
        let part = try build(changed: "A", ["--product", "shell"])
        #expect(part.calls == 1 && part.exit == .exited(0))
    }

    @Test("what a target does not reach is left alone")
    func target() throws {
        let part = try build(changed: "A", ["--target", "B"])
        #expect(part.calls == 1 && part.exit == .exited(0))
        let all = try build(changed: "A", ["--target", "C"])
        #expect(all.calls == 2 && all.exit == .exited(0))
    }

    @Test("a compiler that compiles nothing again is an error, and not a loop")
    func never() throws {
        let never = try build(changed: "A", forgetful: true)
        #expect(never.calls == 4 && never.exit == .exited(1))
        #expect(never.log.contains("make clean"))
    }
}
