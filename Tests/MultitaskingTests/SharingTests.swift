import Geometry
import Interface
import Modality
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

/// Activity views: what can be done with what a program shares, by touch and by keys (M-05).
@Suite("Activity views") struct SharingTests {
    private static func app(_ id: String, _ types: [String], many: Bool = true, addresses: Bool = false) -> App {
        App(
            id: id, name: id.capitalized, command: [id, "--new"], takesFiles: true, mimeTypes: types,
            filePlace: FilePlace(index: 1, isMany: many, takesAddresses: addresses))
    }

    private static let apps = [
        app("browser", ["text/html", "x-scheme-handler/https"], addresses: true), app("editor", ["text/plain"]),
        app("mailer", ["x-scheme-handler/mailto"], addresses: true), app("one", ["text/plain"], many: false),
        app("python", ["text/x-python"]), app("viewer", ["image/png", "text/plain"]),
        App(id: "deaf", name: "Deaf", command: ["deaf"], mimeTypes: ["text/plain"]),
    ]

    private static let script = Sharing.File("run.py", types: ["text/x-python", "text/plain"])
    private static let picture = Sharing.File("a.png", types: ["image/png"])

    private func world(_ apps: [App] = SharingTests.apps, size: Size = Size(1180, 820)) -> CoreWorld {
        var world = CoreWorld(size: size)
        world.send(.appsChanged(apps))
        world.open(1)
        return world
    }

    private func share(_ world: inout CoreWorld, _ number: UInt32, _ sharing: Sharing) {
        world.send(.viewAsked(ModalView(ModalID(number), .activity, over: one, of: "app1", title: "A thing", sharing: sharing)))
        world.rest()
    }

    private func targets(_ world: CoreWorld) -> [Sharing.Target] {
        world.system.interface.modals.last { $0.isOpen }?.content.sharing?.targets ?? []
    }

    private func answers(_ world: CoreWorld) -> [ModalAnswer] {
        world.effects.compactMap { if case .viewAnswered(_, let answer) = $0 { answer } else { nil } }
    }

    private func sent(_ world: CoreWorld) -> [Sharing.Target] {
        world.effects.compactMap { if case .share(_, let target) = $0 { target } else { nil } }
    }

    private func launched(_ world: CoreWorld) -> [[String]] {
        world.effects.compactMap { if case .program(.launch(_, let command, _)) = $0 { command } else { nil } }
    }

    private func control(_ world: CoreWorld, _ id: ControlID) -> ViewControl? {
        world.system.controls(at: world.now).last { $0.id == id }
    }

    private func press(_ world: inout CoreWorld, _ symbol: KeySymbol) {
        for pressed in [true, false] {
            world.send(.key(code: 30, symbol: symbol, pressed: pressed, modifiers: []))
            world.wait(20)
        }
    }

    @Test("M-05: an app is no target of what it shares itself, whoever pays", arguments: ["app:editor", "program:/bin/sh", "editor"])
    func notToItself(owner: String) {
        var world = world()
        world.send(
            .viewAsked(
                ModalView(
                    ModalID(1), .activity, over: one, of: owner, title: "A thing", sharing: Sharing(files: [Self.script]), asker: "editor"))
        )
        world.rest()
        #expect(!targets(world).contains(.app("editor")) && targets(world).contains(.copy))
    }

    @Test("M-05: only apps that open every file, those for exactly its kind first")
    func targets() {
        var world = world()
        share(&world, 1, Sharing(files: [Self.script]))
        #expect(targets(world) == [.app("python"), .app("editor"), .app("one"), .app("viewer"), .copy, .save])
        share(&world, 2, Sharing(files: [Self.script]))
        world.act(.dismissView(1))
        world.rest()
        #expect(targets(world).count == 6, "the second waited for the first")
        world.act(.dismissView(2))
        share(&world, 3, Sharing(files: [Self.script, Self.picture]))
        #expect(targets(world) == [.app("viewer"), .copy, .save])
        world.act(.dismissView(3))
        share(&world, 4, Sharing(files: Array(repeating: Self.script, count: 9)))
        #expect(!targets(world).contains(.app("one")), "nine commands for one tap")
        world.act(.dismissView(4))
        share(&world, 5, Sharing(files: [], text: "https://example.org", address: "https://example.org"))
        #expect(targets(world) == [.app("browser"), .copy, .save, .mail])
        world.act(.dismissView(5))
        share(&world, 6, Sharing(files: [], text: "Hello"))
        #expect(targets(world) == [.app("editor"), .app("one"), .app("viewer"), .copy, .save, .mail])
        world.act(.dismissView(6))
        share(&world, 7, Sharing(files: [Self.picture], mailsFiles: true))
        #expect(targets(world) == [.app("viewer"), .copy, .save, .mail])
        #expect(world.finish() == [])
    }

