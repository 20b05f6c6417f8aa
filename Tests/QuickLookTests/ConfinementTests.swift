import Foundation
import Glibc
import Processes
import Testing

@testable import QuickLookHelper

/// W-18: what a helper cannot do, tried by a program that is confined as helpers are.
@Suite(.serialized) struct ConfinementTests {
    private func probe() throws -> String { try #require(OwnProgram.companion("mullion-view-probe"), "mullion-view-probe is not built") }

    /// What became of each deed: 0 for done, or the error's number.
    private func run(_ words: [String]) throws -> [String: Int32] {
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(
            process.terminationStatus == 0 && !text.isEmpty && process.terminationReason == .exit,
            "\(words[0]) ended with \(process.terminationStatus)")
        var deeds: [String: Int32] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            deeds[String(parts[0])] = parts[1] == "done" ? 0 : Int32(parts[1]) ?? -1
        }
        return deeds
    }

    private func secret() throws -> String {
        let path = "/tmp/mullion-secret-\(getpid())"
        try Data("a secret".utf8).write(to: URL(filePath: path))
        return path
    }

    private static let filtered = [
        "write", "create", "remove", "socket", "local-socket", "exec", "spawn", "kill", "namespace", "mount", "root",
    ]

    @Test("W-18: by the filter alone a helper still writes nothing, makes no socket, and starts nothing")
    func filtered() throws {
        let secret = try secret()
        defer { unlink(secret) }
        let deeds = try run([probe(), secret])
        #expect(deeds["read"] == 0, "the filter does not know one file from another: docs/quick-look.md says so")
        for deed in Self.filtered { #expect(deeds[deed] == EPERM, "\(deed): \(deeds[deed] ?? -1)") }
        #expect(access(secret, F_OK) == 0)
    }

    @Test("W-18: the filter names what is allowed: every other call fails, also one that no kernel has yet")
    func allowed() throws {
        let secret = try secret()
        defer { unlink(secret) }
        let deeds = try run([probe(), secret])
        for deed in ["read", "thread", "own-limit"] { #expect(deeds[deed] == 0, "\(deed): \(deeds[deed] ?? -1)") }
        let known = Set(Self.filtered + ["read", "thread", "own-limit"])
        let others = deeds.filter { !known.contains($0.key) }
        #expect(others.count == 30)
        for (deed, error) in others { #expect([EPERM, ENOSYS, ENOTTY].contains(error), "\(deed): \(error)") }
    }

    @Test("W-18: a file that a program hands over open for writing is opened anew, for reading alone")
    func handedOver() throws {
        let path = try secret()
        defer { unlink(path) }
        let number = open(path, O_RDWR | O_CLOEXEC)
        defer { close(number) }
        let file = try FileToShow.open(number, name: "notes.txt")
        #expect(file.name == "notes.txt" && file.kind == .text && file.path == nil)
        #expect(fcntl(file.file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
        var byte: UInt8 = 0
        #expect(write(file.file.number, &byte, 1) < 0)
    }

    @Test(
        "W-18: what is no regular file is named, and never opened",
        arguments: [
            ("folder", Trouble.Kind.folder), ("pipe", .special), ("empty", .empty), ("nothing", .missing), ("noise", .unknown),
        ])
    func refused(what: String, kind: Trouble.Kind) throws {
        let path = "/tmp/mullion-refused-\(getpid())-\(what)"
        switch what {
        case "folder": mkdir(path, 0o700)
        case "pipe": mkfifo(path, 0o600)
        case "empty": try Data().write(to: URL(filePath: path))
        case "noise": try Data([1, 2, 3, 0, 0, 9] + (0..<200).map { UInt8($0) }).write(to: URL(filePath: path))
        default: break
        }
        defer { remove(path) }
        let trouble = #expect(throws: Trouble.self) { _ = try FileToShow.open(path) }
        #expect(trouble?.kind == kind)
    }
}
