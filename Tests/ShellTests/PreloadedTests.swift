import Clocks
import FoundationEssentials
import Glibc
import MullionTesting
import Processes
import Testing

/// The command line where a preloaded library moves the environment, as libfaketime does.
@Suite struct PreloadedTests {
    @Test("A command line is read with a library preloaded that sets variables")
    func preloaded() throws {
        let folder = "/tmp/mullion-words-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try ShellUnderTest.write(
            "#include <stdlib.h>\n__attribute__((constructor)) static void begin(void) { setenv(\"MOVED_BY_A_LIBRARY\", \"1\", 1); }\n",
            to: "\(folder)/move.c")
        let (status, output) = try run(["cc", "-shared", "-fPIC", "-o", "\(folder)/move.so", "\(folder)/move.c"])
        try #require(status == 0, "\(output)")
        let list = try run(
            [try ShellUnderTest.program(), "audit", "--list", "--rules", "icon"], variables: ["LD_PRELOAD": "\(folder)/move.so"])
        #expect(list.status == 0 && list.output.hasPrefix("icon "), "\(list.output)")
    }

    private func run(_ command: [String], variables: [String: String] = [:]) throws -> (status: Int32, output: String) {
        let launcher = try Launcher(), log = "/tmp/mullion-words-\(UInt32.random(in: 0...UInt32.max)).log"
        defer { try? FileManager.default.removeItem(atPath: log) }
        var environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        environment.merge(variables) { $1 }
        let process = try launcher.launch(command, environment: environment, log: log)
        let deadline = Clocks.monotonicSeconds + 60 * ShellUnderTest.patience
        while Clocks.monotonicSeconds < deadline {
            if let exit = launcher.drain().first(where: { $0.pid == process }) {
                guard case .exited(let status) = exit.reason else { break }
                return (status, String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self))
            }
            usleep(10_000)
        }
        throw ShellUnderTest.Failure("\(command[0]) did not end well")
    }
}
