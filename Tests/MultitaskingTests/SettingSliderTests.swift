import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Status
import Testing
import Windows

/// The sliders of the settings (X-03).
@Suite("X-03: sliders of the settings") struct SettingSliderTests {
    private func world(_ preferences: Preferences) -> CoreWorld {
        var world = CoreWorld(size: Size(1180, 2400), idiom: .pad, preferences: preferences)
        world.open(1)
        world.rest()
        return world
    }

    private func find(_ id: ControlID, _ world: CoreWorld) -> ViewControl? { world.controls.last { $0.id == id } }

    private func amount(_ id: ControlID, _ world: CoreWorld) -> [String] {
        guard let place = find(id, world)?.frame else { return [] }
        return world.system.items(at: world.now).compactMap { item in
            guard case .art(.text(.verbatim(let text), _, _, _, _), _) = item.kind, abs(item.frame.maxY - place.minY) < 24,
                item.frame.maxX > place.center.x
            else { return nil }
            return text
        }
    }

    @Test("one that the configuration file fixes has a lock and names the line, as switches and lists do")
    func fixed() throws {
        let all = try #require(world(Preferences()).system.views(at: Moment(nanoseconds: 1))).settings.filter {
            if case .number = $0.kind { true } else { false }
        }
        var seen = 0
        let fixes: [(String, FixedSettings)] = [
            ("text-size", .textSize), ("animation-speed", .animationSpeed), ("scale", .scale), ("key-repeat-rate", .keyRepeatRate),
            ("key-repeat-delay", .keyRepeatDelay), ("pointer-speed", .pointerSpeed),
        ]
        for setting in all {
            guard let fix = fixes.first(where: { $0.0 == setting.key })?.1 else { continue }
            seen += 1
            for isFixed in [false, true] {
                var preferences = Preferences(newWindows: .always)
                let line =
                    ["key-repeat-rate", "key-repeat-delay", "pointer-speed"].contains(setting.key) ? "input.\(setting.key)" : setting.key
                if isFixed {
                    preferences.fixed = fix
                    preferences.fixedLines = [line: 7]
                }
                var world = world(preferences)
                world.act(.controlPage(setting.page))
                world.wait(1500)
                world.act(.scroll(100))
                world.wait(2000)
                let slider = try #require(find(ControlID(.controlCentre, "setting/\(setting.key)"), world), "\(setting.key)")
                #expect((slider.slide == nil) == isFixed, "\(setting.key)")
                let locks = world.system.items(at: world.now).count {
                    if case .art(.symbol(.lock, _), _) = $0.kind { true } else { false }
                }
                #expect(locks == (isFixed ? 1 : 0), "\(setting.key)")
                let why = Text.message(.setInFileAt, ["7", line])
                let isSaid = world.system.items(at: world.now).contains {
                    if case .art(.text(why, _, _, _, _), _) = $0.kind { true } else { false }
                }
                #expect(isSaid == isFixed, "\(setting.key)")
                if isFixed, case .list(let words, _) = slider.name { #expect(words.last == why && words.count == 3) }
                while world.interface.isPanelOpen { world.act(.dismiss) }
                #expect(world.finish() == [])
            }
        }
        #expect(seen == fixes.count, "every one that a file can fix")
    }

    @Test("the amount follows the finger, also where the slider takes effect only at the end", arguments: ["text-size", "scale"])
    func follows(key: String) throws {
        var world = world(Preferences(newWindows: .always))
        let page: ControlPage = key == "scale" ? .display : .look, id = ControlID(.controlCentre, "setting/\(key)")
        world.act(.controlPage(page))
        world.wait(1500)
        world.act(.scroll(100))
        world.wait(2000)
        let slide = try #require(find(id, world)?.slide)
        #expect(slide.text == "100%" && amount(id, world) == ["100%"])
        let knob = Point(slide.track.minX + slide.track.width * slide.value, slide.track.center.y)
        world.touch(down: knob)
        for step in 1...10 {
            world.touch(to: knob + Vector(slide.track.width * 0.04 * Double(step), 0))
            world.wait(16)
        }
        let meanwhile = try #require(find(id, world)?.slide)
        #expect(meanwhile.value > slide.value + 0.3 && meanwhile.text == (key == "scale" ? "250%" : "140%"), "\(meanwhile.text)")
        #expect(amount(id, world) == [meanwhile.text])
        #expect(world.system.preferences.appearance.textScale == 1, "nothing moves under the finger")
        world.lift()
        world.wait(600)
        while world.interface.isPanelOpen { world.act(.dismiss) }
        #expect(world.finish() == [])
    }

    @Test("X-04: from right to left an amount stays in one piece")
    func rightToLeft() {
        var preferences = Preferences(newWindows: .always)
        preferences.appearance.isRightToLeft = true
        var world = world(preferences)
        world.act(.controlPage(.pointer))
        world.wait(1500)
        #expect(amount("control-centre/setting/pointer-speed", world).allSatisfy { !$0.contains(" ") })
        let amounts = world.system.items(at: world.now).compactMap { item in
            if case .art(.text(.verbatim(let text), _, _, _, _), _) = item.kind, text.hasSuffix("%") { text } else { nil }
        }
        #expect(amounts == ["\u{200e}0%"])
        while world.interface.isPanelOpen { world.act(.dismiss) }
        #expect(world.finish() == [])
    }

    @Test("a reset of what the configuration file fixes is refused as setting it is")
    func reset() {
        for (key, fix, other) in [
            ("text-size", FixedSettings.textSize, "1.5"), ("pointer-speed", .pointerSpeed, "0.5"), ("appearance", .appearance, "dark"),
            ("lock-on-sleep", .lockOnSleep, "off"),
        ] {
            var preferences = Preferences(newWindows: .always)
            preferences.fixed = fix
            var world = world(preferences)
            func refusal(_ action: Action) -> String? {
                for case .session(.refuse(let refusal)) in world.act(action) { return refusal.reason }
                return nil
            }
            let words = refusal(.setting(key: key, value: other))
            #expect(words?.hasPrefix("the configuration file says") == true, "\(key): \(words ?? "")")
            #expect(refusal(.resetSettings(key: key)) == words, "\(key)")
            #expect(refusal(.resetSettings(key: "increased-contrast")) == nil)
            #expect(world.finish() == [])
        }
    }
}
