/// Every text of the shell itself. `Chrome` has a catalogue for each language. In all of them, the word for what
/// holds an app's content is *window* (W-24).
public enum Message: String, Hashable, Codable, Sendable, CaseIterable {
    // MARK: Home and dock
    case home
    case dock
    case search
    /// Nothing was found for %1.
    case nothingFound
    /// No app is installed, or all are hidden.
    case noApps, allAppsHidden
    /// Page %1 of %2.
    case page
    /// %1, opening.
    case opening
    /// %1 could not be opened.
    case couldNotOpen
    /// The program exited at once, with status %1.
    case endedWithStatus
    /// The program was killed by signal %1.
    case endedBySignal
    /// The same. %2 is the last line that it printed.
    case endedWithStatusSaying
    case endedBySignalSaying
    case ok
    case cancel
    case done

    // MARK: Multitasking controls (W-07)
    /// The control at the top of the window %1.
    case windowControls
    case fullScreen, leaveFullScreen
    case minimize
    case splitLeft, splitRight, splitTop, splitBottom, slideOver, pictureInPicture
    /// The picture and the window in front change places.
    case swapPicture
    case newWindow
    case allWindows
    // Free windows (W-25).
    case zoom
    case tileLeft
    case tileRight
    case menuBar
    /// The menus of the app in front.
    case menus
    /// The title of the menu with an app's windows.
    case windowsMenu
    /// Hide %1.
    case hideApp
    /// Quit %1.
    case quitApp
    case close
    /// Choose another window for Split View.
    case chooseSecond

    // MARK: App switcher (S-02)
    case appSwitcher
    /// No windows are open.
    case noWindows
    /// Close %1.
    case closeNamed
    /// %1 and %2: a pair.
    case pair
    case inFront
    /// The app does not respond.
    case notAnswering
    /// It opened without being asked for, and waits (W-19).
    case waiting
    /// %1 has opened a window.
    case openedWindow
    /// %1 asks to come to the front.
    case wantsAttention
    /// The same for programs whose name is unknown.
    case openedWindowUnknown
    case wantsAttentionUnknown
    /// Hides the mark of a waiting window.
    case later
    // Why it runs in the background (S-06).
    case playingAudio
    case recordingAudio
    case inCall
    /// The task %1 is running.
    case finishing
    /// The same. %2: its progress.
    case finishingPart
    case runsInBackground
    /// The app asked not to be interrupted, without a reason.
    case busy

    // MARK: App shelf and App Exposé (W-08, W-09)
    /// The windows of %1.
    case windowsOf

    // MARK: Menus of apps
    case open
    /// A switch: whether the app runs in the background.
    case runInBackground
    // Ends the reason that keeps an app awake (S-06).
    case stopAudio
    case stopRecording
    case closePip
    case stopInBackground
    /// Ends the task %1.
    case endTask
    /// Ends the task that keeps an app busy.
    case endWork
    case openInSplitView
    case openInSlideOver
    case openNewWindow
    case showAllWindows
    case addToDock
    case removeFromDock

    // MARK: Portals
    case allow
    case dontAllow
    /// Choose an app for a file.
    case openWith
    case noAppOpens
    /// The question about a picture that an app offers, and its answer.
    case useAsWallpaper, usePicture
    /// %1 wants pictures of the screen at any time; and the same for an app whose name is unknown.
    case takePictures, takePicturesUnknown
    /// The question about a picture of the screen, its answers, and the name of the file.
    case takePicture, wholeScreen, oneWindow, partOfScreen, chooseWindow, markPart, takeIt, pictureOfScreen
    case pickColour, useColour
    /// %1 by %2 points are marked, and the point at %1, %2.
    case markedPart, markedPoint
    /// An app begins a mail, which the person writes in %1, and the answer.
    case writeMail, write
    /// %1 wants keys wherever the person is; and the same for an app whose name is unknown.
    case useKeys, useKeysUnknown
    /// %1 asks for the person's name.
    case shareName
    /// The same for an app whose name is unknown.
    case shareNameUnknown
    /// The name of an asking program without a vouched name.
    case someProgram

    // MARK: Activity views (M-05)
    /// %1 files are shared.
    case sharedFiles
    case sharedText
    case sharedLink
    case saveToDownloads
    case mail
    /// Show more apps, or more of another list that has no room for all.
    case moreApps
    case couldNotCopy
    case couldNotSave
    case couldNotMail
    case sharingFull
    case sharingForbidden
    case sharingTooLarge
    case sharingFailed

