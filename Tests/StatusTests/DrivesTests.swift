import Geometry
import Status
import Testing

/// A volume as UDisks tells of it.
private func facts(
    _ name: String, on drive: String? = nil, label: String = "Stick", mounted: String? = nil, canPowerOff: Bool = true,
    canEject: Bool = true
) -> VolumeFacts {
    var facts = VolumeFacts(path: "/b/\(name)")
    facts.drive = drive.map { "/d/\($0)" } ?? "/"
    facts.label = label
    facts.driveName = "ACME Flash"
    facts.bytes = 16_000_000_000
    facts.mountPoints = mounted.map { [$0] } ?? []
    facts.isRemovable = true
    (facts.canPowerOff, facts.canEject) = (canPowerOff, canEject)
    return facts
}

/// The room with UDisks around it, as `System` and its adapter carry the outcomes out.
private struct World: Hashable {
    var drives = Drives()
    var isOpen = true
    /// The volumes of which a person is told.
    var told: Set<String> = []
    /// Steps without an answer.
    var running: [UInt64] = []
    var steps: [Drives.Step] = []
    var opened: [String] = []
    /// What is connected, and its folders.
    var connected: [String: String?] = [:]

    @discardableResult
    mutating func send(_ event: Drives.Event) -> [Drives.Outcome] {
        let out = drives.handle(event, in: isOpen, at: .zero)
        for outcome in out {
            switch outcome {
            case .tells(let volume, _): told.insert(volume.id)
            case .withdraws(let id): told.remove(id)
            case .take(let number, let step):
                running.append(number)
                steps = [step]
            case .opens(let folder): opened = [folder]
            case .changed, .freed, .fails, .refuse: break
            }
        }
        return out
    }

    mutating func list() {
        send(.volumes(connected.map { facts($0.key, on: "x" + $0.key.prefix(3), mounted: $0.value) }))
    }

    mutating func answer(_ answer: Drives.Answer) {
        guard !running.isEmpty else { return }
        send(.ended(step: running.removeFirst(), answer))
    }

    static let moves: [@Sendable (inout World) -> Void] = [
        { world in
            world.connected["sdb1"] = .some(nil)
            world.list()
        },
        { world in
            world.connected["sdb2"] = .some(nil)
            world.list()
        },
        { world in
            world.connected = [:]
            world.list()
        },
        { $0.send(.wish(.open("sdb1"))) }, { $0.send(.wish(.eject("sdb1"))) }, { $0.send(.wish(.eject("sdb2"))) },
        { world in
            if world.connected["sdb1"] != nil { world.connected["sdb1"] = .some("/media/a") }
            world.answer(.done("/media/a"))
            world.list()
        },
        { $0.answer(.failed("org.freedesktop.UDisks2.Error.DeviceBusy", "target is busy")) }, { $0.answer(.silent) },
        { $0.isOpen.toggle() }, { $0.send(.absent) },
    ]
}

