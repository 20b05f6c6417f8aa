import AudioSessions
import Geometry
import Interface
import OrderedCollections
import Rooms
import Windows

/// The person's preferences: their only owner (decision 0137).
///
/// In order of precedence: the configuration file, the person's choice, the default. A reload of the file changes only the file's
/// part. An adapter keeps each choice as it is made.
struct Choices: Room {
    /// The configuration file over the defaults.
    private(set) var configured: Preferences
    /// The person's choices, by `Choice.key`, oldest first.
    private(set) var chosen: OrderedDictionary<String, Choice> = [:]

    /// The screen in use; nil: none says what it is.
    private(set) var screen: OwnScreen?

    /// Apps and outputs come and go for years.
    static let most = 2048

    init(_ configured: Preferences) { self.configured = configured }

    enum Event {
        case outside(ChoiceEvent)
        /// The configuration file was read.
        case configured(Preferences)
        case chosen(Choice)
        /// Another screen is in use.
        case screen(OwnScreen)
        /// It holds no longer, by its key.
        case dropped(String)
        /// The choices of sound that hold now. A choice that is missing here has its default.
        case sound([AudioChoice])
    }

    mutating func handle(_ event: Event, in context: Void, at now: Moment) -> [ChoiceEffect] {
        switch event {
        case .outside(.restored(let choices)):
            for choice in choices.prefix(Choices.most) where choice.isPossible { chosen[choice.key] = choice }
            return []
        case .configured(let new):
            configured = new
            return []
        case .chosen(let choice): return choose(choice)
        case .screen(let new):
            screen = new.id.isEmpty ? nil : new
            return []
        case .dropped(let key): return forget(key)
        case .sound(let choices):
            let keys = Set(choices.map { Choice.audio($0).key })
            let gone = chosen.filter { if case .audio = $0.value { !keys.contains($0.key) } else { false } }.map(\.key)
            return choices.flatMap { choose(.audio($0)) } + gone.flatMap { forget($0) }
        }
    }

    private mutating func choose(_ choice: Choice) -> [ChoiceEffect] {
        guard choice.isPossible, chosen[choice.key] != choice else { return [] }
        // An app of which nothing special holds any more.
        if case .keepRunning(let app, false) = choice, !configured.life.kept.contains(app) { return forget(choice.key) }
        if case .startsAtLogin(_, false) = choice { return forget(choice.key) }
        if case .screenWallpaper(let screen, false, "") = choice {
            return forget(choice.key) + forget(Choice.screenWallpaper(screen: screen, isDark: true, "same").key)
        }
        var effects: [ChoiceEffect] = []
        // One that was left behind does not come back.
        if case .screenWallpaper(let screen, false, _) = choice, chosen[choice.key] == nil {
            effects += forget(Choice.screenWallpaper(screen: screen, isDark: true, "same").key)
        }
        chosen[choice.key] = choice
        effects.append(.keep(choice))
        if chosen.count > Choices.most { effects.append(.forget(key: chosen.removeFirst().key)) }
        return effects
    }

    private mutating func forget(_ key: String) -> [ChoiceEffect] { chosen.removeValue(forKey: key) == nil ? [] : [.forget(key: key)] }

    // MARK: Preferences in effect

    /// The file, then the person, then the default.
    var preferences: Preferences {
        var out = configured
        for choice in chosen.values where configured.fixes(choice) == nil {
            switch choice {
            case .darkAppearance(let isDark): out.appearance.isDark = isDark
            case .reducedMotion(let isReduced): out.reducedMotion = isReduced
            case .textSize(let scale): out.appearance.textScale = scale
            case .keyClicks(let isOn): out.audio.keyClicks = isOn
            case .rotationLock(let isOn): out.locksRotation = isOn
            case .increasedContrast(let isOn): out.appearance.increasedContrast = isOn
            case .reducedTransparency(let isOn): out.appearance.reducesTransparency = isOn
            case .animationSpeed(let speed): out.animationSpeed = speed
            case .accent(let accent): out.appearance.accent = accent
            case .wallpaper(let wallpaper): out.appearance.wallpaper = wallpaper
            case .darkWallpaper(let wallpaper): out.appearance.darkWallpaper = wallpaper == "same" ? "" : wallpaper
            case .input(let part): out.input.set(part)
            case .lock(let part): out.lock.set(part)
            case .nightLight(let part): out.nightLight.set(part)
            case .controls(let order): out.controls = order
            case .language(let language): out.appearance.language = language == "auto" ? "" : language
            case .direction(let direction):
                out.appearance.direction = direction == "auto" ? "" : direction
                if direction != "auto" { out.appearance.isRightToLeft = direction == "right-to-left" }
            case .statusBar(let isShown): out.showsStatus = isShown
            case .keepRunning(let app, let isKept):
                if !isKept { out.life.kept.removeAll { $0 == app } } else if !out.life.kept.contains(app) { out.life.kept.append(app) }
            case .startsAtLogin(let app, let starts): if starts { out.startApps.append(app) }
            case .location(let app, let isAllowed): out.location[app] = isAllowed
            case .shortcuts(let app, let all): out.shortcuts[app] = all
            case .defaultApp(let kind, _): out.ownDefaults.append(kind)
            case .home, .dock, .idiom, .rotation, .scale, .surroundings, .screenKeyboard, .audio,
                .screenWallpaper:
                break
            }
        }
        out.screen = screen
        setScreenWallpaper(&out)
        return out
    }

