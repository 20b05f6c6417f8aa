import Foundation
import Glibc
import MullionTesting

/// A stand-in for a service of the machine, on a system bus of its own: a script in `Clients` that writes a log and takes commands.
final class SystemService {
    let bus: PrivateBus
    private let service: Helper
    private var commands = ""

    init(_ script: String) throws {
        // Some services run as users of their own.
        bus = try PrivateBus(policy: "<allow user=\"*\"/>")
        service = try Helper(
            script: script, [bus.folder], environment: bus.environment.merging(["DBUS_SYSTEM_BUS_ADDRESS": bus.address]) { $1 })
        let end = Date().addingTimeInterval(60)
        while log.isEmpty {
            guard Date() < end, service.isRunning else {
                throw ShellUnderTest.Failure("\(script) does not come: apt-get install python3-gi")
            }
            usleep(20_000)
        }
    }

    /// The calls that reached it, in their order. The first line is "is there".
    var log: [String] {
        ((try? String(contentsOfFile: "\(bus.folder)/log", encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }

    /// Has it do something, for example send a signal. Its script says which commands it takes.
    func tell(_ command: String) throws {
        commands += command + "\n"
        try ShellUnderTest.write(commands, to: "\(bus.folder)/commands")
    }

    /// For the shell.
    var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": bus.address] }
}
