import Geometry

/// Programs that ask another app to show something without an activation token, as `xdg-open` in a terminal asks a browser that runs
/// already, or a browser a file manager (W-19).
extension Workspace {
    /// The client of the app in front, if it got the last press, and got it a moment ago. Programs that it starts may act for it.
    public func usedProcess(at now: Moment) -> Int32? { usedWindow(at: now)?.facts.lineage.first.flatMap { $0 > 0 ? $0 : nil } }

    /// The app that a person used a moment ago, or a program that it started, asks another app to show something, on the session bus or by
    /// a socket of that app, as Chromium does: that app comes forward, and so does the window that it opens for it.
    ///
    /// - Parameters:
    ///   - process: the process that is asked.
    ///   - callers: the process that asks, and its ancestors, nearest first.
    public mutating func showAsked(of process: Int32, by callers: [Int32], at now: Moment) {
        guard let used = usedWindow(at: now)?.facts.lineage.first, let press = admission.lastInput?.when, callers.contains(used),
            process != used
        else { return }
        // It may have opened its window before it was seen that it was asked.
        let early = waiting.first { id in
            guard let window = windows[id], let since = window.unaskedSince else { return false }
            return since >= press && window.facts.lineage.contains(process) && mayInterrupt(window)
        }
        if let early {
            admission.shown = nil
            try? admitWaiting(early)
            return
        }
        admission.shown = .init(process: process, when: now)
        let own = windows.values.filter {
            $0.isMapped && !$0.facts.isSplash && $0.facts.lineage.first == process && root(of: $0.id) == $0.id
        }
        guard let last = own.max(by: { $0.lastFocus < $1.lastFocus }) else { return }
        if pip?.window == last.id || !mayInterrupt(last) { return }
        try? activate(last.id)
    }

    /// A person asks a running program to come forward: so does the window that it opens for that.
    public mutating func personAsks(_ process: Int32, at now: Moment) { admission.shown = .init(process: process, when: now) }

    /// Whether a window belongs to a program that was asked to show something, and shows it with this window.
    mutating func wasAskedToShow(_ window: Window, at now: Moment) -> Bool {
        guard let shown = admission.shown, now - shown.when <= Admission.startGrace, window.facts.lineage.contains(shown.process) else {
            return false
        }
        admission.shown = nil
        return true
    }
}
