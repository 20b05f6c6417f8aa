import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

/// W-25: the hardware chooses the idiom, unless the configuration names one.
@Suite("The hardware chooses the idiom")
struct IdiomChoiceTests {
    private func world(
        _ setting: IdiomChoice.Setting = .automatic, rules: [IdiomRule] = IdiomRule.standard, size: Size = Size(1180, 820),
        offered: [Idiom] = [.pad, .phone, .mac]
    ) -> CoreWorld {
        var preferences = Preferences()
        preferences.idiom = setting
        preferences.idiomRules = rules
        var world = CoreWorld(size: size, preferences: preferences)
        world.send(.idiomsKnown(offered))
        world.send(.hardware(.known))
        for number in 1...2 as ClosedRange<UInt32> { world.open(number) }
        return world
    }

    private func name(_ world: CoreWorld) -> String { world.workspace.idiom.name }

    @Test("a convertible with its keyboard is a mac, folded it is a pad, and each change has to last for a second")
    func tabletSwitch() {
        var world = world()
        #expect(name(world) == "pad")
        world.send(.hardware(.tabletMode(false)))
        world.wait(900)
        #expect(name(world) == "pad", "not before a second")
        world.wait(200)
        #expect(name(world) == "mac")
        // A bounce.
        world.send(.hardware(.tabletMode(true)))
        world.wait(500)
        world.send(.hardware(.tabletMode(false)))
        world.wait(5000)
        #expect(name(world) == "mac")
        world.send(.hardware(.tabletMode(true)))
        world.wait(1100)
        #expect(name(world) == "pad")
        #expect(world.finish() == [])
    }

    @Test("a cover that takes its switch with it leaves a tablet")
    func switchGoes() {
        var world = world()
        world.send(.hardware(.tabletMode(false)))
        world.wait(1100)
        #expect(name(world) == "mac")
        world.send(.hardware(.tabletMode(nil)))
        world.wait(1100)
        #expect(name(world) == "pad")
        #expect(world.finish() == [])
    }

    @Test("what a person chose holds until the hardware asks for something else", arguments: ["mac", "phone"])
    func byHand(chosen: String) {
        var world = world()
        world.act(.idiom(chosen))
        world.send(.hardware(.touch(true)))
        world.send(.hardware(.pointerMoved(true)))
        world.wait(3000)
        #expect(name(world) == chosen, "another device changes nothing")
        world.send(.hardware(.keyboard(true)))
        world.wait(1100)
        #expect(name(world) == "mac", "a dock does")
        world.act(.idiom("pad"))
        world.send(.hardware(.output(.init(name: "HDMI-A-1"))))
        world.wait(3000)
        #expect(name(world) == "pad")
        world.send(.hardware(.keyboard(false)))
        world.wait(1100)
        #expect(name(world) == "pad")
        world.send(.hardware(.keyboard(true)))
        world.wait(1100)
        #expect(name(world) == "mac", "docked again")
        #expect(world.finish() == [])
    }

    @Test("a choice within the second of a change holds against that change")
    func byHandMeanwhile() {
        var world = world()
        world.send(.hardware(.keyboard(true)))
        world.wait(500)
        world.act(.idiom("phone"))
        world.wait(5000)
        #expect(name(world) == "phone")
        #expect(world.finish() == [])
    }

    @Test("an idiom that the configuration names stays, whatever is connected")
    func fixed() {
        var world = world(.fixed("pad"))
        for event in [HardwareEvent.tabletMode(false), .keyboard(true), .pointerMoved(true)] { world.send(.hardware(event)) }
        world.wait(5000)
        #expect(name(world) == "pad")
        // The configuration changes while the shell runs, which counts at once.
        var preferences = world.system.preferences
        preferences.idiom = .automatic
        world.send(.configured(preferences))
        #expect(name(world) == "mac")
        preferences.idiom = .fixed("phone")
        world.send(.configured(preferences))
        #expect(name(world) == "phone")
        preferences.idiom = .unset
        world.send(.configured(preferences))
        #expect(name(world) == "mac", "its switch says so")
        // Other settings say nothing about the idiom.
        world.act(.idiom("phone"))
        preferences.reducedMotion = true
        world.send(.configured(preferences))
        #expect(name(world) == "phone")
        #expect(world.finish() == [])
    }

    @Test("without a word in the configuration nothing changes, as long as no tablet switch is there")
    func unset() {
        var world = world(.unset, size: Size(390, 844))
        for event in [HardwareEvent.keyboard(true), .pointerMoved(true), .touch(true), .output(.init(name: "HDMI-A-1", diagonal: 50))] {
            world.send(.hardware(event))
        }
        world.wait(5000)
        #expect(name(world) == "pad")
        world.send(.hardware(.tabletMode(false)))
        world.wait(1100)
        #expect(name(world) == "phone", "its screen is small")
        #expect(world.finish() == [])
    }

