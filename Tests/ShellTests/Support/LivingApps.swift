import Control
import Foundation
import Glibc
import Lifecycle
import MullionTesting

/// What the life of apps looks like from outside the shell.
extension ShellUnderTest {
    /// The app that the window belongs to.
    func app(of window: WindowReport) throws -> LifeReport.App {
        guard let app = try client.ask(.get(.life), for: LifeReport.self).apps.first(where: { $0.windows.contains(window.id) }) else {
            throw Failure("\(window.id) belongs to no app")
        }
        return app
    }

    func phase(of window: WindowReport) throws -> AppPhase { try app(of: window).phase }

    func waitForPhase(_ phase: AppPhase, of window: WindowReport, within seconds: Double = 5) throws {
        try wait("\(phase)", within: seconds) { try self.phase(of: window) == phase }
    }
}

/// A program beside the shell, which ends with this object.
final class Helper {
    private let process = Process()

    /// A script of `Clients` with the system's Python.
    init(script: String, _ arguments: [String], environment: [String: String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-W", "ignore", Helper.path(script)] + arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    var isRunning: Bool { process.isRunning }

    /// A file of `Tests/ShellTests/Clients`.
    static func path(_ name: String) -> String {
        URL(filePath: TestClient.folder).deletingLastPathComponent().appending(path: "ShellTests/Clients/\(name)").path(
            percentEncoded: false)
    }
}
