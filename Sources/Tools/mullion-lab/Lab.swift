import ArgumentParser
import CBuild
import Control
import Glibc
import Processes
import Windows

/// The program for tests and measurements. It lies beside `mullion`, which starts it for `mullion tour`, `audit` and `bench`.
struct Lab: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mullion-lab", abstract: "Tests and measurements of Mullion and of apps in it.",
        discussion: "`mullion tour`, `mullion audit` and `mullion bench` start it.",
        version: "\(Mullion.version) (build \(String(cString: mullion_build())))",
        subcommands: [TourCommand.self, AuditCommand.self, BenchCommand.self])

    static let idioms = Idiom.all.map(\.name).joined(separator: ", ")

    /// The file of `mullion`: the one in MULLION_BINARY, or the one in the same folder.
    ///
    /// - Throws: `Failure` if there is none.
    static func shell() throws -> String {
        if let named = getenv("MULLION_BINARY"), named.pointee != 0 { return String(cString: named) }
        guard let program = OwnProgram.companion("mullion") else { throw Failure("mullion is missing beside \(OwnProgram.path)") }
        return program
    }
}

/// Exits with a line on standard error and status 1.
struct Failure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
