import AudioSessions
import Geometry
import Modality
import Notices
import OrderedCollections
import Status
import Windows

/// Panels, their pages, popovers, the dock and the shelf: how they open, and which of them is open.
extension Interface {
    public mutating func present(_ popover: Popover, at now: Moment, spring: Spring) {
        focus = nil
        self.popover.present(popover, at: now, spring: spring)
    }

    /// Whether one of the shell's own alerts is open. Nothing of the shell stands over it (M-11).
    public var isAlertOpen: Bool { isPopoverOpen && popover?.content.isAlert ?? false }

    public mutating func openDock(at now: Moment, spring: Spring) { dock.present(true, at: now, spring: spring) }

    public mutating func openShelf(_ app: String, at now: Moment, spring: Spring) { shelf.present(app, at: now, spring: spring) }

    /// Everything that lies over the windows closes but the app switcher.
    public mutating func closeViews(at now: Moment, spring: Spring) {
        for part in [Part.popover, .panel, .shelf, .dock] { close(part, at: now, spring: spring) }
        pressed = nil
        focus = nil
    }

    // MARK: Panels

    public mutating func presentPanel(_ panel: Panel, at now: Moment, spring: Spring) {
        close(.popover, at: now, spring: spring)
        focus = nil
        controlPage = .main
        form = FormState()
        isInSettings = false
        self.panel.present(panel, at: now, spring: spring)
    }

    public mutating func togglePanel(_ panel: Panel, at now: Moment, spring: Spring) {
        if isPanelOpen, self.panel?.content == panel { return close(.panel, at: now, spring: spring) }
        presentPanel(panel, at: now, spring: spring)
    }

    public var isNoticeListOpen: Bool { isPanelOpen && panel?.content == .notifications }
    /// The open folder of the home screen.
    public var openFolder: Int? { if isPanelOpen, case .folder(let id) = panel?.content { id } else { nil } }
    public var isControlCentreOpen: Bool { isPanelOpen && panel?.content == .controlCentre }

    public mutating func toggleControlPage(_ page: ControlPage, at now: Moment, spring: Spring) {
        if isControlCentreOpen, controlPage == page { return close(.panel, at: now, spring: spring) }
        if !isControlCentreOpen { presentPanel(.controlCentre, at: now, spring: spring) }
        if page.isOfSettings { isInSettings = true }
        if page == .main { isInSettings = false }
        controlPage = page
        focus = nil
    }

    /// Shows a menu of an item of the tray, or one within it.
    public mutating func showTrayMenu(_ path: [Int]) {
        trayPath = path
        form = FormState()
        focus = nil
    }

    /// Shows the choices for an app instead of the list of notifications; nil: the list again.
    public mutating func showNoticeSettings(_ group: String?) {
        notices.settings = group
        notices.scroll.set(0)
        focus = nil
    }

    /// Shows a focus on a page of the control centre. `isFixed`: the configuration file says it, so it cannot be changed there.
    public mutating func editFocus(_ name: String, isFixed: Bool, at now: Moment, spring: Spring) {
        if !isControlCentreOpen { presentPanel(.controlCentre, at: now, spring: spring) }
        editedFocus = EditedFocus(name)
        controlPage = isFixed ? .focus : .focusMode
        focus = nil
    }

    /// The focus that the page is about is gone.
    public mutating func leaveFocus() {
        editedFocus = nil
        if controlPage.parent != .main { controlPage = .focus }
        focus = nil
    }

    /// Finds the people to offer: the chosen ones, and then the latest senders. Neither a choice nor a new message moves them while a
    /// finger is there.
    public mutating func findPeople(_ room: Notices) {
        guard let name = editedFocus?.name, let focus = room.choices.focuses.first(where: { $0.name == name }) else { return }
        editedFocus!.people = focus.people + room.people(most: NoticeLimits.people).filter { !focus.lets(person: $0) }
    }

    // MARK: Views of sound

    /// Whether the Now Playing item is visible, with its elapsed time.
    public var showsPlaying: Bool { isControlCentreOpen && controlPage == .main }

    /// The level that changed; nil: none is shown.
    public mutating func showVolume(_ kind: VolumeClass?, at now: Moment, spring: Spring) {
        if let kind {
            if !(volume?.isOpen ?? false) || volume?.content != kind { volume.present(kind, at: now, spring: spring) }
        } else if volume?.isOpen ?? false {
            volume?.close(at: now, spring: spring)
        }
    }

    /// The level of the screen's light.
    public mutating func showLight(_ isShown: Bool, at now: Moment, spring: Spring) {
        if isShown {
            if !(light?.isOpen ?? false) { light.present(true, at: now, spring: spring) }
        } else if light?.isOpen ?? false {
            light?.close(at: now, spring: spring)
        }
    }

    public var isVolumeViewOpen: Bool { if case .volume = popover?.content { isPopoverOpen } else { false } }

    public mutating func closeVolumeView(at now: Moment, spring: Spring) {
        if isVolumeViewOpen { close(.popover, at: now, spring: spring) }
    }

    /// An output was chosen, or nothing waits any more.
    public mutating func closeOutputs(at now: Moment, spring: Spring) {
        if isPanelOpen, controlPage == .outputs { close(.panel, at: now, spring: spring) }
    }

    // MARK: Views for programs (M-05)