    /// The screen's own wallpaper takes the place of that of all screens.
    private func setScreenWallpaper(_ out: inout Preferences) {
        guard let screen else { return }
        func own(isDark: Bool) -> String? {
            guard case .screenWallpaper(_, _, let wallpaper)? = chosen[Choice.screenWallpaper(screen: screen.id, isDark: isDark, "").key]
            else {
                return nil
            }
            return wallpaper
        }
        guard !configured.fixed.contains(.wallpaper), let light = own(isDark: false) else { return }
        out.appearance.wallpaper = light
        if !configured.fixed.contains(.darkWallpaper), let dark = own(isDark: true) {
            out.appearance.darkWallpaper = dark == "same" ? "" : dark
        }
        out.screen?.hasWallpaper = true
    }

    /// Every wallpaper that a person chose, for any screen.
    var wallpapers: Set<String> {
        Set(
            chosen.values.compactMap {
                switch $0 {
                case .wallpaper(let one), .darkWallpaper(let one), .screenWallpaper(_, _, let one): one
                default: nil
                }
            })
    }

    /// The apps that the person chose for the dock; nil: none yet, or the file says them.
    var dock: [String]? {
        guard case .dock(let apps)? = chosen["dock"], !configured.fixed.contains(.dock) else { return nil }
        return apps
    }

    /// The order of the home screen; nil: by name.
    var home: HomeOrder? { if case .home(let order)? = chosen["home"] { order } else { nil } }

    var rotation: Int? { if case .rotation(let turns)? = chosen["rotation"] { turns } else { nil } }

    var scale: Double? {
        guard case .scale(let scale)? = chosen["scale"], !configured.fixed.contains(.scale) else { return nil }
        return scale
    }

    var surroundings: Double? { if case .surroundings(let share)? = chosen["surroundings"] { share } else { nil } }

    var idiom: (name: String, settled: String)? {
        if case .idiom(let name, let settled)? = chosen["idiom"] { (name, settled) } else { nil }
    }

    var audio: [AudioChoice] { chosen.values.compactMap { if case .audio(let choice) = $0 { choice } else { nil } } }

    // MARK: Invariants

    func violations(in context: Void) -> [String] {
        (chosen.count > Choices.most ? ["too many choices"] : [])
            + chosen.filter { $0.key != $0.value.key || !$0.value.isPossible }.map { "the choice \($0.key) is \($0.value)" }
    }
}

extension Preferences {
    /// The key of the configuration file that says this, whatever a person chooses; nil: none does.
    func fixes(_ choice: Choice) -> String? {
        switch choice {
        case .darkAppearance: fixed.contains(.appearance) ? "appearance" : nil
        case .reducedMotion: fixed.contains(.reducedMotion) ? "reduced-motion" : nil
        case .textSize: fixed.contains(.textSize) ? "text-size" : nil
        case .keyClicks: fixed.contains(.keyClicks) ? "audio.key-clicks" : nil
        case .increasedContrast: fixed.contains(.increasedContrast) ? "increased-contrast" : nil
        case .reducedTransparency: fixed.contains(.reduceTransparency) ? "reduce-transparency" : nil
        case .animationSpeed: fixed.contains(.animationSpeed) ? "animation-speed" : nil
        case .accent: fixed.contains(.accent) ? "accent" : nil
        case .wallpaper: fixed.contains(.wallpaper) ? "wallpaper" : nil
        case .darkWallpaper: fixed.contains(.darkWallpaper) ? "dark-wallpaper" : nil
        case .screenWallpaper(_, false, _): fixed.contains(.wallpaper) ? "wallpaper" : nil
        case .screenWallpaper(_, true, _): fixed.contains(.darkWallpaper) ? "dark-wallpaper" : nil
        case .input(let part): fixed.contains(part.fixes) ? "input.\(part.key)" : nil
        case .lock(let part): fixed.contains(part.fixes) ? "lock.\(part.key.dropFirst(5))" : nil
        case .language: fixed.contains(.language) ? "language" : nil
        case .direction: fixed.contains(.direction) ? "direction" : nil
        case .statusBar: fixed.contains(.statusBar) ? "status-bar" : nil
        case .dock: fixed.contains(.dock) ? "dock" : nil
        case .scale: fixed.contains(.scale) ? "scale" : nil
        // The apps that the file names; a person chooses for the others.
        case .keepRunning(let app, _): fixedApps.contains(app) ? "life.keep" : nil
        case .home, .controls, .nightLight, .startsAtLogin, .location, .defaultApp, .idiom, .rotation, .rotationLock, .surroundings,
            .screenKeyboard,
            .audio, .shortcuts:
            nil
        }
    }
}
