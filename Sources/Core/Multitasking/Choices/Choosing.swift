import AudioSessions
import Geometry
import Interface
import Windows

/// Passes a person's choices to `Choices`, and puts them into effect.
extension System {
    mutating func handle(_ event: ChoiceEvent, at now: Moment, _ turn: inout Turn) {
        choices(.outside(event), at: now, &turn)
        sound.handle(.restored(choices.audio), for: &screenful, at: now, &turn)
        if let share = choices.surroundings { try? gaze(.wasDim(share), at: now, &turn) }
        turnScreen(&turn)
    }

    mutating func choices(_ event: Choices.Event, at now: Moment, _ turn: inout Turn) {
        turn.send(choices.handle(event, in: (), at: now))
        followChoices(&turn)
    }

    private mutating func followChoices(_ turn: inout Turn) {
        let preferences = choices.preferences
        if preferences != screenful.preferences { screenful.configure(preferences) }
        if preferences.audio != sound.sessions.preferences { turn.ask(.sound(.configured(preferences.audio))) }
        if screenful.interface.homeOrder != choices.home { screenful.interface.homeOrder = choices.home }
        guard screenful.interface.dockApps != choices.dock else { return }
        screenful.interface.dockApps = choices.dock
    }

    /// The choice of a person for a setting holds no longer; nil: for all of them.
    mutating func resetSettings(_ key: String?, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let views = screenful.views(at: now), all = views?.settings ?? []
        if let key {
            guard let setting = all.first(where: { $0.key == key }) else { throw Refusal("there is no setting \"\(key)\"") }
            if let place = views?.line(fixing: setting) { throw Refusal("the configuration file says \"\(place.key)\"") }
        }
        // In their order, so that a replay drops them in the same one.
        for choice in all.filter({ key == nil || $0.key == key }).compactMap(\.choice) where self.choices.chosen[choice] != nil {
            choices(.dropped(choice), at: now, &turn)
        }
        // Those of screens that are not in use, and that of all screens.
        for choice in self.choices.chosen.values where key == nil {
            switch choice {
            case .wallpaper, .darkWallpaper, .screenWallpaper: choices(.dropped(choice.key), at: now, &turn)
            default: break
            }
        }
        turning(.settled, at: now, &turn)
        turn.ask(.settle())
    }

    /// A screen that comes has the rotation and the scale that the person chose.
    mutating func turnScreen(_ turn: inout Turn) {
        guard screenful.workspace.screen != nil, choices.rotation != nil || choices.scale != nil else { return }
        turn.send(.configureScreen(size: nil, scale: choices.scale, rotation: choices.rotation))
    }

    /// The on-screen keyboard can be called, or a person or its program hid it.
    mutating func screenKeyboardIs(_ isShown: Bool?, at now: Moment, _ turn: inout Turn) {
        let before = screenful.interface.screenKeyboard
        if before != isShown { screenful.interface.screenKeyboard = isShown }
        guard choices.chosen["screen-keyboard"] == .screenKeyboard(true), let isShown, !isShown else { return }
        // It has just started: the last session ended with it in sight.
        if before == nil { turn.send(.showScreenKeyboard(true)) } else { choices(.dropped("screen-keyboard"), at: now, &turn) }
    }
}

extension Screenful {
    /// Makes a choice. It is in effect before the event ends.
    func choose(_ choice: Choice, _ turn: inout Turn) throws(Refusal) {
        if let key = preferences.fixes(choice) { throw Refusal("the configuration file says \"\(key)\"") }
        turn.ask(.choose(choice))
    }

    var dockApps: [String] { Dock.apps(chosen: interface.dockApps, preferences.appearance.dock, installed: workspace.apps) }

    mutating func setDock(_ turn: inout Turn, _ change: (inout [String]) -> Void) throws(Refusal) {
        var apps = dockApps
        change(&apps)
        try choose(.dock(apps), &turn)
    }

    func keepRunning(_ app: String, _ wanted: Bool?, _ turn: inout Turn) throws(Refusal) {
        try choose(.keepRunning(app: app, wanted ?? !preferences.life.kept.contains(app)), &turn)
    }
}
