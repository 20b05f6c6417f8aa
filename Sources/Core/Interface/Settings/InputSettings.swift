import Geometry
import Stage
import Status
import Windows

/// Keyboards and pointers, the tiles of the control centre, and which app opens what.
extension Views {
    var inputSettings: [Setting] {
        let input = facts.input, known = Set(facts.layouts.map(\.name))
        var layouts = Setting(
            key: "keyboard-layouts", page: .keyboard, title: .message(.keyboardLayouts),
            kind: .names(
                [("auto", .message(.automatic))] + facts.layouts.map { ($0.name, .similar($0.title)) },
                other: "up to \(KeyboardLayout.most) of them with commas between them, the first in use"),
            value: .name(input.layouts.isEmpty ? "auto" : input.layouts), fixes: .keyboardLayouts, choice: "keyboard-layouts"
        ) { .choose(.input(.layouts($0.text))) }
        layouts.objection = { text in
            guard let list = KeyboardLayout.list(text) else { return nil }
            guard let unknown = list.first(where: { !known.contains($0.name) }), !known.isEmpty else { return nil }
            return "keyboard-layouts: the system has no layout \"\(unknown.name)\"; it has \(Setting.some(known.sorted()))"
        }
        return [
            layouts,
            number(
                "key-repeat-delay", .keyboard, .keyRepeatDelay, InputPreferences.repeatDelays, 50, input.repeatDelay, .keyRepeatDelay,
                "key-repeat-delay", unit: .milliseconds
            ) { .choose(.input(.repeatDelay($0))) },
            number(
                "key-repeat-rate", .keyboard, .keyRepeatRate, InputPreferences.repeatRates, 5, input.repeatRate, .keyRepeatRate,
                "key-repeat-rate", unit: .timesPerSecond
            ) { .choose(.input(.repeatRate($0))) },
            number(
                "pointer-speed", .pointer, .pointerSpeed, InputPreferences.pointerSpeeds, 0.1, input.pointerSpeed, .pointerSpeed,
                "pointer-speed", unit: .signedPercent
            ) { .choose(.input(.pointerSpeed($0))) },
            flag("natural-scrolling", .pointer, .naturalScrolling, input.naturalScrolling, .naturalScrolling, "natural-scrolling") {
                .choose(.input(.naturalScrolling($0)))
            },
            flag("tap-to-click", .pointer, .tapToClick, input.tapToClick, .tapToClick, "tap-to-click") {
                .choose(.input(.tapToClick($0)))
            },
        ]
    }

    private func title(of layout: String) -> Text {
        .similar(facts.layouts.first { $0.name == layout }?.title ?? layout)
    }

    /// The layouts in use, the first of them with its letters, and how keys repeat.
    var keyboardForm: Form {
        let chosen = KeyboardLayout.list(facts.input.layouts)?.map(\.name) ?? [], isFixed = fixed.contains(.keyboardLayouts)
        var rows = chosen.enumerated().map { index, name in
            let front = ([name] + chosen.filter { $0 != name }).joined(separator: ",")
            let rest = chosen.filter { $0 != name }.joined(separator: ",")
            var row = FormRow(
                id: "layout/\(name)", text: title(of: name),
                kind: .choice(index == 0, isFixed ? nil : .setting(key: "keyboard-layouts", value: front)))
            row.isFixed = isFixed
            if !isFixed {
                row.more = (
                    .list([.message(.clear), title(of: name)], ", "),
                    .setting(key: "keyboard-layouts", value: rest.isEmpty ? "auto" : rest)
                )
                row.moreSymbol = .trash
            }
            return row
        }
        if chosen.isEmpty { rows.append(FormRow(id: "layout/auto", text: .message(.automatic), kind: .label)) }
        if !isFixed, chosen.count < KeyboardLayout.most {
            rows.append(
                FormRow(
                    id: "page/layouts", text: .message(.addLayout), kind: .page(.controlPage(.layouts)), symbol: .add, tone: .accent))
        }
        let letters = (facts.keyboards.first?.rows ?? []).enumerated().map { index, row in
            FormRow(id: "letters/\(index)", text: .verbatim(row.map(\.plain).joined(separator: " ")), kind: .label)
        }
        let all = settings(on: .keyboard), keys = all.filter { $0.key != "keyboard-layouts" }.map { row(of: $0) }
        return Form(
            .message(.keyboard),
            [
                FormSection(
                    rows, title: .message(.keyboardLayouts), note: all.first { $0.key == "keyboard-layouts" }.flatMap { lockNote(of: $0) }),
                FormSection(letters, title: letters.isEmpty ? nil : .message(.layoutPreview)), FormSection(keys),
                FormSection(appKeyRows, title: appKeyRows.isEmpty ? nil : .message(.appKeys)),
            ])
    }

    /// The apps that have keys wherever the person is, or asked for some. A person takes them back, and is asked again.
    private var appKeyRows: [FormRow] {
        facts.shortcuts.keys.map { ($0, source(of: SensorUse.Program(id: $0))) }.sorted { ($0.1.name, $0.0) < ($1.1.name, $1.0) }.map {
            app, source in
            let keys = (facts.shortcuts[app] ?? []).map(\.keys).filter { !$0.isEmpty }
            var row = FormRow(
                id: "app-keys/\(app)", text: source.text, kind: .label,
                detail: keys.isEmpty ? .message(.dontAllow) : .verbatim(keys.joined(separator: ", ")), icon: source.icon)
            row.more = (.list([.message(.clear), source.text], ", "), .forgetShortcuts(app: app))
            row.moreSymbol = .trash
            return row
        }
    }

