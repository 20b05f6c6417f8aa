import Geometry

/// Windows that stood where another window of their app belongs, and go before it comes (W-20).
///
/// An app may ask a person something before it restores its windows, as LibreOffice does after a crash. That question fills the
/// placeholder of the window in front. The answer may take a person minutes.
extension Workspace {
    /// Puts the placeholder back that a question filled. It has the place only until the app brings its window, or does not.
    ///
    /// A question never has the title of the window that belongs there, and no other title than its first.
    mutating func returnPlace(from id: WindowID, at now: Moment) {
        guard let window = windows[id], let restored = window.restored, hasPlace(id), !waiting.contains(id), !restored.title.isEmpty,
            let title = restored.firstTitle, title == window.facts.title, title != restored.title,
            restored.leftOver == nil, launches.runsAgain(kin(restored), window.facts.lineage)
        else { return }
        var placeholder = restored.placeholder
        placeholder.awaitedUntil = now + Launches.appPatience
        let new = addPlaceholder(placeholder, appID: restored.appID ?? window.facts.appID, title: restored.title, session: "")
        exchange(id, by: new)
        edit(new) {
            $0.commit.size = window.commit.size
            $0.naturalSize = window.naturalSize
            $0.lastFocus = window.lastFocus
            $0.picture = restored.picture
        }
        launches.isAnswered(kin(restored), at: now)
    }

    /// The window in which the app of these placeholders asks a person something before it restores its windows.
    ///
    /// Such a window claims to be of another app than the one that belongs there, as LibreOffice's Document Recovery does. A window
    /// of the same app is no sign: its title may differ from the last session's, and the app may have to be asked for the others.
    func question(of kin: Kin) -> WindowID? {
        guard kin.isKnown else { return nil }
        return windows.values.first { window in
            guard let restored = window.restored, self.kin(restored) == kin, let app = restored.app, let title = restored.firstTitle else {
                return false
            }
            return window.isMapped && hasPlace(window.id) && !waiting.contains(window.id) && window.app != app
                && title == window.facts.title
                && !title.isEmpty && title != restored.title && launches.runsAgain(kin, window.facts.lineage)
        }?.id
    }

    /// The program of a placeholder was started once more, by a person's tap, and ended because the app that runs asks something
    /// first. The placeholder waits for the answer.
    ///
    /// - Returns: the question; nil if there is none.
    public mutating func waitsForAnswer(_ launch: LaunchID) -> WindowID? {
        guard let id = placeholders.first(where: { windows[$0]?.placeholder?.launch == launch }),
            let window = windows[id], let placeholder = window.placeholder, let question = question(of: kin(placeholder, app: window.app))
        else { return nil }
        edit(id) {
            $0.placeholder?.launch = nil
            $0.placeholder?.isTapped = false
        }
        return question
    }

    /// Takes the places away for which no window came after the question.
    ///
    /// - Returns: whether there were any.
    public mutating func endAwaitedPlaces(at now: Moment) -> Bool {
        let over = placeholders.filter { id in
            guard let window = windows[id], let placeholder = window.placeholder, let until = placeholder.awaitedUntil else { return false }
            return until <= now || !launches.runsAgain(kin(placeholder, app: window.app))
        }
        for id in over { destroyed(id) }
        return !over.isEmpty
    }

    var awaitedDeadline: Moment? { placeholders.compactMap { windows[$0]?.placeholder?.awaitedUntil }.min() }
}

extension Launches {
    /// Whether an app was started again for these placeholders and still runs. `lineage`: of a window that it brought; nil for any.
    func runsAgain(_ kin: Kin, _ lineage: [Int32]? = nil) -> Bool {
        restarts.contains { $0.serves(kin) && $0.processes.contains { lineage?.contains($0) ?? true } }
    }

    /// The app has its answer: it brings its windows by itself now.
    mutating func isAnswered(_ kin: Kin, at now: Moment) {
        for index in restarts.indices where restarts[index].serves(kin) { restarts[index].last = now }
    }
}
