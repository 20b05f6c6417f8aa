import Geometry
import Idioms
import Interface
import MullionTesting
import Multitasking
import Seat
import Stage
import Status
import Testing
import Windows

/// The questions of services and programs as a person sees and answers them.
@Suite("X-10: the alert of a question") struct AgentPromptViewTests {
    private func world(_ idiom: Idiom = .pad, size: Size? = nil) -> CoreWorld {
        var world = size.map { CoreWorld(size: $0, idiom: idiom) } ?? CoreWorld(idiom: idiom)
        world.open(1)
        world.rest()
        return world
    }

    private func ask(
        _ id: UInt64 = 1, _ prompt: AgentPrompt = AgentPrompt(.authority, .secret(isNew: false), asker: .program("udisksd")),
        in world: inout CoreWorld
    ) {
        world.send(.prompts(.asked(id, prompt)))
    }

    private func effects(_ world: CoreWorld) -> [PromptEffect] {
        world.effects.compactMap { if case .prompt(let effect) = $0 { effect } else { nil } }
    }

    private func control(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func tap(_ id: ControlID, _ world: inout CoreWorld) throws {
        let found = try #require(control(id, world), "\(id) is not there")
        world.tap(at: found.frame.center)
        world.wait(600)
    }

    private func type(_ text: String, _ world: inout CoreWorld) {
        for character in text.unicodeScalars {
            for isPressed in [true, false] {
                world.send(
                    .key(
                        code: character.value, symbol: KeySymbol(rawValue: character.value), pressed: isPressed, modifiers: [],
                        text: String(character)))
            }
        }
    }

    private func press(_ symbol: KeySymbol, _ world: inout CoreWorld) {
        for isPressed in [true, false] { world.send(.key(code: 200, symbol: symbol, pressed: isPressed, modifiers: [])) }
    }

    @Test("by finger: the field, a password, OK; dots, and the signs on a press; the asker is named")
    func byFinger() throws {
        var world = world()
        ask(in: &world)
        world.wait(1000)
        #expect(effects(world) == [.begins(1)])
        #expect(world.interface.isPromptOpen && world.interface.isWritingSecret)
        #expect(world.controls.contains { $0.name == .message(.askedBy, ["udisksd"]) })
        #expect(control("prompt/ok", world)?.press == nil, "nothing is written yet")
        type("horse", &world)
        #expect(control("prompt/prompt-secret", world)?.name == .message(.password), "a screen reader does not speak it")
        try tap("prompt/prompt-secret/reveal", &world)
        #expect(control("prompt/prompt-secret", world)?.name == .verbatim("horse"))
        try tap("prompt/ok", &world)
        #expect(effects(world).last == .answer(1, .words(Secret("horse"), isTicked: false)))
        #expect(!world.interface.isPromptOpen)
        #expect(world.interface.prompt.form.text(of: .promptSecret).isEmpty, "it is kept nowhere")
        #expect(world.finish() == [])
    }

    @Test("a slip of the finger beside it cancels nothing, and Escape does")
    func beside() {
        var world = world()
        ask(in: &world)
        world.wait(1000)
        world.tap(at: Point(10, 400))
        world.wait(600)
        #expect(world.interface.isPromptOpen)
        press(.escape, &world)
        #expect(effects(world).last == .answer(1, .cancelled))
        #expect(!world.interface.isPromptOpen)
        #expect(world.finish() == [])
    }

    @Test("keys that were under way to the app do nothing until there is a pause, whichever way they come")
    func underWay() {
        var world = world()
        ask(in: &world)
        for _ in 0..<6 {
            world.wait(300)
            type("x", &world)
            press(.enter, &world)
            press(.escape, &world)
            world.send(.typed("y"))
        }
        #expect(effects(world) == [.begins(1)])
        #expect(world.interface.isPromptOpen && world.interface.prompt.form.text(of: .promptSecret).isEmpty)
        world.wait(800)
        type("z", &world)
        world.send(.typed("w"))
        #expect(world.interface.prompt.form.text(of: .promptSecret).text == "zw")
        press(.enter, &world)
        #expect(effects(world).last == .answer(1, .words(Secret("zw"), isTicked: false)))
        #expect(world.finish() == [])
    }

    @Test("a person who touches the field means it at once")
    func chosen() throws {
        var world = world()
        ask(in: &world)
        world.wait(100)
        // This finger was on its way to the app below.
        let place = try #require(control("prompt/prompt-secret", world)).frame.center
        world.tap(at: place)
        type("x", &world)
        #expect(world.interface.prompt.form.text(of: .promptSecret).isEmpty)
        world.wait(500)
        try tap("prompt/prompt-secret", &world)
        world.wait(0)
        type("a", &world)
        #expect(world.interface.prompt.form.text(of: .promptSecret).text == "a")
        world.act(.prompt(.cancel))
        #expect(world.finish() == [])
    }

    @Test("keys while the service works are dropped, and Return presses no other button")
    func works() {
        var world = world()
        let prompt = AgentPrompt(.authority, .secret(isNew: false), endsWithAnswer: false)
        ask(1, prompt, in: &world)
        world.wait(1000)
        type("a", &world)
        press(.enter, &world)
        type("b", &world)
        press(.enter, &world)
        #expect(world.interface.isPromptOpen)
        #expect(world.interface.prompt.form.text(of: .promptSecret).isEmpty)
        world.send(.prompts(.again(1, prompt)))
        type("c", &world)
        press(.enter, &world)
        #expect(
            effects(world) == [
                .begins(1), .answer(1, .words(Secret("a"), isTicked: false)), .answer(1, .words(Secret("c"), isTicked: false)),
            ])
        world.send(.prompts(.ended(1)))
        #expect(!world.interface.isPromptOpen)
        #expect(world.finish() == [])
    }

