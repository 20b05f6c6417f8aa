import Control
import Foundation
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// A television with a remote control: arrows, OK, back and home, and real clients.
    @Suite(.serialized) struct TelevisionTests {
        private static let apps = ["Film", "News", "Music"].map { TestApp("test.\($0.lowercased())", $0, colour: "336688") }

        private func television(_ body: (ShellUnderTest) throws -> Void) throws {
            try ShellUnderTest.with(apps: Self.apps, size: "1920x1080", config: "launch = []\nidiom = \"tv\"\nanimation-speed = 4\n") {
                shell in
                try shell.wait("the apps") { try shell.installed().count == Self.apps.count }
                try shell.settle()
                try body(shell)
            }
        }

        private func focused(_ shell: ShellUnderTest) throws -> String? { try shell.views().first { $0.focused }?.id }

        /// Goes there by arrow keys, as a person does who looks where the control stands.
        private func go(to id: String, _ shell: ShellUnderTest) throws {
            for _ in 0..<24 {
                let all = try shell.views()
                guard let here = all.first(where: { $0.focused }), let there = all.first(where: { $0.id == id }) else { break }
                if here.id == id { return }
                let way = there.frame.center - here.frame.center
                let isAcross = abs(way.dx) > abs(way.dy)
                try shell.press(isAcross ? (way.dx > 0 ? "Right" : "Left") : way.dy > 0 ? "Down" : "Up")
            }
            let here = try focused(shell)
            guard here == id else { throw ShellUnderTest.Failure("the arrows do not come to \(id), but to \(here ?? "nothing")") }
        }

        @Test("W-26: two apps, a picture, the app switcher and home by the keys of a remote control alone")
        func televisionByKeys_W26() throws {
            try television { shell in
                #expect(try focused(shell)?.hasPrefix("home/") == true, "a control has the focus before any key")
                for app in ["test.film", "test.news"] {
                    try go(to: "home/\(app)", shell)
                    let newest = try shell.state().windows.map(\.id).max() ?? WindowID(0)
                    try shell.press("XF86OK")
                    _ = try shell.waitForWindow(after: newest, timeout: 20_000)
                    try shell.settle()
                    #expect(try shell.state().open == [])
                    if app == "test.film" {
                        try shell.press("XF86HomePage")
                        try shell.settle()
                        #expect(try shell.state().home)
                    }
                }
                let windows = try shell.state().windows
                let film = try #require(windows.first { $0.appID == "test.film" }),
                    news = try #require(windows.first { $0.appID == "test.news" })
                // The switcher, where one key goes to the app that was used before.
                try shell.press("XF86Guide")
                try shell.press("Return")
                #expect(try shell.state().focus == film.id)
                // The film becomes the picture over the news; swapped by its own control.
                try shell.press("XF86Green")
                #expect(try shell.state().pictureInPicture?.window == film.id)
                #expect(try shell.state().focus == news.id)
                try shell.press("XF86Yellow")
                try go(to: "picture-controls/swap", shell)
                try shell.press("Return")
                #expect(try shell.state().pictureInPicture?.window == news.id)
                #expect(try shell.state().focus == film.id)
                // Sound, with back after each level.
                try shell.press("XF86Info")
                #expect(try shell.isOpen("control-centre"))
                #expect(try focused(shell)?.hasPrefix("control-centre/") == true)
                try shell.press("XF86Back")
                #expect(try shell.state().open == [])
                try shell.press("XF86Red")
                try shell.wait("the film to close") { try !shell.state().windows.contains { $0.id == film.id && $0.place != .unmapped } }
            }
        }

        @Test("back is Escape for an app, held it goes home; the pointer that keys move clicks in it")
        func backAndPointer() throws {
            try television { shell in
                let client = try TestClient(shell, ["--title", "Keys"])
                var mark = try client.mark()
                try shell.press("XF86Back")
                try client.waitFor("wl_keyboard.key", since: mark) { $0.a[2]?.integer == 1 && $0.a[3]?.integer == 0 }
                mark = try client.mark()
                try shell.press("XF86OK")
                try client.waitFor("wl_keyboard.key", since: mark) { $0.a[2]?.integer == 28 && $0.a[3]?.integer == 0 }
                // The pointer: it moves while the key is down, and OK clicks.
                mark = try client.mark()
                try shell.press("XF86MenuKB")
                try shell.client.input(.key(key: .init(code: 106), pressed: true))
                try client.waitFor("wl_pointer.motion", since: mark) { _ in true }
                try shell.client.input(.key(key: .init(code: 106), pressed: false))
                try shell.press("Return")
                try client.waitFor("wl_pointer.button", since: mark) { $0.a[3]?.integer == 0 }
                #expect(try client.events(since: mark, "wl_keyboard.key").isEmpty, "the app gets no keys that move the pointer")
                try shell.press("XF86Back")
                // Held back.
                try shell.client.input(.key(key: .init(code: 158), pressed: true))
                try shell.wait("home") { try shell.state().home }
                try shell.client.input(.key(key: .init(code: 158), pressed: false))
            }
        }
    }
}