    // MARK: Quick look (W-18)
    case fileShare
    case fileCopy
    case fileCopyPath
    /// Open a file in the app %1.
    case fileOpenIn
    /// A file is being read.
    case fileOpening
    /// %1 cannot be shown. A message that begins with `file` says why.
    case fileNotShown
    case filePageNotShown
    /// File %1 of %2.
    case fileNumber
    case fileSound
    case fileVideo
    case fileSoundNoPlayer
    case fileVideoNoPlayer
    /// Only the first MiB of %1 MiB is shown.
    case fileCut
    case fileLatin1
    /// Files are read without bubblewrap.
    case fileLessIsolated
    case fileMissing
    case fileIsFolder
    case fileIsSpecial
    case fileEmpty
    case fileForbidden
    case fileUnknownKind
    case fileUnreadable
    case fileTooLarge
    case fileBroken
    case fileLocked
    case fileNeedsLibrary
    case fileTooCostly
    case fileUnconfined

    // MARK: An app that does not answer
    /// %1 does not respond.
    case notResponding
    /// Work in its windows may be lost.
    case notRespondingMessage
    case wait
    case closeAnyway

    // MARK: The end of the session
    /// The title of the view that names the apps that object to the end of the session.
    case logOutTitle
    /// Work may be lost.
    case logOutMessage
    case logOutAnyway
    /// And %1 other apps.
    case logOutOthers
    /// Reasons of an app: it shows a question; its windows did not close; its title says that something is not saved.
    case awaitsAnswer
    case stillOpen
    case unsavedChanges
    /// Apps are told to end, and have %1 seconds.
    case sessionEndsTitle
    case sessionEndsMessage
    /// The same before the machine is switched off or restarted.
    case turnsOffTitle
    case turnsOffMessage
    case endNow
    /// %1 ended several times soon after it got its state back.
    case crashing
    case crashingMessage
    case openWithoutState
    case tryAgain
    case notNow
    /// The shell crashed several times.
    case windowsAsideTitle
    /// %1 windows of the last session stayed closed.
    case windowsAsideMessage
    case bringWindowsBack
    case startClean
    /// Nothing of this session is kept.
    case notKeptTitle
    case notKeptNewer
    case notKeptFull
    case notKeptUnusable
    /// The store of the last session and its copy are damaged.
    case sessionLostTitle
    case sessionLost
    case sessionLostWhole
    /// Only that itself is damaged.
    case sessionOlder
    /// The file %1, which a person edits, has an error.
    case fileWrong
    /// The same, in line %2.
    case fileWrongAt
    // %1: the fault. The rest says which version holds instead.
    case fileLastGood
    case fileRest
    case fileStandard

    // MARK: A locked screen without a locker
    case lockTitle
    /// The configured locker starts.
    case lockStarting
    /// It ended several times. How to get in.
    case lockFailing
    // The greeter (%1: a session, or why none starts), and the lock screen of the shell (%1: how long to wait, "0:45").
    case logIn, otherPerson, userName, loginSession, sessionStarts, notStarted, loginBroken, sessionSlow, readingPeople, screenReader
    case aids, keysOnScreen, restartNow, turnOffNow, unlock, lockTryAgain, lockClosed, lockBroken, lockSlow, lockChecking, lockAnother
    case lockUnchecked, passwordExpired, passwordExpiredNow, deleteKey, shiftKey, showLetters, showDigits, showSigns, lockScreen
    case lockAfter, lockOnSleep, fingerAsked, fingerAgain, fingerWrong, fingerOver, lockPowerButton, lockKeys, lockKeysNone, never

    // MARK: An app that the shell starts with
    case appStarts
    /// It ended.
    case appStartsAgain
    /// The same, if nothing is known of the app.
    case unknownAppStarts, unknownAppStartsAgain

    // MARK: The status of the device
    case statusBar
    /// The battery at %1; the same while it charges, is full, or does not charge though it is plugged in.
    case batteryAt, batteryCharging, batteryFull, batteryHeld
    /// About %1 hours and %2 minutes, or %1 minutes, until the battery is empty or full.
    case batteryHours, batteryMinutes
    case batteryLow
    case networkNone, networkConnecting, networkWired, networkCellular, networkOther
    /// Wireless, and the wireless network %1.
    case wireless, wirelessNamed
    /// A page asks for a login.
    case networkLogin, networkLogIn
    case bluetooth
    /// Bluetooth, connected with %1.
    case bluetoothWith
    /// The service %1 of the machine does not answer.
    case serviceHangs
    case screenIsShared, screenIsRecorded
    /// The light of the screen.
    case brightness
    /// A service of the machine did not do what a person set. %1: its words.
    case serviceRefused
    /// A service did not answer in time.
    case noAnswer

