import Foundation
import Glibc
import Seat
import Settings
import Testing
import Windows

@testable import Processes

@Suite struct PrivilegesTests {
    private func parse(_ text: String) throws -> Privileges { try Settings.parse(text, file: "config.toml").privileges }

    private func refusal(_ text: String) -> String? {
        do {
            _ = try Settings.parse(text, file: "config.toml")
            return nil
        } catch {
            return error.description
        }
    }

    private let program = Identity.program("/usr/bin/program")
    private let app = Identity.app("org.example.App", engine: "org.flatpak")
    private let nobody = Identity.container(1)

    @Test func everyGlobalBelongsToOnePrivilege() {
        let globals = Privilege.allCases.flatMap(\.globals)
        #expect(Set(globals).count == globals.count)
        for privilege in Privilege.allCases {
            for global in privilege.globals { #expect(Privilege.of(global: global) == privilege) }
        }
        #expect(Privilege.of(global: "wl_compositor") == nil)
    }

    @Test func sandboxedAppsHaveNone() {
        let standard = Privileges()
        for global in Privilege.allCases.flatMap(\.globals) {
            #expect(standard.allow(program, global: global) == (global != "xx_pip_shell_v1"), "a draft is nobody's")
            #expect(!standard.allow(app, global: global) && !standard.allow(nobody, global: global))
        }
        #expect(standard.allow(nobody, global: "xdg_wm_base"))
    }

    @Test func listsGoBeforeTheCircleAndDenyBeforeAllow() throws {
        let privileges = try parse(
            """
            [privileges]
            panels = { for = "everyone", deny = ["org.example.App"] }
            idle = "nobody"
            screens = { for = "nobody", allow = ["/usr/bin/program"] }
            clipboard = { allow = ["org.example.App"] }
            all = { deny = ["org.example.App"], allow = ["/opt/all"] }
            """)
        #expect(!privileges.allow(app, global: "zwlr_layer_shell_v1") && privileges.allow(nobody, global: "zwlr_layer_shell_v1"))
        #expect(!privileges.allow(program, global: "ext_idle_notifier_v1"))
        #expect(privileges.allow(program, global: "zwlr_output_manager_v1"))
        #expect(privileges.allow(app, global: "zwlr_data_control_manager_v1"), "a list of the privilege goes before those of all")
        #expect(privileges.allow(.program("/opt/all"), global: "ext_idle_notifier_v1"))
        #expect(privileges.allow(app, global: "wl_seat"), "what is no privilege is everyone's")
        let call = Identity.app("org.example.Call", engine: "org.flatpak")
        for (text, isSeen) in [
            ("", false), ("[privileges]\npicture-in-picture = \"everyone\"\n", true),
            ("[privileges]\npicture-in-picture = { allow = [\"org.example.Call\"] }\n", true),
            ("[privileges]\npicture-in-picture = { deny = [\"org.example.Other\"] }\n", false),
        ] {
            #expect(try parse(text).allow(call, global: "xx_pip_shell_v1") == isSeen, "a draft is nobody's as standard: \(text)")
        }
    }

    @Test func errorsSayWhereAndWhat() {
        #expect(refusal("[privileges]\npannels = \"nobody\"\n") == "config.toml:2:1: unknown key \"pannels\": did you mean \"panels\"?")
        #expect(
            refusal("[privileges]\npanels = \"some\"\n")
                == "config.toml:2:10: privileges.panels: \"everyone\", \"trusted\" or \"nobody\" is expected")
        #expect(refusal("[privileges]\npanels = { allow = [\"bin/x\"] }\n")?.contains("absolute paths") ?? false)
        #expect(refusal("[privileges]\npanels = { allow = [\"/x\"], deny = [\"/x\"] }\n")?.contains("both allowed and denied") ?? false)
        #expect(refusal("[privileges]\nall = \"nobody\"\n")?.contains("a table is expected") ?? false)
        #expect(refusal("[privileges]\nall = { for = \"nobody\" }\n")?.contains("unknown key \"for\"") ?? false)
        #expect(refusal("privileges = 3\n")?.contains("a table of privileges is expected") ?? false)
    }
}

@Suite struct EvidenceTests {
    private func identity(_ process: Int32) -> Identity { Identity(.of(process: process, connection: 7)) }

    /// It sees the usual files, but another process decides what it may do to them and what they become.
    @Test(arguments: [["--mount"], ["--user", "--map-root-user"]])
    func foreignNamespacesAreASandbox(options: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = options + ["sleep", "30"]
        try process.run()
        defer { process.terminate() }
        let pid = process.processIdentifier
        for _ in 0..<500 where !(Identity.Evidence.of(process: pid, connection: 0).executable ?? "/sleep").hasSuffix("/sleep") {
            usleep(10_000)
        }
        usleep(100_000)
        try #require(process.isRunning, "namespaces cannot be made here")
        #expect(identity(pid) == .container(7))
    }

    @Test func thisProcessIsOutside() {
        guard case .program(let path) = identity(getpid()) else {
            Issue.record("\(identity(getpid()))")
            return
        }
        #expect(path.hasPrefix("/"))
    }

    @Test func whatCannotBeLookedAtIsUnknown() {
        #expect(identity(0) == .container(7) && identity(Int32.max) == .container(7))
    }

    @Test func filesThatAProgramServesAreNotRead() {
        let tmpfs = "600 590 0:55 / / rw - tmpfs tmpfs rw\n"
        #expect(Identity.Evidence.readsWithoutWaiting(mounts: tmpfs))
        #expect(!Identity.Evidence.readsWithoutWaiting(mounts: "600 590 0:55 / / rw shared:1 - fuse.trap trap rw\n"))
        #expect(!Identity.Evidence.readsWithoutWaiting(mounts: tmpfs + "601 600 0:56 / /.flatpak-info rw - nfs4 host rw\n"))
        #expect(Identity.Evidence.readsWithoutWaiting(mounts: tmpfs + "601 600 0:56 / /home rw - fuse.portal x rw\n"))
    }

    @Test func whoCanWriteToControlGroupsCanChooseItsOwn() {
        func line(_ options: String, _ type: String) -> String {
            "31 24 0:26 / /sys/fs/cgroup \(options) shared:9 - \(type) cgroup2 rw,nsdelegate\n"
        }
        #expect(
            Identity.Evidence.canMoveGroups(mounts: line("rw,nosuid", "cgroup2"))
                && Identity.Evidence.canMoveGroups(mounts: line("rw", "cgroup")))
        #expect(
            !Identity.Evidence.canMoveGroups(mounts: line("ro,nosuid", "cgroup2"))
                && !Identity.Evidence.canMoveGroups(mounts: line("rw", "sysfs")))
    }
}
