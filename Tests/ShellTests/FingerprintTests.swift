import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// The real fprintd, with libfprint's virtual reader, at the lock screen of the shell (X-10, law 13).
    @Suite(.serialized) struct FingerprintTests {
        private func with(_ lines: String? = nil, _ body: (ShellUnderTest, SystemService) throws -> Void) throws {
            try ShellUnderTest.require("/usr/libexec/fprintd", of: "fprintd")
            let reader = try SystemService("fprint.py")
            let environment = OwnLockTests.environment.merging(reader.environment) { $1 }
            let config = "launch = []\nreduced-motion = true\n[lock]\nkeys = \"letters\"\n"
            try ShellUnderTest.with(config: config, environment: environment, files: try OwnLockTests.files(lines)) { shell in
                try shell.perform(.lockScreen(.lock))
                try shell.wait("the reader", within: 20) { try has("lock/finger", shell) }
                try body(shell, reader)
            }
        }

        private func has(_ id: String, _ shell: ShellUnderTest) throws -> Bool { try shell.views().contains { $0.id == id } }

        private func hint(_ shell: ShellUnderTest) throws -> String { try shell.views().first { $0.id == "lock/finger" }?.name ?? "" }

        private func unlock(_ shell: ShellUnderTest) throws {
            for letter in "sesame" { try shell.press(String(letter)) }
            try shell.press("Return")
            try shell.wait("the unlock") { try !shell.state().locked }
        }

        @Test("the finger opens the session, also after one that was too fast and a wrong one")
        func right() throws {
            try with { shell, reader in
                try shell.keepPicture("lock-finger")
                try reader.tell("retry")
                try shell.wait("the hint") { try hint(shell).contains("again") }
                try reader.tell("scan WRONG")
                try shell.wait("the refusal") { try hint(shell).contains("not recognized") }
                #expect(try shell.state().locked)
                try reader.tell("scan RIGHT")
                try shell.wait("the unlock") { try !shell.state().locked }
                // The next lock reads again.
                try shell.perform(.lockScreen(.lock))
                try shell.wait("the reader") { try hint(shell).contains("Or touch") }
                try reader.tell("scan RIGHT")
                try shell.wait("the unlock") { try !shell.state().locked }
                shell.expectAlive()
            }
        }

        @Test("after five wrong fingers only the password opens it")
        func over() throws {
            try with { shell, reader in
                for count in 1...5 {
                    try reader.tell("scan WRONG")
                    try shell.wait("refusal \(count)") { reader.log.count { $0 == "VerifyStatus verify-no-match" } == count }
                }
                try shell.wait("the hint") { try hint(shell).contains("password") }
                try reader.tell("scan RIGHT")
                try shell.settle()
                #expect(try shell.state().locked)
                try unlock(shell)
                shell.expectAlive()
            }
        }

        @Test("law 13: a signal that another program sends in the name of the reader opens nothing")
        func lies() throws {
            try with { shell, reader in
                try reader.tell("lie")
                try shell.wait("the lie") { reader.log.contains("lied") }
                try shell.settle()
                #expect(try shell.state().locked)
                try reader.tell("scan RIGHT")
                try shell.wait("the unlock") { try !shell.state().locked }
            }
        }

        @Test("an account that may not be used now stays closed for the right finger, and says so")
        func closed() throws {
            try with("auth required {matrix}\naccount required pam_deny.so\n") { shell, reader in
                try reader.tell("scan RIGHT")
                try shell.wait("the words") { try shell.views().contains { $0.id == "lock/words" && !$0.name.isEmpty } }
                #expect(try shell.state().locked)
                // The account is open again.
                let file = try #require(try OwnLockTests.files()["pam/mullion"]).replacingOccurrences(of: "{room}", with: shell.room)
                try ShellUnderTest.write(file, to: "\(shell.room)/pam/mullion")
                try unlock(shell)
            }
        }

        @Test("a reader that is unplugged, and a service that dies: the password still opens it", arguments: ["unplug", "kill"])
        func gone(how: String) throws {
            try with { shell, reader in
                try reader.tell(how)
                try shell.wait("no hint") { try !has("lock/finger", shell) }
                #expect(try shell.state().locked)
                try unlock(shell)
                shell.expectAlive()
            }
        }
    }
}
