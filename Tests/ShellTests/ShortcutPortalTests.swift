import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The GlobalShortcuts portal with the real xdg-desktop-portal.
    @Suite(.serialized) struct ShortcutPortalTests {
        private static let config = "launch = []\nreduced-motion = true\n"
        private static let wishes =
            "[('talk',{'description':<'Push to Talk'>,'preferred_trigger':<'LOGO+y'>}),('mute',{'description':<'Mute'>,'preferred_trigger':<'LOGO+w'>})]"

        private func press(_ shell: ShellUnderTest, _ choice: Int, of view: Int) throws {
            _ = try shell.waitForView("modal/\(view)/choice/\(choice)")
            usleep(700_000)
            try shell.tap(try shell.view("modal/\(view)/choice/\(choice)").frame.center)
        }

        @Test("an app gets the keys that a person allows, and hears them while another app is in front")
        func keys() throws {
            try PortalSession.with(config: Self.config) { session in
                let shell = session.shell
                let app = try TestClient(shell, ["--title", "the letter"])
                let client = try session.client()
                try client.tell("session")
                try client.says("response 0")
                try client.tell("bind", "", Self.wishes)
                _ = try shell.waitForView("modal/1/choice/3")
                try shell.keepPicture("portal-shortcuts")
                // The shell has Super+w.
                #expect(try shell.view("modal/1/choice/0").name == "Super + Y: Push to Talk")
                #expect(try shell.view("modal/1/choice/1").name == "Super + F1: Mute")
                // Not that one.
                try press(shell, 1, of: 1)
                try shell.wait("the switch") { try !shell.view("modal/1/choice/1").chosen }
                try press(shell, 2, of: 1)
                let answer = try client.says("response 0")
                #expect(answer.contains("'talk'") && answer.contains("Super + Y") && !answer.contains("'mute'"), "\(answer)")
                try client.tell("list")
                #expect(try client.says("response 0").contains("'talk'"))
                // Elsewhere.
                try shell.perform(.focus(window: app.id))
                try shell.settle()
                try shell.press("Super+y")
                #expect(try client.says("Activated").contains(" talk "))
                #expect(try client.says("Deactivated").contains(" talk "))
                // Keys of the shell.
                try shell.press("Super+F1")
                try shell.perform(.keyHelp)
                try shell.wait("the list of keys") { try shell.views().contains { $0.name.contains("Push to Talk") } }
                try shell.keepPicture("portal-shortcuts-help")
                try shell.perform(.dismiss)
                #expect(!client.said.contains { $0.contains("mute ") })
                try client.tell("close-session")
                try client.says("closed")
                try shell.wait("the end") { try !session.isHeard(client) }
                shell.expectAlive()
            }
        }

        @Test("a person refuses, and takes keys back; what is no shortcut is refused, and the shell lives on")
        func refusals() throws {
            try PortalSession.with(config: Self.config) { session in
                let shell = session.shell
                let client = try session.client()
                try client.tell("session")
                try client.says("response 0")
                try client.tell("bind", "", Self.wishes)
                try press(shell, 3, of: 1)
                #expect(try client.says("response") == "response 1 {}")
                // The backend itself, as the portal calls it for an app with a name.
                let path = "objectpath \"/org/freedesktop/portal/desktop/request/one\"",
                    one = "objectpath \"/org/freedesktop/portal/desktop/session/one\""
                func call(_ member: String, _ arguments: String) throws -> String {
                    try client.tell("backend", "GlobalShortcuts", member, arguments)
                    return try client.says("")
                }
                #expect(try call("ListShortcuts", "(\(path),\(one))").hasPrefix("error"))
                #expect(try call("CreateSession", "(\(path),\(one),\"org.test.Call\",@a{sv} {})") == "backend 0 {}")
                #expect(try call("CreateSession", "(\(path),\(one),\"org.test.Call\",@a{sv} {})").hasPrefix("error"))
                let many = "[" + (0..<40).map { "(\"s\($0)\",@a{sv} {})" }.joined(separator: ",") + "]"
                #expect(try call("BindShortcuts", "(\(path),\(one),\(many),\"\",@a{sv} {})").hasPrefix("error"))
                #expect(try call("BindShortcuts", "(\(path),\(one),[(\"\",@a{sv} {})],\"\",@a{sv} {})").hasPrefix("error"))
                let wish = "[(\"talk\",{\"preferred_trigger\":<\"LOGO+y\">})]"
                try client.tell("backend", "GlobalShortcuts", "BindShortcuts", "(\(path),\(one),\(wish),\"\",@a{sv} {})")
                try press(shell, 1, of: 2)
                #expect(try client.says("backend 0").contains("Super + Y"))
                // Known now.
                #expect(try call("BindShortcuts", "(\(path),\(one),\(wish),\"\",@a{sv} {})").contains("Super + Y"))
                #expect(try shell.run([shell.program, "ctl", "forget-shortcuts", "org.test.Call"]).status == 0)
                #expect(try shell.run([shell.program, "ctl", "forget-shortcuts", "org.test.Call"]).status != 0)
                #expect(try !call("ListShortcuts", "(\(path),\(one))").contains("talk"))
                // The app asks for the question again.
                #expect(try call("ConfigureShortcuts", "(\(one),\"\",@a{sv} {})").hasPrefix("backend"))
                try press(shell, 1, of: 3)
                try shell.wait("the keys") { try call("ListShortcuts", "(\(path),\(one))").contains("talk") }
                shell.expectAlive()
            }
        }
    }
}

extension PortalSession {
    /// Whether Super+y still reaches the client.
    fileprivate func isHeard(_ client: PortalClient) throws -> Bool {
        let before = client.said.filter { $0.hasPrefix("Activated") }.count
        try shell.press("Super+y")
        usleep(200_000)
        return client.said.filter { $0.hasPrefix("Activated") }.count > before
    }
}
