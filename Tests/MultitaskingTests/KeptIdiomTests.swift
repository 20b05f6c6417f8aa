import Foundation
import Geometry
import Lifecycle
import MullionTesting
import Multitasking
import Testing
import Windows

/// W-20: the arrangements of all idioms survive the end of the shell.
@Suite("What idioms keep")
struct KeptIdiomTests {
    private let idioms: [Idiom] = [.pad, .phone, .mac]

    /// What a person sees of a session: by window, its place and its frame in each idiom.
    private func look(_ world: CoreWorld) -> [String: [String: String]] {
        var world = world, looks: [String: [String: String]] = [:]
        for idiom in [world.workspace.family.name] + idioms.map(\.name) {
            world.act(.idiom(idiom))
            world.rest()
            var places: [String: String] = [:]
            for window in world.workspace.windows.values where window.isMapped {
                let space = world.workspace.spaces.firstIndex { $0.contains(window.id) }, frame = world.workspace.frames()[window.id]
                let place: String
                switch world.place(window.id) {
                case .full, .free: place = "space \(space ?? -1)"
                case .split(_, let side): place = "\(side) of space \(space ?? -1)"
                case let other: place = "\(other.map { "\($0)" } ?? "nowhere")"
                }
                places[window.facts.title] = "\(place), shown: \(world.workspace.isShown(window.id)), \(frame.map { "\($0)" } ?? "-")"
            }
            looks[looks[idiom] == nil ? idiom : "\(idiom) again"] = places
        }
        return looks
    }

    /// Five programs: a pair, a card, a picture and a window behind on the pad; moved, tiled, resized and minimized ones on the mac.
    private func session(endingIn last: String) throws -> CoreWorld {
        var world = CoreWorld()
        world.send(.idiomsKnown(idioms))
        for raw in 1...5 as ClosedRange<UInt32> {
            world.create(raw)
            world.send(.activationAsked(WindowID(raw), hasRecentSerial: true, launch: nil))
            world.map(raw)
            world.send(.programKnown(AppProcess(Int32(raw) + 100), command: ["program\(raw)"], directory: nil))
        }
        world.act(.splitView(window: WindowID(2), side: .left))
        world.act(.divider(fraction: 0.33))
        world.act(.slideOver(window: WindowID(3)))
        world.act(.slideOverSide(.left))
        world.act(.pictureInPicture(window: WindowID(4)))
        world.act(.pipCorner(.topLeft))
        world.act(.idiom("mac"))
        world.rest()
        world.send(.windowPlaced(WindowID(1), at: Point(77, 99)))
        world.act(.tile(window: WindowID(2), to: .right))
        world.act(.minimize(window: WindowID(3)))
        world.act(.focus(window: WindowID(5)))
        world.act(.idiom("phone"))
        world.act(.focus(window: WindowID(1)))
        world.act(.idiom(last))
        world.rest()
        return world
    }

    /// The programs show windows of the same kind again.
    private func restarted(_ kept: KeptArrangement, in idiom: Idiom) -> CoreWorld {
        var preferences = Preferences()
        preferences.idiom = .fixed(idiom.name)
        var world = CoreWorld(idiom: idiom, preferences: preferences)
        world.send(.idiomsKnown(idioms))
        world.send(.restored(kept, first: WindowID(50)))
        return world
    }

