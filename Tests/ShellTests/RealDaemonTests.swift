import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Status
import Testing
import Windows

extension RunningShell {
    /// The real daemons of the machine, with devices of umockdev, on a system bus of their own.
    @Suite(.serialized, .timeLimit(.minutes(2))) struct RealDaemonTests {
        private func daemons() throws -> SystemService {
            for (path, package) in [
                ("/usr/libexec/upowerd", "upower"), ("/usr/sbin/iio-sensor-proxy", "iio-sensor-proxy"),
                ("/usr/bin/umockdev-run", "umockdev"),
            ] {
                try ShellUnderTest.require(path, of: "\(package) gir1.2-umockdev-1.0")
            }
            return try SystemService("mocked.py")
        }

        private func battery(_ shell: ShellUnderTest) throws -> Battery? {
            try shell.client.ask(.get(.status), for: StatusReport.self).battery
        }

        @Test("X-09: the level that upowerd tells is in the status bar, follows the battery, and goes with it")
        func power() throws {
            let daemons = try daemons()
            try ShellUnderTest.with(environment: daemons.environment, showsStatus: true) { shell in
                try shell.wait("the battery", within: 20) { try battery(shell)?.percent == 80 }
                #expect(try battery(shell)?.power == .discharging)
                #expect(try battery(shell)?.remaining == 14_400, "40 Wh at 10 W")
                try daemons.tell("battery 33 Charging")
                try shell.wait("its charging", within: 20) { try battery(shell)?.percent == 33 && battery(shell)?.power == .charging }
                try shell.wait("the words") { try shell.find("status/state")?.name.contains("33") ?? false }
                try daemons.tell("battery 4 Discharging")
                try shell.wait("the warning", within: 20) { try battery(shell)?.isLow == true }
                try daemons.tell("unplug")
                try shell.wait("no battery", within: 20) { try battery(shell) == nil }
                try daemons.tell("plug")
                try shell.wait("the battery again", within: 20) { try battery(shell)?.percent == 80 }
            }
        }

        @Test("X-03: the screen turns with the acceleration that iio-sensor-proxy reads, and stays while a person locks it")
        func turning() throws {
            let daemons = try daemons()
            try ShellUnderTest.with(size: "1180x820", config: "idiom = \"pad\"\n", environment: daemons.environment) { shell in
                func size() throws -> Size { try #require(try shell.state().screen).size }
                try shell.wait("the sensor", within: 20) {
                    try shell.client.ask(.get(.status), for: StatusReport.self).locksRotation == false
                }
                #expect(try size() == Size(1180, 820))
                try daemons.tell("hold 981 0 0")
                try shell.wait("the turned screen", within: 20) { try size() == Size(820, 1180) }
                try daemons.tell("hold 0 -981 0")
                try shell.wait("the screen as it was", within: 20) { try size() == Size(1180, 820) }
                try shell.perform(.device(.rotationLock(true)))
                try daemons.tell("hold -981 0 0")
                // The proxy reads twice a second, and nobody asks it to.
                usleep(1_500_000)
                #expect(try size() == Size(1180, 820))
                try shell.perform(.device(.rotationLock(false)))
                try shell.wait("the way it is held", within: 20) { try size() == Size(820, 1180) }
            }
        }
    }
}
