import AppScopes
import ArgumentParser
import FoundationEssentials
import Processes
import Shell

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what this machine lacks, and the command that mends it.",
        discussion: "The exit status is 1 if the shell cannot run without something that is missing.")

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let findings = Doctor.examine(environment: environment) + [Self.freezing(environment: environment), Self.memory()]
        print(Doctor.render(findings))
        if findings.contains(where: { $0.state == .missing }) { throw ExitCode.failure }
    }

    /// How the shell learns that memory is short.
    private static func memory() -> Doctor.Finding {
        let means = PressureWatch.detect()
        let detail = switch means {
        case .triggers: "the kernel reports it"
        case .readings: "read from /proc/pressure/memory while an app is frozen"
        case .none: "this kernel does not measure it"
        }
        return Doctor.Finding(
            name: "memory pressure", state: means == .none ? .optional : .ok, detail: detail,
            why: "frozen apps are ended, and come back as they were, before the kernel ends others",
            mend: means == .none ? "start the kernel with psi=1" : "")
    }

    /// How apps in the background are frozen.
    private static func freezing(environment: [String: String]) -> Doctor.Finding {
        let (means, detail) = AppScopes.detect(environment: environment)
        let isWhole = means != .processes
        return Doctor.Finding(
            name: "freezing apps", state: isWhole ? .ok : .optional, detail: "\(means.rawValue): \(detail)",
            why: "an app in the background uses no processor; signals do that less well than groups of the kernel",
            mend: isWhole ? "" : "systemd-run --user --scope mullion run")
    }
}