    @Test(
        "every window stands where it stood, in every idiom, whichever idiom ended the session and begins the next one",
        arguments: ["pad", "phone", "mac"], ["pad", "phone", "mac"])
    func everywhere(last: String, next: String) throws {
        let before = try session(endingIn: last)
        let bytes = try JSONEncoder().encode(before.system.kept), kept = try JSONDecoder().decode(KeptArrangement.self, from: bytes)
        var after = restarted(kept, in: idioms.first { $0.name == next }!)
        #expect(after.workspace.windows.count == 5 && after.problems == [])
        var was = before
        was.act(.idiom(next))
        was.rest()
        after.rest()
        for (idiom, places) in look(was) {
            for (title, place) in places { #expect(look(after)[idiom]?[title] == place, "\(title) in \(idiom)") }
        }
        #expect(after.finish() == [])
    }

    @Test("free frames that cannot be, windows twice and idioms that are unknown do no harm")
    func damaged() throws {
        var kept = try session(endingIn: "mac").system.kept
        let first = kept.frames![0]
        kept.frames?.append(first)
        kept.frames?[0].origin = Point(.nan, 5)
        kept.frames?[1].origin = Point(1e300, -1e300)
        kept.frames?[1].size = Size(-1, .infinity)
        kept.frames?[2].tile = "spiral"
        kept.minimized = [1, 1, 2, 99]
        kept.elsewhere?[0].kind = "spiral"
        kept.elsewhere?[0].pip?.window = 1
        var other = kept.elsewhere![1]
        other.idiom = "unknown"
        kept.elsewhere?.append(other)
        other.idiom = nil
        kept.elsewhere?.append(other)
        for idiom in idioms {
            var world = restarted(kept, in: idiom)
            #expect(world.workspace.windows.count == 5)
            for name in idioms.map(\.name) + idioms.map(\.name) {
                world.act(.idiom(name))
                world.rest()
            }
            #expect(world.finish() == [])
        }
    }

    @Test("a session of an older shell comes back as before, in whatever idiom it begins")
    func older() throws {
        let before = try session(endingIn: "pad")
        var fields = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(before.system.kept)) as? [String: Any])
        for field in ["idiom", "kind", "settledIdiom", "frames", "minimized", "elsewhere"] { fields[field] = nil }
        let kept = try JSONDecoder().decode(KeptArrangement.self, from: JSONSerialization.data(withJSONObject: fields))
        for idiom in idioms {
            var world = restarted(kept, in: idiom)
            #expect(world.workspace.windows.values.allSatisfy { world.workspace.place(of: $0.id) != .unmapped })
            if idiom == .pad {
                let titles = world.workspace.currentSpace?.windows.compactMap { world.workspace[$0]?.facts.title }
                #expect(titles == before.workspace.currentSpace?.windows.compactMap { before.workspace[$0]?.facts.title })
            }
            #expect(world.finish() == [])
        }
    }

    @Test("a window that was moved where the next screen does not reach stands within reach")
    func smallerScreen() throws {
        var before = try session(endingIn: "mac")
        before.send(.windowPlaced(WindowID(1), at: Point(1100, 780)))
        let kept = before.system.kept
        for begins in [Idiom.mac, .pad] {
            var world = CoreWorld(size: Size(800, 600), idiom: begins)
            world.send(.idiomsKnown(idioms))
            world.send(.restored(kept, first: WindowID(50)))
            if begins == .pad { world.act(.idiom("mac")) }
            world.rest()
            let id = try #require(world.workspace.windows.values.first { $0.facts.title == "Window 1" }?.id)
            let frame = try #require(world.workspace.frames()[id])
            #expect(frame.minX < 740 && frame.minY < 590, "\(frame)")
            #expect(world.finish() == [])
        }
    }

    @Test("the idiom that a person had chosen comes back, unless the hardware asks for another one or the configuration names one")
    func chosenIdiom() throws {
        func next(_ kept: KeptArrangement, _ setting: IdiomChoice.Setting, _ events: [HardwareEvent] = [], continues: Bool = false)
            -> String
        {
            var preferences = Preferences()
            preferences.idiom = setting
            var world = CoreWorld(preferences: preferences, continues: continues)
            world.send(.idiomsKnown(idioms))
            for event in events + [.known] { world.send(.hardware(event)) }
            world.send(.restored(kept, first: WindowID(50)))
            return world.workspace.family.name
        }
        let chosen = try session(endingIn: "mac").system.kept
        #expect(next(chosen, .unset) == "mac" && next(chosen, .automatic) == "mac")
        #expect(next(chosen, .fixed("pad")) == "pad")
        #expect(next(chosen, .fixed("pad"), continues: true) == "mac", "a crash of the shell is no new start")
        #expect(next(chosen, .fixed("phone"), continues: true) == "phone", "the configuration names another one than before the crash")
        #expect(next(try session(endingIn: "phone").system.kept, .automatic, [.keyboard(true)]) == "mac", "docked meanwhile")
        #expect(next(try session(endingIn: "pad").system.kept, .unset) == "pad")
        // The same session is not restored twice, and what is brought back later says nothing.
        var world = CoreWorld()
        world.send(.idiomsKnown(idioms))
        world.send(.hardware(.known))
        world.act(.idiom("phone"))
        world.send(.restored(chosen, first: WindowID(50)))
        #expect(world.workspace.family.name == "phone")
    }
}
