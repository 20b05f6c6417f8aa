import AudioSessions
import Multitasking
import Windows

/// The names of actions in the configuration's key bindings.
public enum ActionNames {
    /// Every action without a window argument, in the order of the manual.
    public static let all: [(name: String, action: Action)] = [
        ("full-screen", .fullScreen()),
        ("split-left", .splitView(side: .left)),
        ("split-right", .splitView(side: .right)),
        ("split-top", .splitView(side: .top)),
        ("split-bottom", .splitView(side: .bottom)),
        ("slide-over", .slideOver()),
        ("picture-in-picture", .pictureInPicture()),
        ("close", .close()),
        ("focus-next", .focusNext),
        ("divider-back", .dividerStep(-1)),
        ("divider-on", .dividerStep(1)),
        ("swap-sides", .swapSides),
        ("slide-over-toggle", .slideOverToggle),
        ("slide-over-hide", .slideOverHide),
        ("slide-over-show", .slideOverShow),
        ("slide-over-left", .slideOverSide(.left)),
        ("slide-over-right", .slideOverSide(.right)),
        ("slide-over-next", .slideOverNext),
        ("slide-over-previous", .slideOverPrevious),
        ("picture-top-left", .pipCorner(.topLeft)),
        ("picture-top-right", .pipCorner(.topRight)),
        ("picture-bottom-left", .pipCorner(.bottomLeft)),
        ("picture-bottom-right", .pipCorner(.bottomRight)),
        ("picture-larger", .pipStep(1)),
        ("picture-smaller", .pipStep(-1)),
        ("picture-toggle", .pipToggle),
        ("picture-stash", .pipStash()),
        ("picture-show", .pipShow),
        ("picture-controls", .pipControls),
        ("app-larger", .magnify(by: .larger)),
        ("app-smaller", .magnify(by: .smaller)),
        ("app-usual", .magnify(by: .automatic)),
        ("app-left", .magnify(by: .left)),
        ("app-right", .magnify(by: .right)),
        ("app-up", .magnify(by: .up)),
        ("app-down", .magnify(by: .down)),
        ("picture-swap", .pipSwap),
        ("next-space", .nextSpace),
        ("previous-space", .previousSpace),
        ("open-waiting", .openWaiting()),
        ("banner-later", .bannerLater),
        ("home", .home),
        ("search", .search()),
        ("app-switcher", .appSwitcher),
        ("dock", .dock),
        ("app-shelf", .appShelf()),
        ("app-expose", .appExpose()),
        ("controls", .controls()),
        ("new-window", .newWindow()),
        ("notifications", .notifications),
        ("control-centre", .controlCentre),
        ("key-help", .keyHelp),
        ("dismiss", .dismiss),
        ("minimize", .minimize()),
        ("hide-app", .hideApp()),
        ("quit-app", .quitApp()),
        ("next-app", .switchApps(1)),
        ("previous-app", .switchApps(-1)),
        ("next-window-of-app", .switchWindows(1)),
        ("previous-window-of-app", .switchWindows(-1)),
        ("menu-bar", .barMenu()),
        ("zoom", .toggleTile(to: .whole)),
        ("whole-screen", .toggleTile(to: .full)),
        ("tile-whole", .tile(to: .whole)),
        ("tile-left", .tile(to: .left)),
        ("tile-right", .tile(to: .right)),
        ("tile-top-left", .tile(to: .topLeft)),
        ("tile-top-right", .tile(to: .topRight)),
        ("tile-bottom-left", .tile(to: .bottomLeft)),
        ("tile-bottom-right", .tile(to: .bottomRight)),
        ("tile-own", .tile(to: nil)),
        ("dark-appearance", .darkAppearance(true)),
        ("light-appearance", .darkAppearance(false)),
        ("screen-keyboard", .screenKeyboard()),
        ("key-pointer", .keyPointer()),
        ("rotate-upright", .rotate(0)),
        ("rotate-left", .rotate(1)),
        ("rotate-over", .rotate(2)),
        ("rotate-right", .rotate(3)),
        ("volume-up", .audio(.volumeStep(1))),
        ("volume-down", .audio(.volumeStep(-1))),
        ("mute", .audio(.mute(nil))),
        ("silence", .audio(.silence(nil))),
        ("microphone-mute", .audio(.muteMicrophone(nil))),
        ("play-pause", .audio(.remote(.togglePlayPause, .key))),
        ("play", .audio(.remote(.play, .key))),
        ("pause", .audio(.remote(.pause, .key))),
        ("stop", .audio(.remote(.stop, .key))),
        ("next-track", .audio(.remote(.next, .key))),
        ("previous-track", .audio(.remote(.previous, .key))),
        ("skip-forward", .audio(.remote(.skipForward(nil), .key))),
        ("skip-backward", .audio(.remote(.skipBackward(nil), .key))),
        ("headset-button", .audio(.headsetButton())),
        ("answer-call", .audio(.answerCall)),
        ("decline-call", .audio(.declineCall)),
        ("end-call", .audio(.endCall)),
        ("outputs", .controlPage(.outputs)),
        ("app-volumes", .controlPage(.apps)),
        ("idioms", .controlPage(.idioms)),
        ("volume-view", .volumeView()),
        ("bring-windows-back", .bringWindowsBack),
        ("start-clean", .startClean),
        ("quit", .quit),
        ("quit-anyway", .quitAnyway),
    ]

    /// The prefix of an action that launches a program. The command follows.
    static let launch = "launch "

    /// The prefix of an action that begins another idiom. Its name follows.
    static let idiom = "idiom "

    /// The action of a name, of `launch` with a command, or of `idiom` with a name; nil for any other text.
    public static func action(_ name: String) -> Action? {
        if name.hasPrefix(launch) {
            let words = name.dropFirst(launch.count).split(separator: " ").map(String.init)
            return words.isEmpty ? nil : .launch(command: words)
        }
        if name.hasPrefix(idiom) { return .idiom(String(name.dropFirst(idiom.count))) }
        return all.first { $0.name == name }?.action
    }
}