    /// Shows new views, and removes those that ended (M-14).
    public mutating func showViews(_ views: [ModalView], at now: Moment, spring: Spring) {
        guard !views.isEmpty || !modals.isEmpty else { return }
        for index in modals.indices where modals[index].isOpen && !views.contains(where: { $0.id == modals[index].content.id }) {
            appPages[modals[index].content.id] = nil
            modals[index].close(at: now, spring: spring)
            if focus?.area == .modal { focus = nil }
        }
        for view in views {
            guard let index = modals.firstIndex(where: { $0.content.id == view.id }) else {
                modals.append(Presented(view, at: now, spring: spring))
                continue
            }
            // The same question was asked again while the last view is still closing.
            if !modals[index].isOpen {
                modals[index].reopen(view, at: now, spring: spring)
            } else if modals[index].content.mark != view.mark || modals[index].content.switches != view.switches {
                modals[index].content.mark = view.mark
                modals[index].content.switches = view.switches
            }
        }
    }

    /// Whether a person has had time to see a question of permission. A key that was on its way to an app or a locker grants nothing.
    public func mayChooseByKey(_ id: ModalID, at now: Moment) -> Bool {
        guard let shown = modals.last(where: { $0.content.id == id }), shown.content.isPermission else { return true }
        return shown.seenSince.map { now - $0 >= ModalRules.permissionGrace } ?? false
    }

    /// Notes since when a person sees each view. `isInSight`: nothing covers them all.
    public mutating func noteSeenViews(isInSight: Bool, _ workspace: Workspace, at now: Moment) {
        let isOpen = isInSight && !isOverviewOpen && !isModal
        for index in modals.indices {
            let shown = modals[index]
            modals[index].see(shown.isOpen && isOpen && shown.content.window.map { workspace.isShown($0) } ?? true, at: now)
        }
    }

    /// Shows more of the apps of an activity view, and in the end the first ones again.
    public mutating func moreApps(_ number: UInt32, _ modality: Modality) throws(Refusal) {
        let id = ModalID(number)
        guard modality[id]?.sharing != nil else { throw Refusal("\(id) shares nothing") }
        appPages[id, default: 0] += 1
    }

    // MARK: The switcher and the menu bar (W-25)

    public var openSwitcher: Switcher? {
        if isPopoverOpen, case .switcher(let switcher) = popover?.content { switcher } else { nil }
    }

    public mutating func setSwitcher(_ switcher: Switcher) { popover?.content = .switcher(switcher) }

    public var openBarMenu: String? { if isPopoverOpen, case .barMenu(let name) = popover?.content { name } else { nil } }

    // MARK: What listens and sees

    public var isSensorListOpen: Bool { isPopoverOpen && popover?.content == .sensors }

    public mutating func toggleSensors(at now: Moment, spring: Spring) {
        if isSensorListOpen { close(.popover, at: now, spring: spring) } else { present(.sensors, at: now, spring: spring) }
    }

    // MARK: A step back

    /// The view that a person left, as far as others follow from it.
    public enum Step {
        case closed
        case alert, home, search, overview, pictureControls, banner
    }

    /// The shell's own view in front that a person leaves. It is closed if nothing else has to happen.
    public mutating func stepBack(_ workspace: Workspace, at now: Moment, spring: Spring) throws(Refusal) -> Step {
        if isPopoverOpen {
            // A slip of the finger must not lose the windows.
            if case .windowsAside = popover?.content { throw Refusal("say whether the windows come back") }
            if isAlertOpen { return .alert }
            close(.popover, at: now, spring: spring)
        } else if isControlCentreOpen, controlPage == .settings, !form.text(of: .settingsSearch).isEmpty {
            form.clear(.settingsSearch)
        } else if isControlCentreOpen, controlPage == .trayMenu, !trayPath.isEmpty {
            showTrayMenu(Array(trayPath.dropLast()))
        } else if isControlCentreOpen, controlPage != .main, controlPage != .settings {
            let parent = controlPage.parent
            controlPage = parent == .main && isInSettings ? .settings : parent
        } else if isNoticeListOpen, notices.settings != nil {
            notices.settings = nil
        } else if isPanelOpen {
            close(.panel, at: now, spring: spring)
        } else if picking != nil {
            picking = nil
            return workspace.isHome ? .home : .closed
        } else if isSearching(workspace) {
            return .search
        } else if isOverviewOpen {
            return .overview
        } else if isShelfOpen {
            close(.shelf, at: now, spring: spring)
        } else if isDockOpen {
            close(.dock, at: now, spring: spring)
        } else if isPipControlsOpen {
            return .pictureControls
        } else if isNoticeOpen || isBannerOpen {
            return .banner
        } else {
            throw Refusal("there is nothing to close")
        }
        return .closed
    }

    // MARK: The screen at rest

    public mutating func timeIs(_ time: TimeOfDay) {
        guard isResting, rest?.content.time != time else { return }
        rest?.content.time = time
    }
}

extension Interface {
    /// Broken invariants of the open views.
    public func violations(_ workspace: Workspace) -> [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ what: @autoclosure () -> String) { if !holds { found.append(what()) } }
        for id in launches.waiting { check(workspace.launches[id] != nil, "the card of launch \(id.raw) belongs to none") }
        if let picking {
            check(workspace[picking.window]?.isMapped ?? false, "\(picking.window) waits for a partner and is gone")
            check(workspace.showsHome, "a partner is chosen where there is nothing to choose from")
        }
        check(home.search == nil || workspace.showsHome, "a search is open out of sight")
        check(!isDockOpen || !workspace.showsHome, "the dock lies over the home screen, which has it")
        let idiom = workspace.idiom
        check(idiom.offers.contains(.switching) || !isOverviewOpen, "the idiom \(idiom.name) offers no switcher, and it is open")
        check(idiom.offers.contains(.dock) || !isDockOpen, "the idiom \(idiom.name) offers no dock, and it is open")
        return found
    }
}
