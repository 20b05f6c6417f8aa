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
            launches.runsAgain(restored.origin, window.facts.lineage)
        else { return }
        var placeholder = Placeholder(command: restored.command ?? [], directory: restored.directory, origin: restored.origin)
        placeholder.awaitedUntil = now + Launches.appPatience
        let new = addPlaceholder(placeholder, appID: window.facts.appID, title: restored.title, session: "")
        exchange(id, by: new)
        edit(new) {
            $0.commit.size = window.commit.size
            $0.naturalSize = window.naturalSize
            $0.lastFocus = window.lastFocus
        }
        launches.isAnswered(restored.origin, at: now)
    }

    /// Takes the places away for which no window came after the question.
    ///
    /// - Returns: whether there were any.
    public mutating func endAwaitedPlaces(at now: Moment) -> Bool {
        let over = placeholders.filter { id in
            guard let placeholder = windows[id]?.placeholder, let until = placeholder.awaitedUntil else { return false }
            return until <= now || !launches.runsAgain(placeholder.origin)
        }
        for id in over { destroyed(id) }
        return !over.isEmpty
    }

    /// A person asks the window to close: no place is kept for another one.
    public mutating func isAskedToClose(_ id: WindowID) { edit(id) { $0.restored?.firstTitle = nil } }

    var awaitedDeadline: Moment? { placeholders.compactMap { windows[$0]?.placeholder?.awaitedUntil }.min() }
}

extension Launches {
    /// Whether the app that had this process was started again and still runs. `lineage`: of a window that it brought; nil for any.
    func runsAgain(_ origin: KeptProcess?, _ lineage: [Int32]? = nil) -> Bool {
        guard let origin else { return false }
        return restarts.contains { $0.origin == origin && $0.processes.contains { lineage?.contains($0) ?? true } }
    }

    /// The app has its answer: it brings its windows by itself now.
    mutating func isAnswered(_ origin: KeptProcess?, at now: Moment) {
        for index in restarts.indices where restarts[index].origin == origin { restarts[index].last = now }
    }
}
