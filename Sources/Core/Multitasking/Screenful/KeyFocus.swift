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

    /// Whether a shelf or dock over an app leaves the keys to the app until one of its controls has the focus.
    var sharesKeys: Bool {
        interface.isShelfOpen || interface.isDockOpen || interface.isPipControlsOpen || interface.isBannerOpen || interface.isNoticeOpen
            || (workspace.hasStandingDock && interface.focus?.area == .dock)
    }

    /// Whether the shell's own text field is active.
    var isSearching: Bool { interface.home.search != nil && workspace.showsHome }

    // MARK: The control that it is at

    /// The controls that can get the focus, placed as they will be at rest: a person may press keys faster than springs move.
    func focusable(at now: Moment) -> [ViewControl] {
        var rested = self
        rested.interface.home.scroll.set(interface.home.scroll.target)
        rested.stage.restCards()
        // On its way out it covers the view that has the keys from now on.
        if !interface.isOverviewOpen { rested.interface.overview = nil }
        rested.interface.notices.scroll.set(interface.notices.scroll.target)
        rested.interface.notices.isWhole = true
        var all = rested.controls(at: now, covered: true).filter(\.isFocusable)
        // The titles of the bar stay in reach of the pointer. Keys go through the open menu, and sideways to the next one.
        if let open = interface.openBarMenu, let menu = views(at: now)?.barMenu(beside: open, 0).map({ ControlID(.menuBar, $0) }) {
            all.removeAll { $0.id.area == .menuBar && ($0.id == menu || !$0.id.isPart(of: menu)) }
        }
        guard !interface.isModal, !modality.isEmpty else { return all }
        return switch liveEntry {
        case .view(let view)?: all.filter { $0.id.isPart(of: ControlID(.modal, view.id.raw)) }
        // A view below waits until the field is left.
        case .notice(_, .reply)?: all.filter { $0.id.area != .modal }
        default: all
        }
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
        if interface.isReplying { return interface.writeReply(text) }
        guard workspace.showsHome, !interface.isModal else { return }
        let clean = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        let wanted = (interface.home.search ?? "") + clean
        guard !clean.isEmpty, wanted.utf8.count <= 256 else { return }
        interface.home.search = wanted
        interface.focus = nil
        keyFocus(.forgotten, at: now)
        showPage(0, at: now)
    }

    mutating func erased(_ count: Int, at now: Moment) {
        if interface.isReplying { return interface.eraseReply(count) }
        guard let search = interface.home.search, workspace.showsHome else { return }
        interface.home.search = search.isEmpty ? nil : String(search.dropLast(max(1, count)))
        interface.focus = nil
        keyFocus(.forgotten, at: now)
        showPage(0, at: now)
    }
}
