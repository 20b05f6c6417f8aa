import Control
import Foundation
import Glibc
import MullionTesting
import Seat
import Settings
import Testing

extension RunningShell {
    /// security-context-v1, and which globals a client can see.
    @Suite(.serialized) struct PrivilegeTests {
        private static let privileged = Set(Privilege.allCases.flatMap(\.globals))

        @Test func securityContextShowsNothingPrivileged() throws {
            try ShellUnderTest.with { shell in
                let all = Set(try #require(try shell.script("sandbox.py", "globals").globals).keys)
                let within = Set(try #require(try shell.script("sandbox.py", "within", "org.example.App").globals).keys)
                #expect(all.contains("wp_security_context_manager_v1") && all.contains("zwlr_screencopy_manager_v1"))
                #expect(!within.contains("wp_security_context_manager_v1"))
                #expect(all.subtracting(within) == all.intersection(Self.privileged))
                #expect(within.isSuperset(of: ["wl_compositor", "wl_seat", "xdg_wm_base", "wl_data_device_manager"]))
            }
        }

        @Test func aHiddenGlobalCannotBeTakenUp() throws {
            try ShellUnderTest.with { shell in
                for global in ["zwlr_layer_shell_v1", "zwlr_screencopy_manager_v1", "wp_security_context_manager_v1"] {
                    let answer = try shell.script("sandbox.py", "bind", global, "org.example.App")
                    #expect(answer.code == "wl_registry 0", "\(global)")
                }
                shell.expectAlive()
            }
        }

        @Test func securityContextAbuse() throws {
            try ShellUnderTest.with { shell in
                let before = try shell.statistics()
                let expected = [
                    "not-a-socket": "wp_security_context_manager_v1 1", "not-listening": "wp_security_context_manager_v1 1",
                    "network-socket": "wp_security_context_manager_v1 1", "said-twice": "wp_security_context_v1 2",
                    "said-after-commit": "wp_security_context_v1 1", "committed-twice": "wp_security_context_v1 1",
                ]
                #expect(Set(try #require(try shell.script("sandbox.py", "abuse", "--list").ways)) == Set(expected.keys))
                for (way, code) in expected { #expect(try shell.script("sandbox.py", "abuse", way).code == code, "\(way)") }
                shell.expectAlive()
                #expect(try shell.statistics().clients == before.clients)
            }
        }

        /// wlroots 0.18 would leak both descriptors each time.
        @Test func whoIsRefusedASandboxLeavesNothing() throws {
            try ShellUnderTest.with { shell in
                func open() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(shell.process)/fd").count) ?? 0 }
                func round() throws {
                    for way in ["not-a-socket", "not-listening"] { _ = try shell.script("sandbox.py", "abuse", way) }
                }
                // A shell that has just started still opens its own descriptors.
                try round()
                let before = open()
                #expect(before > 0)
                for _ in 0..<8 { try round() }
                try shell.wait("its descriptors to be closed") { open() <= before + 12 }
            }
        }

        /// The engine, its manager, its context object and the apps go away in every order.
        @Test func securityContextLifetimes() throws {
            try ShellUnderTest.with { shell in
                let before = try shell.statistics()
                #expect(try shell.script("sandbox.py", "lifetimes").late == 0, "a closed context takes no more clients")
                try shell.wait("everybody to go") { try shell.statistics().clients == before.clients }
                shell.expectAlive()
            }
        }

        /// Before, the shell blocked in accept forever.
        @Test func whoTakesAConnectionBackDoesNotHoldUpTheShell() throws {
            try ShellUnderTest.with { shell in
                #expect(try #require(try shell.script("sandbox.py", "snatch").mine) > 0, "the connection was there for the engine")
                try shell.wait("the shell to say whose socket it leaves") {
                    shell.log.contains("a sandbox's engine takes connections from its socket itself")
                }
                shell.expectAlive()
            }
        }

        /// A process that shows a Flatpak's `/.flatpak-info` at its root, which proves nothing; `bwrap` is what Flatpak runs its apps with.
        @Test func aFlatpakIsInASandbox() throws {
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            try ShellUnderTest.require("wayland-info", of: "wayland-utils")
            try ShellUnderTest.with { shell in
                let outside = try shell.run(["wayland-info"]).output
                #expect(outside.contains("'zwlr_layer_shell_v1'"))
                let command = """
                    exec bwrap --tmpfs / --proc /proc --dev /dev --ro-bind /usr /usr --symlink usr/lib /lib \
                    --symlink usr/lib64 /lib64 --symlink usr/bin /bin --bind \(shell.runtime) \(shell.runtime) \
                    --ro-bind-data 9 /.flatpak-info wayland-info 9<\(shell.room)/info
                    """
                try shell.write("[Application]\nname=org.example.Flat\n", to: "\(shell.room)/info")
                func inside() throws -> String {
                    let (status, output) = try shell.run(["sh", "-c", command])
                    try #require(status == 0, "\(output)")
                    return output
                }
                let hidden = try inside()
                #expect(hidden.contains("'xdg_wm_base'") && !hidden.contains("'zwlr_layer_shell_v1'"))
                // Whoever makes a mount namespace can write any name there.
                try shell.write("[privileges]\npanels = { allow = [\"org.example.Flat\"] }\n", to: shell.configPath)
                try shell.waitForLog("the configuration changed")
                #expect(try !inside().contains("'zwlr_layer_shell_v1'"))
                // An engine's word counts; this takes effect at once.
                let allowed = try #require(try shell.script("sandbox.py", "within", "org.flatpak", "org.example.Flat").globals)
                #expect(allowed["zwlr_layer_shell_v1"] != nil && allowed["zwlr_screencopy_manager_v1"] == nil)
            }
        }

        /// It hides no file, so only its namespaces reveal what it is.
        @Test func aSandboxThatHidesNothingIsOne() throws {
            try ShellUnderTest.require("bwrap", of: "bubblewrap")
            try ShellUnderTest.require("wayland-info", of: "wayland-utils")
            try ShellUnderTest.with { shell in
                for command in [["bwrap", "--dev-bind", "/", "/"], ["unshare", "--user", "--map-root-user"]] {
                    let (status, seen) = try shell.run(command + ["wayland-info"])
                    #expect(status == 0 && seen.contains("'xdg_wm_base'"), "\(seen)")
                    for global in Self.privileged { #expect(!seen.contains("'\(global)'"), "\(command[0]): \(global)") }
                }
            }
        }

        /// By the path of the program, and with a change at run time. An invalid file changes nothing.
        @Test func theConfigurationRestrictsAProgram() throws {
            try ShellUnderTest.require("wayland-info", of: "wayland-utils")
            let path = "/usr/bin/wayland-info"
            try ShellUnderTest.with(config: "launch = []\n[privileges]\nall = { deny = [\"\(path)\"] }\n") { shell in
                func seen() throws -> String { try shell.run([path]).output }
                let restricted = try seen()
                #expect(restricted.contains("'xdg_wm_base'"))
                for global in Self.privileged { #expect(!restricted.contains("'\(global)'"), "\(global)") }
                // Another program is unaffected.
                let other = try #require(try shell.script("sandbox.py", "globals").globals)
                #expect(other["zwlr_layer_shell_v1"] != nil)

                try shell.write("[privileges]\npanels = \"anyone\"\n", to: shell.configPath)
                try shell.waitForLog("privileges.panels: \"everyone\", \"trusted\" or \"nobody\" is expected")
                #expect(try seen() == restricted, "the last good configuration stays")

                try shell.write("[privileges]\nscreen-capture = \"nobody\"\n", to: shell.configPath)
                try shell.waitForLog("the configuration changed")
                let now = try seen()
                #expect(now.contains("'zwlr_layer_shell_v1'") && !now.contains("'zwlr_screencopy_manager_v1'"))
            }
        }
    }
}
