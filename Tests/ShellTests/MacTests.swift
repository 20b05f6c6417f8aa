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

        @Test(
            "W-25: a GTK app is told that a menu opens and closes, and fills it then; of as many actions as an office program has none is grey"
        )
        func filledMenus() throws {
            let bus = try TestBus()
            defer { bus.stop() }
            try ShellUnderTest.with(options: ["--idiom", "mac"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                let window = try shell.open(["/usr/bin/python3", "\(TestClient.folder)/gtk_menus.py"], title: "Menus", timeout: 30_000)
                try shell.wait("its menus in the bar", within: 10) { try control("menu-bar/own/3", shell) != nil }
                #expect(try control("menu-bar/own/2", shell)?.name == "Styles")
                try shell.client.perform(.barMenu("own/2"))
                try shell.wait("the menu that is filled now", within: 10) { try control("menu-bar/own/2/0", shell)?.name == "Bold" }
                #expect(try shell.window(window.id).title == "Menus")
                try shell.client.perform(.barMenu("own/0"))
                try shell.wait("the menu to be closed", within: 10) { try shell.window(window.id).title == "closed styles" }
                // What changed while another menu was open.
                try shell.wait("Save to be enabled", within: 10) { try control("menu-bar/own/0/1", shell)?.press != nil }
                try shell.tap(try #require(try control("menu-bar/own/0/1", shell)).frame.center)
                try shell.wait("Save to be chosen") { try shell.window(window.id).title == "chose save" }
                try shell.client.perform(.barMenu("own/3/59"))
                try shell.settle()
                let last = try shell.views().filter { $0.id.hasPrefix("menu-bar/own/3/59/") && $0.name.hasPrefix("Item") }
                #expect(last.count == 12 && last.allSatisfy { $0.press != nil })
                try shell.client.perform(.press(view: "menu-bar/own/3/59/11"))
                try shell.wait("the last item to be chosen") { try shell.window(window.id).title == "many-719" }
                shell.expectAlive()
            }
        }

        @Test(
            "W-25: a Qt app's menus stand in the bar; on the pad, where its window shows none, they are in its controls; back on the mac they are in the bar"
        )
        func qtMenus() throws {
            let bus = try TestBus()
            defer { bus.stop() }
            let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "QT_QPA_PLATFORM": "wayland"]
            try ShellUnderTest.with(options: ["--idiom", "mac"], environment: environment) { shell in
                let window = try shell.open("featherpad", of: "featherpad", ["--standalone"])
                func openOnPad() throws {
                    try shell.client.perform(.idiom("pad"))
                    try shell.settle()
                    try shell.client.perform(.controls(window: window.id))
                    try shell.settle()
                    try shell.tap(try #require(try control("controls/menus", shell)).frame.center)
                    try shell.settle()
                    try shell.tap(try #require(try control("menu-bar/own/0", shell)).frame.center)
                    try shell.settle()
                }
                try shell.wait("its menus in the bar", within: 10) { try control("menu-bar/own/2", shell) != nil }
                #expect(try control("menu-bar/own/0", shell)?.name == "File")
                try shell.client.perform(.barMenu("own/0"))
                try shell.settle()
                try shell.keepPicture("mac-qt-menus")
                try openOnPad()
                try shell.keepPicture("pad-qt-menus")
                try shell.client.perform(.dismiss)
                try shell.client.perform(.idiom("mac"))
                try shell.wait("its menus in the bar again") { try control("menu-bar/own/0", shell) != nil }
                try openOnPad()
                let quit = try #require(try shell.views().first { $0.name == "Quit" && $0.id.hasPrefix("menu-bar/own/0/") })
                try shell.tap(quit.frame.center)
                try shell.waitUntilGone(window.id)
                shell.expectAlive()
            }
        }

        @Test("W-25: menus that are a flood, a well, nonsense or silence neither stop the shell nor reach beyond its limits")
        func badMenus() throws {
            let bus = try TestBus()
            defer { bus.stop() }
            try ShellUnderTest.with(options: ["--idiom", "mac"], environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell in
                for kind in ["silent", "nonsense", "wrong", "deep", "flood"] {
                    _ = try shell.open(["/usr/bin/python3", "\(TestClient.folder)/bad_menus.py", kind], title: kind, timeout: 30_000)
                    switch kind {
                    case "flood":
                        try shell.wait("some of its menus", within: 10) { try control("menu-bar/own/1", shell) != nil }
                        try shell.client.perform(.barMenu("own/0"))
                        try shell.settle()
                        let rows = try shell.views().filter { $0.id.hasPrefix("menu-bar/own/0/") }
                        #expect((1...64).contains(rows.count) && rows.allSatisfy { $0.name.count <= 80 })
                        try shell.client.perform(.dismiss)
                    case "deep":
                        try shell.wait("its menu", within: 10) { try control("menu-bar/own/0", shell)?.name == "Deep 1" }
                        try shell.client.perform(.barMenu("own/0/0/0"))
                        #expect(throws: (any Error).self) { try shell.client.perform(.barMenu("own/0/0/0/0/0/0")) }
                        try shell.client.perform(.dismiss)
                    default:
                        try shell.settle()
                        #expect(try control("menu-bar/windows", shell) != nil, "\(kind)")
                    }
                }
                shell.expectAlive()
            }
        }
    }
}
