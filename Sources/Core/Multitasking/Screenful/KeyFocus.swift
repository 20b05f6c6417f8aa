import Geometry
import Interface
import Modality
import Stage
import Windows

/// The keyboard focus among the shell's own views.
extension Screenful {
    /// Whether the shell gets the keys: while one of its views is open, and on the home screen.
    var takesKeys: Bool { ownsKeys || (sharesKeys && interface.focus != nil) }

    /// Whether the shell alone gets typed text.
    var ownsKeys: Bool { interface.isModal || hasActiveView || interface.isReplying || (workspace.showsHome && workspace.focus == nil) }

    private var sharesKeys: Bool { interface.sharesKeys(workspace) }

    /// The controls that can get the focus, placed as they will be at rest: a person may press keys faster than springs move.
    func focusable(at now: Moment) -> [ViewControl] {
        var rested = self
        rested.interface.comeToRest()
        rested.stage.restCards()
        let live = interface.isModal || modality.isEmpty ? nil : liveEntry
        return views(at: now)?.focusable(among: rested.controls(at: now, covered: true), live: live) ?? []
    }

    /// Gives the focus to a view that an action opened by key, if it otherwise leaves the keys to the app.
    mutating func focusOpened(by action: Action, at now: Moment) {
        switch action {
        case .dock where interface.isDockOpen:
            keyFocus(.opened(focusable(at: now).first { $0.id.area == .dock && !$0.id.path.isEmpty }?.id), at: now)
        case .appShelf where interface.isShelfOpen:
            keyFocus(.opened(focusable(at: now).first { $0.id.isPart(of: "shelf/window") }?.id), at: now)
        case .pipControls where interface.isPipControlsOpen:
            let context = focusContext(at: now), all = context.beginnings(among: context.all.filter { $0.id.area == .pipControls })
            keyFocus(.opened((all.first { $0.id == "picture-controls/play" } ?? all.first)?.id), at: now)
        default: break
        }
    }

    /// Whether the action toggles the view that opened without the keyboard, and so would close it.
    func opens(_ action: Action) -> Bool {
        switch action {
        case .dock: interface.isDockOpen
        case .pipControls: interface.isPipControlsOpen
        case .appShelf(nil):
            interface.isShelfOpen && interface.shelf?.content == workspace.focus.flatMap { workspace[workspace.root(of: $0)]?.app }
        default: false
        }
    }

    mutating func giveKeyFocus(to id: ControlID, at now: Moment) throws(Refusal) {
        guard ownsKeys || sharesKeys else { throw Refusal("the keys are the app's") }
        guard let control = focusable(at: now).last(where: { $0.id == id }) else {
            throw Refusal("no control \"\(id)\" that takes keys is shown")
        }
        keyFocus(.put(control), at: now)
    }

    // MARK: Typing at home searches

    mutating func typed(_ text: String, at now: Moment) {
        if interface.dropsKey(at: now) || interface.write(text) { return }
        guard workspace.showsHome, interface.search(for: text) else { return }
        keyFocus(.forgotten, at: now)
        showPage(0, at: now)
    }

    mutating func erased(_ count: Int, at now: Moment) {
        if interface.dropsKey(at: now) || interface.erase(count) { return }
        guard workspace.showsHome, interface.eraseSearch(count) else { return }
        keyFocus(.forgotten, at: now)
        showPage(0, at: now)
    }
}
