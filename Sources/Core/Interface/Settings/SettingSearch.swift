import Stage
import Status
import Windows

/// The search over all settings and pages: the pages, the settings with the values that they can have, and what else stands on the
/// pages.
extension Views {
    func settingsFound(_ search: SearchText) -> [FormRow] {
        let pages = settingsPages.joined(), words = search.words
        func matches(_ texts: [Text]) -> Bool {
            let all = texts.flatMap(searched).map(SearchText.init)
            return words.allSatisfy { word in all.contains { $0.contains(word) || $0.hasJoined(word) } }
        }
        let settings = settings.lazy.filter { matches([$0.title] + values(of: $0)) }.prefix(40)
        let others = pages.flatMap { page in rows(below: page).filter { matches([$0.text]) } }
        return pages.filter { matches([$0.text]) } + settings.map(found) + others
    }

    /// A switch where its page says enough about it; else the way to its page, with the value.
    private func found(_ setting: Setting) -> FormRow {
        if case .flag = setting.kind, setting.page != .controls {
            var row = row(of: setting)
            if row.detail == nil { row.detail = pageTitle(setting.page) }
            return row
        }
        return FormRow(
            id: "page/\(setting.page.rawValue)/\(setting.key)", text: setting.title, kind: .page(.controlPage(setting.page)),
            value: title(of: setting), detail: pageTitle(setting.page))
    }

    /// The names of the values that a person chooses among: "green" finds the accent colour. Those of notifications are the same for each
    /// app, and a long list such as that of keyboard layouts is no list of things to set.
    private func values(of setting: Setting) -> [Text] {
        guard case .names(let names, _) = setting.kind, setting.page != .noticeApps, names.count <= 64 else { return [] }
        return names.map(\.title)
    }

    /// The rows of a page besides its settings, as ways there.
    private func rows(below link: FormRow) -> [FormRow] {
        // These are lists of apps, all of them settings, and long.
        guard case .page(.controlPage(let page)) = link.kind, ![.noticeApps, .background, .startApps].contains(page),
            let form = form(of: page)
        else { return [] }
        let ofSettings = ["setting/", "layout/", "notice-app/"]
        return form.sections.flatMap(\.rows).compactMap { row in
            guard !row.isField, row.text != link.text, !ofSettings.contains(where: row.id.hasPrefix) else { return nil }
            var found = row
            found.detail = link.text
            (found.more, found.mark, found.tone) = (nil, nil, .primary)
            if case .page = row.kind { return found }
            found.id = "page/\(page.rawValue)/\(row.id)"
            found.kind = .page(.controlPage(page))
            return found
        }
    }

    private func pageTitle(_ page: ControlPage) -> Text? {
        page == .idioms ? .message(.display) : settingsPages.joined().first { $0.id == "page/\(page.rawValue)" }?.text
    }

    /// A text in every language, with what else people call it.
    private func searched(_ text: Text) -> [String] {
        switch text {
        case .message(let message, _): facts.words[message] ?? []
        case .verbatim(let name), .similar(let name): [name]
        case .list(let texts, _): texts.flatMap(searched)
        default: []
        }
    }

    /// The messages that the search compares in every language, for the adapter that has the words.
    public static let searchedTitles: [Message] = [
        // Pages.
        .wireless, .bluetooth, .notifications, .focus, .sounds, .appearance, .display, .language, .controlCentre, .keyboard, .pointer,
        .defaultApps, .startApps, .backgroundApps, .privacy, .lockScreen, .power, .storage, .aboutDevice, .resetSettings,
        // Settings.
        .accentColour, .wallpaper, .darkWallpaper, .screenWallpaper, .textSize, .increasedContrast, .reduceTransparency, .reducedMotion,
        .animationSpeed, .idiom, .brightness, .rotationLock, .nightLight, .nightLightSchedule, .nightLightFrom, .nightLightTo,
        .nightLightWarmth, .statusBar, .scale, .volume, .ringer, .alarmVolume, .callVolume, .silence, .keyClicks, .direction, .doNotDisturb,
        .keyboardLayouts, .keyRepeatDelay, .keyRepeatRate, .pointerSpeed, .naturalScrolling, .tapToClick, .lockAfter, .lockOnSleep,
        .lockPowerButton, .lockKeys, .defaultWeb, .defaultMail, .defaultPictures, .defaultMusic, .defaultVideos, .defaultDocuments,
        .defaultFolders,
        // Values.
        .lightAppearance, .darkAppearance, .standardWallpaper, .sameWallpaper, .colourBlue, .colourPurple, .colourPink, .colourRed,
        .colourOrange, .colourGreen, .colourGraphite, .automatic, .leftToRight, .rightToLeft, .never, .showDigits, .showLetters,
        .lockKeysNone, .idiomPad, .idiomPhone, .idiomMac, .idiomTV, .idiomWatch, .idiomRoundWatch, .idiomVision, .idiomCar, .idiomKiosk,
        // Tiles of the control centre.
        .aeroplane, .flashLight, .recordScreen, .output, .appVolumes, .input, .screenKeyboard, .menus, .dimSurroundings, .largerText,
        .rotate, .tray, .drives,
        // Other rows of pages.
        .addLayout, .otherNetwork, .switchUser, .logOut, .suspend, .restart, .updateAndRestart, .turnOff, .powerSaver, .balancedPower,
        .fastPower, .keptInAll, .version, .system, .kernel, .processor, .memory, .screenSize, .microphone, .camera, .screen, .location,
        .microphoneInUse, .cameraInUse, .locationInUse, .screenIsRecorded, .screenIsShared,
    ]
}
