import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Status
import Testing

extension RunningShell {
    /// The state of the device, as UPower, NetworkManager and BlueZ tell it over the system bus.
    @Suite(.serialized) struct StatusTests {
        private func status(_ shell: ShellUnderTest) throws -> StatusReport { try shell.client.ask(.get(.status), for: StatusReport.self) }

        private func with(_ body: (ShellUnderTest, SystemService) throws -> Void) throws {
            let device = try SystemService("device.py")
            // The light of a panel, and the one of a graphics card that moves nothing.
            let lights = "\(device.bus.folder)/lights"
            for (name, kind, value) in [("card", "raw", "7"), ("panel", "firmware", "50")] {
                for (file, text) in [("type", kind), ("max_brightness", "100"), ("brightness", value)] {
                    try ShellUnderTest.write(text + "\n", to: "\(lights)/\(name)/\(file)")
                }
            }
            let environment = device.environment.merging(["MULLION_BACKLIGHTS": lights]) { $1 }
            try ShellUnderTest.with(environment: environment, showsStatus: true) { shell in
                try shell.wait("the services") {
                    let status = try status(shell)
                    return status.battery != nil && status.network != nil && status.bluetooth != nil && status.time != nil
                }
                try body(shell, device)
            }
        }

        private func view(_ id: String, _ shell: ShellUnderTest) throws -> ViewReport? {
            try shell.client.ask(.get(.views), for: [ViewReport].self).first(where: { $0.id == id })
        }

        @Test("it shows what the services tell, follows them, and a finger on it opens the control centre")
        func follows() throws {
            try with { shell, device in
                let first = try status(shell)
                #expect(first.battery == Battery(level: 0.8, power: .discharging))
                #expect(first.network?.name == "Home" && first.network?.strength == 3 && first.network?.isWirelessOn == true)
                #expect(first.bluetooth == Bluetooth(isOn: true) && first.hanging == [])
                try device.tell("battery 33 1 5400")
                try device.tell("wifi 30 ff00")
                try device.tell("headphones Buds 70")
                try shell.wait("the news") {
                    let now = try status(shell)
                    return now.battery == Battery(level: 0.33, power: .charging, remaining: 5400) && now.network?.name == "\\xff\\x00"
                        && now.network?.strength == 1 && now.bluetooth?.connected == [.init(name: "Buds", battery: 70)]
                }
                let words = try #require(try view("status/state", shell)?.name)
                #expect(words.contains("33") && words.contains("Buds 70") && words.contains("1 h 30"), "\(words)")
                let place = try #require(try view("status/state", shell)).frame.center
                try shell.tap(place)
                try shell.wait("the control centre") { try view("control-centre", shell) != nil }
                try device.tell("offline")
                try shell.wait("no network") { try status(shell).network?.link == Network.Link.none }
            }
        }

        @Test("a service that goes leaves nothing behind, one that hangs holds up nothing, and both come back")
        func comesAndGoes() throws {
            try with { shell, device in
                for (name, isThere) in [
                    ("upower", { (status: StatusReport) in status.battery != nil }), ("network", { $0.network != nil }),
                    ("bluez", { $0.bluetooth != nil }),
                ] {
                    try device.tell("leave \(name)")
                    try shell.wait("\(name) to go") { try !isThere(status(shell)) }
                    try device.tell("return \(name)")
                    try shell.wait("\(name) to come") { try isThere(status(shell)) }
                }
                try device.tell("hang upower")
                try device.tell("battery 10 2")
                try shell.wait("the word that it hangs", within: 15) { try status(shell).hanging == ["battery"] }
                #expect(try status(shell).battery == nil && status(shell).network != nil)
                let foot = try shell.open("foot", of: "foot")
                #expect(try shell.state().windows.contains { $0.id == foot.id })
                try device.tell("answer upower")
                try device.tell("leave upower")
                try device.tell("return upower")
                try shell.wait("its answer") { try status(shell).battery?.percent == 10 && status(shell).hanging == [] }
            }
        }

        @Test("a service that says a thousand things is read once a second, and a battery of 250 % is full")
        func floods() throws {
            try with { shell, device in
                try device.tell("battery 250 2 -7")
                try shell.wait("the level") { try status(shell).battery == Battery(level: 1, power: .discharging) }
                let before = device.log.filter { $0 == "upower GetAll" }.count, began = Date()
                for _ in 0..<5 { try device.tell("flood 1000") }
                try device.tell("battery 41 2")
                try shell.wait("the last word") { try status(shell).battery?.percent == 41 }
                let reads = device.log.filter { $0 == "upower GetAll" }.count - before
                #expect(Double(reads) <= Date().timeIntervalSince(began) + 3, "\(reads) reads")
            }
        }

        @Test("a finger switches the radios and sets the light, and an alert names the reason of a service that refuses")
        func sets() throws {
            try with { shell, device in
                #expect(try abs((status(shell).brightness ?? 0) - 49.0 / 99) < 0.001)
                try shell.perform(.controlCentre)
                try shell.wait("the tiles") { try view("control-centre/wireless", shell) != nil }
                try shell.tap(#require(try view("control-centre/wireless", shell)).frame.center)
                try shell.wait("wireless off") { device.log.contains("network WirelessEnabled False") }
                try shell.wait("its news") { try status(shell).network?.isWirelessOn == false }
                try shell.tap(#require(try view("control-centre/bluetooth", shell)).frame.center)
                try shell.wait("Bluetooth off") { try status(shell).bluetooth?.isOn == false }
                #expect(device.log.contains("bluez Powered False"))
                let slider = try #require(try view("control-centre/brightness", shell)).frame
                try shell.drag(Point(slider.center.x, slider.center.y), Point(slider.maxX + 40, slider.center.y))
                try shell.wait("the light") { device.log.contains { $0.hasPrefix("logind backlight panel ") } }
                #expect(try (status(shell).brightness ?? 0) > 0.9)
                try shell.perform(.device(.brightness(0)))
                try shell.wait("the least light") { device.log.last { $0.hasPrefix("logind") } == "logind backlight panel 1" }
                #expect(throws: (any Error).self) { try shell.perform(.device(.brightness(2))) }
                try shell.perform(.dismiss)
                try device.tell("refuse")
                try shell.wait("the service to hear it") { device.log.contains("refuses") }
                try shell.perform(.device(.brightness(0.7)))
                try shell.wait("an alert") {
                    try shell.client.ask(.get(.views), for: [ViewReport].self).contains { $0.name.contains("not allowed here") }
                }
                #expect(try (status(shell).brightness ?? 1) < 0.01, "it stayed as it was")
            }
        }

        @Test("while the session is locked, a script learns no name of a network or a device")
        func locked() throws {
            try with { shell, device in
                try device.tell("headphones Buds 70")
                try shell.wait("the headphones") { try status(shell).bluetooth?.connected.count == 1 }
                let locker = try Locker(shell)
                let now = try status(shell)
                #expect(now.network?.name == "" && now.bluetooth?.connected == [] && now.battery != nil)
                try locker.unlock()
            }
        }
    }
}
