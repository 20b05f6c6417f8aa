import Clocks
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Dialogs of unmodified programs of every toolkit are sheets on their windows (M-02, M-03), each opened and sent away
    /// as a person does it. GTK 3 has tests of its own (`SheetTests`).
    @Suite(.serialized) struct DialogTests {
        /// A program with a dialog.
        struct Program: CustomTestStringConvertible, Sendable {
            var name: String
            var command: [String]
            /// What opens the dialog. Without keys it comes by itself.
            var keys: String?
            /// A part of the dialog's title; some toolkits give it none.
            var title = "Question"
            /// Whether the toolkit says that the dialog is modal; nil: newer versions do.
            var isModal: Bool? = true
            var dims = true
            var package: String

            var testDescription: String { name }
        }

        private static let programs = [
            Program(name: "GTK 4", command: python("gtk4_dialog.py", "gtk"), package: "gir1.2-gtk-4.0"),
            Program(name: "libadwaita", command: python("gtk4_dialog.py", "adw"), package: "gir1.2-adw-1"),
            Program(
                name: "Qt", command: ["env", "QT_QPA_PLATFORM=wayland", "featherpad", "--standalone"], keys: "ctrl+shift+s",
                title: "Save as",
                isModal: nil, package: "featherpad"),
            // Tk takes the input by a grab of X11, and does not say that the dialog is modal.
            Program(name: "Tk", command: python("tk_dialog.py"), isModal: false, dims: false, package: "python3-tk"),
            // Its file chooser is another program's window, which names Firefox' window as its parent (xdg-foreign).
            Program(
                name: "Firefox by a portal", command: ["firefox-esr", "--no-remote", "about:license"], keys: "ctrl+o", title: "Open File",
                package: "xdg-desktop-portal-gtk"),
        ]

        /// Large programs: only the slow job installs them (scripts/packages-slow).
        private static let large = [
            Program(
                name: "LibreOffice",
                command: [
                    "soffice", "-env:UserInstallation=file://{room}/office", "--writer", "--norestore", "--nologo", "--nofirststartwizard",
                ],
                keys: "ctrl+shift+s", title: "Save", package: "libreoffice-gtk3"),
            Program(
                name: "Chromium",
                command: [
                    "chromium", "--no-sandbox", "--ozone-platform=wayland", "--no-first-run", "--user-data-dir={room}/chromium",
                    "about:blank",
                ],
                keys: "ctrl+o", title: "Open", package: "chromium"),
        ]

        private static func python(_ file: String, _ way: String...) -> [String] {
            ["/usr/bin/python3", "\(TestClient.folder)/\(file)"] + way
        }

        private func dialog(_ shell: ShellUnderTest, _ program: Program, of window: WindowID) throws -> WindowReport? {
            try shell.state().windows.first {
                $0.place == .dialog && $0.parent == window && ($0.title.isEmpty || $0.title.contains(program.title))
            }
        }

        /// How bright a window is at its upper left edge, where no dialog stands.
        private func brightness(_ shell: ShellUnderTest, _ window: WindowID) throws -> Int {
            let frame = try #require(try shell.window(window).frame)
            let picture = try shell.picture()
            let samples = (0..<40).map { picture[Int(clamping: frame.minX) + 6 + $0, Int(clamping: frame.minY) + 3].raw }
            return samples.reduce(0) { $0 + Int($1 >> 16 & 255) + Int($1 >> 8 & 255) + Int($1 & 255) } / samples.count
        }

        @Test(
            "M-02, M-03: a dialog of any toolkit is a sheet on its window, goes with it, and goes away by a swipe",
            arguments: programs + (ShellUnderTest.isSlow ? large : []))
        func sheet(of program: Program) throws {
            try ShellUnderTest.with(
                config: "launch = []\nanimation-speed = 4\n",
                environment: ["GTK_THEME": "Adwaita", "DBUS_SESSION_BUS_ADDRESS": "", "MOZ_CRASHREPORTER_DISABLE": "1"]
            ) { shell in
                let other = try TestClient(shell, ["--colour", "204080"])
                let command = program.command.map {
                    $0.split(separator: "{room}", omittingEmptySubsequences: false).joined(separator: shell.room)
                }
                let window = try shell.open(command, timeout: 60_000)
                let before = try brightness(shell, window.id)
                // A program that has just started may not hear its keys yet. Asked too often it opens several dialogs.
                var asked = 0.0
                try shell.wait("its dialog (\(program.package))", within: 30) {
                    if try dialog(shell, program, of: window.id) != nil { return true }
                    if let keys = program.keys, Clocks.monotonicSeconds - asked > 6 {
                        asked = Clocks.monotonicSeconds
                        try shell.press(keys)
                    }
                    return false
                }
                // What it grows to before a person looks at it.
                usleep(500_000)
                var sheet = try #require(try dialog(shell, program, of: window.id))
                if let isModal = program.isModal { #expect(sheet.modal == isModal) }
                #expect(sheet.active)
                #expect(Rect(0, 0, 1180, 820).contains(try #require(sheet.frame), tolerance: 0.5))
                if program.dims { #expect(try brightness(shell, window.id) < before - 60, "its window is dimmed") }
                try shell.keepPicture("dialog-\(program.name)")

                // What is behind gets nothing.
                if sheet.modal {
                    try shell.tap(Point(3, 690))
                    #expect(try dialog(shell, program, of: window.id)?.active ?? false)
                }

                // It goes where its window goes, and stands in the middle of it.
                try shell.perform(.splitView(window: window.id, side: .left))
                try shell.wait("both halves") {
                    try shell.window(window.id).place == .splitLeft && shell.window(other.id).place == .splitRight
                }
                usleep(700_000)
                sheet = try #require(try dialog(shell, program, of: window.id))
                let half = try #require(try shell.window(window.id).frame), frame = try #require(sheet.frame)
                #expect(half.contains(frame, tolerance: 0.5), "\(frame) in \(half)")
                #expect(abs(frame.center.x - half.center.x) < 1)
                try shell.keepPicture("dialog-\(program.name)-split")
                #expect(try !shell.window(other.id).modal)

                let grip = Point(frame.center.x, frame.minY - 10)
                try shell.drag(grip, grip + Vector(6, 320), rest: 0)
                try shell.wait("its end", within: 8) { try dialog(shell, program, of: window.id) == nil }
                if program.dims { try shell.wait("its window to be bright") { try brightness(shell, window.id) > before - 30 } }
                #expect(try shell.window(window.id).place == .splitLeft)
                shell.expectAlive()
                shell.signal(window.pid ?? 0, SIGKILL)
            }
        }

        @Test("M-02: a dialog inside its window gets no sheet of the shell's") func inside() throws {
            try ShellUnderTest.with { shell in
                let window = try shell.open(Self.python("gtk4_dialog.py", "inside"))
                usleep(1_200_000)
                let state = try shell.state()
                #expect(state.windows.map(\.id) == [window.id])
                #expect(state.windows[0].place == .full)
            }
        }
    }
}
