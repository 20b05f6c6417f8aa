import ArgumentParser
import FoundationEssentials
import Processes

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what this machine lacks, and the command that mends it.",
        discussion: "The exit status is 1 if the shell cannot run without something that is missing.")

    func run() throws {
        let findings = Doctor.examine(environment: ProcessInfo.processInfo.environment)
        print(Doctor.render(findings))
        if findings.contains(where: { $0.state == .missing }) { throw ExitCode.failure }
    }
}
