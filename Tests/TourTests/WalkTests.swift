import Geometry
import Testing

@testable import Tour

@Suite("The walk") struct WalkTests {
    private func steps(_ seed: UInt64, _ idiom: String = "pad") -> [WalkStep] {
        var generator = WalkGenerator(
            seed: seed, idiom: idiom, size: Size(1180, 820), apps: ["a", "b", "c", "d"], idioms: ["pad", "phone", "mac", "tv"])
        return generator.steps(300)
    }

    @Test("the same seed gives the same steps, another one others", arguments: ["pad", "phone", "mac", "tv"])
    func seeds(idiom: String) {
        #expect(steps(7, idiom) == steps(7, idiom))
        #expect(steps(7, idiom) != steps(8, idiom))
    }

    @Test("a walk begins with apps, rests again and again, and ends at rest")
    func shape() {
        let steps = steps(3)
        #expect(WalkGenerator.opening(of: steps) == 3)
        #expect(steps.last == .rest)
        #expect(steps.count { $0 == .rest } >= 25)
        let kinds = Set(steps.map { $0.description.prefix { $0 != " " } })
        #expect(kinds.isSuperset(of: ["open", "input", "tap", "close", "rest"]), "\(kinds)")
    }

    @Test("a walk needs no app, and one is enough")
    func few() {
        for apps in [["a"], ["a", "b"]] {
            var generator = WalkGenerator(seed: 1, idiom: "tv", size: Size(320, 240), apps: apps, idioms: ["tv"])
            #expect(generator.steps(100).count > 100)
        }
    }

    @Test("the shortening finds a pair that is needed, wherever it stands", arguments: [(0, 1), (3, 90), (40, 41), (98, 99), (0, 99)])
    func pair(first: Int, second: Int) throws {
        var tries = 0
        let found = Shrinking.shortest(Array(0..<100)) { part in
            tries += 1
            return part.contains(first) && part.contains(second)
        }
        #expect(found == [first, second])
        #expect(tries < 150, "\(tries) tries")
    }

    @Test("what comes first goes with every part, until it is found to be needless")
    func opening() {
        let found = Shrinking.shortest(["open", "needless"] + (0..<60).map { "\($0)" }, opening: 2) {
            $0.contains("open") && $0.contains("58")
        }
        #expect(found == ["open", "58"])
    }

    @Test("what does not happen again is not shortened, and the end of the time ends the search with the best part")
    func ends() {
        #expect(Shrinking.shortest(Array(0..<50)) { _ in false } == nil)
        var tries = 0
        let found = Shrinking.shortest(Array(0..<64), isOver: { tries >= 4 }) { part in
            tries += 1
            return part.contains(0)
        }
        #expect(found?.contains(0) == true && tries <= 5)
    }

    @Test("the same fault is the same in other windows and connections")
    func findings() {
        let a = WalkFinding(what: ["P-05 (touch): client 4: wl_touch@9.up: finger 7 is not down (process 12)"])
        let b = WalkFinding(what: ["another", "P-05 (touch): client 11: wl_touch@19.up: finger 0 is not down (process 8)"])
        #expect(a.isLike(b))
        #expect(!a.isLike(WalkFinding(what: ["another"])))
    }

    @Test("names that there are not are refused, with those that there are")
    func names() {
        var walk = Walk(program: "/nowhere", seed: 1, out: "/nowhere")
        walk.idioms = ["desk"]
        #expect { try walk.checkNames() } throws: {
            "\($0)" == "there is no idiom \"desk\"; there are \(Walk.idiomNames.joined(separator: ", "))"
        }
        walk.idioms = ["pad"]
        walk.apps = ["vi"]
        #expect { try walk.checkNames() } throws: {
            "\($0)" == "there is no app \"vi\"; there are \(Walk.appNames.joined(separator: ", "))"
        }
    }
}
