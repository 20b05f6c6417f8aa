import AudioSessions
import Geometry
import Multitasking
import Notices
import Seat
import Windows

/// Notifications and privileges.
extension SettingsReader {
    func notifications(_ value: Value) throws(SettingsError) -> NoticeChoices.Wishes {
        guard case .table = value.toml else { throw error(value, "a table is expected: [notifications]") }
        var wishes = NoticeChoices.Wishes()
        for (name, entry) in try entries(value, known: ["do-not-disturb", "apps", "focus", "summary"]) {
            switch name {
            case "do-not-disturb": wishes.isQuiet = try flag(entry)
            case "focus": wishes.focuses = try focuses(entry)
            case "summary":
                let expected = "times of the day are expected, such as [\"08:00\", \"18:00\"]"
                wishes.summary = try texts(entry, expected).map { text, part throws(SettingsError) in
                    guard let minute = FocusWords.minute(text) else { throw error(part, expected) }
                    return minute
                }
            default: break
            }
            guard name == "apps" else { continue }
            for (app, table) in try entries(entry, known: [], accept: { !$0.isEmpty }) {
                var own = NoticeChoices.AppWishes()
                for (key, part) in try entries(table, known: ["show", "sounds", "badge", "on-lock-screen"]) {
                    switch key {
                    case "show": own.manner = try choice(part)
                    case "sounds": own.sounds = try flag(part)
                    case "badge": own.badge = try flag(part)
                    default: own.onLock = try choice(part)
                    }
                }
                wishes.apps[app] = own
            }
        }
        return wishes
    }

    func focuses(_ value: Value) throws(SettingsError) -> [NoticeFocus] {
        var out: [NoticeFocus] = []
        for (name, table) in try entries(value, known: [], accept: { _ in true }) {
            guard !name.isEmpty, name != "off", name != "next", Int(name) == nil else {
                throw error(table, "a focus cannot have the name \"\(name)\": off, next and numbers have a meaning of their own")
            }
            var focus = NoticeFocus(name: name)
            for (key, part) in try entries(table, known: ["apps", "people", "times", "urgent"]) {
                switch key {
                case "apps": focus.apps = try texts(part, "a list of apps is expected").map(\.0)
                case "people": focus.people = try texts(part, "a list of names is expected").map(\.0)
                case "urgent": focus.letsUrgentThrough = try flag(part)
                default:
                    let expected = "a list of times is expected, such as [\"mon-fri 09:00-17:00\", \"sat 22:00-07:00\"]"
                    focus.times = try texts(part, expected).map { text, entry throws(SettingsError) in
                        guard let time = FocusWords.time(text) else { throw error(entry, expected) }
                        return time
                    }
                }
            }
            out.append(focus)
        }
        return out
    }

    func texts(_ value: Value, _ expected: String) throws(SettingsError) -> [(String, Value)] {
        try elements(value, expected).map { entry throws(SettingsError) in (try text(entry, expected), entry) }
    }

    func privileges(_ value: Value) throws(SettingsError) -> Privileges {
        guard case .table = value.toml else { throw error(value, "a table of privileges is expected: [privileges]") }
        var privileges = Privileges()
        for (name, entry) in try entries(value, known: Privilege.allCases.map(\.rawValue) + ["all"]) {
            let privilege = Privilege(rawValue: name)
            var rule = Privileges.Rule(circle: privilege?.standard ?? .trusted)
            if case .table = entry.toml {
                for (key, part) in try entries(entry, known: (privilege == nil ? [] : ["for"]) + ["allow", "deny"]) {
                    switch key {
                    case "for": rule.circle = try choice(part)
                    case "allow": rule.allow = try apps(part)
                    default: rule.deny = try apps(part)
                    }
                }
            } else if privilege != nil {
                rule.circle = try choice(entry)
            } else {
                throw error(entry, "a table is expected, such as { deny = [\"/usr/bin/program\"] }")
            }
            if let both = rule.allow.intersection(rule.deny).min() {
                throw error(entry, "\"\(both)\" is both allowed and denied")
            }
            if let privilege {
                privileges.rules[privilege] = rule
            } else {
                (privileges.allowAll, privileges.denyAll) = (rule.allow, rule.deny)
            }
        }
        return privileges
    }

    func apps(_ value: Value) throws(SettingsError) -> Set<String> {
        let expected = "a list of programs is expected: absolute paths, or the names of apps in a sandbox"
        var apps: Set<String> = []
        for entry in try elements(value, expected) {
            let text = try text(entry, expected)
            guard !text.isEmpty, text.hasPrefix("/") || !text.contains("/") else { throw error(entry, expected) }
            apps.insert(text)
        }
        return apps
    }
}
