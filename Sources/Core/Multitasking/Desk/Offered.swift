import Windows

/// What an idiom does not offer, however it is asked for: by finger, pointer, key or script (`Offers`).
extension Desk {
    func offers(_ offer: Offers) -> Bool { workspace.idiom.offers.contains(offer) }

    func requireOffer(of action: Action) throws(Refusal) {
        guard let need = action.need, !offers(need) else { return }
        let name = Offers.names.first { $0.option == need }?.name ?? "this"
        throw Refusal("the idiom \(workspace.family.name) does not offer \(name)")
    }
}

extension Action {
    /// What of the offers of an idiom it belongs to; nil: every idiom has it.
    var need: Offers? {
        switch self {
        case .home, .search: .home
        case .focus, .focusNext, .nextSpace, .previousSpace, .showSpace, .newSpace, .moveToSpace, .putInSpace, .openWaiting, .appSwitcher, .appShelf, .appExpose: .switching
        case .launch, .openApp, .newWindow, .appAction, .openWithoutState: .opening
        case .close, .closeSpace, .minimize, .endApp: .closing
        case .dock, .addToDock, .removeFromDock: .dock
        case .controls, .appMenu, .keepRunning, .stopInBackground, .endTask, .endInhibitor: .menus
        case .controlCentre, .controlPage: .controlCentre
        // Choices about notifications are not the list: Do Not Disturb has a tile in the control centre.
        case .notice(.quiet), .notice(.focus), .notice(.newFocus), .notice(.deleteFocus), .notice(.setFocus), .notice(.editFocus),
            .notice(.moreFocusApps), .notice(.choose): nil
        case .notifications, .notice: .notifications
        case .keyHelp: .keyList
        case .darkAppearance, .reducedMotion, .textSize: .look
        case .idiom: .idioms
        case .quit, .quitAnyway: .logOut
        default: nil
        }
    }
}