@Suite("removable drives") struct DrivesTests {
    @Test(
        "every sequence of five steps: a person is told of what is connected alone, one job runs for each drive, nothing begins while locked"
    )
    func everySequence() {
        var seen: Set<World> = [World()], open = [World()]
        for _ in 0..<5 {
            var next: [World] = []
            for world in open {
                for move in World.moves {
                    var after = world
                    after.opened = []
                    after.steps = []
                    move(&after)
                    #expect(after.drives.violations(in: after.isOpen) == [])
                    #expect(after.told.isSubset(of: after.drives.volumes.map(\.id)))
                    #expect(after.isOpen || after.opened.isEmpty)
                    // A mount begins by the wish of a person alone.
                    if case .mount? = after.steps.first { #expect(after.isOpen && after.drives.jobs.count > world.drives.jobs.count) }
                    if seen.insert(after).inserted { next.append(after) }
                }
            }
            open = next
        }
        #expect(seen.count > 200)
    }

    @Test("one that is there at the start is no news; one that is connected later is; one that goes is withdrawn")
    func comesAndGoes() {
        var world = World()
        let first = world.send(.volumes([facts("sdb1", on: "a")]))
        #expect(first == [.tells(world.drives["sdb1"]!, isNew: false), .changed])
        let second = world.send(.volumes([facts("sdb1", on: "a"), facts("sdc1", on: "c")]))
        #expect(second == [.tells(world.drives["sdc1"]!, isNew: true), .changed])
        #expect(world.send(.volumes([facts("sdc1", on: "c"), facts("sdb1", on: "a")])) == [], "the order says nothing")
        #expect(world.send(.volumes([facts("sdc1", on: "c")])) == [.withdraws(id: "sdb1"), .changed])
        // Another stick in the same place.
        let other = world.send(.volumes([facts("sdc1", on: "d", label: "Other")]))
        #expect(other == [.withdraws(id: "sdc1"), .tells(world.drives["sdc1"]!, isNew: true), .changed])
        #expect(world.send(.volumes([facts("sdc1", on: "d", label: "Other", mounted: "/media/x")])) == [.changed])
        #expect(world.send(.absent) == [.withdraws(id: "sdc1"), .changed])
        #expect(world.send(.volumes([facts("sdc1", on: "d")])).first == .tells(world.drives["sdc1"]!, isNew: false))
    }

    @Test("parts of the machine, hidden ones and fixed disks are left out; one that desktops may mount is shown")
    func leftOut() {
        var system = facts("sda1"), hidden = facts("sda2"), fixed = facts("sda3"), loop = facts("loop0")
        system.isSystem = true
        hidden.isIgnored = true
        fixed.isRemovable = false
        (loop.isRemovable, loop.isAuto) = (false, true)
        var world = World()
        world.send(.volumes([system, hidden, fixed, loop]))
        #expect(world.drives.volumes.map(\.id) == ["loop0"])
    }

    @Test("open: mounts and shows the folder; one that is mounted is shown at once; while locked the folder stays shut")
    func opens() {
        var world = World()
        world.send(.volumes([facts("sdb1", on: "a")]))
        #expect(world.send(.wish(.open("sdb1"))) == [.take(step: 1, .mount("/b/sdb1")), .changed])
        #expect(world.send(.wish(.open("sdb1"))) == [.refuse("drive \"sdb1\" is being opened or ejected")])
        #expect(world.send(.wish(.eject("sdb1"))) == [.refuse("drive \"sdb1\" is being opened or ejected")])
        #expect(world.send(.ended(step: 1, .done("/media/Stick"))) == [.opens(folder: "/media/Stick"), .changed])
        #expect(world.send(.ended(step: 1, .done("/media/Stick"))) == [], "an answer counts once")
        world.send(.volumes([facts("sdb1", on: "a", mounted: "/media/Stick")]))
        #expect(world.send(.wish(.open("sdb1"))) == [.opens(folder: "/media/Stick")])
        #expect(world.send(.wish(.open("sdz1"))) == [.refuse("no drive \"sdz1\" is there")])
        world.send(.volumes([facts("sdb1", on: "a")]))
        world.send(.wish(.open("sdb1")))
        world.isOpen = false
        #expect(world.send(.ended(step: 2, .done("/media/Stick"))) == [.changed])
        #expect(world.send(.wish(.open("sdb1"))) == [.refuse("the screen is locked")])
        #expect(world.send(.wish(.eject("sdb1"))) == [.refuse("the screen is locked")])
        world.isOpen = true
        world.send(.wish(.open("sdb1")))
        #expect(world.send(.ended(step: 3, .done("relative"))).first == .fails(name: "Stick", isEject: false, .says("relative")))
    }

    @Test("eject: unmounts everything on the drive, then turns it off, or else ejects it; the person may take it out after the last answer")
    func ejects() {
        var world = World()
        world.send(.volumes([facts("sdb1", on: "a", mounted: "/m/1"), facts("sdb2", on: "a", mounted: "/m/2"), facts("sdc1", on: "c")]))
        #expect(world.send(.wish(.eject("sdb2"))) == [.take(step: 1, .unmount("/b/sdb1")), .changed])
        #expect(world.send(.wish(.eject("sdb1"))) == [.refuse("drive \"sdb1\" is being opened or ejected")], "it is the same drive")
        #expect(world.send(.ended(step: 1, .done(""))) == [.take(step: 2, .unmount("/b/sdb2")), .changed])
        let notMounted = Drives.Answer.failed("org.freedesktop.UDisks2.Error.NotMounted", "no")
        #expect(world.send(.ended(step: 2, notMounted)) == [.take(step: 3, .powerOff(drive: "/d/a")), .changed])
        // Its objects may go before the answer comes.
        world.send(.volumes([facts("sdc1", on: "c")]))
        #expect(world.send(.ended(step: 3, .done(""))) == [.freed(name: "Stick"), .changed])
        world.send(.volumes([facts("sdc1", on: "c", canPowerOff: false)]))
        #expect(world.send(.wish(.eject("sdc1"))) == [.take(step: 4, .eject(drive: "/d/c")), .changed])
        #expect(world.send(.ended(step: 4, .done(""))) == [.withdraws(id: "sdc1"), .freed(name: "Stick"), .changed])
        // No drive: there is nothing to do.
        world.send(.volumes([facts("loop0")]))
        #expect(world.send(.wish(.eject("loop0"))) == [.withdraws(id: "loop0"), .freed(name: "Stick")])
    }

    @Test(
        "errors become words, and the next try is free",
        arguments: [
            (Drives.Answer.failed("org.freedesktop.UDisks2.Error.DeviceBusy", "x"), Drives.Trouble.busy),
            (.failed("org.freedesktop.UDisks2.Error.NotAuthorizedCanObtain", "x"), .notAllowed), (.silent, .silent),
            (.failed("org.freedesktop.UDisks2.Error.Failed", "wrong\nfs\u{202e} type"), .says("wrong fs type")),
        ])
    func errors(answer: Drives.Answer, trouble: Drives.Trouble) {
        var world = World()
        world.send(.volumes([facts("sdb1", on: "a", mounted: "/m/1")]))
        world.send(.wish(.eject("sdb1")))
        #expect(world.send(.ended(step: 1, answer)) == [.fails(name: "Stick", isEject: true, trouble), .changed])
        #expect(world.told == ["sdb1"], "it is still to be ejected")
        #expect(world.send(.wish(.eject("sdb1"))).contains(.take(step: 2, .unmount("/b/sdb1"))))
    }

    @Test("pulled out while it is mounted: no word. Pulled out while it is ejected: the person hears of it")
    func pulled() {
        var world = World()
        let failure = Drives.Answer.failed("org.freedesktop.DBus.Error.UnknownObject", "no such object")
        world.send(.volumes([facts("sdb1", on: "a")]))
        world.send(.wish(.open("sdb1")))
        #expect(world.send(.volumes([])) == [.withdraws(id: "sdb1"), .changed])
        #expect(world.send(.ended(step: 1, failure)) == [.changed])
        world.send(.volumes([facts("sdb1", on: "a", mounted: "/m/1")]))
        world.send(.wish(.eject("sdb1")))
        world.send(.volumes([]))
        #expect(world.send(.ended(step: 2, failure)).first == .fails(name: "Stick", isEject: true, .says("no such object")))
    }

    @Test(
        "P-06: names of any kind become one short line",
        arguments: [
            ("", "ACME Flash"), ("\u{0}\n\t\u{7f}", "ACME Flash"), ("a\nb", "a b"), ("\u{202e}gpj.exe", "gpj.exe"), ("מידע", "מידע"),
            (String(repeating: "x", count: 5000), String(repeating: "x", count: 59) + "…"),
            ("e" + String(repeating: "\u{301}", count: 100_000), "e" + String(repeating: "\u{301}", count: 479)),
        ])
    func names(label: String, name: String) {
        var world = World()
        world.send(.volumes([facts("sdb1", on: "a", label: label)]))
        #expect(world.drives["sdb1"]?.name == name)
        var nameless = facts("sdb1", on: "a", label: label)
        nameless.driveName = ""
        world.send(.volumes([nameless]))
        #expect(world.drives["sdb1"]?.name == (name == "ACME Flash" ? "sdb1" : name))
    }

    @Test("a thousand volumes: 32 are shown") func many() {
        var world = World()
        world.send(.volumes((0..<1000).map { facts("sd\($0)", on: "\($0)") }))
        #expect(world.drives.volumes.count == Drives.most && world.drives.violations(in: true) == [])
    }

    @Test(
        "sizes as they stand on a drive",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (15_931_539_456, "16 GB"), (1_500_000_000, "1.5 GB"), (.max, "18446744 TB"),
        ]
            as [(UInt64, String)])
    func sizes(bytes: UInt64, words: String) {
        var one = facts("sdb1"), world = World()
        one.bytes = bytes
        world.send(.volumes([one]))
        #expect(world.drives["sdb1"]?.size == words)
    }
}
