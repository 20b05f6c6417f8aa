import Geometry
import Windows

/// A sheet that a person dismissed: it slides out of sight, its app is asked to close it, and it comes back if the app does
/// not. Nothing is ever thrown away (M-10).
struct Dismissal: Hashable, Codable, Sendable {
    enum Phase: Hashable, Codable, Sendable {
        /// On its way out of sight. The app is asked afterwards, so that the sheet is not gone in the middle of its way.
        case sliding
        case asked
    }

    var phase: Phase
    /// When the next phase begins.
    var due: Moment

    /// Seconds.
    static let slide = 0.25
    static let patience = 0.5
}

extension Modality {
    /// `isInstant`: without motion there is nothing to wait for.
    mutating func dismiss(_ sheet: WindowID, isInstant: Bool, at now: Moment) -> [Outcome] {
        guard dismissals[sheet] == nil else { return [] }
        var effects: [Outcome] = []
        dismissals[sheet] = Dismissal(phase: .sliding, due: now + (isInstant ? 0 : Dismissal.slide))
        advance(sheet, at: now, &effects)
        setAlarm(&effects)
        return effects
    }

    /// The app shows something on the sheet: perhaps whether to save. A person has to see it (M-10).
    mutating func appKeeps(_ sheet: WindowID) -> [Outcome] {
        guard dismissals.removeValue(forKey: sheet) != nil else { return [] }
        var effects: [Outcome] = [.comesBack(sheet)]
        setAlarm(&effects)
        return effects
    }

    mutating func alarmRang(at now: Moment) -> [Outcome] {
        var effects: [Outcome] = []
        for sheet in dismissals.keys { advance(sheet, at: now, &effects) }
        setAlarm(&effects)
        return effects
    }

    private mutating func advance(_ sheet: WindowID, at now: Moment, _ effects: inout [Outcome]) {
        guard let dismissal = dismissals[sheet], dismissal.due <= now else { return }
        switch dismissal.phase {
        case .sliding:
            effects.append(.askToClose(sheet))
            dismissals[sheet] = Dismissal(phase: .asked, due: now + Dismissal.patience)
        case .asked:
            dismissals[sheet] = nil
            effects.append(.comesBack(sheet))
        }
    }
}

/// Invariants that hold after every event.
extension Modality {
    func violations() -> [String] {
        var found: [String] = []
        for (host, line) in lines {
            if line.isEmpty { found.append("law 4: an empty line stands over \(host)") }
            if line.count + (waiting[host]?.count ?? 0) + (host == .screen ? aside.count : 0) > ModalRules.depth {
                found.append("\(line.count) views stand over \(host)")
            }
            for (below, above) in zip(line, line.dropFirst()) where ModalRules.step(above.kind, over: below.kind) != .stands {
                found.append("M-11: a \(above.kind.rawValue) stands over a \(below.kind.rawValue)")
            }
        }
        for (host, views) in waiting where views.isEmpty || lines[host] == nil {
            found.append("law 4: \(views.count) views wait for nobody over \(host)")
        }
        let all = (lines.values.flatMap { $0 } + waiting.values.flatMap { $0 } + aside).map(\.id)
        let overScreen = Dictionary(grouping: (lines[.screen] ?? []) + (waiting[.screen] ?? []) + aside, by: \.program)
        for (program, views) in overScreen where views.count > ModalRules.overScreen {
            found.append("\(program) has \(views.count) views over the screen")
        }
        if Set(all).count != all.count { found.append("two views share a number") }
        if dismissals.isEmpty != (nextAlarm == nil) { found.append("law 4: a sheet that goes away is waited for forever") }
        return found
    }
}