    @Test("a question takes the place of a menu at once, waits for an alert, and comes back after whatever closes it")
    func line() {
        var world = world()
        world.act(.controls())
        world.wait(600)
        ask(in: &world)
        world.wait(600)
        #expect(world.interface.isPromptOpen)
        world.act(.home)
        world.wait(1000)
        #expect(world.interface.isPromptOpen, "it is still asked")
        world.send(.prompts(.ended(1)))
        #expect(!world.interface.isPromptOpen)
        #expect(world.finish() == [])
    }

    @Test("the page of a network below keeps what stands in its field, and gets no key")
    func page() {
        var world = world()
        world.act(.controlPage(.settings))
        world.wait(600)
        world.act(.form(.write(.settingsSearch)))
        type("wi", &world)
        ask(in: &world)
        world.wait(1000)
        type("secret", &world)
        #expect(world.interface.form.text(of: .settingsSearch).text == "wi")
        world.act(.prompt(.cancel))
        world.wait(600)
        #expect(world.finish() == [])
    }

    @Test("law 12: in a locked session it waits, and begins anew and empty after the unlocking")
    func locked() {
        var world = world()
        ask(in: &world)
        world.wait(1000)
        type("half", &world)
        world.send(.lock(.asked(LockerID(1), isDark: true)))
        #expect(world.system.isLocked)
        #expect(effects(world) == [.begins(1), .rests(1)])
        #expect(world.controls.isEmpty)
        ask(2, in: &world)
        #expect(world.act(.prompt(.cancel)).contains(.refuse(Refusal(WhileLocked.refusal))))
        for event: LockEvent in [.unlocked(LockerID(1)), .gone(LockerID(1))] { world.send(.lock(event)) }
        world.wait(1000)
        #expect(effects(world).suffix(1) == [.begins(1)])
        #expect(world.interface.isPromptOpen && world.interface.prompt.form.text(of: .promptSecret).isEmpty)
        world.act(.prompt(.cancel))
        world.act(.prompt(.cancel))
        #expect(effects(world).suffix(3) == [.answer(1, .cancelled), .begins(2), .answer(2, .cancelled)])
        #expect(world.finish() == [])
    }

    @Test("a recording has no sign of it, and a second password that differs from the first differs in a replay, too")
    func masked() {
        var world = world()
        ask(1, AgentPrompt(.keyring, .secret(isNew: true)), in: &world)
        world.wait(1000)
        func key(_ letter: Unicode.Scalar) -> Event {
            .key(code: 35, symbol: KeySymbol(rawValue: letter.value), pressed: true, modifiers: [], text: String(letter))
        }
        func text(_ event: Event) -> String? { if case .key(_, _, _, _, let text, _) = event { text } else { nil } }
        #expect(text(world.system.masked(key("x"))) == "a")
        type("xyz", &world)
        press(.enter, &world)
        #expect(world.interface.prompt.form.writing == .promptRepeated, "Return moves to the second field")
        for (modifiers, field) in [(Modifiers.shift, FormField.promptSecret), ([], .promptRepeated)] {
            world.send(.key(code: 15, symbol: .tab, pressed: true, modifiers: modifiers))
            #expect(world.interface.prompt.form.writing == field, "Tab moves between the fields")
        }
        #expect(text(world.system.masked(key("x"))) == "a")
        #expect(text(world.system.masked(key("z"))) == "b")
        #expect(world.system.masked(.typed("xy")) == .typed("aa"))
        type("zzz", &world)
        press(.enter, &world)
        #expect(world.controls.contains { $0.name == .message(.promptDiffers) })
        world.act(.prompt(.cancel))
        #expect(world.finish() == [])
    }

    @Test(
        "on every idiom the question is whole on the screen, and is answered by the arrow keys, too",
        arguments: [
            (Idiom.pad, Size(1180, 820)), (.pad, Size(390, 844)), (.phone, Size(390, 844)), (.mac, Size(1440, 900)),
            (.tv, Size(1920, 1080)),
            (.watch, Size(198, 242)), (.vision, Size(1280, 800)),
        ])
    func everywhere(idiom: Idiom, size: Size) throws {
        var world = world(idiom, size: size)
        let long = "Authentication is required to change the network settings of all people who use this machine"
        let prompts = [
            AgentPrompt(.authority, .secret(isNew: false), asker: .program("NetworkManager"), message: long, identities: ["anna", "root"]),
            AgentPrompt(.program, .confirm, asker: .program("ssh-agent"), message: "Allow use of key?", buttons: .init(no: "No")),
            AgentPrompt(
                .keyring, .secret(isNew: false), asker: .program("secret-tool"), title: "Unlock Keyring", message: long,
                box: .init("Unlock at log-in")),
        ]
        for (number, prompt) in prompts.enumerated() {
            let id = UInt64(number + 1)
            ask(id, prompt, in: &world)
            world.wait(1500)
            #expect(world.interface.isPromptOpen)
            let screen = Rect(origin: .zero, size: size)
            for control in world.controls where control.id.area == .prompt {
                #expect(screen.contains(control.frame), "\(idiom.name): \(control.id) at \(control.frame)")
            }
            let cancel = try #require(control("prompt/cancel", world))
            if prompt.kind == .secret(isNew: false) {
                type("pw", &world)
                press(.enter, &world)
                #expect(effects(world).contains(.answer(id, .words(Secret("pw"), isTicked: false))), "\(idiom.name)")
            } else {
                world.tap(at: cancel.frame.center)
                world.wait(600)
                #expect(effects(world).contains(.answer(id, .cancelled)), "\(idiom.name)")
            }
            world.wait(1000)
        }
        #expect(world.finish() == [])
    }
}
