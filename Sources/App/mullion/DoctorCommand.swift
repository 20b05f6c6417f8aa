import AppScopes
import ArgumentParser
import FoundationEssentials
import Glibc
import Processes
import Settings
import Windows

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what this machine lacks, and the command that mends it.",
        discussion: "The exit status is 1 if the shell cannot run without something that is missing.")

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        let portals = PortalCheck.examine(environment: environment).map { Doctor.findings(on: $0, isRoot: geteuid() == 0) } ?? []
        let findings =
            Doctor.examine(environment: environment) + Self.files(environment: environment) + [
                Self.freezing(environment: environment), Self.memory(environment: environment),
            ] + portals
        print(Doctor.render(findings))
        if findings.contains(where: { $0.state == .missing }) { throw ExitCode.failure }
    }

    /// The faults in the files that a person edits.
    private static func files(environment: [String: String]) -> [Doctor.Finding] {
        let path = SettingsStore.path(option: nil, environment: environment), lastGood = LastGood(environment: environment)
        let idioms = IdiomStore(folders: IdiomStore.folders(configuration: path, environment: environment), lastGood: lastGood)
        let store = SettingsStore(path: path, lastGood: lastGood, idioms: { idioms.namesAtStart })
        let why = "what you wrote there; the shell starts without it"
        let faults = ([store.fault].compactMap(\.self) + idioms.faults).map { fault in
            Doctor.Finding(name: "configuration", state: .optional, detail: fault.description, why: why, mend: "")
        }
        guard store.fault == nil else { return faults }
        let detail = access(path, F_OK) == 0 ? path : "\(path) does not exist; the defaults hold"
        return [Doctor.Finding(name: "configuration", state: .ok, detail: detail, why: why, mend: "")] + faults
    }

    /// How apps in the background are frozen.
    private static func freezing(environment: [String: String]) -> Doctor.Finding {
        let (means, detail) = AppScopes.detect(environment: environment)
        let isWhole = means != .processes
        return Doctor.Finding(
            name: "freezing apps", state: isWhole ? .ok : .optional, detail: "\(means.rawValue): \(detail)",
            why: isWhole
                ? "an app in the background uses no processor"
                : "an app in the background uses no processor; with signals, the program that started it can notice, and a freeze takes some milliseconds for each generation of its processes",
            mend: isWhole ? "" : "systemd-run --user --scope mullion run")
    }

    /// How memory pressure is noticed.
    private static func memory(environment: [String: String]) -> Doctor.Finding {
        let file = MemoryPressureFile(environment: environment), rules = Idiom.pad.life
        let means = file.means(share: rules.memoryFull, period: rules.memoryPeriod)
        return Doctor.Finding(
            name: "memory pressure", state: means == .nothing ? .optional : .ok, detail: "\(means.rawValue): \(file.detail(means))",
            why: "frozen apps are ended before the machine comes to a stop", mend: "")
    }
}
