import Clocks
import Control
import Glibc

extension ControlClient {
    /// Waits until everything that outlives a crash is on the disk.
    public func waitUntilKept() throws {
        let deadline = Clocks.monotonicSeconds + 5 * ShellUnderTest.patience
        while try !ask(.get(.statistics), for: StatisticsReport.self).isKept {
            guard Clocks.monotonicSeconds < deadline else { throw ShellUnderTest.Failure("the disk did not take the session") }
            usleep(20_000)
        }
    }
}
