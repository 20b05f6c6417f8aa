import Control
import Geometry
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// The mac with real apps (W-25).
    @Suite(.serialized) struct MacTests {
        private func control(_ id: String, _ shell: ShellUnderTest) throws -> ViewReport? { try shell.views().first { $0.id == id } }

        @Test("W-25: a GTK app's menus stand in the menu bar, with their states, and choosing an item reaches the app")
        func menus() throws {
            let bus = try TestBus()
            defer { bus.stop() }
            try ShellUnderTest.with(options: ["--idiom", "mac"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                let window = try shell.open(["/usr/bin/python3", "\(TestClient.folder)/gtk_menus.py"], title: "Menus", timeout: 30_000)
                try shell.wait("its menus in the bar", within: 10) { try control("menu-bar/own/1", shell) != nil }
                #expect(try control("menu-bar/own/0", shell)?.name == "File")
                try shell.tap(try #require(try control("menu-bar/own/1", shell)).frame.center)
                try shell.settle()
                try shell.wait("the open menu with its state") { try control("menu-bar/own/1/0", shell)?.chosen == true }
                try shell.client.perform(.dismiss)
                try shell.client.perform(.barMenu("own/0"))
                try shell.settle()
                try shell.keepPicture("mac-menus")
                try shell.tap(try #require(try control("menu-bar/own/0/0", shell)).frame.center)
                try shell.wait("the item to be chosen") { try shell.window(window.id).title == "chose open" }
                try shell.client.perform(.barMenu("own/0/2"))
                try shell.settle()
                try shell.client.perform(.press(view: "menu-bar/own/0/2/1"))
                try shell.wait("the item with its value to be chosen") { try shell.window(window.id).title == "second" }
                shell.expectAlive()
            }
        }
    }
}
