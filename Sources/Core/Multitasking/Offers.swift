import Notices
import Windows

extension Action {
    /// The offer of an idiom that the action needs; nil: every idiom has the action. The switch has no default, so each new action is
    /// decided here.
    public var need: Offers? {
        switch self {
        case .home, .search, .arrangeHome: .home
        case .focus, .focusNext, .nextSpace, .previousSpace, .showSpace, .newSpace, .moveToSpace, .putInSpace, .openWaiting, .appSwitcher,
            .appShelf, .appExpose,
            .switchApps, .switchWindows, .slideOverNext, .slideOverPrevious, .pipSwap:
            .switching
        case .launch, .openApp, .newWindow, .appAction, .openWithoutState, .bringWindowsBack: .opening
        case .close, .closeSpace, .minimize, .hideApp, .quitApp, .endApp: .closing
        case .dock, .addToDock, .removeFromDock: .dock
        case .controls, .appMenu, .barMenu, .chooseMenuItem, .keepRunning, .stopInBackground, .endTask, .endInhibitor: .menus
        case .controlCentre, .controlPage, .volumeView, .sensors, .tray: .controlCentre
        case .device(.end): .logOut
        case .device(.drive): .opening
        case .notice(let act): act.need
        case .notifications: .notifications
        case .keyHelp: .keyList
        case .darkAppearance, .reducedMotion, .textSize, .rotate, .resizeScreen, .choose, .resetSettings, .forgetShortcuts: .look
        // How a convertible is folded chooses the idiom.
        case .idiom, .tabletMode: .idioms
        case .quit, .quitAnyway: .logOut
        // The app in front, within the `places` of the idiom.
        case .fullScreen, .splitView, .slideOver, .pictureInPicture, .tile, .toggleTile, .magnify, .depth, .depthStep, .surroundings,
            .divider, .dividerStep,
            .swapSides, .slideOverSide, .slideOverHide, .slideOverShow, .slideOverToggle, .pipCorner, .pipWidth, .pipStep, .pipStash,
            .pipShow, .pipToggle,
            .pipControls:
            nil
        // A control stands for another action, which is asked for then. An answer concerns a visible view.
        case .press, .keyFocus, .adjust, .scroll, .dismiss, .gaze, .gazePress, .chooseView, .dismissView, .markView, .moreApps,
            .bannerLater,
            .startClean, .prompt, .form, .setting:
            nil
        // Sound, and the reports of the device about itself.
        case .audio, .playSound, .keyClicks, .device, .cover, .wrist: nil
        // How a person points and types.
        case .keyPointer, .screenKeyboard: .keyboard
        // A kiosk offers it where its file says so. On a screen that is locked anyway, nothing else would unlock it.
        case .lockScreen(.lock): .lock
        case .lockScreen: nil
        }
    }

    /// The window that it arranges, if it names one.
    var arranges: WindowID? {
        switch self {
        case .fullScreen(let window), .splitView(let window, _), .slideOver(let window), .pictureInPicture(let window),
            .tile(let window, _),
            .toggleTile(let window, _), .magnify(let window, _), .depth(let window, _), .depthStep(let window, _):
            window
        default: nil
        }
    }
}

extension NoticeAct {
    /// Choices about notifications are not the list: Do Not Disturb and the focuses have tiles in the control centre.
    var need: Offers {
        switch self {
        case .quiet, .focus, .newFocus, .deleteFocus, .setFocus, .editFocus, .moreFocusApps: .controlCentre
        case .open, .press, .reply, .leaveReply, .copyUnsent, .dismiss, .snooze, .expand, .clear, .clearAll, .unfold, .choose, .settings:
            .notifications
        }
    }
}

/// Refuses actions that an idiom does not offer, by finger, pointer, key or script.
extension Workspace {
    func offers(_ offer: Offers) -> Bool { idiom.offers.contains(offer) }

    func requireOffer(of action: Action) throws(Refusal) {
        if let need = need(of: action) { try requireOffer(need) }
    }

    func requireOffer(_ need: Offers) throws(Refusal) {
        guard !offers(need) else { return }
        let name = Offers.names.first { $0.option == need }?.name ?? "this"
        throw Refusal("the idiom \(family.name) does not offer \(name)")
    }

    private func need(of action: Action) -> Offers? {
        // A sheet, or a further window that stands on the app like one, leads back to the app.
        if case .close(let window) = action, let id = window ?? focus, case .dialog = place(of: id) { return nil }
        // To arrange a window that is not in sight is to go to it.
        if let window = action.arranges, !isShown(window) { return .switching }
        return action.need
    }
}
