import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Activity views by touch, through the session bus (M-05): apps, the clipboard, the folder for downloads.
    @Suite(.serialized) struct SharingTests {
        private static let bus = ["DBUS_SESSION_BUS_ADDRESS": ""]

        private static func opener(_ name: String, _ code: String) -> String {
            "python3 \(TestClient.folder)/share.py --opened {room}/\(name) \(code)"
        }

        private static let apps = [
            TestApp(
                "test.reader", "Reader", command: opener("opened", "first %F last"), icon: "{room}/red.svg", more: "MimeType=text/plain;"),
            TestApp(
                "test.painter", "Painter", command: opener("painted", "%U"), icon: "{room}/blue.svg", more: "MimeType=image/png;text/plain;"
            ),
            TestApp(
                "test.mailer", "Postbox", command: opener("mailed", "%u"), icon: "{room}/green.svg",
                more: "MimeType=x-scheme-handler/mailto;"),
            TestApp(
                "test.web", "Web", command: opener("browsed", "%u"), icon: "{room}/green.svg", more: "MimeType=x-scheme-handler/https;"),
        ]

        private func with(_ config: String = "", size: String = "1180x820", _ body: (ShellUnderTest, TestClient) throws -> Void) throws {
            try ShellUnderTest.with(
                apps: Self.apps, size: size, config: "launch = []\nwallpaper = \"#232b3a\"\nanimation-speed = 3\n" + config,
                files: [
                    "files/Note.txt": "Words of a note.\n", "files/b.txt": "Other words.\n",
                    "config/mimeapps.list": "[Default Applications]\nx-scheme-handler/mailto=test.mailer.desktop\n",
                ], environment: Self.bus
            ) { shell in
                // What kinds of files there are.
                #expect(symlink("/usr/share/mime", "\(shell.room)/system/mime") == 0)
                try body(shell, TestClient(shell))
            }
        }

        /// Lets an app's own child share, and returns where the answer will be.
        private func share(_ app: TestClient, _ shell: ShellUnderTest, _ words: [String]) throws -> String {
            let output = "\(shell.room)/answer-\(UInt32.random(in: 0...UInt32.max))"
            let all = (["/usr/bin/python3", "\(TestClient.folder)/share.py", output] + words).map { "'\($0)'" }.joined(separator: ", ")
            try app.run("global child; child = __import__('subprocess').Popen([\(all)])")
            return output
        }

        private func answer(_ output: String, _ shell: ShellUnderTest) throws -> String {
            try shell.wait("the answer", within: 20) { access(output, F_OK) == 0 }
            return shell.text(of: output).trimmingCharacters(in: .newlines)
        }

        private func opened(_ name: String, _ shell: ShellUnderTest) throws -> [String] {
            try shell.wait("the app", within: 15) { access("\(shell.room)/\(name)", F_OK) == 0 }
            return try JSONDecoder().decode([String].self, from: Data(shell.text(of: "\(shell.room)/\(name)").utf8))
        }

        /// The control with this name in the view in front.
        private func control(_ name: String, _ shell: ShellUnderTest) throws -> ViewReport {
            try shell.wait("\(name) in the activity view", within: 15) {
                try shell.views().contains { $0.name == name && $0.id.contains("/choice/") }
            }
            try shell.settle()
            return try #require(try shell.views().last { $0.name == name && $0.id.contains("/choice/") })
        }

        private func paste(_ shell: ShellUnderTest, _ words: String...) throws -> (types: [String], got: String) {
            struct Paste: Decodable { var types: [String], got: String }
            let (status, output) = try shell.run(["/usr/bin/python3", "\(TestClient.folder)/paste.py"] + words)
            #expect(status == 0, "\(output)")
            let paste = try JSONDecoder().decode(Paste.self, from: Data(output.utf8))
            return (paste.types, paste.got)
        }

        @Test("M-05: a file goes to the app that a finger chooses, by its path, or as a copy if it has none any more")
        func toApp() throws {
            try with { shell, app in
                let file = "\(shell.room)/files/Note.txt"
                let first = try share(app, shell, ["Note.txt=\(file)"])
                let icon = try control("Reader", shell)
                try shell.keepPicture("share")
                #expect(try shell.state().open == ["activity"])
                #expect(try !shell.views().contains { $0.name == "Postbox" || $0.name == "Web" })
                try shell.tap(icon.frame.center)
                #expect(try answer(first, shell) == "shared test.reader")
                #expect(try opened("opened", shell) == ["first", file, "last"])
                try shell.wait("the view to go") { try !shell.state().open.contains("activity") }

                // Gone by its path, and another one under a name that it does not have.
                let second = try share(app, shell, ["b.txt=!\(shell.room)/files/b.txt", "Plan.txt=\(file)"])
                try shell.tap(try control("Painter", shell).frame.center)
                #expect(try answer(second, shell) == "shared test.painter")
                let paths = try opened("painted", shell).map { try #require(URL(string: $0)).path(percentEncoded: false) }
                #expect(paths.map { shell.text(of: $0) } == ["Other words.\n", "Words of a note.\n"])
                #expect(paths.map { $0.split(separator: "/").last } == ["b.txt", "Plan.txt"])
                #expect(paths.allSatisfy { $0.hasPrefix("\(shell.room)/run/mullion-") })
                try shell.checkDescriptors()
            }
        }

        @Test("M-05: an installed editor opens the file that was shared with it")
        func toMousepad() throws {
            try ShellUnderTest.require("mousepad", of: "mousepad")
            try ShellUnderTest.with(environment: Self.bus, files: ["files/Note.txt": "Words of a note.\n"], showsInstalledApps: true) {
                shell in
                let app = try TestClient(shell)
                let newest = try shell.state().windows.map(\.id).max() ?? WindowID(0)
                let output = try share(app, shell, ["Note.txt=\(shell.room)/files/Note.txt"])
                for _ in 0..<8 where try !shell.views().contains(where: { $0.name == "Mousepad" && $0.id.contains("/choice/") }) {
                    _ = try shell.waitForView("modal/1/cancel", within: 15)
                    if let more = try shell.find("modal/1/more") { try shell.tap(more.frame.center) }
                    try shell.settle()
                }
                let icon = try control("Mousepad", shell)
                try shell.keepPicture("share-installed")
                try shell.tap(icon.frame.center)
                #expect(try answer(output, shell) == "shared org.xfce.mousepad")
                let window = try shell.waitForWindow(after: newest, timeout: 20_000)
                try shell.wait("the file in its title", within: 10) { try shell.window(window.id).title.contains("Note.txt") }
                try shell.settle()
                #expect(try shell.window(window.id).active)
                try shell.keepPicture("share-mousepad")
            }
        }

        @Test("M-05: Copy puts files and text on the clipboard, and nobody who pastes can block the shell")
        func copies() throws {
            try with { shell, app in
                let file = "\(shell.room)/files/Note.txt"
                let first = try share(app, shell, ["Note.txt=\(file)"])
                try shell.tap(try control("Copy", shell).frame.center)
                #expect(try answer(first, shell) == "copied")
                #expect(try paste(shell, "text/uri-list").got == "file://\(file)\r\n")
                #expect(try paste(shell, "x-special/gnome-copied-files").got == "copy\nfile://\(file)")
                #expect(try paste(shell, "text/plain").got == file)

                let text = String(repeating: "한글 words ", count: 2400)
                try shell.write(text, to: "\(shell.room)/long")
                let second = try share(app, shell, ["--file-text", "\(shell.room)/long"])
                let copy = try control("Copy", shell)
                try shell.keepPicture("share-text")
                try shell.tap(copy.frame.center)
                #expect(try answer(second, shell) == "copied")
                let (types, got) = try paste(shell, "text/plain;charset=utf-8", "leave")
                #expect(got == text)
                #expect(types.contains("UTF8_STRING") && !types.contains("text/uri-list"))
                shell.expectAlive()
                // A program copies something else: the shell's own goes.
                try shell.checkDescriptors()
            }
        }

        @Test("M-05: what was copied is pasted by X11 programs and by ordinary Wayland programs, until somebody copies something else")
        func copiesForOthers() throws {
            try ShellUnderTest.require("wl-copy", of: "wl-clipboard")
            try ShellUnderTest.require("Xwayland", of: "xwayland")
            try with("new-windows = \"always\"\n") { shell, app in
                let text = String(repeating: "한글 words ", count: 1000), copied = "\(shell.room)/copied"
                try shell.write(text, to: copied)
                let output = try share(app, shell, ["--file-text", copied])
                try shell.tap(try control("Copy", shell).frame.center)
                #expect(try answer(output, shell) == "copied")
                let display = try #require(try shell.client.ask(.get(.version), for: VersionReport.self).x11Display)
                let (status, pasted) = try shell.run(["python3", "\(TestClient.folder)/x11_paste.py", display], within: 30)
                let sum = try shell.run(["sha1sum", copied]).output.prefix(40)
                #expect(status == 0 && pasted.contains(sum), "\(pasted)")
                #expect(try shell.run(["wl-paste", "--no-newline"]).output == text)
                #expect(try shell.run(["sh", "-c", "echo other | wl-copy"]).status == 0)
                #expect(try shell.run(["wl-paste"]).output.contains("other"))
                shell.expectAlive()
            }
        }

        @Test("M-05: Save puts copies into the folder for downloads, and overwrites nothing")
        func saves() throws {
            try with { shell, app in
                let file = "\(shell.room)/files/Note.txt", folder = "\(shell.room)/home/Downloads"
                for names in [["Note.txt"], ["Note (1).txt", "Note.txt"], ["Note (1).txt", "Note (2).txt", "Note.txt"]] {
                    let output = try share(app, shell, ["Note.txt=\(file)"])
                    try shell.tap(try control("Save to Downloads", shell).frame.center)
                    #expect(try answer(output, shell) == "saved")
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
                    for name in names { #expect(shell.text(of: "\(folder)/\(name)") == "Words of a note.\n") }
                }
                let output = try share(app, shell, ["--text", "A thought"])
                try shell.tap(try control("Save to Downloads", shell).frame.center)
                #expect(try answer(output, shell) == "saved")
                #expect(shell.text(of: "\(folder)/Text.txt") == "A thought")

                // As many as there can be, of one name.
                let many = try share(app, shell, ["Note.txt=64*\(file)"])
                let save = try control("Save to Downloads", shell)
                #expect(try shell.views().contains { $0.name == "64 Files" })
                try shell.tap(save.frame.center)
                #expect(try answer(many, shell) == "saved")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 68)

                // A folder that takes nothing: a person reads why.
                try FileManager.default.removeItem(atPath: folder)
                try shell.write("no folder", to: folder)
                let last = try share(app, shell, ["Note.txt=\(file)"])
                try shell.tap(try control("Save to Downloads", shell).frame.center)
                #expect(try answer(last, shell).hasSuffix("what was chosen did not work: failed"))
                try shell.wait("the alert") { try shell.views().contains { $0.name.contains("Could Not Save") } }
                #expect(shell.text(of: folder) == "no folder")
            }
        }

        @Test("M-05: a text goes to mail, and an address to a browser")
        func addresses() throws {
            try with { shell, app in
                let first = try share(app, shell, ["--text", "Lunch & more?"])
                try shell.tap(try control("Mail", shell).frame.center)
                #expect(try answer(first, shell) == "mailed")
                #expect(try opened("mailed", shell) == ["mailto:?body=Lunch%20%26%20more%3F"])
                let second = try share(app, shell, ["--text", "https://example.org/a?b=c"])
                let icon = try control("Web", shell)
                try shell.keepPicture("share-link")
                #expect(try !shell.views().contains { $0.name == "Reader" })
                try shell.tap(icon.frame.center)
                #expect(try answer(second, shell) == "shared test.web")
                #expect(try opened("browsed", shell) == ["https://example.org/a?b=c"])
            }
        }

        @Test("M-05: Mail begins a mail with the files and the text, in the program for mailto:, by xdg-email")
        func mailsFiles() throws {
            try ShellUnderTest.require("xdg-email", of: "xdg-utils")
            try with { shell, app in
                let files = ["Note.txt", "b.txt"].map { "\(shell.room)/files/\($0)" }
                let output = try share(app, shell, ["Note.txt=\(files[0])", "b.txt=\(files[1])", "--text", "Look & listen"])
                try shell.tap(try control("Mail", shell).frame.center)
                #expect(try answer(output, shell) == "mailed")
                let words = try opened("mailed", shell)
                try #require(words.count == 1, "\(words)")
                #expect(words[0].hasPrefix("mailto:"), "\(words)")
                let items = try #require(URLComponents(string: words[0])?.queryItems, "\(words)")
                #expect(items.filter { $0.name.hasPrefix("attach") }.compactMap(\.value) == files, "\(words)")
                #expect(items.first { $0.name == "body" }?.value == "Look & listen", "\(words)")
            }
        }

        @Test("M-14: a finger pulls the card of an activity view down and back, and a swipe sends it away")
        func swipedAway() throws {
            try with { shell, app in
                let file = "\(shell.room)/files/Note.txt"
                let output = try share(app, shell, ["Note.txt=\(file)"])
                let icon = try control("Reader", shell)
                try shell.settle()
                let card = try #require(try shell.find("modal/1")).frame
                let title = Point(card.center.x, card.minY + 12)
                try shell.down(title)
                try shell.move(title + Vector(0, 40))
                try shell.move(title + Vector(0, 90))
                #expect(try abs(#require(try shell.find("modal/1")).frame.minY - card.minY - 90) < 1.5)
                try shell.keepPicture("share-pulled")
                try shell.move(title + Vector(0, 3))
                // A test is quicker than a person: without a rest, the way there and back has the speed of a swipe.
                usleep(150_000)
                try shell.lift()
                try shell.settle()
                #expect(try shell.find("modal/1")?.frame == card)
                try shell.drag(icon.frame.center, icon.frame.center + Vector(6, 300), duration: 150, rest: 0)
                #expect(try answer(output, shell) == "dismissed")
                try shell.wait("the view to go") { try shell.state().open.isEmpty }
                #expect(access("\(shell.room)/opened", F_OK) != 0, "no app was started")
            }
        }

        @Test("M-05: mullion share says what became of it, and its exit status says whether")
        func command() throws {
            try with { shell, _ in
                let program = try ShellUnderTest.program(), file = "\(shell.room)/files/Note.txt"
                func ask(_ name: String, _ words: String) throws -> WindowReport {
                    try shell.open(
                        "foot", of: "foot",
                        [
                            "-e", "sh", "-c",
                            "'\(program)' share \(words) >\(shell.room)/\(name) 2>&1; echo status $? >>\(shell.room)/\(name); sleep 600",
                        ])
                }
                func said(_ name: String) throws -> String {
                    try shell.wait("the end of \(name)", within: 15) { shell.text(of: "\(shell.room)/\(name)").contains("status") }
                    return shell.text(of: "\(shell.room)/\(name)")
                }
                _ = try ask("one", "'\(file)'")
                try shell.tap(try control("Reader", shell).frame.center)
                #expect(try said("one") == "shared test.reader\nstatus 0\n")
                _ = try ask("two", "'\(file)'")
                _ = try control("Reader", shell)
                try shell.press("Escape")
                #expect(try said("two") == "status 100\n")
                let window = try ask("three", "'\(file)'")
                _ = try control("Reader", shell)
                try shell.perform(.close(window: window.id))
                try shell.waitUntilGone(window.id)
                try shell.wait("the view to go") { try shell.state().open.isEmpty }
                _ = try ask("four", "'\(shell.room)/files'")
                #expect(try said("four") == "mullion share: files: is a folder\nstatus 102\n")
                _ = try ask("five", "/no/such/file")
                #expect(try said("five") == "mullion share: /no/such/file: No such file or directory\nstatus 102\n")
            }
        }

        @Test("W-18, M-05: the Share button of quick look opens the shell's activity view, for handed files too")
        func quickLook() throws {
            try with { shell, app in
                let program = try ShellUnderTest.program()
                // An open file of another program, which is gone by its path.
                try shell.tap(try #require(try app.report.frame).center)
                _ = try app.mark()
                let output = "\(shell.room)/handed"
                let words = ["/usr/bin/python3", Helper.path("shown_files.py"), "view", output, "gone.txt=!\(shell.room)/files/b.txt"]
                try app.run("__import__('subprocess').Popen([\(words.map { "'\($0)'" }.joined(separator: ", "))])")
                #expect(try answer(output, shell) == "shown")
                let handed = try #require(try shell.windows(of: "org.mullion.View").first)
                let place = try #require(handed.frame)
                try shell.settle()
                try shell.tap(Point(place.maxX - 50, place.minY + 34))
                try shell.tap(try control("Save to Downloads", shell).frame.center)
                let saved = "\(shell.room)/home/Downloads/gone.txt"
                try shell.wait("the copy") { shell.text(of: saved) == "Other words.\n" }
                try shell.settle()
                try shell.press("Escape")
                try shell.waitUntilGone(handed.id)

                let window = try shell.open([program, "view", "\(shell.room)/files/Note.txt"])
                let frame = try #require(window.frame)
                try shell.tap(Point(frame.maxX - 50, frame.minY + 34))
                let icon = try control("Reader", shell)
                try shell.keepPicture("share-look")
                try shell.tap(icon.frame.center)
                #expect(try opened("opened", shell) == ["first", "\(shell.room)/files/Note.txt", "last"])
                #expect(try shell.windows(of: "org.mullion.View").count == 1)
            }
        }

        @Test("A helper that is killed takes its view along, and nobody else")
        func killedHelper() throws {
            try with { shell, app in
                let file = "\(shell.room)/files/Note.txt"
                let output = try share(app, shell, ["Note.txt=\(file)"])
                _ = try control("Reader", shell)
                let helper = try #require(try helpers(of: shell).first)
                kill(helper, SIGKILL)
                #expect(try answer(output, shell).hasSuffix("the files cannot be read"))
                try shell.wait("the view to go") { try shell.state().open.isEmpty }
                try shell.settle()
                try shell.checkDescriptors()
            }
        }

        private func helpers(of shell: ShellUnderTest) throws -> [Int32] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter { process in
                let words = shell.text(of: "/proc/\(process)/cmdline")
                return words.contains("share-files") && words.contains(shell.room)
            }
        }

        @Test("What is wrong with a request is said, and harms nobody; a program that ends takes its view along")
        func bad() throws {
            try with { shell, app in
                let file = "\(shell.room)/files/Note.txt"
                try shell.write(String(repeating: "x", count: 32_769), to: "\(shell.room)/long")
                for (words, error) in [
                    ([], "there is nothing to share"),
                    (["Note.txt=65*\(file)"], "at most 64 files can be shared at once"),
                    (["a/b=\(file)"], "the name of file 0 is a path: \"a/b\""),
                    (["..=\(file)"], "the name of file 0 is a path: \"..\""),
                    (["=\(file)"], "the name of file 0 has 0 bytes, and may have 1 to 255"),
                    (["lost=?"], "the message names a file that it does not bring"),
                    (["files=\(shell.room)/files"], "files: is a folder"),
                    (["pipe=-"], "pipe: is not a regular file"),
                    (["Note.txt=w:\(file)"], "Note.txt: is not open for reading"),
                    (["--file-text", "\(shell.room)/long"], "the text has 32769 bytes, and may have 32768"),
                ] {
                    let said = try answer(try share(app, shell, words), shell)
                    #expect(said.hasSuffix(error), "\(said)")
                }
                #expect(try shell.state().open == [])
                _ = try share(app, shell, ["Note.txt=\(file)"])
                _ = try control("Reader", shell)
                try app.run("child.kill()")
                try shell.wait("the view to go", within: 10) { try shell.state().open.isEmpty }
                try shell.settle()
                try shell.checkDescriptors()
                #expect(try app.report.active)
            }
        }

        @Test("X-04: in every language, upright and across, large and small, no word is cut off", arguments: ["en", "ko", "ja"])
        func pictures(language: String) throws {
            for (name, size) in [("across", "1180x820"), ("upright", "820x1180"), ("phone", "390x780"), ("phone-across", "780x390")] {
                try with("language = \"\(language)\"\n", size: size) { shell, app in
                    let file = "\(shell.room)/files/Note.txt"
                    let output = try share(
                        app, shell, ["Note.txt=\(file)", "b.txt=\(shell.room)/files/b.txt", "--text", "Words that go along with both"])
                    _ = try control("Reader", shell)
                    try shell.keepPicture("share-\(language)-\(name)")
                    let screen = try #require(try shell.state().screen)
                    for view in try shell.views() where view.id.hasPrefix("modal/1") {
                        #expect(Rect(origin: .zero, size: screen.size).contains(view.frame, tolerance: 0.5), "\(view.id)")
                    }
                    try shell.press("Escape")
                    #expect(try answer(output, shell) == "dismissed")
                }
            }
        }
    }
}
