import Geometry

/// Windows that stand where another window of their app belongs (W-20).
///
/// A browser that is started with an address may restore its windows, too, and then shows that page twice. Its windows fill the
/// placeholders in order, so the second window with the page can take the place of a page that the browser did not bring back.
extension Workspace {
    /// Restored windows that filled a placeholder only because its turn came, and have the title of another one that stands where it was.
    private func doubles(after now: Moment?, until limit: Moment?) -> [(id: WindowID, when: Moment)] {
        guard !launches.restarts.isEmpty else { return [] }
        let restored = windows.values.filter { $0.isMapped && $0.restored.map { kin($0).isKnown } ?? false }
        return restored.compactMap { window in
            guard let place = window.restored, !place.wasAsked, place.leftOver == nil, window.facts.title != place.title,
                !window.facts.title.isEmpty,
                hasPlace(window.id), !waiting.contains(window.id)
            else { return nil }
            let kin = kin(place)
            let siblings = restored.filter { $0.id != window.id && $0.restored.map(self.kin) == kin }
            guard siblings.contains(where: { $0.facts.title == window.facts.title && $0.restored?.title == $0.facts.title }) else {
                return nil
            }
            // A person uses it there.
            if let input = admission.lastInput, input.window == window.id, input.when >= place.when { return nil }
            let last = (siblings + [window]).compactMap { $0.restored?.when }.max() ?? place.when
            let when = last + Restart.patience
            return now.map { when > $0 } ?? true && limit.map { when <= $0 } ?? true ? (window.id, when) : nil
        }
    }

    /// When the next of them has had its time to become another window.
    func doublesDeadline(after now: Moment) -> Moment? { doubles(after: now, until: nil).map(\.when).min() }

    /// Puts the placeholders back that such windows filled: their own windows can be asked for. The doubles go behind.
    public mutating func takeDoublesOut(at now: Moment) {
        for (id, _) in doubles(after: nil, until: now) {
            guard let double = windows[id], let place = double.restored else { continue }
            let placeholder = addPlaceholder(place.placeholder, appID: place.appID ?? double.facts.appID, title: place.title, session: "")
            exchange(id, by: placeholder)
            edit(placeholder) {
                $0.commit.size = double.commit.size
                $0.naturalSize = double.naturalSize
                $0.lastFocus = double.lastFocus
                $0.picture = place.picture
            }
            edit(id) {
                $0.restored = nil
                if $0.picture == place.picture { $0.picture = nil }
            }
            sendBehind(id)
            refocus()
        }
    }
}
