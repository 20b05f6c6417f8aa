import Foundation
import Idioms
import MullionTesting
import Settings
import Testing

/// Idioms in data files (docs/idioms.md).
@Suite("Idioms in data files")
struct IdiomFileTests {
    private func parse(_ text: String, _ name: String = "car") throws -> Idiom {
        try Idiom.parse(text, named: name, file: "\(name).toml", like: Idiom.offered)
    }

    @Test("the examples of share/idioms are valid, and docs/idioms.md shows them as they are", arguments: ["car", "kiosk"])
    func examples(name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "share/idioms/\(name).toml"), encoding: .utf8)
        let idiom = try parse(text, name)
        #expect(idiom.contradictions == [])
        #expect(try String(contentsOf: root.appending(path: "docs/idioms.md"), encoding: .utf8).contains("```toml\n\(text)```"))
        switch name {
        case "car": #expect(idiom == .car)
        default: #expect(idiom == .kiosk)
        }
    }

    @Test("a list of offers knows its names, and the television's measures can be changed one by one")
    func offers() throws {
        let kiosk = try parse("offers = [\"closing\", \"look\"]", "kiosk")
        #expect(kiosk.offers == [.closing, .look])
        #expect(throws: SettingsError.self) { try parse("offers = [\"doors\"]") }
        let large = try parse("like = \"tv\"\n[views]\ngrowth = 2\n[remote]\nhold = 1\n[rest]\ndims-after = 60\n", "large")
        #expect(large.views.growth == 2 && large.views.marginSide == 80 && large.remote.isOn && large.remote.hold == 1 && large.rest.dimsAfter == 60)
        #expect(throws: SettingsError.self) { try parse("like = \"tv\"\n[views]\ngrowth = 9\n") }
    }

    @Test("a seventh idiom comes in by a file alone")
    func seventh() throws {
        let car = try parse("""
            like = "pad"
            places = ["full-screen", "split-view"]
            windows-of-app = "one"
            capabilities = []
            target = 64
            home-line = false
            small-screen = false

            [split]
            snaps = [0.3, 0.7]
            thickness = 20

            [home]
            columns = 5
            dock-places = 6

            [life]
            freezes-hidden = false
            grace = 30.5

            [gestures]
            long-press = 0.8

            [sound]
            notifications-mix = true
            """)
        var expected = Idiom.pad
        expected.name = "car"
        expected.places = [.fullScreen, .splitView]
        expected.windowsOfApp = .one
        expected.capabilities = []
        expected.target = 64
        expected.homeLine = nil
        expected.smallScreen = nil
        expected.split.snaps = [0.3, 0.7]
        expected.split.thickness = 20
        expected.home.columns = 5
        expected.home.dockPlaces = 6
        expected.life.freezesHidden = false
        expected.life.grace = 30.5
        expected.gestures.longPress = 0.8
        expected.sound.notificationsMix = true
        #expect(car == expected)
    }

    @Test("an empty file is a pad of another name, and a part that an idiom lacks can be added")
    func parts() throws {
        #expect(try parse("").arrangement == .pad && parse("").name == "car")
        #expect(try parse("like = \"phone\"\n[small-screen]\nside = 300").smallScreen?.side == 300)
        #expect(try parse("like = \"phone\"") == { var phone = Idiom.phone; phone.name = "car"; return phone }())
    }

    @Test("what cannot be is refused with file, line, column and field", arguments: [
        ("like = \"sofa\"", "car.toml:1:8: like: the name of another idiom is expected: \"pad\", \"phone\", \"mac\""),
        ("target = \"big\"", "car.toml:1:10: target: a number is expected"),
        ("\ntarget = 4000", "car.toml:2:10: target: a number from 1.0 to 400.0 is expected"),
        ("targte = 44", "car.toml:1:1: targte: unknown key: did you mean \"target\"?"),
        ("[split]\nthickness = -3", "car.toml:2:13: split.thickness: a number from 0.0 to 200.0 is expected"),
        ("[split]\nsnaps = [0.5, \"x\"]", "car.toml:2:15: split.snaps[1]: a number is expected"),
        ("[split]\nsnaps = []", "car.toml:2:9: split.snaps: 1 to 16 shares are expected"),
        ("arrangement = \"heap\"", "car.toml:1:15: arrangement: "),
        ("arrangement = \"single\"", "car.toml:1:1: places: the arrangement \"single\" has no place \"split-view\""),
        ("like = \"phone\"\nplaces = [\"full-screen\", \"slide-over\"]", "car.toml:2:10: places: the arrangement \"single\" has no place \"slide-over\""),
        ("places = [\"picture-in-picture\"]", "car.toml:1:10: places: \"full-screen\" is missing"),
        ("places = [\"shelf\"]", "car.toml:1:10: places: \"shelf\" is not known"),
        ("dressing = \"title-bar\"", "car.toml:1:12: dressing: title bars need the arrangement \"free\""),
        ("split = 3", "car.toml:1:9: split: a table is expected"),
        ("home-line = 3", "car.toml:1:13: home-line: a table, or false is expected"),
        ("[gestures]\nlong-press = -1.5", "car.toml:2:14: gestures.long-press: a number from 0 is expected"),
        ("name = \"x\"", "car.toml:1:1: name: unknown key"),
        ("[life]\nfreezes-hidden = 1", "car.toml:2:18: life.freezes-hidden: true or false is expected"),
    ])
    func refusals(_ text: String, _ expected: String) {
        #expect { try parse(text) } throws: { error in
            if !"\(error)".hasPrefix(expected) { Issue.record("\(error)") }
            return error is SettingsError
        }
    }

    @Test("the built-in idioms contradict themselves in nothing")
    func builtIn() {
        for idiom in Idiom.all { #expect(idiom.contradictions == [], "\(idiom.name)") }
    }

    @Test("a folder's files come and change; a broken one leaves its last good idiom")
    func folder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("idioms-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ name: String, _ text: String) throws { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
        try write("car.toml", "target = 60")
        let store = IdiomStore(folders: [folder + "/none", folder])
        #expect(store.idioms.map(\.name) == Idiom.offered.map(\.name) + ["car"] && store.idioms.last?.target == 60)
        try write("car.toml", "target = true")
        #expect(store.drain())
        #expect(!store.reload() && store.idioms.last?.target == 60)
        #expect(store.errors.first?.description.hasPrefix("\(folder)/car.toml:1:10: target: a number is expected") ?? false)
        try write("pad.toml", "target = 50")
        #expect(store.reload() && store.idioms[0].target == 50)
        try write("Bad Name.toml", "")
        #expect(!store.reload() && store.errors.contains { $0.description.contains("a name is 1 to 32") })
        try FileManager.default.removeItem(atPath: folder + "/car.toml")
        #expect(store.reload() && store.idioms.map(\.name) == Idiom.offered.map(\.name))
    }
}
