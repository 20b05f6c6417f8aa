import Foundation
import Testing

/// `scripts/nightly` with a `make` that stands in for hours of work: what it chooses, and what it says of the outcome.
@Suite struct NightlyTests {
    private static let here: String? = {
        let words = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n") ?? []
        guard words.contains("ID=debian") else { return nil }
        return words.first { $0.hasPrefix("VERSION_ID=") }?.dropFirst("VERSION_ID=".count).filter(\.isNumber)
    }()

    private func nightly(_ arguments: [String], make: String) throws -> (status: Int32, output: String, logs: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nightly-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "#!/bin/sh\n\(make)\n".write(toFile: "\(folder)/make", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder)/make")
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "\(DocumentTests.tree)/scripts/nightly")
        process.arguments = ["--logs", "\(folder)/logs"] + arguments
        process.environment = ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"]
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output, "\(folder)/logs")
    }

    /// The table's row that begins with a word, as words.
    private func row(_ part: String, of output: String) -> [String]? {
        output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }.last { $0.first == part }
    }

    @Test(.enabled(if: here != nil)) func partsThatPassMakeItPass() throws {
        let debian = try #require(Self.here)
        let (status, output, logs) = try nightly(
            ["--only", "fuzz,tour", "--on", debian, "--fuzz-seconds", "7", "--tour-args", "--only fit"], make: "echo \"$@\"")
        defer { try? FileManager.default.removeItem(atPath: (logs as NSString).deletingLastPathComponent) }
        #expect(status == 0, "\(output)")
        let other = debian == "12" ? 3 : 1
        for part in ["tour", "fuzz"] {
            let words = try #require(row(part, of: output))
            #expect(words.contains("passed") && !words.contains("FAILED"), "\(words)")
            #expect(words[other...].starts(with: ["not", "run"]), "\(words)")
        }
        #expect(row("slow", of: output) == nil && row("asan", of: output) == nil)
        #expect(
            try String(contentsOfFile: "\(logs)/tour-\(debian).log", encoding: .utf8)
                == "tour TOUR=\(logs)/tour-\(debian) TOUR_ARGS=--only fit\n")
        #expect(try String(contentsOfFile: "\(logs)/fuzz-\(debian).log", encoding: .utf8).contains("FUZZ_ARGS=--seconds 7"))
    }

    @Test(.enabled(if: here != nil)) func onePartThatFailsMakesItFail() throws {
        let debian = try #require(Self.here)
        let (status, output, logs) = try nightly(
            ["--only", "slow,asan", "--on", debian], make: "echo the last word of $1; [ $1 = test-slow ]")
        defer { try? FileManager.default.removeItem(atPath: (logs as NSString).deletingLastPathComponent) }
        #expect(status == 1)
        #expect(row("slow", of: output)?.last == "passed", "\(output)")
        #expect(row("asan", of: output)?.last == "FAILED", "\(output)")
        #expect(output.contains("status 1") && output.contains("    the last word of test-asan"), "\(output)")
    }

    @Test(.enabled(if: here != nil)) func aFolderThatCannotBeIsNamed() throws {
        let (status, output, logs) = try nightly(["--on", try #require(Self.here), "--logs", "/dev/null/logs"], make: "exit 0")
        defer { try? FileManager.default.removeItem(atPath: (logs as NSString).deletingLastPathComponent) }
        #expect(status == 1 && output == "nightly: --logs /dev/null/logs: Not a directory\n", "\(output)")
    }

    @Test(arguments: [["--only", "turo"], ["--on", "14"], ["--fuzz-seconds", "0"], ["--limit", "soon"]])
    func whatItDoesNotKnowIsNamed(arguments: [String]) throws {
        let (status, output, logs) = try nightly(arguments, make: "exit 0")
        defer { try? FileManager.default.removeItem(atPath: (logs as NSString).deletingLastPathComponent) }
        #expect(status == 2)
        #expect(output.contains(arguments[0]) && output.contains("'\(arguments[1])'"), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: logs))
    }
}
