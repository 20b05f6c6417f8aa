import Windows

extension Action {
    /// Whether the action moves an item that a finger may hold; the finger then lets go (law 8).
    var changesLayout: Bool {
        switch self {
        case .launch, .quit, .close, .closeSpace, .quitApp, .switchApps, .switchWindows, .barMenu, .chooseMenuItem, .appMenu, .scroll,
            .addToDock, .removeFromDock, .darkAppearance,
            .reducedMotion, .textSize, .keyHelp, .press, .audio, .pipControls, .controlPage, .volumeView, .adjust, .playSound, .keyClicks,
            .device, .sensors, .tray, .prompt, .form, .setting, .resetSettings, .choose, .arrangeHome, .forgetShortcuts,
            .cover, .tabletMode,
            .keepRunning, .stopInBackground, .endTask, .endInhibitor, .quitAnyway, .startClean, .bannerLater, .notice, .endApp, .chooseView,
            .dismissView, .markView, .moreApps, .gaze, .gazePress, .surroundings, .wrist, .lockScreen:
            false
        default: true
        }
    }

    /// Whether a key does this while the wrist stays down.
    var leavesWristDown: Bool { if case .wrist = self { true } else { isForSound } }

    var isForSound: Bool { if case .audio = self { true } else { false } }
}
