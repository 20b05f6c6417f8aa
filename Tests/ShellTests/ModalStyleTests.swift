import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// How modal windows stand on their parents, by real clients and touch (M-04, M-06, M-11).
    @Suite(.serialized) struct ModalStyleTests {
        private func open(_ client: TestClient, _ presentation: Int, _ shell: ShellUnderTest, name: String = "modal") throws -> WindowReport
        {
            try client.run(
                """
                made = type(window)(app, '\(name)'); made.toplevel.set_parent(window.toplevel); \
                said = bind('mullion_window_manager_v1').get_window(made.toplevel); said.set_modal(\(presentation)); \
                said.set_anchor(700, 160, 80, 40); app.windows.append(made)
                """)
            try shell.wait("the modal window") { try shell.state().windows.contains { $0.title == name && $0.place == .dialog } }
            try shell.settle()
            return try #require(try shell.state().windows.first { $0.title == name })
        }

        private func isThere(_ id: WindowID, _ shell: ShellUnderTest) throws -> Bool { try shell.state().windows.contains { $0.id == id } }

        @Test("M-04: a full-screen modal covers its window; a swipe leaves it, its app's Close ends it")
        func fullScreen() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell), modal = try open(client, 2, shell)
                let whole = try #require(try shell.window(client.id).frame)
                #expect(modal.frame == whole && modal.size == whole.size && modal.modal)
                try shell.keepPicture("modal-full-screen")
                try shell.drag(Point(whole.center.x + 200, whole.minY + 60), Point(whole.center.x + 200, whole.maxY - 60), rest: 0)
                try shell.settle()
                #expect(try shell.window(modal.id).frame == whole)
                try shell.perform(.close(window: modal.id))
                try shell.waitUntilGone(modal.id)
                #expect(try shell.window(client.id).active)
            }
        }

        @Test("M-11: a popover points at what it belongs to; a touch inside is its own, one elsewhere closes it")
        func popover() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell), modal = try open(client, 3, shell)
                let frame = try #require(modal.frame), over = try #require(try shell.window(client.id).frame)
                #expect(frame.minY > over.minY + 200 && frame.size == Size(400, 300))
                try shell.keepPicture("modal-popover")
                try shell.tap(frame.center)
                try shell.settle()
                #expect(try isThere(modal.id, shell))
                try shell.tap(Point(over.minX + 80, over.maxY - 120))
                try shell.waitUntilGone(modal.id)
                #expect(try shell.window(client.id).active)
            }
        }

        @Test("M-11: a sheet closes the popover first; M-06: in Slide Over a popover is a sheet")
        func cardAndCompact() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell), popover = try open(client, 3, shell)
                let sheet = try open(client, 1, shell, name: "sheet")
                try shell.waitUntilGone(popover.id)
                #expect(try isThere(sheet.id, shell))
                try shell.perform(.close(window: sheet.id))
                try shell.waitUntilGone(sheet.id)
                let other = try TestClient(shell)
                try shell.perform(.slideOver(window: client.id))
                try shell.settle()
                _ = other
                let compact = try open(client, 3, shell, name: "compact")
                let card = try #require(try shell.window(client.id).frame), frame = try #require(compact.frame)
                #expect(abs(frame.maxY - card.maxY) < 2 && abs(frame.center.x - card.center.x) < 2)
                try shell.keepPicture("modal-compact")
            }
        }

        @Test(
            "M-13: the bar that the shell draws is dark on a dark app and light on a light one, in either look",
            arguments: ["101014", "f4f4f4"])
        func barLook(_ colour: String) throws {
            for appearance in ["light", "dark"] {
                try ShellUnderTest.with(config: "launch = []\nappearance = \"\(appearance)\"\n") { shell in
                    let client = try TestClient(shell, ["--colour", colour, "--edge", colour])
                    try client.run(
                        """
                        app.decorations = bind('zxdg_decoration_manager_v1'); \
                        made = type(window)(app, 'sheet'); made.toplevel.set_parent(window.toplevel); \
                        said = bind('mullion_window_manager_v1').get_window(made.toplevel); said.set_modal(1); app.windows.append(made)
                        """)
                    try shell.wait("the sheet") { try shell.state().windows.contains { $0.title == "sheet" && $0.place == .dialog } }
                    try shell.settle()
                    let frame = try #require(try shell.state().windows.first { $0.title == "sheet" }?.frame)
                    try shell.keepPicture("bar-\(colour)-\(appearance)")
                    let pixel = try shell.picture()[Int(clamping: frame.minX) + 40, Int(clamping: frame.minY) - 20]
                    let isLight = Int(pixel.red) + Int(pixel.green) + Int(pixel.blue) > 384
                    #expect(isLight == (colour == "f4f4f4"), "\(pixel) in the \(appearance) look")
                }
            }
        }

        @Test("M-13: the rim of a popover is dark on a dark app and light on a light one, in either look", arguments: ["101014", "f4f4f4"])
        func rimLook(_ colour: String) throws {
            for appearance in ["light", "dark"] {
                try ShellUnderTest.with(config: "launch = []\nappearance = \"\(appearance)\"\n") { shell in
                    let client = try TestClient(shell, ["--colour", colour, "--edge", colour]), popover = try open(client, 3, shell)
                    let frame = try #require(popover.frame)
                    func isLight() throws -> Bool {
                        let pixel = try shell.picture()[Int(clamping: frame.minX) - 3, Int(clamping: frame.center.y)]
                        return Int(pixel.red) + Int(pixel.green) + Int(pixel.blue) > 384
                    }
                    try shell.wait("the rim to follow \(colour) in the \(appearance) look", within: 5) {
                        try isLight() == (colour == "f4f4f4")
                    }
                    try shell.keepPicture("rim-\(colour)-\(appearance)")
                }
            }
        }

        @Test("M-10: unsaved work of a real client keeps the session: its app is named, and the session ends once the work is saved")
        func unsavedAndLogOut() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell)
                try client.run(
                    "said = bind('mullion_window_manager_v1').get_window(window.toplevel); said.set_unsaved('Save “Letter”?', None, 'Discard', 'Save', 'Keep')"
                )
                _ = try client.mark()
                try shell.client.perform(.quit)
                try shell.wait("the question") { try shell.isOpen("log-out") }
                try shell.settle()
                #expect(try shell.views().contains { $0.name.contains("Save “Letter”?") })
                try shell.keepPicture("log-out-unsaved")
                try shell.perform(.dismiss)
                #expect(try shell.state().open == [] && shell.window(client.id).active)
                // The question of the window itself, and a swipe that keeps everything.
                try shell.client.perform(.close(window: client.id))
                try shell.wait("the question") { try shell.isOpen("action-sheet") }
                try shell.settle()
                let card = try #require(
                    try shell.views().last { $0.role == .panel && $0.id.hasPrefix("modal/") && !$0.id.hasSuffix("behind") }
                ).frame
                try shell.drag(Point(card.center.x, card.minY + 10), Point(card.center.x, card.minY + 260), duration: 120, rest: 0)
                try shell.wait("the question to go") { try shell.state().open.isEmpty }
                #expect(try shell.window(client.id).active)
            }
        }

        @Test("M-15: reports name what does not fit in a modal window of a real client")
        func notes() throws {
            try ShellUnderTest.with { shell in
                let client = try TestClient(shell), sheet = try open(client, 1, shell, name: "short")
                #expect(try shell.window(sheet.id).notes == nil)
                try client.run("made.toplevel.set_title(''); made.toplevel.set_fullscreen(None)")
                try shell.wait("the notes") { try shell.window(sheet.id).notes == [.immersiveSheet, .untitled] }
            }
        }
    }
}
