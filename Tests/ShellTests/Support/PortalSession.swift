import Foundation
import Glibc
import MullionTesting

/// A shell with the real xdg-desktop-portal on its bus, whose backend the shell is.
struct PortalSession {
    let shell: ShellUnderTest
    /// The command that begins each program of the session.
    let environment: [String]

    static func with(
        config: String? = nil, apps: [TestApp] = [], files more: [String: String] = [:], _ body: (PortalSession) throws -> Void
    ) throws {
        let portal = "/usr/libexec/xdg-desktop-portal"
        try ShellUnderTest.require(portal, of: "xdg-desktop-portal")
        let packaging = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "packaging/mullion.portal")
        let files = try more.merging(["portals/mullion.portal": String(contentsOf: packaging, encoding: .utf8)]) { $1 }
        func run(_ shell: ShellUnderTest) throws {
            let bus = "\(shell.runtime)/mullion-\(ShellUnderTest.socket)/bus"
            let session = PortalSession(
                shell: shell,
                environment: [
                    "env", "DBUS_SESSION_BUS_ADDRESS=unix:path=\(bus)", "XDG_CURRENT_DESKTOP=Mullion",
                    "XDG_DESKTOP_PORTAL_DIR=\(shell.room)/portals",
                ])
            // The bus, and the shell's names on it.
            try shell.wait("the bus") { FileManager.default.fileExists(atPath: bus) }
            try shell.wait("the backend") {
                try shell.run(
                    session.environment + [
                        "gdbus", "introspect", "--session", "--dest", "org.freedesktop.impl.portal.desktop.mullion",
                        "--object-path", "/org/freedesktop/portal/desktop",
                    ]
                ).status == 0
            }
            _ = try shell.start(session.environment + [portal])
            try body(session)
        }
        if !apps.isEmpty {
            // The bus starts the portal, and services of the portal, when they are called.
            let environment = ["DBUS_SESSION_BUS_ADDRESS": "", "XDG_DATA_DIRS": "{room}/system:/usr/share"]
            try ShellUnderTest.with(apps: apps, config: config ?? "", files: files, environment: environment, run)
        } else if let config {
            try ShellUnderTest.with(config: config, environment: ["DBUS_SESSION_BUS_ADDRESS": ""], files: files, run)
        } else {
            try ShellUnderTest.with(environment: ["DBUS_SESSION_BUS_ADDRESS": ""], files: files, run)
        }
    }

    /// `Tests/Clients/portal_asks.py`.
    func client() throws -> PortalClient { try PortalClient(self) }

    func call(_ name: String, _ path: String, _ method: String, _ arguments: String...) throws -> (status: Int32, output: String) {
        try shell.run(
            environment + ["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method] + arguments)
    }
}

/// An app that asks portals, controlled by lines.
final class PortalClient {
    private let shell: ShellUnderTest
    private let files: String
    /// The lines that were read so far.
    private var seen = 0

    init(_ session: PortalSession) throws {
        shell = session.shell
        files = "\(shell.room)/portal-client-\(UInt32.random(in: 0...UInt32.max))"
        mkfifo("\(files).commands", 0o600)
        _ = try shell.start(
            session.environment + [
                "sh", "-c", "/usr/bin/python3 '\(TestClient.folder)/portal_asks.py' '\(files).commands' >'\(files).said' 2>&1",
            ])
        try says("ready", within: 20)
    }

    var said: [String] { shell.text(of: "\(files).said").split(separator: "\n").map(String.init) }

    func tell(_ words: String...) throws {
        let pipe = open("\(files).commands", O_WRONLY | O_NONBLOCK)
        guard pipe >= 0 else { throw ShellUnderTest.Failure("the portal's client does not listen") }
        defer { close(pipe) }
        let line = Array((words.map { $0.isEmpty ? "-" : $0 }.joined(separator: " ") + "\n").utf8)
        write(pipe, line, line.count)
    }

    /// Waits for the next line that begins so.
    @discardableResult
    func says(_ beginning: String, within seconds: Double = 10) throws -> String {
        var found: String?
        try shell.wait("\"\(beginning)\" from the portal's client, which said \(said)", within: seconds) {
            let lines = said
            guard let index = lines.indices.dropFirst(seen).first(where: { lines[$0].hasPrefix(beginning) }) else { return false }
            seen = index + 1
            found = lines[index]
            return true
        }
        return found ?? ""
    }
}
