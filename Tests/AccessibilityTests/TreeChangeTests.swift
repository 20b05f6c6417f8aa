import Geometry
import MessageBus
import Testing

@testable import Accessibility

struct TreeChangeTests {
    /// What a client that only follows the events believes.
    private struct Follower {
        var children: [ObjectNumber: [ObjectNumber]] = [0: []]
        var states: [ObjectNumber: UInt64] = [:]
        var names: [ObjectNumber: String] = [:]

        mutating func follow(_ changes: [TreeChange], _ table: ElementTable) {
            for change in changes {
                switch change {
                case .known(let number):
                    children[number] = table.nodes[number]!.children
                    states[number] = table.nodes[number]!.states
                    names[number] = table.nodes[number]!.name
                case .forgotten(let number):
                    children[number] = nil
                    states[number] = nil
                    names[number] = nil
                case .removed(let child, let parent, let index):
                    #expect(children[parent]?[index] == child)
                    children[parent]?.remove(at: index)
                case .added(let child, let parent, let index):
                    children[parent]?.insert(child, at: index)
                case .state(let number, let state, let value):
                    if value { states[number]! |= state.bit } else { states[number]! &= ~state.bit }
                case .name(let number): names[number] = table.nodes[number]!.name
                default: break
                }
            }
        }
    }

    @Test("X-05: following the events yields the list of controls", arguments: 0..<40)
    func followed(seed: UInt64) {
        var random = Generator(state: seed)
        func anything(_ depth: Int = 0) -> [AccessibleElement] {
            (0..<Int.random(in: 0...5, using: &random)).map { _ in
                AccessibleElement(
                    id: "\(Int.random(in: 0..<40, using: &random))", role: .panel,
                    name: "\(Int.random(in: 0..<3, using: &random))", frame: .zero,
                    states: States(rawValue: .random(in: 0..<(1 << 15), using: &random)),
                    children: depth < 3 ? anything(depth + 1) : [])
            }
        }
        var table = ElementTable(applicationName: "Mullion")
        var follower = Follower()
        for _ in 0..<25 {
            let next = table.with(anything())
            follower.follow(TreeChange.between(table, next), next)
            table = next
            #expect(follower.children == table.nodes.mapValues(\.children))
            #expect(follower.states == table.nodes.filter { $0.key != 0 }.mapValues(\.states))
            #expect(follower.names == table.nodes.filter { $0.key != 0 }.mapValues(\.name))
            #expect(TreeChange.between(table, table).isEmpty)
        }
    }

    @Test("X-05: a control keeps its object while it is shown, and no other ever gets it")
    func numbers() {
        func panel(_ ids: [String]) -> [AccessibleElement] {
            ids.map { AccessibleElement(id: $0, role: .panel, name: $0, frame: .zero) }
        }
        let empty = ElementTable(applicationName: "Mullion")
        let first = empty.with(panel(["a", "b"]))
        let second = first.with(panel(["b", "c"]))
        let third = second.with(panel(["a", "b"]))
        #expect(first.numbers["b"] == second.numbers["b"])
        #expect(second.numbers["b"] == third.numbers["b"])
        #expect(third.numbers["a"] != first.numbers["a"])
        #expect(!Set(first.numbers.values).contains(second.numbers["c"]!))
    }

    @Test("X-05: the old window is left before the new one is entered, and the focus comes last")
    func order() {
        func windows(_ focus: String) -> [AccessibleElement] {
            ["a", "b"].map { id in
                AccessibleElement(
                    id: id, role: .window, name: id, frame: .zero,
                    children: [
                        AccessibleElement(
                            id: id + "1", role: .pushButton, name: id, frame: .zero,
                            states: focus == id ? [.focusable, .focused] : .focusable)
                    ])
            }
        }
        let old = ElementTable(applicationName: "Mullion").with(windows("a"))
        let new = old.with(windows("b"))
        let number = new.numbers
        #expect(
            TreeChange.between(old, new) == [
                .state(number["a"]!, .active, false), .windowDeactivated(number["a"]!),
                .state(number["a1"]!, .focused, false),
                .state(number["b"]!, .active, true), .windowActivated(number["b"]!),
                .state(number["b1"]!, .focused, true),
            ])
    }

    @Test("X-05: more controls than any screen has are left out")
    func bounds() {
        var deep = AccessibleElement(id: "0", role: .panel, name: "", frame: .zero)
        for depth in 1..<200 {
            deep = AccessibleElement(id: "\(depth)", role: .panel, name: "", frame: .zero, children: [deep])
        }
        let table = ElementTable(applicationName: "Mullion")
        #expect(table.with([deep]).numbers.count == ElementTable.maximumDepth)
        let wide = (0..<10_000).map { AccessibleElement(id: "\($0)", role: .icon, name: "", frame: .zero) }
        #expect(table.with(wide).numbers.count == ElementTable.maximumCount)
    }

    @Test("X-05: an object has one path")
    func paths() {
        for number: ObjectNumber in [0, 1, 17, .max] { #expect(AtSpi.number(AtSpi.path(number)) == number) }
        for path in ["", "/", "/org/a11y/atspi/accessible"] { #expect(AtSpi.number(path) == nil) }
        for end in ["", "01", "0", "+1", "-1", "1/2", "99999999999999999999"] {
            #expect(AtSpi.number("/org/a11y/atspi/accessible/" + end) == nil)
        }
    }

    @Test("X-05: only sockets of this machine are buses")
    func addresses() {
        let mixed = "unix:path=/a;tcp:host=b;unixexec:path=c;unix:abstract=d"
        #expect(BusAddress.usable(mixed) == "unix:path=/a;unix:abstract=d")
        #expect(BusAddress.usable("autolaunch:") == nil)
        #expect(BusAddress.session(["XDG_RUNTIME_DIR": "/run/ä,b"]) == "unix:path=/run/%c3%a4%2cb/bus")
        #expect(BusAddress.session(["XDG_RUNTIME_DIR": "relative"]) == nil)
        #expect(BusAddress.session([:]) == nil)
    }
}

private struct Generator: RandomNumberGenerator {
    var state: UInt64

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
