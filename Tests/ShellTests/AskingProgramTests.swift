import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Real programs that ask for passwords: GnuPG, ssh, and the keyring.
    @Suite(.serialized) struct AskingProgramTests {
        /// A program with a folder of its own, which asks the shell.
        private final class Program {
            let process = Process(), output = Pipe(), input = Pipe()

            init(_ command: [String], environment: [String: String], input words: String? = nil, folder: String) throws {
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = command
                process.environment = environment
                process.currentDirectoryURL = URL(filePath: folder)
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                process.standardInput = words == nil ? FileHandle.nullDevice : input
                try process.run()
                if let words {
                    input.fileHandleForWriting.write(Data(words.utf8))
                    try input.fileHandleForWriting.close()
                }
            }

            deinit {
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
                process.waitUntilExit()
            }

            /// Its output, when it has ended.
            func said(_ shell: ShellUnderTest, status: Int32 = 0) throws -> String {
                try shell.wait("the end of \(process.arguments ?? [])", within: 20) { !process.isRunning }
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                #expect(process.terminationStatus == status, "\(text)")
                return text
            }
        }

        private func with(_ environment: [String: String] = [:], _ body: (ShellUnderTest, String, [String: String]) throws -> Void) throws {
            // A short path, because it contains sockets.
            let folder = "/tmp/mullion-ask-\(getpid())-\(UInt16.random(in: 0...UInt16.max))"
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(atPath: folder) }
            for name in ["pinentry-mullion", "mullion-askpass"] {
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: try ShellUnderTest.program())
            }
            try ShellUnderTest.with(config: "launch = []\nreduced-motion = true\n", environment: environment) { shell in
                try body(
                    shell, folder,
                    [
                        "PATH": "/usr/bin:/bin", "HOME": folder, "MULLION_CONTROL": shell.controlPath, "LANG": "C.UTF-8",
                        "GNUPGHOME": folder,
                    ].merging(environment) { $1 })
            }
        }

        private func look(_ shell: ShellUnderTest, _ control: String = "prompt/prompt-secret") throws {
            try shell.waitForView(control, within: 20)
            usleep(800_000)
        }

        private func says(_ words: String, _ shell: ShellUnderTest) throws {
            try shell.wait("the words \"\(words)\"", within: 10) { try shell.views().contains { $0.name.contains(words) } }
        }

        private func write(_ text: String, _ shell: ShellUnderTest) throws {
            try shell.client.input(.type(text: text))
            try shell.press("Return")
        }

        @Test("X-10: gpg asks through pinentry-mullion: a new passphrase twice, a wrong one again, and Cancel")
        func gpg() throws {
            try ShellUnderTest.require("gpg", of: "gnupg")
            try with { shell, folder, environment in
                try ShellUnderTest.write("pinentry-program \(folder)/pinentry-mullion\n", to: "\(folder)/gpg-agent.conf")
                try ShellUnderTest.write("the letter\n", to: "\(folder)/letter")
                defer { _ = try? Program(["gpgconf", "--kill", "gpg-agent"], environment: environment, folder: folder).said(shell) }
                let lock = try Program(
                    ["gpg", "--no-symkey-cache", "-o", "letter.gpg", "-c", "letter"], environment: environment, folder: folder)
                try look(shell)
                try says("gpg-agent", shell)
                try shell.keepPicture("pinentry")
                try write("correct horse 7", shell)
                try write("correct horse 7", shell)
                _ = try lock.said(shell)
                let open = try Program(["gpg", "--no-symkey-cache", "-d", "letter.gpg"], environment: environment, folder: folder)
                try look(shell)
                try write("wrong horse", shell)
                // gpg says it was wrong by its end; a person tries again.
                _ = try open.said(shell, status: 2)
                let again = try Program(["gpg", "--no-symkey-cache", "-d", "letter.gpg"], environment: environment, folder: folder)
                try look(shell)
                try write("correct horse 7", shell)
                #expect(try again.said(shell) == "the letter\n")
                let cancelled = try Program(["gpg", "--no-symkey-cache", "-d", "letter.gpg"], environment: environment, folder: folder)
                try look(shell)
                try shell.touch("prompt/cancel")
                #expect(try cancelled.said(shell, status: 2) == "")
                #expect(!shell.text(of: "\(shell.room)/session.jsonl").contains("correct"))
            }
        }

        @Test("X-10: ssh-keygen asks through mullion-askpass, and its alert names it; a program that ends takes its question back")
        func ssh() throws {
            try ShellUnderTest.require("ssh-keygen", of: "openssh-client")
            try with { shell, folder, environment in
                let environment = environment.merging(["SSH_ASKPASS": "\(folder)/mullion-askpass", "SSH_ASKPASS_REQUIRE": "force"]) { $1 }
                _ = try Program(["ssh-keygen", "-q", "-N", "pass word", "-f", "key"], environment: environment, folder: folder).said(shell)
                let public_ = try String(contentsOfFile: "\(folder)/key.pub", encoding: .utf8)
                let reads = try Program(["ssh-keygen", "-y", "-f", "key"], environment: environment, folder: folder)
                try look(shell)
                try says("ssh-keygen", shell)
                try says("passphrase", shell)
                try shell.keepPicture("askpass")
                try write("pass word", shell)
                #expect(public_.hasPrefix(try reads.said(shell).split(separator: " ").prefix(2).joined(separator: " ")))
                let gone = try Program(["ssh-keygen", "-y", "-f", "key"], environment: environment, folder: folder)
                try look(shell)
                kill(gone.process.processIdentifier, SIGKILL)
                let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
                for process in all where shell.text(of: "/proc/\(process)/cmdline").contains("\(folder)/mullion-askpass") {
                    kill(process, SIGKILL)
                }
                try shell.wait("the end of the question") { try !shell.isOpen("prompt") }
            }
        }

        @Test("X-10: gnome-keyring makes a keyring with a new password, and opens it with the password; another one is wrong")
        func keyring() throws {
            try ShellUnderTest.require("gnome-keyring-daemon", of: "gnome-keyring")
            try ShellUnderTest.require("secret-tool", of: "libsecret-tools")
            let bus = try PrivateBus()
            try with(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { shell, folder, environment in
                let environment = environment.merging(["XDG_RUNTIME_DIR": bus.folder, "XDG_DATA_HOME": folder]) { $1 }
                let daemon = try Program(
                    ["gnome-keyring-daemon", "--foreground", "--components=secrets"], environment: environment, folder: folder)
                try shell.wait("the keyring", within: 20) {
                    let names = try Program(
                        ["dbus-send", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.ListNames"],
                        environment: environment, folder: folder
                    ).said(shell)
                    return names.contains("org.freedesktop.secrets") && names.contains("org.gnome.keyring.SystemPrompter")
                }
                // `secret-tool lock` of Debian 12 crashes when it has locked.
                let lock = [
                    "dbus-send", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets",
                    "org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/aliases/default",
                ]
                let store = try Program(
                    ["secret-tool", "store", "--label=Letter", "kind", "letter"], environment: environment, input: "the secret",
                    folder: folder)
                try look(shell)
                try shell.keepPicture("keyring-new")
                try write("correct horse", shell)
                try write("wrong horse", shell)
                try says("differ", shell)
                for _ in "wrong horse" { try shell.press("BackSpace") }
                try write("correct horse", shell)
                _ = try store.said(shell)
                _ = try Program(lock, environment: environment, folder: folder).said(shell)
                let read = try Program(["secret-tool", "lookup", "kind", "letter"], environment: environment, folder: folder)
                try look(shell)
                try shell.keepPicture("keyring")
                try write("battery staple", shell)
                try shell.wait("a word that it was wrong") {
                    try shell.find("prompt/warning") != nil && shell.find("prompt/ok")?.press == nil
                }
                usleep(500_000)
                try write("correct horse", shell)
                #expect(try read.said(shell) == "the secret")
                _ = try Program(lock, environment: environment, folder: folder).said(shell)
                let cancelled = try Program(["secret-tool", "lookup", "kind", "letter"], environment: environment, folder: folder)
                try look(shell)
                try shell.touch("prompt/cancel")
                #expect(try cancelled.said(shell, status: 1) == "")
                try shell.wait("the end of the question") { try !shell.isOpen("prompt") }
                #expect(!shell.text(of: "\(shell.room)/session.jsonl").contains("staple"))
                _ = daemon
            }
        }
    }
}
