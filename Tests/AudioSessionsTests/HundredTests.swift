import Foundation
import Geometry
import Testing

@testable import AudioSessions

/// What is decided for all of many sessions at once is what would be decided for each alone.
@Suite("A hundred sessions")
struct HundredTests {
    /// Of every kind that can be declared and sounds beside others: those that mix, some that lower others.
    private static func world(_ chance: inout Chance) -> World {
        var world = World()
        for id in 1...100 as ClosedRange<UInt64> {
            world.send(.sessionOpened(SessionID(id), World.app(Int(id) % 90)))
            let (kind, options): (SoundKind, Options) = chance.one(of: [
                (.music, .mixWithOthers), (.music, .mixWithOthers), (.music, .duckOthers), (.video, .mixWithOthers),
                (.podcast, .mixWithOthers), (.gameAmbient, []), (.gameAmbient, .duckOthers), (.screenReader, []),
            ])
            let (category, mode, _) = World.recipe(kind)
            #expect(world.ask(id, .setCategory(category, mode, options)) == .done)
            #expect(world.ask(id, .activate) == .done)
            if id % 3 == 0 { world.stream(id, app: Int(id) % 90) }
        }
        return world
    }

    /// Table 1b of two sessions: how much the one is lowered by the other.
    private static func strength(of victim: Session, by other: Session, in audio: AudioSessions) -> Duck.Strength? {
        guard other.state == .active, victim.state == .active || victim.state == .interrupted, other.app != victim.app else { return nil }
        return other.order > victim.order
            ? audio.cell(of: victim.traits, under: other.traits, isAskedFor: true).incumbentDuck
            : audio.cell(of: other.traits, under: victim.traits, isAskedFor: true).newcomerDuck
    }

    private static func expectDucks(_ world: World, _ comment: Comment) {
        for victim in world.audio.sessions.values {
            var expected: [SessionID: Duck.Strength] = [:]
            for other in world.audio.sessions.values { expected[other.id] = strength(of: victim, by: other, in: world.audio) }
            let found = Dictionary(victim.ducks.map { ($0.by, $0.strength) }) { first, _ in first }
            #expect(found == expected && victim.ducks.count == expected.count, "\(victim.id), a \(victim.kind), \(comment)")
        }
    }

    @Test(
        "a call interrupts all that sound, once each; after its end each is lowered by what the table says of every pair",
        arguments: [1, 2, 3])
    func call(_ seed: Int) {
        var chance = Chance(UInt64(seed))
        var world = Self.world(&chance)
        Self.expectDucks(world, "before the call")
        let sounding = world.audio.sessions.values.filter { $0.state == .active }.map(\.id)
        #expect(sounding.count > 50)
        world.declare(1000, .callRinging)
        let lost = world.audio.sessions.values.filter { $0.state == .interrupted }.map(\.id)
        #expect(lost.count > 50)
        // In the order in which they came.
        #expect(world.last.compactMap { if case .tell(let id, .interruptionBegan) = $0 { id } else { nil } } == lost)
        Self.expectDucks(world, "during the call")
        world.wait(1)
        for id in lost {
            #expect(world.session(id.raw)?.interruption?.isDisconnected == true && world.session(id.raw)?.interruption?.fadeEnds == nil)
        }
        world.ask(1000, .call(.ended))
        #expect(world.last.compactMap { if case .tell(let id, .interruptionEnded(true)) = $0 { id } else { nil } } == lost)
        #expect(world.audio.sessions.values.filter { $0.state == .active }.map(\.id) == sounding)
        Self.expectDucks(world, "after the call")
        #expect(world.audio.violations() == [])
        #expect(world.begins == world.ends)
    }

    @Test("a prompt lowers all that may be lowered, and only for as long as it lasts")
    func prompt() {
        var chance = Chance(4)
        var world = Self.world(&chance)
        let before = world.audio.sessions.values.map { Set($0.ducks) }
        world.declare(1000, .prompt)
        Self.expectDucks(world, "under a prompt")
        world.ask(1000, .deactivate(notifyOthers: true))
        world.send(.sessionClosed(SessionID(1000)))
        // What speaks is paused meanwhile and comes back; nothing else has changed.
        #expect(world.audio.sessions.values.map { Set($0.ducks) } == before)
        #expect(world.audio.violations() == [])
    }
}

@Suite("The table of sessions")
struct LookUpTests {
    @Test("finds what a dictionary finds, in the order in which it came, whatever came and went")
    func random() {
        var chance = Chance(11)
        var table = Table<SessionID, Int>()
        var known: [SessionID: Int] = [:]
        var order: [SessionID] = []
        for step in 0..<20_000 {
            // Numbers that follow each other, multiples of a power of two, and those that the core gives itself.
            let number = UInt64(chance.below(150))
            let id = SessionID(chance.one(of: [number, number << 56, SessionID.firstImplied + number]))
            // It grows to hundreds and shrinks to none again.
            if chance.below(10) < (step / 4000 % 2 == 0 ? 6 : 3) {
                if known.updateValue(step, forKey: id) == nil { order.append(id) }
                table[id] = step
            } else {
                #expect(table.removeValue(forKey: id) == known.removeValue(forKey: id))
                order.removeAll { $0 == id }
            }
            #expect(table[id] == known[id])
            guard step % 100 == 0 else { continue }
            #expect(table.keys == order && table.values == order.map { known[$0]! })
            for (place, id) in order.enumerated() where table.index(forKey: id) != place { Issue.record("\(id) is not at \(place)") }
        }
    }

    @Test("one that was written and read again finds the same; keys that do not match their values are refused")
    func codable() throws {
        var table = Table<PlayerID, Int>()
        for number in 0..<40 { table[PlayerID("org.mpris.MediaPlayer2.\(number)")] = number }
        table[PlayerID("org.mpris.MediaPlayer2.7")] = nil
        let again = try JSONDecoder().decode(Table<PlayerID, Int>.self, from: JSONEncoder().encode(table))
        #expect(again == table)
        for (place, key) in table.keys.enumerated() { #expect(again.index(forKey: key) == place) }
        #expect(again[PlayerID("org.mpris.MediaPlayer2.7")] == nil)
        for wrong in [#"{"keys":[1,2],"values":[1]}"#, #"{"keys":[1,1],"values":[1,2]}"#] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Table<AppRef, Int>.self, from: Data(wrong.utf8)) }
        }
    }
}