    /// The layouts that can be added.
    var layoutsForm: Form {
        let chosen = KeyboardLayout.list(facts.input.layouts)?.map(\.name) ?? []
        let rows = facts.layouts.filter { !$0.name.contains("(") }.map { layout in
            let isChosen = chosen.contains(layout.name), rest = chosen.filter { $0 != layout.name }
            let value = isChosen ? (rest.isEmpty ? "auto" : rest.joined(separator: ",")) : (chosen + [layout.name]).joined(separator: ",")
            let isFull = !isChosen && chosen.count >= KeyboardLayout.most
            return FormRow(
                id: "layouts/\(layout.name)", text: .similar(layout.title),
                kind: .choice(isChosen, isFull ? nil : .setting(key: "keyboard-layouts", value: value)))
        }
        return Form(.message(.addLayout), [FormSection(rows)])
    }

    /// Warmer colours, where the screen can have them.
    var nightLightSettings: [Setting] {
        guard let isOn = device.isNightLight else { return [] }
        let light = facts.nightLight
        func hour(_ key: String, _ title: Message, _ value: Double, _ part: @escaping @Sendable (Double) -> NightLightPreferences.Part)
            -> Setting
        {
            number(key, .display, title, 0...24, 0.5, value, [], key, unit: .hours) { .choose(.nightLight(part($0))) }
        }
        return [
            flag("night-light", .display, .nightLight, isOn, [], nil) { .device(.nightLight($0)) },
            flag("night-light-schedule", .display, .nightLightSchedule, light.isScheduled, [], "night-light-schedule") {
                .choose(.nightLight(.schedule($0)))
            },
            hour("night-light-from", .nightLightFrom, light.from) { .from($0) },
            hour("night-light-to", .nightLightTo, light.to) { .to($0) },
            number("night-light-warmth", .display, .nightLightWarmth, 0...1, 0.05, light.warmth, [], "night-light-warmth") {
                .choose(.nightLight(.warmth($0)))
            },
        ]
    }

    // MARK: The control centre

    var controlSettings: [Setting] {
        let order = facts.controls, all = allTiles
        return all.map { tile in
            flag(
                "control/\(tile.id)", .controls, .controlCentre, !order.hidden.contains(tile.id), [], "controls"
            ) { .choose(.controls(order.showing(tile.id, $0))) }.titled(tile.text)
        }
    }

    /// The tiles, to be shown or not, and each one place higher.
    var controlsForm: Form {
        let order = facts.controls, present = allTiles.map(\.id)
        // On a small screen the names need the room.
        let isWide = room.width >= scaled(320)
        let byID = Dictionary(allTiles.map { ($0.id, $0) }) { first, _ in first }
        let all = Dictionary(settings(on: .controls).map { ($0.key, $0) }) { first, _ in first }
        let rows = order.arranged(present).enumerated().compactMap { index, id -> FormRow? in
            guard let tile = byID[id], let setting = all["control/\(id)"] else { return nil }
            var row = row(of: setting)
            guard isWide else { return row }
            row.symbol = tile.symbol
            if index > 0 {
                row.more = (.list([.message(.moveUp), tile.text], ", "), .choose(.controls(order.earlier(id, among: present))))
                row.moreSymbol = .chevronUp
            }
            return row
        }
        return Form(.message(.controlCentre), [FormSection(rows, note: .message(.controlsExplained))])
    }

    // MARK: Apps

    var defaultSettings: [Setting] {
        let apps = workspace.apps.filter { $0.id != App.settings }
        let defaults = DefaultKind.allCases.compactMap { kind -> Setting? in
            let able = kind.apps(among: apps)
            guard !able.isEmpty else { return nil }
            // Without a choice of the person, the desktop names one, or none.
            let chosen = facts.defaultApp(kind, among: able), isOwn = facts.ownDefaults.contains(kind), key = "default/\(kind.rawValue)"
            let named = isOwn ? nil : chosen.map { Text.verbatim($0.name) }
            return Setting(
                key: key, page: .defaultApps, title: .message(kind.title),
                kind: .names(
                    [("auto", .list([.message(.automatic)] + [named].compactMap(\.self), ", "))] + able.map { ($0.id, .verbatim($0.name)) }),
                value: .name(isOwn ? chosen?.id ?? "auto" : "auto"), choice: key
            ) { $0 == .name("auto") ? .resetSettings(key: key) : .choose(.defaultApp(kind, app: $0.text)) }
        }
        return defaults
            + apps.map { app in
                flag("start/\(app.id)", .startApps, .startApps, facts.startApps.contains(app.id), [], "start/\(app.id)") {
                    .choose(.startsAtLogin(app: app.id, $0))
                }.titled(.verbatim(app.name))
            }
    }
}

extension Setting {
    fileprivate func titled(_ title: Text) -> Setting {
        var out = self
        out.title = title
        return out
    }
}

extension SettingFacts {
    /// The first one that the desktop names and that is there; nil: none is.
    public func defaultApp(_ kind: DefaultKind, among able: [App]) -> App? {
        (defaultApps[kind] ?? []).lazy.compactMap { id in able.first { $0.id == id } }.first
    }
}

extension DefaultKind {
    /// The apps that can be chosen.
    public func apps(among all: [App]) -> [App] { all.filter { $0.mimeTypes.contains(types[0]) } }

    var title: Message {
        switch self {
        case .web: .defaultWeb
        case .mail: .defaultMail
        case .pictures: .defaultPictures
        case .music: .defaultMusic
        case .videos: .defaultVideos
        case .documents: .defaultDocuments
        case .folders: .defaultFolders
        }
    }
}
