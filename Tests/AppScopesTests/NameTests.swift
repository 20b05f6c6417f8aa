import Glibc
import Testing

@testable import AppScopes
@testable import Processes

@Suite struct NameTests {
    @Test(arguments: [
        "org.gnome.TextEditor", "org.gnome.Text-Editor", "foot", "Ünïcode app/with\\everything-", "a b@c", ".hidden", "x\\x2dy", "1",
    ]) func aNameIsReadBack(id: String) {
        let unit = ScopeName.unit(app: id)
        #expect(AppIdentity.desktopID(groups: "0::/user.slice/mullion-wayland-1/\(unit)\n") == id)
        #expect(unit.utf8.allSatisfy { $0 != 0x2F && $0 < 0x80 && $0 > 0x20 })
        #expect(unit.hasPrefix("app-mullion-") && unit.hasSuffix(".scope"))
    }

    @Test func aDashIsEscapedAsSystemdDoes() {
        #expect(ScopeName.unit(app: "org.gnome.Text-Editor", random: 0xBEEF) == "app-mullion-org.gnome.Text\\x2dEditor-beef.scope")
        #expect(ScopeName.folder(session: "/run/wayland-1") == "mullion-\\x2frun\\x2fwayland\\x2d1")
    }

    @Test func aNameFitsAFile() {
        for id in ["", String(repeating: "-", count: 1000), String(repeating: "x", count: 1000)] {
            let unit = ScopeName.unit(app: id)
            #expect(unit.utf8.count <= 255)
            #expect(AppIdentity.desktopID(groups: unit)?.isEmpty == false)
        }
    }

    @Test func mountsAreRead() {
        let table = """
            24 1 0:22 / /sys rw - sysfs sysfs rw
            37 31 0:34 / /sys/fs/cgroup/freezer rw,relatime shared:9 - cgroup cgroup rw,freezer
            38 31 0:35 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
            41 31 0:38 /docker/ab /sys/fs/cgroup/unified rw,relatime master:1 shared:2 - cgroup2 cgroup2 rw
            broken
            """
        let mounts = ControlGroups.mounts(inTable: table)
        #expect(
            mounts == [
                .init(kind: .freezer, root: "/", folder: "/sys/fs/cgroup/freezer"),
                .init(kind: .unified, root: "/docker/ab", folder: "/sys/fs/cgroup/unified"),
            ])
        let groups = "6:freezer:/a\n1:cpu,cpuacct:/b\n0::/docker/ab/c:d\n"
        #expect(ControlGroups.group(.freezer, inGroups: groups) == "/a")
        #expect(ControlGroups.group(.unified, inGroups: groups) == "/docker/ab/c:d")
        #expect(ControlGroups.folder(of: "/a", in: mounts[0]) == "/sys/fs/cgroup/freezer/a")
        #expect(ControlGroups.folder(of: "/", in: mounts[0]) == "/sys/fs/cgroup/freezer")
        #expect(ControlGroups.folder(of: "/docker/ab/c", in: mounts[1]) == "/sys/fs/cgroup/unified/c")
        #expect(ControlGroups.folder(of: "/docker/ab", in: mounts[1]) == "/sys/fs/cgroup/unified")
        #expect(ControlGroups.folder(of: "/docker/abc", in: mounts[1]) == nil)
        #expect(ControlGroups.folder(of: "/../x", in: mounts[0]) == nil)
    }

    @Test func aProcessIsRead() throws {
        let text = "7 (a) b) T 3 7 5 0 -1 4194560 100 0 0 0 12 30 0 0 20 0 9 0 88123 1000 20 184"
        let record = try #require(ProcessRecord(pid: 7, stat: text))
        #expect(record.parent == 3 && record.session == 5 && record.isStopped && !record.hasEnded)
        #expect(record.work == 42 && record.threads == 9 && record.start == 88123)
        #expect(ProcessRecord(pid: 7, stat: "7 (a) T 3") == nil)
    }

    @Test func theBestMeansIsTaken() {
        var machine = Machine()
        #expect(machine.chain == [.processes])
        machine.folders = [.unified: "/u", .freezer: "/f"]
        #expect(machine.chain == [.cgroup2, .freezer1, .processes])
        machine.manager = "unix:path=/x"
        #expect(machine.chain == [.systemd, .cgroup2, .freezer1, .processes])
        machine.forced = .freezer1
        #expect(machine.chain == [.freezer1])
        machine.folders = [:]
        machine.lacks[.freezer1] = "there is no freezer1 here"
        #expect(machine.chain == [.processes] && machine.detail.contains("there is no freezer1 here"))
    }

    @Test func theGuardKeepsAList() {
        var list = ThawList()
        for line in ["+ /a", "+ 12@5", "+ /b", "- /a", "nonsense", "", "+ 12@5"] { list.take(line) }
        #expect(list.items == ["/b", "12@5"])
    }

    @Test("S-06: the folders of shells that were killed go with the next shell of their name, and those of others stay")
    func foldersOfTheDead() throws {
        var template = Array("/tmp/mullion-groups-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let parent = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let dead = "\(parent)/mullion-s-2147483646",
            stays = ["s-\(getpid())", "s-text", "other-2147483646"].map { "\(parent)/mullion-\($0)" }
        for folder in [dead, "\(dead)/app-mullion-x-1.scope"] + stays { mkdir(folder, 0o700) }
        defer { for folder in stays + [parent] { rmdir(folder) } }
        let groups = try #require(SessionGroups(session: "s", kind: .freezer, below: parent))
        #expect(access(dead, F_OK) != 0)
        for folder in stays { #expect(access(folder, F_OK) == 0, "\(folder)") }
        groups.remove()
        #expect(access(groups.folder, F_OK) != 0)
    }
}