    @Test("M-05: one tap on an app ends it, and the app is started with the file")
    func tap() throws {
        var world = world()
        share(&world, 1, Sharing(files: [Self.script]))
        #expect(world.system.interface.openNames.contains("activity"))
        let icon = try #require(control(world, "modal/1/choice/1"))
        #expect(icon.role == .icon)
        #expect(icon.name == .verbatim("Editor"))
        world.tap(at: icon.frame.center)
        #expect(answers(world) == [.chose(1)])
        #expect(sent(world) == [.app("editor")])
        world.act(.chooseView(1, 0))
        #expect(answers(world).count == 1, "one choice ends it")
        world.rest()
        #expect(!world.system.interface.openNames.contains("activity"))
        world.send(.handedOver(HandedOver(.app("editor"), ["/home/me/run.py", "/home/me/b c.py"])))
        #expect(launched(world) == [["editor", "/home/me/run.py", "/home/me/b c.py", "--new"]])
        world.send(.handedOver(HandedOver(.app("one"), ["/a", "/b"])))
        #expect(launched(world).suffix(2) == [["one", "/a", "--new"], ["one", "/b", "--new"]])
        world.send(.handedOver(HandedOver(.app("browser"), ["/home/me/b c.html"])))
        #expect(launched(world).last == ["browser", "file:///home/me/b%20c.html", "--new"])
        world.send(.handedOver(HandedOver(.mail, ["mailto:?body=Hello"])))
        #expect(launched(world).last == ["mailer", "mailto:?body=Hello", "--new"])
        world.send(.handedOver(HandedOver(.mail, ["/a", "/b"], text: "Look")))
        #expect(launched(world).last == ["xdg-email", "--body", "Look", "--attach", "/a", "--attach", "/b"])
        #expect(world.finish() == [])
    }

    @Test("An app that was removed meanwhile, and what does not work, is told to the person")
    func lost() {
        var world = world()
        world.send(.handedOver(HandedOver(.app("gone"), ["/a"])))
        #expect(
            world.system.interface.popover?.content == .alert(title: .message(.couldNotOpen, ["gone"]), message: .message(.sharingFailed)))
        world.act(.dismiss)
        world.send(.sharingFailed(.save, .full))
        #expect(world.system.interface.popover?.content == .alert(title: .message(.couldNotSave), message: .message(.sharingFull)))
        #expect(launched(world) == [])
        world.act(.dismiss)
        #expect(world.finish() == [])
    }

    @Test("M-09: Cancel, Escape and a touch beside it dismiss it; it goes with its window and its program")
    func dismissal() throws {
        var world = world()
        share(&world, 1, Sharing(files: [Self.picture]))
        world.tap(at: try #require(control(world, "modal/1/cancel")).frame.center)
        share(&world, 2, Sharing(files: [Self.picture]))
        press(&world, .escape)
        share(&world, 3, Sharing(files: [Self.picture]))
        world.tap(at: Point(60, 60))
        #expect(answers(world) == [.dismissed, .dismissed, .dismissed])
        share(&world, 4, Sharing(files: [Self.picture]))
        world.send(.viewWithdrawn(ModalID(4)))
        world.rest()
        #expect(answers(world).count == 3)
        #expect(world.system.interface.openNames == [])
        share(&world, 5, Sharing(files: [Self.picture]))
        world.destroy(one)
        #expect(answers(world).last == .closed)
        #expect(sent(world) == [])
        #expect(world.finish() == [])
    }

    @Test("Keys: Return alone chooses nothing; arrows and Tab reach everything")
    func keys() {
        var world = world()
        share(&world, 1, Sharing(files: [Self.script]))
        press(&world, .enter)
        #expect(answers(world) == [])
        press(&world, .tab)
        press(&world, .rightArrow)
        #expect(world.system.interface.focus == "modal/1/choice/1")
        press(&world, .downArrow)
        #expect(world.system.interface.focus == "modal/1/choice/4")
        press(&world, .enter)
        #expect(sent(world) == [.copy])
        #expect(world.finish() == [])
    }

    @Test(
        "Every app can be reached in every place, page by page, also with large text",
        arguments: [
            Size(1180, 820), Size(820, 1180), Size(390, 780), Size(780, 390), Size(320, 480),
        ])
    func fits(size: Size) {
        let apps = (0..<30).map { Self.app("app\($0)x", ["text/plain"]) } + [Self.apps[2]]
        var world = world(apps, size: size)
        world.act(.textSize(1.5))
        share(&world, 1, Sharing(files: [Self.script, Self.script], text: "Some words that go along", mailsFiles: true))
        let bounds = Rect(origin: .zero, size: size)
        var seen: Set<String> = []
        for _ in 0..<30 {
            let controls = world.system.controls(at: world.now).filter {
                $0.id.isPart(of: "modal/1") && $0.press != nil && $0.role != .panel
            }
            for control in controls {
                seen.insert(control.id.rawValue)
                #expect(bounds.contains(control.frame, tolerance: 0.5), "\(control.id) \(control.frame)")
            }
            for (a, b) in zip(controls, controls.dropFirst()) { #expect(!a.frame.intersects(b.frame), "\(a.id) \(b.id)") }
            world.act(.moreApps(1))
        }
        #expect((0..<33).allSatisfy { seen.contains("modal/1/choice/\($0)") }, "\(seen.sorted())")
        #expect(seen.contains("modal/1/cancel"))
        world.act(.dismissView(1))
        world.rest()
        #expect(world.system.interface.appPages.isEmpty)
        #expect(world.finish() == [])
    }
}
