import Foundation
import Idioms
import MullionTesting
import Multitasking
import Testing

@testable import Settings

/// Idioms in data files (docs/idioms.md).
@Suite("Idioms in data files")
struct IdiomFileTests {
    private func parse(_ text: String, _ name: String = "car") throws -> Idiom {
        try Idiom.parse(text, named: name, file: "\(name).toml", like: Idiom.all)
    }

    @Test("the examples of share/idioms are valid, and docs/idioms.md shows them as they are", arguments: ["car", "kiosk", "bar"])
    func examples(name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "share/idioms/\(name).toml"), encoding: .utf8)
        let idiom = try parse(text, name)
        #expect(idiom.contradictions == [])
        #expect(try String(contentsOf: root.appending(path: "docs/idioms.md"), encoding: .utf8).contains("```toml\n\(text)```"))
        switch name {
        case "bar":
            #expect(idiom.title == "Desk Bar" && idiom.device == .desktop && idiom.zones.bottom == .nothing && idiom.keys.count == 6)
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
        #expect(
            large.views.growth == 2 && large.views.marginSide == 80 && large.remote.isOn && large.remote.hold == 1
                && large.rest.dimsAfter == 60)
        #expect(throws: SettingsError.self) { try parse("like = \"tv\"\n[views]\ngrowth = 9\n") }
    }

    @Test("a seventh idiom comes in by a file alone")
    func seventh() throws {
        let car = try parse(
            """
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
        expected.title = "car"
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
        #expect(
            try parse("like = \"phone\"")
                == {
                    var phone = Idiom.phone
                    (phone.name, phone.title) = ("car", "car")
                    return phone
                }())
    }

    @Test("a new idiom is called as its file is; one that replaces another keeps its looks; a title is shown as it stands")
    func looks() throws {
        #expect(try parse("like = \"tv\"", "den").title == "den" && parse("like = \"tv\"", "den").device == .television)
        #expect(try parse("like = \"phone\"", "phone").title == "" && parse("", "watch").device == .watch)
        #expect(try parse("title = \"Kitchen\"\ndevice = \"television\"", "pad").title == "Kitchen")
    }

    @Test("keys of a file take the place of those of the idiom that it is like, by action and by key")
    func keys() throws {
        let desk = try parse("like = \"mac\"\n[keys]\nminimize = [\"Super+Alt+m\", \"Ctrl+Alt+Down\"]\nhome = \"Super+Tab\"\n", "desk")
        #expect(desk.keys.filter { $0.action == "minimize" }.map(\.key) == ["Super+Alt+m", "Ctrl+Alt+Down"])
        #expect(desk.keys.filter { $0.key == "Super+Tab" }.map(\.action) == ["home"])
        #expect(desk.keys.contains { $0.action == "tile-left" } && desk.keys.count == IdiomKey.desk.count + 1)
        for key in IdiomKey.desk {
            #expect(ActionNames.action(key.action) != nil && KeyChord(parsing: key.key)?.description == key.key, "\(key)")
        }
    }

    @Test("parts that only some idioms have can be given to others")
    func optionalParts() throws {
        let deep = try parse(
            "like = \"mac\"\ndressing = \"bar-below\"\n[depth]\nfarthest = 900\n[free]\nspaces = false\n[zones]\nthree-fingers = \"nothing\"\n",
            "deep")
        #expect(deep.depth?.farthest == 900 && deep.depth?.step == DepthMeasures().step)
        #expect(try parse("like = \"watch\"\nwrist = false\n[round]\ninset = 0.1\n", "disc").round?.inset == 0.1)
        #expect(try parse("like = \"watch\"\nwrist = false").wrist == nil)
    }

    @Test(
        "what cannot be is refused with file, line, column and field",
        arguments: [
            ("like = \"sofa\"", "car.toml:1:8: like: the name of another idiom is expected: \"pad\", \"phone\", \"mac\""),
            ("target = \"big\"", "car.toml:1:10: target: a number is expected"),
            ("\ntarget = 4000", "car.toml:2:10: target: a number from 1.0 to 400.0 is expected"),
            ("targte = 44", "car.toml:1:1: targte: unknown key: did you mean \"target\"?"),
            ("[split]\nthickness = -3", "car.toml:2:13: split.thickness: a number from 0.0 to 200.0 is expected"),
            ("[split]\nsnaps = [0.5, \"x\"]", "car.toml:2:15: split.snaps[1]: a number is expected"),
            ("[split]\nsnaps = []", "car.toml:2:9: split.snaps: 1 to 16 shares are expected"),
            ("arrangement = \"heap\"", "car.toml:1:15: arrangement: "),
            ("arrangement = \"single\"", "car.toml:1:1: places: the arrangement \"single\" has no place \"split-view\""),
            (
                "like = \"phone\"\nplaces = [\"full-screen\", \"slide-over\"]",
                "car.toml:2:10: places: the arrangement \"single\" has no place \"slide-over\""
            ),
            ("places = [\"picture-in-picture\"]", "car.toml:1:10: places: \"full-screen\" is missing"),
            ("places = [\"shelf\"]", "car.toml:1:10: places: \"shelf\" is not known"),
            ("dressing = \"title-bar\"", "car.toml:1:12: dressing: title bars need the arrangement \"free\""),
            ("split = 3", "car.toml:1:9: split: a table is expected"),
            ("home-line = 3", "car.toml:1:13: home-line: a table, or false is expected"),
            ("[gestures]\nlong-press = -1.5", "car.toml:2:14: gestures.long-press: a number from 0 is expected"),
            ("name = \"x\"", "car.toml:1:1: name: unknown key"),
            ("title = \"\u{7}\"", "car.toml:1:10: control character"),
            ("title = \"\(String(repeating: "x", count: 65))\"", "car.toml:1:9: title: a title has at most 64 bytes"),
            ("device = \"sofa\"", "car.toml:1:10: device: \"sofa\" is not known"),
            ("dialogs = \"windows\"", "car.toml:1:11: dialogs: dialogs as windows need the arrangement \"free\""),
            ("dialogs = \"balloons\"", "car.toml:1:11: dialogs: \"balloons\" is not known: \"sheets\", \"windows\""),
            ("[switcher]\nshows = \"windows\"", "car.toml:2:9: switcher.shows: cards of single windows need the arrangement \"free\""),
            ("[zones]\nbottom = \"nothing\"", "car.toml:1:1: home-line: a home line needs a lower edge with a meaning: zones.bottom"),
            ("[zones]\ntop-leading = \"doors\"", "car.toml:2:15: zones.top-leading: \"doors\" is not known"),
            ("[zones]\ntrailing-share = 2", "car.toml:2:18: zones.trailing-share: a number from 0.0 to 1.0 is expected"),
            ("[zones]\ntop-left = \"nothing\"", "car.toml:2:1: zones.top-left: unknown key"),
            ("[layers]\nbars = \"beside\"", "car.toml:2:8: layers.bars: \"beside\" is not known: \"above\", \"below\""),
            ("[keys]\njump = \"Super+j\"", "car.toml:2:1: keys.jump: unknown action"),
            ("[keys]\nhome = \"Hyper+j\"", "car.toml:2:8: keys.home: \"Hyper+j\" is no key"),
            ("[keys]\nhome = \"j\"", "car.toml:2:8: keys.home: a key of an idiom has Super, Ctrl or Alt"),
            ("[keys]\nhome = 3", "car.toml:2:8: keys.home: a key such as \"Super+Left\" is expected"),
            (
                "[keys]\ndock = \"Super+j\"\nhome = [\"Super+k\", \"super+J\"]",
                "car.toml:3:20: keys.home[1]: Super+j has an action above already"
            ),
            ("[free]\nmenu-bar = 20", "car.toml:2:12: free.menu-bar: a menu bar needs the arrangement \"free\""),
            ("[home]\ndock-stands = true", "car.toml:2:15: home.dock-stands: a dock that stands needs the arrangement \"free\""),
            ("[depth]\nstep = 40", "car.toml:1:2: depth: windows at depths need the arrangement \"free\""),
            ("[home]\ncolumns = 3.5", "car.toml:2:11: home.columns: a whole number is expected"),
            ("[switcher]\nrows = 1.5", "car.toml:2:8: switcher.rows: a whole number is expected"),
            ("[life]\ncrashes = 2.5", "car.toml:2:11: life.crashes: a whole number is expected"),
            ("[gestures]\nmost-key-repeats = 0.5", "car.toml:2:20: gestures.most-key-repeats: a whole number is expected"),
            ("[gestures]\nlong-press = 1e9", "car.toml:2:14: gestures.long-press: a number from 0.0 to 10000.0 is expected"),
            ("cut-outs = [1, 2]", "car.toml:1:12: cut-outs[2]: expected 4 numbers, found 2"),
            ("[life]\ngrace = 1e12", "car.toml:2:9: life.grace: a number from 0.0 to 2678400.0 is expected"),
            ("[life]\nretry = 0", "car.toml:2:9: life.retry: a number from 0.1 to 2678400.0 is expected"),
            ("[life]\nleave-patience = 600", "car.toml:2:18: life.leave-patience: a number from 0.0 to 60.0 is expected"),
            ("[life]\nmemory-some = 2", "car.toml:2:15: life.memory-some: a number from 0.0 to 1.0 is expected"),
            ("[life]\nfreezes-hidden = 1", "car.toml:2:18: life.freezes-hidden: true or false is expected"),
        ])
    func refusals(_ text: String, _ expected: String) {
        #expect { try parse(text) } throws: { error in
            if !"\(error)".hasPrefix(expected) { Issue.record("\(error)") }
            return error is SettingsError
        }
    }

    @Test("no number of an idiom, as wrong as it may be, is refused without its line and its field")
    func everyNumber() throws {
        func fields(_ value: Any, _ path: [String]) -> [[String]] {
            Mirror(reflecting: value).children.flatMap { child -> [[String]] in
                guard let label = child.label.map({ $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }) else { return [] }
                let key = label.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
                if child.value is Double || child.value is Int { return [path + [key]] }
                return []
            }
        }
        let idiom = Idiom.pad
        let parts: [(any Sendable, [String])] = [
            (idiom.split, ["split"]), (idiom.slideOver, ["slide-over"]), (idiom.picture, ["picture"]), (idiom.free, ["free"]),
            (idiom.home, ["home"]),
            (idiom.switcher, ["switcher"]), (idiom.gestures, ["gestures"]), (idiom.life, ["life"]), (idiom.views, ["views"]),
            (idiom.remote, ["remote"]),
            (idiom.rest, ["rest"]), (idiom.pull, ["pull"]), (idiom.zones, ["zones"]),
        ]
        let all = parts.flatMap { fields($0.0, $0.1) }
        #expect(all.count > 100)
        for field in all {
            for value in ["1e300", "9223372036854775807", "0.3333", "-1", "\"x\""] {
                do { _ = try parse("[\(field[0])]\n\(field[1]) = \(value)") } catch {
                    let text = "\(error)"
                    #expect(
                        (text.hasPrefix("car.toml:2:") && text.contains("\(field[0]).\(field[1]): ")
                            || text.contains("picture.first: a share between")) && !text.contains("Decoding"),
                        "\(field) = \(value): \(text)")
                    continue
                }
                #expect(value == "0.3333" || value == "9223372036854775807", "\(field) = \(value) is taken")
            }
        }
    }

    @Test(
        "words that a configuration or a command takes in place of a name are no names", arguments: ["automatic", "help", "true", "false"])
    func reserved(name: String) {
        #expect { try parse("", name) } throws: { "\($0)".contains("has another meaning where an idiom is named") }
        for idiom in Idiom.all { #expect(!Idiom.reservedNames.contains(idiom.name)) }
    }

    @Test("an idiom may be like one of another file, whichever is read first; a ring of them is named")
    func likeFiles() throws {
        try place { folder, kept in
            func write(_ name: String, _ text: String) throws {
                try text.write(toFile: "\(folder)/\(name).toml", atomically: true, encoding: .utf8)
            }
            try write("aaa", "like = \"zzz\"\n[home]\nicon = 80\n")
            try write("zzz", "like = \"tv\"\ntarget = 90\n")
            try write("pad", "target = 50\n")
            try write("plain", "slop = 12\n")
            let store = IdiomStore(folders: [folder], lastGood: kept)
            #expect(store.faults.isEmpty)
            let aaa = try #require(store.first("aaa"))
            #expect(aaa.target == 90 && aaa.device == .television && aaa.home.icon == 80 && aaa.title == "aaa")
            #expect(store.first("plain")?.target == 50, "like the pad, whose file says so")
            #expect(store.idioms.map(\.name) == Idiom.all.map(\.name) + ["aaa", "plain", "zzz"])
            try write("zzz", "like = \"aaa\"\n")
            _ = store.reload()
            #expect(store.faults.contains { "\($0)".contains("like: the idioms are like each other") })
            #expect(store.first("aaa") != nil && store.first("zzz") != nil, "the last good ones stay")
            try write("zzz", "like = \"nowhere\"\n")
            _ = store.reload()
            #expect(store.faults.contains { "\($0)".contains("the name of another idiom is expected: \"pad\"") })
            try write("phone", "like = \"phone\"\nslop = 11\n")
            _ = store.reload()
            #expect(store.first("phone")?.slop == 11)
        }
    }

    @Test("the built-in idioms contradict themselves in nothing")
    func builtIn() {
        for idiom in Idiom.all { #expect(idiom.contradictions == [], "\(idiom.name)") }
    }

    @Test("no idiom's data has 150 lines")
    func lines() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for folder in ["share/idioms", "Sources/Core/Idioms/BuiltIn"] {
            let files = try FileManager.default.contentsOfDirectory(at: root.appending(path: folder), includingPropertiesForKeys: nil)
            #expect(files.count >= 3)
            for file in files {
                #expect(try String(contentsOf: file, encoding: .utf8).split(separator: "\n").count < 150, "\(file.lastPathComponent)")
            }
        }
    }

    @Test("a folder's files come and change; a broken one leaves its last good idiom")
    func folder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("idioms-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ name: String, _ text: String) throws { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
        try write("car.toml", "target = 60")
        let store = IdiomStore(folders: [folder + "/none", folder])
        #expect(store.idioms.map(\.name) == Idiom.all.map(\.name) + ["car"] && store.idioms.last?.target == 60)
        try write("car.toml", "target = true")
        #expect(store.drain())
        #expect(!store.reload() && store.idioms.last?.target == 60)
        #expect(store.faults.first?.description.hasPrefix("\(folder)/car.toml:1:10: target: a number is expected") ?? false)
        try write("pad.toml", "target = 50")
        #expect(store.reload() && store.idioms[0].target == 50)
        try write("Bad Name.toml", "")
        #expect(!store.reload() && store.faults.contains { $0.description.contains("a name is 1 to 32") })
        try FileManager.default.removeItem(atPath: folder + "/car.toml")
        #expect(store.reload() && store.idioms.map(\.name) == Idiom.all.map(\.name))
    }

    // MARK: Files that are wrong at the start

    private func place(_ body: (String, LastGood) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("idioms-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/idioms", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder + "/idioms", LastGood(folder: folder + "/kept"))
    }

    private static let kiosk = "like = \"phone\"\nplaces = [\"full-screen\"]\noffers = []\n"

    @Test(
        "a kiosk stays one: whatever happened to its file since it held",
        arguments: ["broken", "folder", "gone", "empty folder gone", "no text"])
    func kioskStays(what: String) throws {
        try place { folder, kept in
            let file = "\(folder)/kiosk.toml"
            try Self.kiosk.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(IdiomStore(folders: [folder], lastGood: kept).faults.isEmpty)
            try FileManager.default.removeItem(atPath: file)
            switch what {
            case "broken": try "offers = ".write(toFile: file, atomically: true, encoding: .utf8)
            case "folder": try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
            case "no text": try Data([0xff, 0xfe]).write(to: URL(filePath: file))
            case "gone": break
            default: try FileManager.default.removeItem(atPath: folder)
            }
            let store = IdiomStore(folders: [folder], lastGood: kept)
            #expect(store.namesAtStart.contains("kiosk"))
            let idiom = try #require(store.firstAtStart("kiosk"))
            #expect(idiom.offers == [] && idiom.name == "kiosk" && store.faults.map(\.inEffect) == [.lastGood])
            // Something else in the folder changes.
            _ = store.reload()
            #expect(store.first("kiosk")?.offers == [] && store.faults.map(\.inEffect) == [.lastGood])
            if what == "folder" { try FileManager.default.removeItem(atPath: file) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try (Self.kiosk + "target = 60\n").write(toFile: file, atomically: true, encoding: .utf8)
            #expect(store.drain() && store.reload())
            #expect(store.first("kiosk")?.target == 60 && store.faults.isEmpty)
        }
    }

    @Test(
        "a kiosk whose file never held offers what its right lines say, and nothing if none is right", arguments: ["a line", "everything"])
    func kioskWithoutLast(what: String) throws {
        try place { folder, kept in
            let file = "\(folder)/kiosk.toml"
            if what == "a line" {
                try (Self.kiosk + "target = true\n").write(toFile: file, atomically: true, encoding: .utf8)
            } else {
                try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
            }
            let store = IdiomStore(folders: [folder], lastGood: kept)
            #expect(store.namesAtStart.contains("kiosk") && store.firstAtStart("nothing") == nil)
            let idiom = try #require(store.firstAtStart("kiosk"))
            #expect(idiom.offers == [] && idiom.contradictions.isEmpty)
            #expect(store.faults.map(\.inEffect) == [what == "a line" ? .rest : .standard])
            _ = store.reload()
            #expect(store.first("kiosk")?.offers == [] && store.faults.count == 1)
        }
    }

    @Test("a folder that is made later, or lies behind links that change, is noticed")
    func later() throws {
        try place { folder, kept in
            let late = "\(folder)/a/b/idioms"
            let store = IdiomStore(folders: [late], lastGood: kept)
            try FileManager.default.createDirectory(atPath: late, withIntermediateDirectories: true)
            #expect(store.drain())
            _ = store.reload()
            try Self.kiosk.write(toFile: late + "/kiosk.toml", atomically: false, encoding: .utf8)
            #expect(store.drain() && store.reload() && store.first("kiosk") != nil)
            #expect(!store.drain())
            // As stow does it: the file is a link.
            try (Self.kiosk + "target = 50\n").write(toFile: "\(folder)/mine", atomically: true, encoding: .utf8)
            symlink("../../../mine", late + "/bar.toml")
            #expect(store.drain() && store.reload() && store.first("bar")?.target == 50)
            try (Self.kiosk + "target = 70\n").write(toFile: "\(folder)/mine", atomically: false, encoding: .utf8)
            #expect(store.drain() && store.reload() && store.first("bar")?.target == 70)
        }
    }
}
