import Control
import Foundation
import Glibc
import MullionTesting
import Testing

extension RunningShell {
    /// The shell closes only its own descriptors. Every other test compares its descriptors at the end, too
    /// (`ShellUnderTest.checkDescriptors`).
    @Suite(.serialized) struct ShellDescriptorTests {
        /// Each change of the look repaints every picture and frees the old ones.
        @Test func picturesThatGoCloseNothing() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell)
                try shell.perform(.home)
                for look in 0..<8 {
                    try shell.perform(.darkAppearance(look % 2 == 0))
                    try shell.client.waitUntilIdle(timeout: 20_000)
                    try shell.checkDescriptors()
                }
                _ = try client.mark()
            }
        }

        /// Whatever the parent left open or closed, the shell's own descriptors start after 2.
        @Test(arguments: ["<&- >&- 2>&-", "<&-", "</dev/zero"]) func standardDescriptorsAreHeld(redirection: String) throws {
            let program = try ShellUnderTest.program()
            try ShellUnderTest.with { shell in
                let (process, _) = try shell.start([
                    "sh", "-c", "exec \(program) run --headless --remote-view off --audio off --socket wayland-second \(redirection)",
                ])
                let path = ControlPath.path(runtime: shell.runtime, name: "wayland-second")
                try shell.wait("the second shell", within: 20) { (try? ControlClient(path: path)) != nil }
                let files = try (0...2).map { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)") }
                #expect(files[0] == "/dev/null")
                if redirection.contains("2>&-") { #expect(files == ["/dev/null", "/dev/null", "/dev/null"]) }
                let report = try ControlClient(path: path).ask(.get(.descriptors), for: DescriptorReport.self)
                #expect(report.lost.isEmpty && report.refusals == 0)
                #expect(report.open.first { $0.number == 0 }?.owner == "standard input")
                try ControlClient(path: path).ask(.quit)
                try shell.wait("its end") { access(path, F_OK) != 0 }
            }
        }
    }
}