    // MARK: The tray
    /// Apps that show an icon while they run in the background. There is none. One wants a person to look.
    case tray, trayEmpty, trayAttention, runsWithoutWindow
    /// The menu of %1. %1 has no menu.
    case trayMenuOf, trayMenuReading, trayMenuEmpty
    /// %1 does not answer. %1 neither opens nor has a menu.
    case trayItemSilent, trayItemOpensNothing
    /// Removable drives. There is none. One with so many bytes.
    case drives, drivesEmpty, driveOfSize, eject
    /// The rest for it is being written. It may be taken out.
    case driveEjecting, driveFreed
    /// The drive %1 was not opened. It was not ejected. An app uses it. The machine does not allow it.
    case driveNotOpened, driveNotEjected, driveBusy, driveNotAllowed
    /// Questions of services and programs: a program wants something that changes the machine, the keyring is asked for, a program asks.
    case promptAuthority, promptKeyring, promptProgram
    /// Asked by %1. Asked by a program that could not be identified.
    case askedBy, askedByUnknown
    /// The two passwords differ. The same password again. The answer is being checked. As the person %1.
    case promptDiffers, promptRepeat, promptWorking, promptAs
    // Wireless networks and Bluetooth.
    case networks, savedNetworks, savedNetwork, otherNetwork, noWirelessDevice, noBluetoothAdapter, searching
    case connected, connectedAt, notConnected, connect, disconnect, disconnecting
    /// For screen readers: the network needs a password. It needs a name and a password of a company.
    case needsPassword, companyNetwork, companyNetworkTrouble
    case networkName, networkSecurity, strength, password, noPassword, wepKey, showPassword, join
    case wrongPassword, badPassword, badKey, badNetworkName
    /// The network %1 could not be joined.
    case notJoined
    case forgetNetwork, forgetDevice
    /// More about %1.
    case moreAbout
    case ownDevices, otherDevices, battery
    case pairDevice, doNotPair, code, sameDigits, mayPair, typeCode, typeCodeThere, badCode
    /// %1 could not be paired, or connected; and why.
    case notPaired, notConnectedTo
    case deviceAway, deviceRefused, deviceForgotten, deviceUseless, deviceBusy, bluetoothOff, deviceBroken
    case aeroplane, rotationLock
    // The end of the machine's work.
    case power, powerProfile, powerSaver, balancedPower, fastPower, logOut, suspend, restart, turnOff
    case less, more, folder, hideFromHome, showOnHome
    // Settings.
    case settings, appearance, lightAppearance, accentColour, wallpaper, standardWallpaper, increasedContrast, reduceTransparency
    case textSize, animationSpeed, display, scale, sounds, language, direction, leftToRight, rightToLeft, backgroundApps,
        backgroundExplained
    case privacy, nothingListens, sensorsBefore, microphone, camera, screen, aboutDevice, version, system, kernel, processor
    case memory, screenSize, resetSettings, resetExplained, mannerOn, startApps, startExplained
    case keyboard, keyboardLayouts, addLayout, layoutPreview, keyRepeatDelay, keyRepeatRate
    case pointer, pointerSpeed, naturalScrolling, tapToClick, darkWallpaper, sameWallpaper, screenWallpaper, moveUp, controlsExplained
    case defaultApps, defaultWeb, defaultMail, defaultPictures, defaultMusic, defaultVideos, defaultDocuments, defaultFolders
    /// May %1 know where the device is?
    /// The data kept for apps, and whether to delete that of %1.
    case lowBatteryMessage, criticalBatteryMessage, emptyBatteryMessage, heldUp, turnOffAnyway, restartAnyway, suspendAnyway
    case updatesReady, updatesReadyMessage, updateAndRestart, switchUser, appKeys, storage, storageExplained, keptInAll, deleteKept,
        forgetKept, forgetKeptMessage
    case location, locationExplained, locationAsked, locationAskedMessage
    case nightLight, nightLightSchedule, nightLightFrom, nightLightTo, nightLightWarmth, recordScreen, flashLight
    /// Line %1 of the configuration file says it, with the key %2.
    case setInFileAt
    case colourBlue, colourPurple, colourPink, colourRed, colourOrange, colourGreen, colourGraphite

