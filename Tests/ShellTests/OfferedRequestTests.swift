import Control
import Foundation
import Journal
import MullionTesting
import Testing

extension RunningShell {
    /// Every request that a client may send in the versions that the shell offers.
    @Suite(.serialized) struct OfferedRequestTests {
        private static let config =
            "launch = []\nnew-windows = \"always\"\n[privileges]\npicture-in-picture = \"everyone\"\n[lock]\ncommand = [\"sleep\", \"60\"]\n"
        /// What a headless screen does not offer: graphics memory, Xwayland's own protocol, and pads of pens.
        private static let absent = ["wl_drm", "zwp_linux_", "xwayland_", "zwp_tablet_pad_"]

        @Test("no request of an offered protocol is unknown, by upstream's names, numbers and arguments")
        func everyRequest() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                // Only a pen that came near has an object.
                _ = try shell.client.ask(.input(.pen(at: .init(10, 10))))
                let steps = try #require(try shell.script("opcodes.py", within: 120).steps)
                #expect(steps["refused"] == .array([]))
                guard case .integer(let sent)? = steps["sent"], case .array(let unreached)? = steps["unreached"] else {
                    throw ShellUnderTest.Failure("opcodes.py says \(steps)")
                }
                // There were 338 on wlroots 0.15. Fewer means that objects were not made.
                #expect(sent >= 330)
                for case .string(let name) in unreached { #expect(Self.absent.contains { name.hasPrefix($0) }, "\(name)") }
                shell.expectAlive()
            }
        }

        @Test("A-21: an app rings the bell by either protocol, for its window or for none, and lives")
        func bell() throws {
            let bus = try PrivateBus()
            try ShellUnderTest.with(config: Self.config, environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                let felt = "\(bus.folder)/felt"
                _ = try shell.start(["/usr/bin/python3", "-W", "ignore", "\(TestClient.folder)/bus.py", "feedback", felt])
                try shell.wait("the service", within: 20) { FileManager.default.fileExists(atPath: felt) }
                #expect(try shell.script("bell.py").ended == false)
                // Each sound is felt as well, and the service writes that down.
                try shell.wait("four bells", within: 20) { shell.text(of: felt).split(separator: "bell-window-system").count == 5 }
                shell.expectAlive()
            }
        }
    }
}
