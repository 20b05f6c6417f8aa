import ArgumentParser
import Glibc
import Processes

/// A command of `mullion-lab`, the program for tests and measurements, which a session never loads.
protocol LabCommand: ParsableCommand {
    /// The command's arguments, which that program reads.
    var words: [String] { get }
}

extension LabCommand {
    static var program: String { "mullion-lab" }

    /// Replaces this process. Exits with status 2 if the other program is missing: the audit's status 1 says that a rule is broken.
    func run() throws {
        let name = Self.configuration.commandName ?? ""
        guard let program = OwnProgram.companion(Self.program) else {
            throw failed(
                "\(Self.program) is missing: `mullion \(name)` needs it beside \(OwnProgram.path). In a source tree, run: make lab")
        }
        var arguments = ([Self.program, name] + words).map { strdup($0) } + [nil]
        execv(program, &arguments)
        throw failed("\(program): \(String(cString: strerror(errno)))")
    }

    private func failed(_ reason: String) -> ExitCode {
        let line = Array("Error: \(reason)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        return ExitCode(2)
    }
}

struct TourCommand: LabCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "Drive real apps through every function, and write a page with pictures of it.",
        discussion: "A command of mullion-lab: `mullion tour --help` lists its options.")

    @Argument(parsing: .captureForPassthrough, help: .hidden) var words: [String] = []
}

struct AuditCommand: LabCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Run apps through the rules that they must keep, and report which they keep.",
        discussion: "A command of mullion-lab: `mullion audit --help` lists its options.")

    @Argument(parsing: .captureForPassthrough, help: .hidden) var words: [String] = []
}

struct BenchCommand: LabCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure the core, the shell at rest, and the frames of gestures on this machine.",
        discussion: "A command of mullion-lab: `mullion bench --help` lists its options.")

    @Argument(parsing: .captureForPassthrough, help: .hidden) var words: [String] = []
}
