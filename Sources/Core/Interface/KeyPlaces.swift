import Geometry
import Modality
import Stage
import Windows

/// The owner of the keys among the shell's own views.
extension Interface {
    /// Whether a shelf or dock over an app leaves the keys to the app until one of its controls has the focus.
    public func sharesKeys(_ workspace: Workspace) -> Bool {
        isShelfOpen || isDockOpen || isPipControlsOpen || isBannerOpen || isNoticeOpen
            || (workspace.hasStandingDock && focus?.area == .dock)
    }

    /// Whether the shell's own text field is active.
    public func isSearching(_ workspace: Workspace) -> Bool { home.search != nil && workspace.showsHome }

    /// Adds typed text to the search. Returns whether there was anything to add.
    public mutating func search(for text: String) -> Bool {
        guard !isModal else { return false }
        let clean = String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        let wanted = (home.search ?? "") + clean
        guard !clean.isEmpty, wanted.utf8.count <= 256 else { return false }
        home.search = wanted
        focus = nil
        return true
    }

    /// Removes characters from the end of the search, and then the search. Returns whether there was one.
    public mutating func eraseSearch(_ count: Int) -> Bool {
        guard let search = home.search else { return false }
        home.search = search.isEmpty ? nil : String(search.dropLast(max(1, count)))
        focus = nil
        return true
    }

    /// Puts everything where it will be at rest.
    public mutating func comeToRest() {
        home.scroll.set(home.scroll.target)
        // On its way out it covers the view that has the keys from now on.
        if !isOverviewOpen { overview = nil }
        notices.scroll.set(notices.scroll.target)
        notices.isWhole = true
        form.scroll.set(form.scroll.target)
        form.isWhole = true
    }
}

/// The controls among which the keyboard focus moves.
extension Views {
    /// - Parameter live: the entry of the modal line that a person answers first; nil: none, or the shell's own view is over it.
    public func focusable(among controls: [ViewControl], live: ModalLine.Entry?) -> [ViewControl] {
        var all = controls.filter(\.isFocusable)
        // The titles of the bar stay in reach of the pointer. Keys go through the open menu, and sideways to the next one.
        if let open = interface.openBarMenu, let menu = barMenu(beside: open, 0).map({ ControlID(.menuBar, $0) }) {
            all.removeAll { $0.id.area == .menuBar && ($0.id == menu || !$0.id.isPart(of: menu)) }
        }
        return switch live {
        case .view(let view)?: all.filter { $0.id.isPart(of: ControlID(.modal, view.id.raw)) }
        // A view below waits until the field is left.
        case .notice(_, .reply)?: all.filter { $0.id.area != .modal }
        default: all
        }
    }

    /// - Parameter active: the view for a program that has the keys; nil: none.
    public func focusContext(_ all: [ViewControl], _ modality: Modality, active: ModalView?) -> KeyFocus.Context {
        var context = KeyFocus.Context(all)
        context.destroying = Set(all.lazy.filter { $0.destroys(modality) }.map(\.id))
        context.leaving = Set(all.lazy.filter(\.leaves).map(\.id))
        context.isAlways = workspace.idiom.views.alwaysFocuses
        context.view = active.map { "modal/\($0.id.raw)" } ?? viewOfFocus
        context.openViews = Set(interface.openNames + ["home"] + modality.views.map { "modal/\($0.id.raw)" })
        context.beginning = beginning(active)
        context.isMenu = interface.openBarMenu != nil
        context.hasPages = workspace.showsHome && !interface.isModal
        return context
    }

    /// The shell's view that has the keys.
    private var viewOfFocus: String {
        // A banner is no view of its own, unless a person writes in it.
        let others = ["rest", "launching"] + (interface.isReplying ? [] : ["banner", "notice"])
        return interface.openNames.last { !others.contains($0) } ?? "home"
    }

    private func beginning(_ active: ModalView?) -> KeyFocus.Beginning {
        if let active { return .answer(active.preferred.map { ControlID(.modal, active.id.raw).part("choice/\($0)") }) }
        // The second card is the app that was used before: a switch is two keys.
        if interface.isOverviewOpen, !interface.isPopoverOpen, !interface.isPanelOpen { return .card(isSecond: !workspace.isHome) }
        if !interface.isModal, workspace.showsHome {
            // In a search, OK opens the best result.
            let app =
                interface.isSearching(workspace)
                ? nil : workspace.current.flatMap(workspace.space)?.windows.first.flatMap { workspace[$0]?.app }
            return .icon(app.map { ControlID(.home, $0) })
        }
        return .first
    }
}
