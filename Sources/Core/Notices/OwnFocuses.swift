/// The names of the focuses that a person makes on the screen. Every language of the shell knows them.
public enum FocusName: String, Hashable, Codable, Sendable, CaseIterable {
    case work, personal, sleep, reading, study, fitness, driving, gaming

    /// When it holds, if a person wants it at a time and has not said which.
    public var usualTime: FocusTime {
        switch self {
        case .sleep: FocusTime(from: 22 * 60, to: 7 * 60)
        case .work, .study: FocusTime(days: [0, 1, 2, 3, 4], from: 9 * 60, to: 17 * 60)
        case .personal, .reading, .fitness, .driving, .gaming: FocusTime(from: 18 * 60, to: 20 * 60)
        }
    }
}

/// A person's setting of a focus.
public enum FocusSetting: Hashable, Codable, Sendable {
    /// Whether the notifications of an app come through.
    case app(id: String, comes: Bool)
    /// Whether notifications with this name in their titles come through.
    case person(name: String, comes: Bool)
    /// When it begins and ends by itself; nil: a person begins and ends it.
    case time(FocusTime?)
    /// Whether calls, alarms and time-sensitive notifications come through.
    case urgent(Bool)
}

/// Focuses that a person makes. Those of the configuration file come first, and keep their names (S-07, decision 0152).
extension NoticeChoices {
    static let mostFocusApps = 256
    static let mostFocusPeople = 256

    /// All of them. One that a person made is hidden while the file has one of its name.
    public var focuses: [NoticeFocus] { (fixed.focuses ?? []) + (chosen.focuses ?? []).filter { !isFixed(focus: $0.name) } }

    /// Whether the configuration file defines it, so that a person cannot change it.
    public func isFixed(focus name: String) -> Bool {
        guard let fixed = fixed.focuses, !fixed.isEmpty else { return false }
        let name = name.lowercased()
        return fixed.contains { $0.name.lowercased() == name }
    }

    /// The names that a person can still use.
    public var freeFocusNames: [FocusName] {
        FocusName.allCases.filter { name in !isFixed(focus: name.rawValue) && !(chosen.focuses ?? []).contains { $0.name == name.rawValue }
        }
    }

    /// Why a person cannot make or change it; nil: they can.
    public func objection(to act: NoticeAct) -> String? {
        switch act {
        case .newFocus(let name):
            return freeFocusNames.contains(name) ? nil : "there is a focus \"\(name.rawValue)\" already"
        case .deleteFocus(let name), .setFocus(let name, _):
            if isFixed(focus: name) { return "the configuration file defines the focus \"\(name)\"" }
            guard let focus = focuses.first(where: { $0.name == name }) else { return "there is no focus \"\(name)\"" }
            guard case .setFocus(_, let setting) = act else { return nil }
            switch setting {
            case .app(let id, let comes) where comes && focus.apps.count >= Self.mostFocusApps && !focus.apps.contains(id):
                return "a focus has at most \(Self.mostFocusApps) apps"
            case .app(let id, _): return id.isEmpty || id.utf8.count > 256 ? "\"\(id.prefix(64))\" is no app" : nil
            case .person(let name, let comes) where comes && focus.people.count >= Self.mostFocusPeople && !focus.lets(person: name):
                return "a focus has at most \(Self.mostFocusPeople) people"
            case .person(let name, _): return Self.isPossible(person: name) ? nil : "\"\(name.prefix(64))\" is no name of a person"
            case .time(let time?): return time.isPossible ? nil : "a time has days from 0 to 6 and two different minutes from 0 to 1439"
            case .time(nil), .urgent: return nil
            }
        case .focus(let name?), .editFocus(let name):
            return focuses.contains { $0.name == name } ? nil : "there is no focus \"\(name)\""
        default: return nil
        }
    }

    mutating func makeFocus(_ name: FocusName) { chosen.focuses = (chosen.focuses ?? []) + [NoticeFocus(name: name.rawValue)] }

    mutating func deleteFocus(_ name: String) {
        chosen.focuses?.removeAll { $0.name == name }
        if chosen.focuses?.isEmpty ?? false { chosen.focuses = nil }
        if chosen.focus?.name == name { chosen.focus = nil }
    }

    mutating func set(_ name: String, _ setting: FocusSetting) {
        guard let index = chosen.focuses?.firstIndex(where: { $0.name == name }) else { return }
        switch setting {
        case .app(let id, let comes):
            chosen.focuses![index].apps.removeAll { $0 == id }
            if comes { chosen.focuses![index].apps.append(id) }
        case .person(let name, let comes):
            chosen.focuses![index].people.removeAll { $0.lowercased() == name.lowercased() }
            if comes { chosen.focuses![index].people.append(name) }
        case .time(let time): chosen.focuses![index].times = time.map { [$0] } ?? []
        case .urgent(let comes): chosen.focuses![index].letsUrgentThrough = comes
        }
    }

    private static func isPossible(person name: String) -> Bool {
        name.utf8.count <= 256 && name.contains { !$0.isWhitespace } && !name.contains(where: \.isNewline)
    }

    /// Returns the valid parts of stored focuses, because a store may be damaged.
    static func possible(_ focuses: [NoticeFocus]?) -> [NoticeFocus]? {
        guard let focuses else { return nil }
        var out: [NoticeFocus] = []
        for focus in focuses where FocusName(rawValue: focus.name) != nil && !out.contains(where: { $0.name == focus.name }) {
            var focus = focus
            focus.apps = Array(focus.apps.prefix(mostFocusApps))
            focus.people = Array(focus.people.filter(isPossible(person:)).prefix(mostFocusPeople))
            focus.times = focus.times.prefix(1).filter(\.isPossible)
            out.append(focus)
        }
        return out.isEmpty ? nil : out
    }
}

extension FocusTime {
    public static let minutes = 24 * 60

    var isPossible: Bool {
        from != to && (0..<Self.minutes).contains(from) && (0..<Self.minutes).contains(to) && days.count <= 7
            && days.allSatisfy((0..<7).contains)
    }

    /// The same with another beginning or end. They stay different.
    public func moved(from step: Int = 0, to end: Int = 0) -> FocusTime {
        func turned(_ minute: Int, _ step: Int) -> Int { ((minute + step) % Self.minutes + Self.minutes) % Self.minutes }
        var time = self
        time.from = turned(from, step)
        time.to = turned(to, end)
        if time.from == time.to {
            time.from = turned(time.from, step)
            time.to = turned(time.to, end)
        }
        return time
    }

    /// The days on which it begins.
    public var allDays: [Int] { days.isEmpty ? Array(0..<7) : days }

    /// The same with or without a day; nil: none would be left.
    public func toggling(_ day: Int) -> FocusTime? {
        var left = allDays.filter { $0 != day }
        if left.count == allDays.count { left = (left + [day]).sorted() }
        guard !left.isEmpty else { return nil }
        return FocusTime(days: left.count == 7 ? [] : left, from: from, to: to)
    }
}
