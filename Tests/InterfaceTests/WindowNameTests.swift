import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// Two controls of one view have two names, so that a screen reader tells them apart.
@Suite("P-07, X-05: windows of one app have names of their own")
struct WindowNameTests {
    private static let titles = [
        ["Letter", "Bill"], ["Draft", "Draft"], ["", ""],
        ["Text Editor", "A very long title that ends with one", "A very long title that ends with two"],
    ]

    private func world(_ titles: [String], _ idiom: Idiom) -> CoreWorld {
        var world = CoreWorld(size: Size(1440, 900), idiom: idiom)
        world.send(.appsChanged(catalogue))
        for (index, title) in titles.enumerated() {
            let raw = UInt32(index + 1)
            world.create(
                raw, WindowFacts(appID: "editor", title: title, lineage: [Int32(raw) + 100, 1], client: UInt64(raw), isBare: true))
            world.send(.activationAsked(WindowID(raw), hasRecentSerial: true, launch: nil))
            world.map(raw)
            world.rest()
        }
        return world
    }

    /// The names that several controls have.
    private func twice(_ world: CoreWorld, _ isMeant: (ViewControl) -> Bool) -> [Text] {
        let names = world.controls.filter { $0.isOperable && isMeant($0) }.map(\.name)
        return Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.map(\.key)
    }

    @Test("in the app switcher: cards, crosses and the buttons of a television", arguments: titles, [Idiom.pad, .tv, .mac, .phone])
    func switcher(titles: [String], idiom: Idiom) {
        var world = world(titles, idiom)
        world.act(.appSwitcher)
        world.rest()
        #expect(world.controls.contains { $0.role == .card })
        #expect(twice(world) { $0.id.area == .switcher } == [])
    }

    @Test("in the app shelf and App Exposé", arguments: titles, [Action.appShelf(app: "editor"), .appExpose(app: "editor")])
    func windows(titles: [String], action: Action) {
        var world = world(titles, .pad)
        world.act(action)
        world.rest()
        #expect(world.controls.filter { $0.role == .card }.count == titles.count)
        #expect(twice(world) { [.shelf, .expose, .switcher].contains($0.id.area) } == [])
    }

    @Test("the bars of freely stacked windows, and the menu of an app's windows", arguments: titles)
    func bars(titles: [String]) {
        var world = world(titles, .mac)
        for raw in titles.indices { world.act(.tile(window: WindowID(UInt32(raw + 1)), to: raw == 0 ? .left : .right)) }
        world.rest()
        #expect(world.controls.count { $0.id.area == .sheet } >= 6)
        #expect(twice(world) { $0.id.area == .sheet } == [])
        world.act(.barMenu("windows"))
        world.rest()
        #expect(twice(world) { $0.id.isPart(of: "menu-bar/windows") && $0.role == .menuItem } == [])
    }

    @Test("the dots of a pair", arguments: titles)
    func dots(titles: [String]) {
        var world = world(Array(titles.suffix(2)), .pad)
        world.act(.splitView(window: one, side: .left))
        world.rest()
        #expect(world.controls.count { $0.id.area == .dots } == 2)
        #expect(twice(world) { $0.id.area == .dots } == [])
    }

    @Test("an app with one window is named by its own name alone")
    func single() {
        var world = InterfaceTests.world(["editor", "terminal"])
        #expect(world.controls.first { $0.id.area == .dots }?.name == .message(.windowControls, ["Terminal"]))
        world.act(.appSwitcher)
        world.rest()
        #expect(Set(world.controls.filter { $0.role == .card }.map(\.name)) == [.verbatim("Text Editor"), .verbatim("Terminal")])
    }

    @Test("W-19: a screen reader says the whole name of an app, where the banner has room for its beginning")
    func banner() throws {
        let name = "An App Whose Name Is Longer Than A Banner, Two"
        var world = CoreWorld()
        world.send(.appsChanged([App(id: "long", name: name, command: ["long"])]))
        world.open(1)
        world.wait(5000)
        world.create(2, WindowFacts(appID: "long", lineage: [600, 1], client: 70))
        world.map(2)
        world.wait(1000)
        #expect(try #require(world.control("banner/text")).name == .message(.openedWindow, [name]))
    }

    /// The texts that are drawn in these styles.
    private func drawn(_ world: CoreWorld, _ isMeant: (TextStyle) -> Bool) -> [Text] {
        world.system.items(at: world.now).compactMap {
            guard case .art(.text(let text, let style, _, _, _), _) = $0.kind, isMeant(style) else { return nil }
            return text
        }
    }

    @Test(
        "names that begin alike keep their ends where they are cut, and others do not change",
        arguments: [
            Action.appShelf(app: "editor"), .appExpose(app: "editor"),
        ])
    func labels(action: Action) {
        for (titles, isSimilar) in [(Self.titles[0], false), (Self.titles[3], true)] {
            var world = world(titles, .pad)
            world.act(action)
            world.rest()
            let texts = drawn(world) { [.caption, .callout].contains($0) }
            for title in titles.suffix(2) { #expect(texts.contains(isSimilar ? .similar(title) : .verbatim(title)), "\(title)") }
        }
    }

    @Test("cards of two windows of one app in the app switcher show their titles, without the ending that all of them have")
    func cards() {
        let pair = ["Minutes of the meeting in March", "Minutes of the meeting in April"]
        for ending in ["", " — Text Editor"] {
            var world = world(pair.map { $0 + ending }, .pad)
            world.create(9, WindowFacts(appID: "terminal", title: "~/notes", lineage: [700, 1], client: 90, isBare: true))
            world.send(.activationAsked(WindowID(9), hasRecentSerial: true, launch: nil))
            world.map(9)
            world.act(.appSwitcher)
            world.rest()
            let texts = drawn(world) { $0 == .callout }
            for text in pair.map(Text.similar) + [.verbatim("Terminal")] { #expect(texts.contains(text), "\(text) in \(texts)") }
        }
        for (titles, expected) in [(["a.txt — Ed", "b.txt — Ed"], ["a.txt", "b.txt"]), (["a — Ed", "b - Ed"], ["a — Ed", "b - Ed"])] {
            var world = world(titles, .pad)
            world.act(.appSwitcher)
            world.rest()
            let texts = drawn(world) { $0 == .callout }
            for text in expected { #expect(texts.contains(.verbatim(text)), "\(text) in \(texts)") }
        }
    }

    @Test("icons whose names begin alike keep their ends on the home screen")
    func home() {
        var world = CoreWorld(size: Size(390, 844), idiom: .phone)
        world.send(.appsChanged(["LibreOffice Writer", "LibreOffice Calc", "Files"].map { App(id: $0, name: $0, command: [$0]) }))
        world.act(.home)
        world.rest()
        let texts = drawn(world) { $0 == .caption }
        for text in [Text.similar("LibreOffice Writer"), .similar("LibreOffice Calc"), .verbatim("Files")] {
            #expect(texts.contains(text), "\(text)")
        }
    }
}
