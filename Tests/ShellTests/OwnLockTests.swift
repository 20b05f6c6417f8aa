import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// The lock screen of the shell, with PAM's own library and modules of the tests (X-10, law 13).
    @Suite(.serialized) struct OwnLockTests {
        private static let red = Picture.Pixel(0xcc4422)
        private static let config = "launch = []\nreduced-motion = true\n[lock]\nkeys = \"letters\"\n"

        /// The folder with the modules of pam_wrapper.
        private static func modules() throws -> String {
            let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
            let found = folders.map { "/usr/lib/\($0)/pam_wrapper" }.first { FileManager.default.fileExists(atPath: "\($0)/pam_matrix.so") }
            return try #require(found, "pam_matrix.so is missing: apt-get install libpam-wrapper")
        }

        private static var person: String { String(cString: getpwuid(getuid()).pointee.pw_name) }

        /// PAM asks what these lines say. `{matrix}`: the module that knows the password "sesame".
        static func files(_ lines: String? = nil) throws -> [String: String] {
            let matrix = try "\(modules())/pam_matrix.so passdb={room}/passdb"
            let usual = "auth required {matrix}\naccount required {matrix}\n"
            return [
                "pam/mullion": (lines ?? usual).replacingOccurrences(of: "{matrix}", with: matrix),
                "passdb": "\(person):sesame:mullion\n",
            ]
        }

        static let environment = [
            "LD_PRELOAD": "libpam_wrapper.so", "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": "{room}/pam",
        ]

        private func with(_ lines: String? = nil, config: String = config, _ body: (ShellUnderTest) throws -> Void) throws {
            try ShellUnderTest.with(config: config, environment: Self.environment, files: try Self.files(lines)) { shell in
                try openDiary(shell)
                try shell.perform(.lockScreen(.lock))
                try shell.wait("the lock") { try shell.state().locked }
                try body(shell)
            }
        }

        private func openDiary(_ shell: ShellUnderTest) throws {
            let command = ["python3", "\(TestClient.folder)/window.py", "--title", "my-diary", "--colour", "cc4422"]
            try shell.open(command, title: "my-diary")
        }

        private func words(_ shell: ShellUnderTest) throws -> String {
            try shell.views().first { $0.id == "lock/words" }?.name ?? ""
        }

        private func has(_ id: String, _ shell: ShellUnderTest) throws -> Bool { try shell.views().contains { $0.id == id } }

        private func tap(_ id: String, _ shell: ShellUnderTest) throws {
            try shell.wait("\(id)") { try has(id, shell) }
            try shell.tap(try shell.view(id).frame.center)
        }

        /// Types with the shell's own keys, by finger.
        private func type(_ text: String, _ shell: ShellUnderTest) throws {
            for letter in text {
                let key = try #require(try shell.views().first { $0.id.hasPrefix("lock/key/") && $0.name == String(letter) })
                try shell.tap(key.frame.center)
            }
        }

        private func answer(_ text: String, _ shell: ShellUnderTest) throws {
            if try !has("lock/field", shell) { try tap("lock/open", shell) }
            try shell.wait("the keys") { try has("lock/key/shift", shell) }
            try type(text, shell)
            try tap("lock/submit", shell)
        }

        private func expectHidden(_ shell: ShellUnderTest) throws {
            let state = try shell.state()
            #expect(state.locked && state.windows.allSatisfy { $0.title.isEmpty && $0.appID.isEmpty })
            #expect(try !shell.picture().pixels.contains { Picture.Pixel(raw: $0) == Self.red }, "the window shows")
            #expect(throws: (any Error).self, "a wait could be skipped") { try shell.client.ask(.clock(.hand)) }
            for action in [Action.home, .lockScreen(.submit)] { #expect(throws: (any Error).self) { try shell.client.perform(action) } }
        }

        @Test("by finger: a wrong password is told, the right one shows the window as it was left")
        func byFinger() throws {
            try with { shell in
                try expectHidden(shell)
                try shell.keepPicture("lock-clock")
                try answer("guess", shell)
                try shell.wait("the words") { try words(shell).contains("wrong") }
                try expectHidden(shell)
                try shell.keepPicture("lock-wrong")
                try answer("sesame", shell)
                try shell.wait("the unlock") { try !shell.state().locked }
                try shell.wait("the window") { try shell.picture().pixels.contains { Picture.Pixel(raw: $0) == Self.red } }
                let recording = try String(contentsOfFile: shell.recordingPath, encoding: .utf8)
                #expect(!recording.contains("sesame"))
            }
        }

        @Test("law 13: a module that prints, forges the word that lets in, or reads speaks for no one and gets no password")
        func prints() throws {
            try ShellUnderTest.require("cc", of: "gcc")
            let folder = FileManager.default.temporaryDirectory.appending(path: "mullion-module-\(UInt32.random(in: 0 ... .max))").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let source = """
                #include <stdio.h>
                #include <unistd.h>
                #define WORD "{\\"ends\\":{\\"_0\\":{\\"allowed\\":{}}}}\\n"
                int pam_sm_authenticate(void *handle, int flags, int count, const char **words) {
                    char answer[512];
                    printf(WORD);
                    fflush(stdout);
                    write(1, WORD, sizeof(WORD) - 1);
                    FILE *out = fopen("\(folder)/read", "w");
                    ssize_t length = read(0, answer, sizeof(answer));
                    fprintf(out, "%zd", length);
                    fclose(out);
                    return 25; /* PAM_IGNORE */
                }
                int pam_sm_setcred(void *handle, int flags, int count, const char **words) { return 0; }
                """
            try source.write(toFile: "\(folder)/m.c", atomically: true, encoding: .utf8)
            let compiler = Process()
            compiler.executableURL = URL(filePath: "/usr/bin/env")
            compiler.arguments = ["cc", "-shared", "-fPIC", "-o", "\(folder)/m.so", "\(folder)/m.c"]
            try compiler.run()
            compiler.waitUntilExit()
            #expect(compiler.terminationStatus == 0)
            try with("auth optional \(folder)/m.so\nauth required {matrix}\naccount required {matrix}\n") { shell in
                try tap("lock/open", shell)
                try shell.wait("the module") { shell.text(of: "\(folder)/read") == "0" }
                try shell.wait("the question") { try shell.view("lock/field").name.contains("Password") }
                try expectHidden(shell)
                try answer("guess", shell)
                try shell.wait("the words") { try words(shell).contains("wrong") }
                try answer("sesame", shell)
                try shell.wait("the unlock") { try !shell.state().locked }
            }
        }

        @Test("by keys: letters open the field, Return sends it, Escape goes back to the clock, and the session gets none of them")
        func byKeys() throws {
            try with { shell in
                try shell.press("g")
                try shell.wait("the field") { try has("lock/field", shell) }
                try shell.press("Escape")
                #expect(try has("lock/open", shell))
                for key in ["s", "e", "s", "a", "m", "e"] { try shell.press(key) }
                try shell.press("Super+d")
                try shell.press("Return")
                try shell.wait("the unlock") { try !shell.state().locked }
                #expect(try !shell.state().home, "a chord for the session had an effect behind the lock")
            }
        }

        @Test("three wrong tries wait; a kill keeps the count and the lock, and no frame shows the window")
        func kept() throws {
            let state = FileManager.default.temporaryDirectory.appending(path: "mullion-own-lock-\(UInt32.random(in: 0 ... .max))").path
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: state) }
            let environment = Self.environment.merging(["XDG_STATE_HOME": state]) { $1 }
            func shell() throws -> ShellUnderTest {
                try ShellUnderTest(config: Self.config, environment: environment, files: try Self.files())
            }
            let first = try shell()
            try openDiary(first)
            try first.client.waitUntilKept()
            try first.perform(.lockScreen(.lock))
            for _ in 0..<2 {
                try answer("guess", first)
                try first.wait("the words") { try words(first).contains("wrong") }
            }
            try answer("guess", first)
            try first.wait("the wait") { try words(first).contains("0:0") }
            try first.keepPicture("lock-wait")
            kill(first.process, SIGKILL)
            try first.wait("its end") { first.ending != nil }
            first.clear()

            let second = try shell()
            defer { second.clear() }
            for _ in 0..<5 { try expectHidden(second) }
            try tap("lock/open", second)
            try second.wait("the wait") { try words(second).contains("0:0") }
            try type("sesame", second)
            try second.wait("the end of the wait", within: 12) { try words(second).isEmpty }
            #expect(try second.state().locked, "what was typed in the wait is not sent")
            try answer("sesame", second)
            try second.wait("the unlock") { try !second.state().locked }
            _ = try second.waitForWindow(title: "my-diary", timeout: 20_000)
            try second.quit()
        }

        @Test("a module that hangs is named, and a person gets away from it; one that kills the helper says that nothing can be checked")
        func modules() throws {
            try with("auth required pam_exec.so /bin/sleep 100\n") { shell in
                try tap("lock/open", shell)
                try shell.wait("the words", within: 20) { try words(shell).contains("takes long") }
                try tap("lock/close", shell)
                try shell.wait("the clock") { try has("lock/open", shell) }
                try expectHidden(shell)
                // It is killed at once, and gone when the shell has heard of that.
                try shell.wait("the end of the helper") {
                    try shell.run(["pgrep", "-f", "mullion unlock", "-P", "\(shell.process)"]).output.isEmpty
                }
                try leave(shell)
            }
            try with("auth required pam_exec.so /bin/sh -c \"kill -9 $PPID\"\n") { shell in
                try tap("lock/open", shell)
                try shell.wait("the words", within: 20) { try words(shell).contains("could not be checked") }
                try expectHidden(shell)
                try leave(shell)
            }
        }

        /// The session is unlocked by another PAM, so that the shell can end as usual.
        private func leave(_ shell: ShellUnderTest) throws {
            let files = try Self.files()
            let text = files["pam/mullion"]!.replacingOccurrences(of: "{room}", with: shell.room)
            try text.write(toFile: "\(shell.room)/pam/mullion", atomically: false, encoding: .utf8)
            if try has("lock/close", shell) { try tap("lock/close", shell) }
            try answer("sesame", shell)
            try shell.wait("the unlock") { try !shell.state().locked }
        }

        @Test("a recorder gets no letter of the password that a person made visible")
        func recorded() throws {
            try ShellUnderTest.require("grim", of: "grim")
            try with { shell in
                try tap("lock/open", shell)
                try shell.wait("the keys") { try has("lock/key/shift", shell) }
                try type("mm", shell)
                func field() throws -> [UInt32] {
                    let place = try shell.view("lock/field").frame, path = "\(shell.room)/grim.png"
                    let (status, output) = try shell.run(["grim", path])
                    guard status == 0 else { throw ShellUnderTest.Failure("grim: \(output)") }
                    let picture = try PNG.read(path), left = Int(clamping: place.x), right = Int(clamping: place.maxX)
                    return (Int(clamping: place.y)..<Int(clamping: place.maxY)).flatMap { y in
                        picture.pixels[y * picture.width + left..<y * picture.width + right]
                    }
                }
                let hidden = try field()
                try shell.wait("the eye, once nothing looks") { try shell.view("lock/reveal").press != nil }
                try tap("lock/reveal", shell)
                try shell.wait("the letters") { try shell.view("lock/reveal").chosen }
                #expect(try field() == hidden)
                #expect(try !shell.view("lock/reveal").chosen)
                // The person sees them again once nothing looks.
                try shell.wait("the letters again") { try shell.view("lock/reveal").chosen }
                try tap("lock/close", shell)
                try leave(shell)
            }
        }

        @Test("two questions are two answers, and what PAM says is shown")
        func questions() throws {
            let lines =
                "auth optional pam_echo.so The token is due\nauth required {matrix}\nauth required {matrix}\naccount required {matrix}\n"
            try with(lines) { shell in
                try answer("sesame", shell)
                try shell.wait("the second question") { try words(shell).contains("The token is due") }
                #expect(try shell.state().locked)
                try answer("sesame", shell)
                try shell.wait("the unlock") { try !shell.state().locked }
            }
        }
    }
}
