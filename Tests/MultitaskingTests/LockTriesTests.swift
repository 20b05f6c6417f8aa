import Geometry
import Locking
import MullionTesting
import Multitasking
import Notices
import Stage
import Status
import Testing
import Windows

/// A try that is under way when the session is locked again, and what pictures show of an answer.
@Suite("X-10: tries on the lock screen, in the core") struct LockTriesTests {
    /// Locked, with an answer on which PAM works.
    private func world(typing answer: String = "abc", sends: Bool = true) -> CoreWorld {
        var preferences = Preferences()
        preferences.lock.keys = .digits
        var world = CoreWorld(idiom: .pad, preferences: preferences)
        world.act(.lockScreen(.lock))
        world.send(.lockScreen(.input(.key(.enter, text: nil))))
        world.send(.lockScreen(.talk(world.system.lockScreen.lastNumber, .asks("Password: ", isShown: false))))
        for letter in answer { world.send(.lockScreen(.input(.key(.space, text: String(letter))))) }
        if sends { world.send(.lockScreen(.input(.key(.enter, text: nil)))) }
        return world
    }

    @Test("who locks again, or makes the screen dark, ends the try that PAM works on; it counts, and lets nobody in later")
    func again() {
        let ways: [(String, (inout CoreWorld) -> Void)] = [
            ("ctl lock", { $0.act(.lockScreen(.lock)) }),
            ("Super+L", { $0.send(.lockScreen(.input(.chord([KeySymbol(rawValue: 0x6c)], modifiers: Modifiers.super.rawValue)))) }),
            (
                "Super+L on another layout",
                {
                    let symbols = [KeySymbol(rawValue: 0x6c4), KeySymbol(rawValue: 0x6c)]
                    $0.send(.lockScreen(.input(.chord(symbols, modifiers: Modifiers.super.rawValue))))
                }
            ),
            ("the power button", { $0.act(.device(.powerButton(isLong: false))) }),
            ("the cover", { $0.act(.cover(closed: true)) }),
            ("the login manager", { $0.send(.lockScreen(.lockAsked)) }),
            ("sleep", { $0.send(.power(.sleeps)) }),
            ("a dark screen", { $0.send(.screenLit(false)) }),
        ]
        for (name, lock) in ways {
            var world = world()
            let number = world.system.lockScreen.lastNumber
            #expect(world.system.lockScreen.isWorking)
            lock(&world)
            #expect(world.effects.contains(.unlocking(.stop(number))), "\(name)")
            world.send(.lockScreen(.talk(number, .ends(.allowed))))
            #expect(world.system.isLocked && world.system.lockScreen.failures == 1, "\(name)")
            #expect(!world.system.lockScreen.isOpen && world.system.lockScreen.field.isEmpty, "\(name)")
            #expect(world.system.violations() == [], "\(name)")
        }
        var world = world()
        world.send(.lockScreen(.talk(world.system.lockScreen.lastNumber, .ends(.allowed))))
        #expect(!world.system.isLocked)
    }

    @Test("while programs take pictures, no letter of an answer is shown and no key is marked")
    func pictures() throws {
        var world = world(typing: "mno", sends: false)
        func press(_ id: ControlID) throws {
            let control = try #require(world.system.controls(at: world.now).last { $0.id == id })
            world.send(.lockScreen(.input(.down(1, at: control.frame.center))))
            world.send(.lockScreen(.input(.up(1))))
        }
        func letters(_ items: [Item]) -> Bool {
            items.contains { "\($0.kind)".contains("mno") }
        }
        try press("lock/reveal")
        #expect(letters(world.system.items(at: world.now)) && !letters(world.system.itemsForPicture(at: world.now)))
        world.send(.capture(.pictures(true)))
        #expect(!letters(world.system.items(at: world.now)))
        #expect(world.system.controls(at: world.now).first { $0.id == "lock/reveal" }?.isOperable == false)
        let key = try #require(world.system.controls(at: world.now).first { $0.id == "lock/key/5" })
        let before = world.system.items(at: world.now)
        world.send(.lockScreen(.input(.down(1, at: key.frame.center))))
        #expect(world.system.items(at: world.now) == before, "the key is marked")
        world.send(.capture(.pictures(false)))
        #expect(world.system.items(at: world.now) != before && letters(world.system.items(at: world.now)))
    }

    @Test("a tap on a notification asks for the password, and then opens it; on the way back it is forgotten")
    func notices() throws {
        func locked() -> CoreWorld {
            var world = CoreWorld(idiom: .pad)
            world.act(.notice(.choose(app: "mail", what: .onLock(.content))))
            world.send(.notice(.notify(NoticeID(7), NoticeContent(app: "mail", name: "Mail", title: "Hello"), sender: ":1.5", at: 0)))
            world.act(.lockScreen(.lock))
            return world
        }
        func tap(_ world: inout CoreWorld) throws {
            let row = try #require(world.system.controls(at: world.now).last { $0.id == "lock/notice/0" })
            world.send(.lockScreen(.input(.down(1, at: row.frame.center))))
            world.send(.lockScreen(.input(.up(1))))
        }
        var world = locked()
        try tap(&world)
        #expect(world.system.lockScreen.isOpen && world.system.lockScreen.notice == 7 && world.system.isLocked)
        world.send(.lockScreen(.talk(world.system.lockScreen.lastNumber, .ends(.allowed))))
        #expect(!world.system.isLocked && world.system.notices[NoticeID(7)]?.isRead ?? true)
        world = locked()
        try tap(&world)
        world.send(.lockScreen(.input(.key(.escape, text: nil))))
        #expect(world.system.lockScreen.notice == nil && world.system.isLocked)
    }
}