    @Test("at the start the hardware counts at once")
    func start() {
        var preferences = Preferences()
        preferences.idiom = .automatic
        var world = CoreWorld(preferences: preferences)
        world.send(.idiomsKnown([.pad, .phone, .mac]))
        world.send(.hardware(.tabletMode(false)))
        world.wait(3000)
        #expect(name(world) == "pad", "something may still be missing")
        world.send(.hardware(.known))
        #expect(name(world) == "mac")
        #expect(world.finish() == [])
    }

    @Test("only idioms that are offered begin; one that comes later does then")
    func offered() {
        let rules = [IdiomRule("tv", diagonal: 32), IdiomRule("mac", keyboard: true)]
        var world = world(rules: rules)
        world.send(.hardware(.keyboard(true)))
        world.send(.hardware(.output(.init(name: "HDMI-A-1", model: "Goldstar 55", diagonal: 55))))
        world.wait(1100)
        #expect(name(world) == "mac")
        world.send(.idiomsKnown([.pad, .phone, .mac, .tv]))
        world.wait(1100)
        #expect(name(world) == "tv")
        #expect(world.finish() == [])
    }

    @Test("a dark screen, a console behind another one and a sleeping machine wait until a person is back")
    func dark() {
        for (away, back) in [(Event.screenLit(false), Event.screenLit(true)), (.power(.sleeps), .power(.woke))] {
            var world = world()
            world.send(.hardware(.tabletMode(false)))
            world.wait(1100)
            world.act(.idiom("phone"))
            world.send(away)
            // Another console is in front: the devices are gone for this one.
            world.send(.hardware(.tabletMode(nil)))
            world.wait(5000)
            #expect(name(world) == "phone")
            world.send(.hardware(.tabletMode(false)))
            world.send(back)
            world.wait(5000)
            #expect(name(world) == "phone", "nothing has changed")
            world.send(away)
            world.send(.hardware(.tabletMode(true)))
            world.send(back)
            #expect(name(world) == "phone")
            world.wait(1100)
            #expect(name(world) == "pad")
            #expect(world.finish() == [])
        }
    }

    @Test("a locked session follows the hardware too")
    func locked() {
        var world = world()
        world.lock()
        world.send(.hardware(.tabletMode(false)))
        world.wait(1100)
        #expect(name(world) == "mac")
        world.unlock()
        #expect(world.finish() == [])
    }

    @Test("a person or a script can say what no switch says")
    func byAction() {
        var world = world()
        world.act(.tabletMode(on: false))
        world.wait(1100)
        #expect(name(world) == "mac")
        world.act(.tabletMode(on: nil))
        world.wait(1100)
        #expect(name(world) == "pad")
        #expect(world.finish() == [])
    }

    @Test(
        "a small screen is a phone, a turned one is not",
        arguments: [
            (Size(390, 844), "phone"), (Size(844, 390), "phone"), (Size(1180, 820), "pad"), (Size(820, 1180), "pad"),
        ])
    func screens(size: Size, idiom: String) {
        var world = world()
        world.send(.screenChanged(Screen(size: size)))
        world.wait(1100)
        #expect(name(world) == idiom)
        #expect(world.finish() == [])
    }

    @Test(
        "each condition of a rule counts",
        arguments: [
            (IdiomRule("mac", tabletMode: false), true), (IdiomRule("mac", tabletMode: true), false),
            (IdiomRule("mac", keyboard: true), true),
            (IdiomRule("mac", keyboard: false), false), (IdiomRule("mac", touch: false), true), (IdiomRule("mac", pointer: true), false),
            (IdiomRule("mac", smallScreen: false), true), (IdiomRule("mac", smallScreen: true), false),
            (IdiomRule("mac", output: "HDMI"), true),
            (IdiomRule("mac", output: "eDP"), false), (IdiomRule("mac", model: "gold"), true), (IdiomRule("mac", model: "other"), false),
            (IdiomRule("mac", diagonal: 32), true), (IdiomRule("mac", diagonal: 60), false),
            (IdiomRule("mac", keyboard: true, model: "other"), false),
            (IdiomRule("mac"), true),
        ])
    func conditions(rule: IdiomRule, holds: Bool) {
        var hardware = Hardware()
        hardware.isTablet = false
        hardware.hasKeyboard = true
        hardware.output = Hardware.Output(name: "HDMI-A-1", model: "Goldstar 55", width: 1210, height: 680)
        #expect(rule.holds(hardware, screen: Size(1920, 1080)) == holds)
        #expect(!IdiomRule("tv", diagonal: 1).holds(Hardware(), screen: nil), "a screen of unknown size")
    }
}
