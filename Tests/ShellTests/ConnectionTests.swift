import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Status
import Testing

extension RunningShell {
    /// Joining networks, pairing devices, turning the screen and ending the machine's work by finger, over the system bus.
    @Suite(.serialized) struct ConnectionTests {
        private let home = "486f6d65", homeID = "486f6d65-personal"

        private func status(_ shell: ShellUnderTest) throws -> StatusReport { try shell.client.ask(.get(.status), for: StatusReport.self) }

        private func with(_ body: (ShellUnderTest, SystemService) throws -> Void) throws {
            let device = try SystemService("device.py")
            try ShellUnderTest.with(environment: device.environment, showsStatus: true) { shell in
                try shell.wait("the services") {
                    let status = try status(shell)
                    return status.network != nil && status.bluetooth != nil && !status.ends.isEmpty
                }
                try shell.wait("the agents") {
                    device.log.contains("AgentManager RegisterWithCapabilities") && device.log.contains("AgentManager1 RequestDefaultAgent")
                }
                try body(shell, device)
            }
        }

        private func views(_ shell: ShellUnderTest) throws -> [ViewReport] { try shell.client.ask(.get(.views), for: [ViewReport].self) }

        private func tap(_ id: String, _ shell: ShellUnderTest) throws {
            try shell.wait(id) { try views(shell).contains { $0.id == id } }
            // A page slides in.
            var last: Rect?
            try shell.wait("\(id) to rest") {
                let now = try views(shell).first { $0.id == id }?.frame
                defer { last = now }
                return now != nil && now == last
            }
            try shell.tap(#require(last).center)
        }

        private func type(_ text: String, _ shell: ShellUnderTest) throws { try shell.client.input(.type(text: text)) }

        @Test("by finger and keyboard: a wrong password is asked for again, the right one joins, and only then the network is saved")
        func joins() throws {
            try with { shell, device in
                try device.tell("point \(home) 80 1 256")
                try device.tell("point ff00 60 0 0")
                try shell.perform(.controlCentre)
                try tap("control-centre/wireless/page", shell)
                try shell.wait("the list") { try status(shell).networks?.map(\.name) == ["Home", "\\xff\\x00"] }
                try tap("control-centre/wireless/\(homeID)", shell)
                try type("wrong one", shell)
                try type("\n", shell)
                try shell.wait("the question again") {
                    guard device.log.contains(where: { $0.hasPrefix("joins \(home) wpa-psk volatile False True") }) else { return false }
                    return try views(shell).contains { $0.name.contains("wrong") }
                }
                #expect(!device.log.contains { $0.hasPrefix("kept") })
                try type("correct horse", shell)
                try tap("control-centre/wireless/join", shell)
                try shell.wait("the network to be saved") { device.log.contains("kept \(home) 1") }
                try shell.wait("the list to say so") {
                    try status(shell).networks?.first.map { $0.name == "Home" && $0.state == .connected && $0.isSaved } ?? false
                }
                try tap("control-centre/wireless/\(homeID)", shell)
                try tap("control-centre/network/forget", shell)
                try shell.wait("it to be forgotten") { try status(shell).networks?.allSatisfy { !$0.isSaved } ?? false }
                try shell.perform(.controlCentre)
                try shell.wait("no list") { try status(shell).networks == nil }
            }
        }

        @Test("NetworkManager asks for a password as long as a person can answer, and an answer goes to it alone")
        func agent() throws {
            try with { shell, device in
                try device.tell("save \(home) wpa-psk")
                try device.tell("ask \(home) 7")
                try shell.wait("the question") { try views(shell).contains { $0.id == "control-centre/wireless/password" } }
                try device.tell("cancel \(home)")
                try shell.wait("its end") { try !views(shell).contains { $0.id == "control-centre/wireless/password" } }
                try device.tell("ask \(home) 7")
                try shell.wait("the question") { try views(shell).contains { $0.id == "control-centre/wireless/password" } }
                try type("correct horse", shell)
                try type("\n", shell)
                try shell.wait("the answer") { device.log.contains("secret right") }
                // A question that no person asked for, or that no person can see.
                try device.tell("ask \(home) 0")
                try shell.wait("a refusal") { device.log.contains { $0.hasPrefix("no secret") } }
                // NetworkManager tries a saved network by itself.
                let refusals = device.log.count { $0.hasPrefix("no secret") }
                try device.tell("ask \(home) 3")
                try shell.wait("another refusal") { device.log.count { $0.hasPrefix("no secret") } > refusals }
                #expect(try !views(shell).contains { $0.id == "control-centre/wireless/password" })
                let locker = try Locker(shell), before = device.log.count { $0.hasPrefix("no secret") }
                try device.tell("ask \(home) 7")
                try shell.wait("a refusal while locked") { device.log.count { $0.hasPrefix("no secret") } > before }
                try locker.unlock()
            }
        }

        @Test("ten thousand access points: the list comes, and the shell answers meanwhile")
        func thousands() throws {
            try with { shell, device in
                try device.tell("points 10000")
                try shell.perform(.controlPage(.wireless))
                try shell.wait("the list", within: 30) { try status(shell).networks?.count == WirelessFacts.most }
                #expect(try shell.state().windows.isEmpty)
                try shell.perform(.controlCentre)
            }
        }

        @Test("a device is paired with its six digits, trusted, connected and forgotten by finger")
        func pairs() throws {
            try with { shell, device in
                try shell.perform(.controlCentre)
                try tap("control-centre/bluetooth/page", shell)
                try shell.wait("the search") { device.log.contains("Adapter1 StartDiscovery") }
                try device.tell("near Buds audio-headphones")
                try tap("control-centre/bluetooth/dev_10", shell)
                try shell.wait("the digits") { try views(shell).contains { $0.name.contains("000 042") } }
                try tap("control-centre/pairing/no", shell)
                try shell.wait("the refusal") { device.log.contains("refused org.bluez.Error.Rejected") }
                try tap("control-centre/bluetooth/dev_10", shell)
                try tap("control-centre/pairing/yes", shell)
                try shell.wait("the connection") { try status(shell).devices?.first.map { $0.isPaired && $0.isConnected } ?? false }
                #expect(device.log.contains("Trusted True"))
                try tap("control-centre/bluetooth/dev_10", shell)
                try tap("control-centre/device/forget", shell)
                try shell.wait("it to go") { try status(shell).devices == [] }
                try shell.perform(.controlCentre)
                try shell.wait("the end of the search") { device.log.contains("Adapter1 StopDiscovery") }
            }
        }

        @Test("the screen turns with the device until a person locks it, and not while the sensor is gone")
        func turns() throws {
            try with { shell, device in
                try device.tell("sensor")
                try shell.wait("the claim") { device.log.contains("sensor ClaimAccelerometer") }
                let size = try #require(try shell.state().screen?.size)
                try device.tell("hold left-up")
                try shell.wait("the screen to turn") { try shell.state().screen?.size == Size(size.height, size.width) }
                try shell.perform(.device(.rotationLock(true)))
                try shell.wait("the release") { device.log.contains("sensor ReleaseAccelerometer") }
                try device.tell("hold normal")
                try shell.perform(.device(.rotationLock(false)))
                try shell.wait("the screen to turn back") { try shell.state().screen?.size == size }
            }
        }

        @Test("power: profiles, sleep, and off after apps have ended")
        func power() throws {
            try with { shell, device in
                let now = try status(shell)
                #expect(now.ends == [.turnOff, .suspend], "what needs an administrator is not offered")
                #expect(now.powerProfile == PowerProfiles(active: "balanced", all: ["power-saver", "balanced"]))
                try shell.perform(.device(.powerProfile("power-saver")))
                try shell.wait("the profile") { try status(shell).powerProfile?.active == "power-saver" }
                #expect(throws: (any Error).self) { try shell.perform(.device(.powerProfile("performance"))) }
                #expect(throws: (any Error).self) { try shell.perform(.device(.end(.restart))) }
                try shell.perform(.controlCentre)
                try tap("control-centre/power", shell)
                try tap("control-centre/power/suspend", shell)
                try shell.wait("sleep") { device.log.contains("logind Suspend") }
                _ = try shell.open("foot", of: "foot")
                try shell.perform(.device(.end(.turnOff)))
                try shell.wait("the end", within: 30) { device.log.contains("logind PowerOff") }
                #expect(try shell.state().windows.isEmpty, "its window was asked to close first")
            }
        }
    }
}
