import Interface
import Stage
import Windows

extension Screenful {
    /// The functions of keys in words for a person, one line each.
    var keyLines: [Views.KeyLine] {
        let idiom = workspace.idiom
        let keys = keys
        func chords(_ actions: [Action]) -> [[Views.KeyName]] {
            actions.compactMap { action in keys.first { $0.action == action }?.chord.names }
        }
        let depths: [(Message, [Action])] = idiom.depth == nil ? [] : [(.keyDepth, [.depthStep(-1), .depthStep(1)])]
        let lines: [(Message, [Action])] =
            depths + [
                (.keyHome, [.home]), (.keySearch, [.search()]), (.keySwitcher, [.appSwitcher]), (.keyDock, [.dock]),
                (.keySwitchApps, [.switchApps(1), .switchApps(-1)]), (.keySwitchWindows, [.switchWindows(1), .switchWindows(-1)]),
                (.tileLeft, [.tile(to: .left)]), (.tileRight, [.tile(to: .right)]), (.zoom, [.tile(to: .whole)]),
                (.keyOwnSize, [.tile(to: nil)]),
                (.fullScreen, [.toggleTile(to: .full)]), (.minimize, [.minimize()]), (.keyHideApp, [.hideApp()]),
                (.keyQuitApp, [.quitApp()]),
                (.menuBar, [.barMenu()]),
                (.fullScreen, [.fullScreen()]), (.splitLeft, [.splitView(side: .left)]), (.splitRight, [.splitView(side: .right)]),
                (.splitTop, [.splitView(side: .top)]), (.splitBottom, [.splitView(side: .bottom)]),
                (.slideOver, [.slideOver()]), (.pictureInPicture, [.pictureInPicture()]),
                (.newWindow, [.newWindow()]), (.keyShelf, [.appShelf()]), (.keyExpose, [.appExpose()]),
                (.keyControls, [.controls()]), (.close, [.close()]), (.keyNextWindow, [.focusNext]),
                (.keyNextSpace, [.nextSpace]), (.keyPreviousSpace, [.previousSpace]),
                (.newSpace, [.newSpace]), (.keyMoveToSpace, [.moveToSpace(-1), .moveToSpace(1)]),
                (.keyDivider, [.dividerStep(-1), .dividerStep(1)]), (.keySwapSides, [.swapSides]),
                (.keySlideOverToggle, [.slideOverToggle]), (.keySlideOverFlip, [.slideOverNext]),
                (.keySlideOverSide, [.slideOverSide(.left), .slideOverSide(.right)]),
                (.keyPipCorner, [.pipCorner(.topLeft), .pipCorner(.topRight), .pipCorner(.bottomLeft), .pipCorner(.bottomRight)]),
                (.keyPipSize, [.pipStep(1), .pipStep(-1)]), (.keyPipToggle, [.pipToggle]),
                (.keyPipControls, [.pipControls]),
                (.keyLensScale, [.magnify(by: .larger), .magnify(by: .smaller)]),
                (.keyLensMove, [.magnify(by: .left), .magnify(by: .right)]),
                (.keyOpenWaiting, [.openWaiting()]), (.keyNotifications, [.notifications]), (.keyControlCentre, [.controlCentre]),
                (.screenKeyboard, [.screenKeyboard()]),
                (.keyHelp, [.keyHelp]),
            ]
        let own = sight.shortcuts.sessions.values.flatMap { session in
            session.shortcuts.map { one in
                let name = workspace.app(session.app)?.name
                return Views.KeyLine(chords: [one.chord.names], meaning: .verbatim(name.map { "\($0): \(one.meaning)" } ?? one.meaning))
            }
        }
        return own
            + lines.filter { $0.1[0].exists(in: idiom) }.map { Views.KeyLine(chords: chords($0.1), meaning: .message($0.0)) }
            .filter { !$0.chords.isEmpty }
    }
}

extension Action {
    /// Whether an idiom has the function of the action. An action without its function is not listed, and refused with the reason.
    fileprivate func exists(in idiom: Idiom) -> Bool {
        switch self {
        case .splitView, .dividerStep, .swapSides: idiom.places.contains(.splitView)
        case .slideOver, .slideOverToggle, .slideOverNext, .slideOverPrevious, .slideOverSide: idiom.places.contains(.slideOver)
        case .pictureInPicture, .pipCorner, .pipStep, .pipToggle, .pipControls: idiom.places.contains(.pictureInPicture)
        case .controls: idiom.dressing == .dots
        case .newWindow, .appShelf, .appExpose: idiom.windowsOfApp == .several
        case .magnify: idiom.lensRule.zooms
        case .newSpace, .moveToSpace: idiom.free.spaces
        default: true
        }
    }
}

extension KeyChord {
    /// Keys on which a sign is printed, and the word for it. Nothing is printed on the space bar.
    private static let signs: [String: (sign: String?, word: Message)] = [
        "Left": ("←", .keyLeft), "Right": ("→", .keyRight), "Up": ("↑", .keyUp), "Down": ("↓", .keyDown),
        "bracketleft": ("[", .keyBracketLeft),
        "bracketright": ("]", .keyBracketRight), "grave": ("`", .keyGrave), "equal": ("=", .keyEqual), "minus": ("−", .keyMinus),
        "plus": ("+", .keyPlus), "comma": (",", .keyComma), "period": (".", .keyPeriod), "slash": ("/", .keySlash),
        "semicolon": (";", .keySemicolon), "apostrophe": ("'", .keyApostrophe), "backslash": ("\\", .keyBackslash),
        "space": (nil, .keySpace),
    ]
    private static let words = ["Escape": "Esc", "Page_Up": "Page Up", "Page_Down": "Page Down"]

    /// Its keys in the order of pressing, as printed on them and as said: "Super Shift ←".
    var names: [Views.KeyName] {
        parts.map { part in
            guard let sign = KeyChord.signs[part] else {
                return Views.KeyName(.verbatim(KeyChord.words[part] ?? (part.count == 1 ? part.uppercased() : part)))
            }
            return Views.KeyName(sign.sign.map { .verbatim($0) } ?? .message(sign.word), said: .message(sign.word))
        }
    }
}
