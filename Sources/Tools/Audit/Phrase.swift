import Geometry

/// A reason or a fact about an app, with its values and without a language.
///
/// JSON, JUnit, SARIF and terminals have it in English. The HTML has it in every language.
public enum Phrase: Hashable, Sendable, Encodable {
    /// The words of an app, a tool or the system, as they are.
    case verbatim(String)
    /// Facts of one line.
    case list([Phrase])
    /// A fact, and what it is about.
    indirect case about(Phrase, Phrase)

    // With values.
    indirect case noWindow(why: Phrase)
    case notStartedByShell(why: String)
    case noWindowWithin(seconds: Int)
    case endedBySignal(Int64, says: String?)
    case endedWithStatus(Int64, says: String?)
    case floodsOutput(mebibytes: Int)
    case signal(Int64)
    case status(Int64)
    case busDoesNotStart(log: String)
    case shellDoesNotStart(log: String)
    case shellEnded(log: String)
    case noNewWindowOffered(why: String)
    case reasonToRun(String)
    case closedBy(Device), asksFor(Device), deafFor(Device)
    case firstWindow(seconds: Double)
    case screen(Size, told: Size?)
    case drew(Size)
    case minimum(Size)
    case shownAt(percent: Int)
    case protocolError(String)
    case scale(Double)
    case median(seconds: Double, count: Int? = nil)
    case controls(objects: Int, controls: Int, nameless: Int)
    case role(String, count: Int)
    case targets(Int, small: Int, large: Int)
    case noRequest(String)
    case focus(possible: Int, had: Int)
    case pixelsDiffer(Int, of: Int, byThemselves: Int)
    case pixelsChanged(Int, of: Int, byThemselves: Int)
    case frames(seen: Double, hidden: Double, again: Double)
    case load(share: Double, wakeups: Double, commits: Double)
    case frozen(Bool, before: Int, after: Int)
    case reasonsToRun([String])
    case windows(before: Int, after: Int)
    case typedText(isThereAfterwards: Bool)
    case way(Check.Way)
    case outcome(Check.WorkOutcome)
    case menu(Size, in: Size)
    case menuThen(keys: String)
    case parent(Bool), title(Bool)
    case left(byClosing: Bool?)
    case facts(tap: Int, click: Int)
    case brightness(Int, dark: Int)
    case mirroring(sided: Int, mirrored: Int, translated: Int)
    case entry(id: String, windowClass: String?)
    case appID(String)
    case window(appID: String, hasParent: Bool, isHeld: Bool)
    case notification(level: String)
    case otherSound(role: String)
    case gaveWay(Bool), streamsStopped(Bool), heardAfterwards(Bool)
    case playsOnPlugged(Bool), heardPulled(Bool)

    // Starting.
    case showsWindow, firstWindowLate, didNotStart, cannotBeStarted, windowsGone, timeOver, endedForFlood
    // Reasons why an app could not be audited.
    case noSuchFile, noDesktopEntry, unknownApp, shellStays
    // Windows.
    case openedNothing, openedWindow, openedDialog, keepsOpeningWindows, newWindowWorks, noNewWindow, newWindowStays, firstWindowWent
    case newWindowsOfInstalledAppsOnly, entrySaysSingleWindow, idiomHasSingleWindow
    // Sizes.
    case adaptsToEverySize, mayChooseItsSizeHere, mayChooseItsSize, closedAtSize, brokeProtocolAtSize, noAnswerToSize, minimumAbovePlace
    case minimumMakesSmaller, drawsMoreThanTold, drawsLessThanTold, maximumLeavesRoom, emptyEdges, followsScreen, noScaleOnX11
    case closedAtScale, noAnswerToScale, buffersUnknown, followsScale, blurred, followsScaleAfterRestart, noSecondWindow, noPicture
    case sizesDiffer, looksEqual, contentMoves, looksDifferent, neverDrewSizes, answersSlowly, answersQuickly
    // Out of sight.
    case nothingMoves, animatesHidden, animationStuck, drawsHidden, animatesOnlyInSight, hasReasonToRun, worksHardUnseen, worksUnseen
    case drawsUnseen, rests, noAnswerWhenShown, slowWhenShown, backAtOnce, windowsGoneAfterFreeze, noAnswerAfterFreeze, keepsItselfAwake
    case notFrozen, goesOnAsBefore, doesNotComeBack, someWindowsMissing, textLost, windowsAndTextBack, windowsBackTextUnknown
    case noTextToCompare, noWindowKept, noWindowAfterRestart, someWindowsMissingAfterRestart, textLostAfterRestart, windowsBack
    // Crashing.
    case crashed, didNotCrash, wasNotStarted, crashesInThisCheck, crashedTooOften, endedWithError
    // Closing.
    case crashesOnClose, breaksProtocolOnClose, staysWithoutQuestion, answersNothing, questionIsTrap, closesOrAsks, asksOrKeepsText
    case didNotClose, documentLost, textLostWithoutQuestion
    // Menus and dialogs.
    case staysInSight, notInSight, noMenu, menuBeyondScreen, menuStays, menusWork, noDialog, dialogIsTrap, dialogUntitled
    case dialogWithoutParent, dialogsWork, menuClosedFirst, shellClosedMenu, dialogOverMenu, noDialogOverMenu, presentationFits
    case presentationDoesNotFit
    // Access.
    case noAccessibilityBus, exposesNothing, noControls, manyNameless, someNameless, controlsNamed, noExtents, mostTooSmall, someTooSmall
    case largeEnough, fingersArePointerOnX11, pointerOnX11, noMessages, tabMoves, tabWrites, nothingFocusable, disabledUnknown
    case oneFocusable, tabReachesNothing, tabStays, noActEffect, tapWithoutEffect, clickWithoutEffect, tapAndClickSame, tapAndClickDiffer
    // Look.
    case noSettings, closedInDark, alwaysDark, becomesDarker, staysBright, closedWithLargeText, followsTextSize, showsNoText
    case ignoresTextSize, noStartRightToLeft, mirrored, noRightToLeft, noSidedControls, notMirrored, partlyMirrored
    // Entry.
    case commandHasNoEntry, invalidEntry, foreignAppID, noAppID, entryNamesWindows, commandHasNoIcon, entryNamesNoIcon, iconMissing
    case iconTooSmall, iconInstalled, commandHasNoMetadata, noMetadata, hasMetadata, invalidMetadata, noEntryValidator, noMetadataValidator
    // Sound.
    case noSoundServer, playsNothing, silent, playsWhatItWasGiven, playsGameSound, playsUnasked, purposeUnknown, purposeKnown
    case foregroundSoundRunsOn, backgroundSoundOnly, playIsMeantForIt, beginsToPlay, staysSilent, noPlayer, otherSoundSilent
    case playsOverOther, silentAfterInterruption, playsUnheard, givesWay, noHeadphones, headphonesStay, heardFromSpeaker, stopsWhenPlugged
    case pausesAndWaits, urgentNotice, unaskedNotice, notifiedOfNothing, filesUnknown, noAudioFiles, soundsSmall, soundsLarge
    // Parts of evidence.
    case windowClosed, notAnswered, afterTyping, afterStart, stillThere, closed, asked, declared

    public enum Device: String, Sendable {
        case touch, pointer

        var words: Words {
            switch self {
            case .touch: Words("touch", ko: "터치", ja: "タッチ")
            case .pointer: Words("pointer", ko: "포인터", ja: "ポインタ")
            }
        }
    }

    public subscript(_ language: Language) -> String { words[language] }

    public var english: String { words.en }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(english)
    }
}
