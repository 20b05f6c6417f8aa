import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Status
import Testing
import Windows

extension RunningShell {
    /// Which apps know where the device is, with the real GeoClue on a system bus of its own.
    @Suite(.serialized, .timeLimit(.minutes(3))) struct LocationTests {
        private let maps = "org.example.Maps", weather = "org.example.Weather"

        private func with(_ body: (ShellUnderTest, SystemService) throws -> Void) throws {
            try ShellUnderTest.require("/usr/libexec/geoclue", of: "geoclue-2.0")
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            let service = try SystemService("geoclue.py")
            let apps = [TestApp(maps, "Atlas"), TestApp(weather, "Sky")]
            try ShellUnderTest.with(
                config: "launch = []\nanimation-speed = 3\n",
                environment: ["XDG_DATA_DIRS": "{room}/system"].merging(service.environment) { $1 },
                files: Dictionary(uniqueKeysWithValues: apps.map { ($0.path, $0.entry) }), showsStatus: true
            ) { shell in
                try shell.wait("GeoClue", within: 20) { try located(shell) == false }
                try body(shell, service)
            }
        }

        private func located(_ shell: ShellUnderTest) throws -> Bool? {
            try shell.client.ask(.get(.status), for: StatusReport.self).isLocated
        }

        @Test("X-09: an app asks once, a person allows it by finger, its name stands beside the time, and the settings take it back")
        func asks() throws {
            try with { shell, service in
                try service.tell("start \(maps)")
                let allow = try shell.waitForView("location/allow", within: 20)
                #expect(try shell.views().contains { $0.name.contains("Atlas") }, "by its name")
                #expect(try located(shell) == false && !service.log.contains { $0.hasPrefix(maps) }, "it waits")
                try shell.keepPicture("location-alert")
                try shell.tap(allow.frame.center)
                try shell.wait("its start", within: 20) { service.log.contains("\(maps) started") }
                try shell.wait("the mark", within: 20) { try shell.find("status/sensors")?.name.contains("Atlas") ?? false }
                #expect(try shell.find("location/allow") == nil && located(shell) == true)
                try shell.touch("status/sensors")
                try shell.wait("the list") { try shell.find("sensors/location")?.name.contains("Atlas") ?? false }
                try service.tell("stop \(maps)")
                try shell.wait("its end", within: 20) { try shell.find("status/sensors") == nil && located(shell) == false }
                // The second time nobody is asked.
                try service.tell("start \(maps)")
                try shell.wait("its second start", within: 20) { service.log.filter { $0 == "\(maps) started" }.count == 2 }
                try shell.wait("the mark again", within: 20) { try shell.find("status/sensors")?.name.contains("Atlas") ?? false }
                try service.tell("stop \(maps)")
                try shell.wait("its second end", within: 20) { try shell.find("status/sensors") == nil }
                try shell.perform(.controlPage(.privacy))
                try shell.wait("the past") { try shell.views().contains { $0.id.hasSuffix("privacy/location/\(maps)") } }
                try shell.keepPicture("location-privacy")
                try shell.touch("control-centre/setting/location/\(maps)")
                #expect(try shell.run([shell.program, "ctl", "settings", "get", "location/\(maps)"]).output == "off\n")
                try shell.perform(.dismiss)
                try service.tell("start \(maps)")
                try shell.wait("its refusal", within: 20) { service.log.contains("\(maps) refused") }
                #expect(try shell.find("location/allow") == nil)
            }
        }

        @Test("X-09: a program outside a sandbox has a mark without a name; not now asks again; the lock refuses and shows no question")
        func others() throws {
            try with { shell, service in
                try service.tell("start plain")
                try shell.wait("the mark", within: 20) { try shell.find("status/sensors") != nil && located(shell) == true }
                #expect(try shell.find("status/sensors")?.name.contains("plain") == false)
                try service.tell("stop plain")
                try shell.wait("its end", within: 20) { try located(shell) == false }
                try service.tell("start \(weather)")
                _ = try shell.waitForView("location/allow", within: 20)
                try shell.perform(.dismiss)
                try shell.wait("no for now", within: 20) { service.log.contains("\(weather) refused") }
                try service.tell("start \(weather)")
                _ = try shell.waitForView("location/allow", within: 20)
                let locker = try Locker(shell)
                try shell.wait("no by the lock", within: 20) { service.log.filter { $0 == "\(weather) refused" }.count == 2 }
                try service.tell("start \(weather)")
                try shell.wait("no in the lock", within: 20) { service.log.filter { $0 == "\(weather) refused" }.count == 3 }
                try locker.unlock()
                #expect(try shell.find("location/allow") == nil)
                try service.tell("start \(weather)")
                let refuse = try shell.waitForView("location/refuse", within: 20)
                try shell.tap(refuse.frame.center)
                try shell.wait("no", within: 20) { service.log.filter { $0 == "\(weather) refused" }.count == 4 }
                #expect(try located(shell) == false)
            }
        }

        @Test("X-09: GeoClue that hangs or goes leaves no mark and no question, holds up nothing, and is asked again when it is back")
        func goes() throws {
            try with { shell, service in
                try service.tell("start \(maps)")
                _ = try shell.waitForView("location/allow", within: 20)
                try service.tell("leave")
                try shell.wait("no service", within: 20) { try located(shell) == nil && shell.find("location/allow") == nil }
                try service.tell("return")
                try shell.wait("the service again", within: 20) { try located(shell) == false }
                try service.tell("start \(weather)")
                try shell.tap(try shell.waitForView("location/allow", within: 20).frame.center)
                try shell.wait("the mark", within: 20) { try located(shell) == true }
                try service.tell("hang")
                let foot = try shell.open("foot", of: "foot")
                #expect(try shell.state().windows.contains { $0.id == foot.id })
                try service.tell("answer")
                try service.tell("stop \(weather)")
                try shell.wait("its end", within: 20) { try located(shell) == false }
            }
        }
    }
}
