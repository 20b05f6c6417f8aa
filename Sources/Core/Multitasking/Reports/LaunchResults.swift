import Geometry
import Interface
import Stage
import Windows

/// The result of a launch, as far as a person has to know it.
extension System {
    /// The program of a placeholder could not be started, or failed before it showed a window.
    private mutating func placeholderFailed(_ launch: LaunchID, _ reason: Text, at now: Moment) {
        if let question = screenful.workspace.waitsForAnswer(launch) {
            try? screenful.show(question, at: now)
            return
        }
        guard let id = screenful.workspace.placeholderFailed(launch) else { return }
        // It is tried again, and the screen says so.
        if workspace.idiom.life.startsAgain, !screenful.workspace.offers(.opening) { return }
        alert(.alert(title: .message(.couldNotOpen, [workspace.appName(of: id)]), message: reason), at: now)
    }

    mutating func launchFailed(_ id: LaunchID, _ reason: Text, at now: Moment, _ turn: inout Turn) {
        placeholderFailed(id, reason, at: now)
        guard screenful.interface.launches.isWaiting(for: id), let card = screenful.interface.launches[id] else { return }
        screenful.launchCards(.failed(id), at: now, &turn)
        alert(.alert(title: .message(.couldNotOpen, [card.icon.title]), message: reason), at: now)
    }

    /// A launch ended. A program that runs only once exits at once after it has told the running instance, so only failures
    /// are reported here.
    mutating func launchEnded(
        _ id: LaunchID, status: Int32?, signal: Int32?, says: String?, at now: Moment, _ turn: inout Turn
    ) {
        let quoted = says.flatMap(System.quotable)
        if let signal {
            let reason = quoted.map { Text.message(.endedBySignalSaying, ["\(signal)", $0]) }
            launchFailed(id, reason ?? .message(.endedBySignal, ["\(signal)"]), at: now, &turn)
        } else if let status, status != 0 {
            let reason = quoted.map { Text.message(.endedWithStatusSaying, ["\(status)", $0]) }
            launchFailed(id, reason ?? .message(.endedWithStatus, ["\(status)"]), at: now, &turn)
        } else {
            screenful.launchCards(.exited(id), at: now, &turn)
        }
    }

    /// The line that a program printed, made fit for people: without colours and other control characters, and limited in
    /// length. nil if nothing readable is left.
    static func quotable(_ line: String) -> String? {
        var text = ""
        /// Whether the scan is within an escape sequence: from ESC [ up to a letter.
        var isEscape = false
        for scalar in line.unicodeScalars {
            if scalar == "\u{1b}" {
                isEscape = true
            } else if isEscape {
                if scalar != "[", scalar.value >= 0x40 { isEscape = false }
            } else if scalar.properties.generalCategory != .control {
                text.unicodeScalars.append(scalar)
            }
        }
        let words = text.split(separator: " ").joined(separator: " ")
        guard !words.isEmpty else { return nil }
        return words.count > 160 ? words.prefix(159) + "…" : words
    }
}
