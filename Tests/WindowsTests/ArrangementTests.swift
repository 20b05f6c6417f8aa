import Geometry
import MullionTesting
import Testing

@testable import Windows

/// The types of arrangement by themselves, without a system around them.
@Suite("Arrangements")
struct ArrangementTests {
    static let kinds = ArrangementKind.allCases

    private func id(_ number: Int) -> WindowID { WindowID(UInt32(number)) }

    @Test("W-01, W-25, S-11: whatever is done, each window stands in one place and can be reached", arguments: kinds)
    func everySequence(_ kind: ArrangementKind) throws {
        var chance = SeededGenerator(seed: TestSeed.first &+ UInt64(Self.kinds.firstIndex(of: kind)!))
        let destinations: [Destination] = [.fullScreen, .splitView(.left), .splitView(.right), .splitView(.top), .slideOver]
            .filter { kind.places.contains($0.kind) }
        for _ in 0..<300 {
            var arrangement = Arrangement(kind), open: Set<WindowID> = []
            for _ in 0..<30 {
                let window = id(Int(chance.next() % 6) + 1)
                switch chance.next() % 8 {
                case 0 where !open.contains(window): arrangement.change { $0.putBehind(window) }
                case 1 where !open.contains(window): arrangement.change { $0.putBeside(window) }
                case 2:
                    arrangement.change { $0.remove(window) }
                    open.remove(window)
                    #expect(!arrangement.ask { $0.contains(window) })
                    continue
                case 3 where open.contains(window):
                    arrangement.change { $0.show(window) }
                    #expect(arrangement.ask { $0.isShown(window) }, "\(window) cannot be reached in \(arrangement)")
                case 4:
                    arrangement.change { $0.spaces.isHome = !$0.spaces.list.isEmpty && !$0.spaces.isHome }
                    continue
                case 5 where open.contains(window): arrangement.change { $0.becomesActive(window) }
                default:
                    let destination = destinations[Int(chance.next() % UInt64(destinations.count))]
                    do {
                        try arrangement.change { (all) throws(Refusal) in try all.put(window, at: destination) }
                        #expect(arrangement.ask { $0.isShown(window) }, "\(window) was put at \(destination) and is not seen")
                    } catch { continue }
                }
                open.insert(window)
                let windows = arrangement.ask { $0.windows }
                #expect(Set(windows) == open && windows.count == open.count, "\(windows) are not \(open)")
                #expect(arrangement.ask { $0.violations() } == [])
                for window in windows {
                    #expect(arrangement.ask { $0.place(of: window, on: nil) } != nil)
                    #expect(arrangement.ask { $0.isShown(window) } == arrangement.ask { $0.shownRoots.contains(window) })
                }
                let ground = Ground(.pad, Screen(size: Size(1000, 800)))
                let parts = arrangement.parts(on: ground, Purpose()) { _ in nil }
                let drawn = arrangement.placed(on: ground) { parts[$0] ?? ground.screen.usable }, placed = Set(drawn.map(\.id))
                #expect(drawn.allSatisfy { $0.layer == arrangement.layer(of: $0.id) })
                #expect(arrangement.hasHandles == !arrangement.ask { $0.handles(on: ground) }.isEmpty)
                #expect(arrangement.ask { $0.shownRoots.allSatisfy(placed.contains) }, "a window is shown and not placed")
            }
        }
    }

    @Test("S-11: one window at a time")
    func single() throws {
        var single = Single()
        try single.put(id(1), at: .fullScreen)
        try single.put(id(2), at: .fullScreen)
        #expect(single.shownRoots == [id(2)] && single.spaces.list.count == 2)
        #expect(throws: Refusal.self) { try single.put(id(1), at: .splitView(.left)) }
        single.show(id(1))
        #expect(single.shownRoots == [id(1)])
    }

    @Test("W-25: the window in which a person acts is above the others, and a minimized one comes back where it was")
    func free() throws {
        var free = Free()
        for number in 1...3 { try free.put(id(number), at: .fullScreen) }
        #expect(free.shownRoots == [id(1), id(2), id(3)])
        free.becomesActive(id(1))
        #expect(free.shownRoots == [id(2), id(3), id(1)])
        free.frames[id(3)] = FreeFrame()
        free.frames[id(3)]!.origin = Point(50, 60)
        free.minimize(id(3))
        #expect(free.place(of: id(3), on: nil) == .minimized && free.shownRoots == [id(2), id(1)])
        free.show(id(3))
        #expect(free.shownRoots == [id(2), id(1), id(3)] && free.frames[id(3)]?.origin == Point(50, 60))
        #expect(free.offer(id(3)) == .chooses)
        free.frames[id(3)]!.size = Size(300, 200)
        #expect(free.offer(id(3)) == .size(Size(300, 200)))
    }
}