    // MARK: Panels
    case notifications
    case noNotifications
    // How long ago a notification came.
    case noticeNow
    case noticeMinutes
    case noticeHours
    case noticeDays
    /// It was scheduled for a time at which the device was off.
    case noticeLate
    /// %1 further notifications of an app.
    case noticesMore
    case showLess
    case clear
    case clearAll
    /// Remove the notifications of %1.
    case clearNotices
    case doNotDisturb
    /// The settings for the notifications of %1.
    case noticeSettings
    case mannerBanners, mannerQuietly, mannerOff, mannerSummary, noticeSounds, noticeBadges, noticeOnLock
    case lockContent, lockCount, lockNothing
    /// %1 wait for a person, at a time that the person chose.
    case noticeSummary
    /// The placeholder of an empty field for an answer, and the button that sends it.
    case noticeReply
    case noticeSend
    /// A missed call, and a job whose sender is gone.
    case noticeMissedCall
    case noticeStopped
    /// The answer %1 was not delivered.
    case noticeUnsent
    /// A time in which few notifications disturb.
    case focus
    /// The focus %1 holds.
    case focusOn
    case newFocus
    /// Opens the settings of a focus.
    case focusSettings
    case focusIsOn
    /// The apps whose notifications come through.
    case focusApps
    /// The people whose notifications come through, and the text of that page while it has no names.
    case focusPeople
    case focusNobody
    case focusTimes, focusFrom, focusTo, timeEarlier, timeLater
    /// The setting that lets time-sensitive notifications through.
    case focusUrgent
    case focusDelete
    case focusWork, focusPersonal, focusSleep, focusReading, focusStudy, focusFitness, focusDriving, focusGaming
    /// Days, short.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    /// On a locked screen: there are %1 of them. For a screen reader: %1 are unread.
    case noticesWait, noticesUnread
    /// There, for a notification that cannot wait: the kind of thing, in place of its title.
    case lockCall, lockAlarm, lockDanger, lockReminder, lockOther, emergencyCall, overOpens, overElsewhere, heldUpBehindLock
    /// Buttons there: a call or an alarm rings on without being heard; an alarm ends; the card goes.
    case silenceRinging, stopAlarm, dismissCard
    case controlCentre
    case darkAppearance
    case reducedMotion
    case largerText
    /// Why settings with a lock cannot be changed here.
    case setInFile
    case screenKeyboard
    /// An input method, and the one that has the text fields.
    case inputMethodUnheard
    case keyClicks
    case rotate
    /// The device family whose rules apply.
    case idiom
    case newSpace, spaceNumber, keyMoveToSpace
    case idiomPad, idiomPhone, idiomMac, idiomTV, idiomWatch, idiomRoundWatch, idiomVision, idiomCar, idiomKiosk
    /// A switch: the surroundings of the windows are dark.
    case dimSurroundings

    // MARK: Sound
    case volume
    case ringer
    case alarmVolume
    case callVolume
    case mute
    case silence
    /// Mutes the microphone.
    case muteMicrophone
    case microphoneInUse, cameraInUse, locationInUse
    /// The next one is at %1.
    case alarmAt
    /// The output.
    case output
    /// The name of the output if there is no device.
    case noOutput
    case input
    /// The shell chooses, because the user picked none.
    case automatic
    /// The level of each app.
    case appVolumes
    case noAppVolumes
    /// There is no sound server.
    case noSound
    case notPlaying
    case play
    case pause
    case stop
    case nextTrack
    case previousTrack
    /// By %1 seconds.
    case skipForward
    case skipBackward
    /// The position in the playing item.
    case position
    /// %1 is calling.
    case incomingCall
    /// A call with %1.
    case callWith
    case answerCall
    case declineCall
    case endCall
    case back

    // MARK: Keys
    case keyboardShortcuts
    case keyHome, keySearch, keySwitcher, keyDock, keySwitchApps, keySwitchWindows, keyOwnSize, keyHideApp, keyQuitApp, keyShelf, keyExpose,
        keyControls, keyNextWindow, keyNextSpace, keyPreviousSpace, keyDivider, keySwapSides, keySlideOverToggle, keySlideOverFlip,
        keySlideOverSide, keyPipCorner, keyPipSize, keyPipToggle, keyPipControls
    /// An app that its place shows in part (W-11): larger or smaller, and its visible part.
    case keyLensScale
    case keyLensMove
    case keyOpenWaiting, keyNotifications, keyControlCentre, keyDepth, keyHelp
    // Keys that have signs, as a person says them.
    case keySpace, keyLeft, keyRight, keyUp, keyDown, keyBracketLeft, keyBracketRight, keyGrave, keyEqual, keyMinus, keyPlus, keyComma,
        keyPeriod
    case keySlash, keySemicolon, keyApostrophe, keyBackslash

    // MARK: For screen readers
    /// The app %1, with %2 waiting windows.
    case appWithBadge
    /// The app %1, with %2 notifications that a person has not seen.
    case appWithNotices
    case showSlideOver
    case showPip
    /// The controls on the picture of %1.
    case pipControls
    case homeIndicator
}
