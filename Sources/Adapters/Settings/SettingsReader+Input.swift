import Multitasking
import Windows

/// Keyboards and pointers, and the second wallpaper.
extension SettingsReader {
    func input(_ value: Value, _ preferences: inout Preferences) throws(SettingsError) -> InputPreferences {
        var input = preferences.input
        let names = ["keyboard-layouts", "key-repeat-delay", "key-repeat-rate", "pointer-speed", "natural-scrolling", "tap-to-click"]
        for (name, part) in try entries(value, known: names) {
            let wish: InputPreferences.Part =
                switch name {
                case "keyboard-layouts": .layouts(try layouts(part))
                case "key-repeat-delay": .repeatDelay(try number(part, in: InputPreferences.repeatDelays))
                case "key-repeat-rate": .repeatRate(try number(part, in: InputPreferences.repeatRates))
                case "pointer-speed": .pointerSpeed(try number(part, in: InputPreferences.pointerSpeeds))
                case "natural-scrolling": .naturalScrolling(try flag(part))
                default: .tapToClick(try flag(part))
                }
            input.set(wish)
            preferences.fixed.insert(wish.fixes)
            preferences.fixedLines["input.\(name)"] = document.position(of: part.path).line
        }
        return input
    }

    private func layouts(_ value: Value) throws(SettingsError) -> String {
        let expected = "\"auto\" or up to four layouts of XKB are expected, such as \"us,kr(kr104)\""
        let text = try text(value, expected)
        guard InputPreferences.Part.layouts(text).isPossible else { throw error(value, expected) }
        return text
    }

    func darkWallpaper(_ value: Value) throws(SettingsError) -> String {
        let text = try text(value, "\"same\", \"standard\", a colour or the absolute path of a picture is expected")
        if text == "same" { return "" }
        _ = try wallpaper(value)
        return text
    }

    func lock(_ value: Value, fixed: inout FixedSettings) throws(SettingsError) -> LockPreferences {
        guard case .table = value.toml else { throw error(value, "a table is expected: [lock]") }
        let expected = "a command is expected, such as \"swaylock\" or [\"swaylock\", \"--color\", \"303030\"]"
        var lock = LockPreferences()
        let known = ["command", "after", "on-sleep", "power-button", "keys", "unlock-by-login-manager", "emergency", "apps"]
        for (name, entry) in try entries(value, known: known) {
            switch name {
            case "emergency": lock.emergency = try text(entry, "a desktop entry is expected, such as \"org.gnome.Calls\"")
            case "apps":
                lock.apps = try names(entry)
                guard lock.apps.count <= LockPreferences.mostApps else {
                    throw error(entry, "at most \(LockPreferences.mostApps) apps are expected")
                }
            case "command": lock.command = try command(entry, expected)
            case "after":
                lock.set(.after(try number(entry, in: LockPreferences.delays)))
                fixed.insert(.lockAfter)
            case "power-button":
                lock.powerButton = try flag(entry)
                fixed.insert(.lockPowerButton)
            case "on-sleep":
                lock.onSleep = try flag(entry)
                fixed.insert(.lockOnSleep)
            case "keys":
                lock.keys = try choice(entry)
                guard LockKeys.chosen.contains(lock.keys) else { throw error(entry, "auto, digits, letters or none is expected") }
                fixed.insert(.lockKeys)
            default: lock.obeysUnlock = try flag(entry)
            }
        }
        return lock
    }
}
