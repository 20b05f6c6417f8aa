import Geometry
import Notices
import Stage
import Status
import Windows

/// The settings on the screen: pages of rows, and a search over all of them.
extension Views {
    /// The form of a page of the settings; nil: the page is another one.
    func settingsForm(of page: ControlPage) -> Form? {
        switch page {
        case .settings: settingsRoot
        case .look: form(.look, .message(.appearance))
        case .display: form(.display, .message(.display), links: [link(.idioms, .message(.idiom), .tablet, nil, idioms.count > 1)])
        case .sounds:
            form(
                .sounds, .message(.sounds),
                links: [
                    link(.outputs, .message(.output), .speaker, nil, audio.isServerRunning),
                    link(.apps, .message(.appVolumes), .levels, nil, audio.isServerRunning),
                ])
        case .language: form(.language, .message(.language))
        case .noticeApps: noticeAppsForm
        case .background: appsForm(.background, .backgroundApps, .backgroundExplained)
        case .keyboard: keyboardForm
        case .layouts: layoutsForm
        case .pointer: form(.pointer, .message(.pointer))
        case .lock: form(.lock, .message(.lockScreen))
        case .controls: controlsForm
        case .defaultApps: form(.defaultApps, .message(.defaultApps))
        case .startApps: appsForm(.startApps, .startApps, .startExplained)
        case .privacy: privacyForm
        case .storage: storageForm
        case .about: aboutForm
        case .reset:
            Form(
                .message(.resetSettings),
                [
                    FormSection([], note: .message(.resetExplained)),
                    FormSection([
                        FormRow(
                            id: "reset/all", text: .message(.resetSettings), kind: .button(.resetSettings()), tone: .destructive)
                    ]),
                ])
        default: nil
        }
    }

    func link(_ page: ControlPage, _ text: Text, _ symbol: Symbol, _ value: Text? = nil, _ isThere: Bool = true) -> FormRow? {
        isThere
            ? FormRow(id: "page/\(page.rawValue)", text: text, kind: .page(.controlPage(page)), value: value, symbol: symbol) : nil
    }

    /// The pages, by what they are about, in the order of the list. Those that this device has nothing for are missing.
    var settingsPages: [[FormRow]] {
        let network = status.network, bluetooth = status.bluetooth, offers = workspace.idiom.offers
        return [
            [
                link(
                    .wireless, .message(.wireless), .wireless3,
                    network.map { $0.isWirelessOn ? $0.name.isEmpty ? .message(.notConnected) : .similar($0.name) : .message(.mannerOff) },
                    network?.hasWireless ?? false),
                link(
                    .bluetooth, .message(.bluetooth), .bluetooth, bluetooth.map { .message($0.isOn ? .mannerOn : .mannerOff) },
                    bluetooth != nil),
            ],
            [
                link(.noticeApps, .message(.notifications), .notices, nil, offers.contains(.notifications)),
                link(.focus, .message(.focus), .moon),
                link(.sounds, .message(.sounds), .speaker),
            ],
            [
                link(.look, .message(.appearance), .sun, nil, offers.contains(.look)),
                link(.display, .message(.display), .display, nil, offers.contains(.look)),
                link(.language, .message(.language), .textSize, nil, offers.contains(.look)),
                link(.controls, .message(.controlCentre), .levels, nil, offers.contains(.look)),
            ],
            [
                link(.keyboard, .message(.keyboard), .keyboard, nil, offers.contains(.look)),
                link(.pointer, .message(.pointer), .desktop, nil, offers.contains(.look)),
            ],
            [
                link(.defaultApps, .message(.defaultApps), .check, nil, offers.contains(.menus)),
                link(.startApps, .message(.startApps), .window, nil, offers.contains(.menus)),
                link(.background, .message(.backgroundApps), .allWindows, nil, offers.contains(.menus)),
                link(.privacy, .message(.privacy), .eye),
                link(.lock, .message(.lockScreen), .lock, nil, offers.contains(.look)),
                link(.power, .message(.power), .power, nil, offers.contains(.logOut) || !status.ends.isEmpty),
            ],
            [
                link(.storage, .message(.storage), .drive, nil, facts.machine.keeps),
                link(.about, .message(.aboutDevice), .tablet),
                link(.reset, .message(.resetSettings), .rotate, nil, offers.contains(.look)),
            ],
        ].map { $0.compactMap(\.self) }
    }

    private var settingsRoot: Form {
        let field = FormSection([
            FormRow(id: "search", text: .message(.search), kind: .field(.settingsSearch, placeholder: .message(.search)), symbol: .search)
        ])
        let search = SearchText(interface.form.text(of: .settingsSearch).text)
        guard !search.isEmpty else { return Form(.message(.settings), [field] + settingsPages.map { FormSection($0) }) }
        let rows = settingsFound(search)
        let nothing = Text.message(.nothingFound, [interface.form.text(of: .settingsSearch).text])
        return Form(.message(.settings), [field, FormSection(rows, note: rows.isEmpty ? nothing : nil)])
    }

    /// The value as a person reads it.
    func title(of setting: Setting) -> Text? {
        switch (setting.kind, setting.value) {
        case (.names(let names, _), .name(let name)):
            names.first { $0.name == name }?.title ?? .similar(Wallpapers.name(of: name))
        case (.number, .number(let number)): onePiece(setting.words(number))
        default: nil
        }
    }

    // MARK: Pages of the table

    func form(_ page: ControlPage, _ title: Text, links: [FormRow?] = []) -> Form {
        var sections: [FormSection] = [], flags: [FormRow] = []
        func flush() {
            sections.append(FormSection(flags))
            flags = []
        }
        for setting in settings(on: page) {
            switch setting.kind {
            case .flag, .number: flags.append(row(of: setting))
            case .names(let names, _):
                flush()
                let isFixed = isFixed(setting)
                sections.append(
                    FormSection(
                        names.map { name in
                            var row = FormRow(
                                id: "setting/\(setting.key)/\(name.name)", text: name.title,
                                kind: .choice(
                                    setting.value == .name(name.name), isFixed ? nil : .setting(key: setting.key, value: name.name)))
                            row.isFixed = isFixed
                            return row
                        }, title: setting.title, note: lockNote(of: setting)))
            }
        }
        flush()
        sections.append(FormSection(links.compactMap(\.self)))
        return Form(title, sections)
    }

    func row(of setting: Setting) -> FormRow {
        var row: FormRow
        switch (setting.kind, setting.value) {
        case (.number(let range, let step, _), .number(let number)):
            let span = range.upperBound - range.lowerBound, share = (number - range.lowerBound) / span
            row = FormRow(
                id: "setting/\(setting.key)", text: setting.title,
                kind: .slider(
                    share,
                    words: { here in
                        setting.words(here == share ? number : range.lowerBound + (here * span / step).rounded() * step)
                    }, setting.title,
                    .setting(key: setting.key, low: range.lowerBound, high: range.upperBound, step: step)))
        default:
            let isOn = setting.value == .flag(true)
            row = FormRow(
                id: "setting/\(setting.key)", text: setting.title,
                kind: .toggle(isOn, .setting(key: setting.key, value: isOn ? "off" : "on")))
        }
        row.isFixed = isFixed(setting)
        row.detail = setting.detail
        if row.isFixed { row.detail = lockNote(of: setting) }
        return row
    }

    /// Which line of the file says it.
    func lockNote(of setting: Setting) -> Text? {
        guard let place = line(fixing: setting) else { return nil }
        return place.line > 0 ? .message(.setInFileAt, ["\(place.line)", place.key]) : .message(.setInFile)
    }

    // MARK: Apps

    private var noticeAppsForm: Form {
        let quiet = settings(on: .noticeApps).first { $0.key == "do-not-disturb" }.map { row(of: $0) }
        let rows = workspace.apps.filter { $0.id != App.settings }.map { app in
            FormRow(
                id: "notice-app/\(app.id)", text: .verbatim(app.name), kind: .page(.notice(.settings(group: app.id))),
                value: .message(notices.choices.manner(of: app.id).title), icon: AppIcon(name: app.icon, title: app.name))
        }
        return Form(.message(.notifications), [FormSection([quiet].compactMap(\.self)), FormSection(rows)])
    }

    /// A page with a switch for each app.
    private func appsForm(_ page: ControlPage, _ title: Message, _ note: Message) -> Form {
        let icons = Dictionary(workspace.apps.map { ($0.id, AppIcon(name: $0.icon, title: $0.name)) }) { first, _ in first }
        let rows = settings(on: page).map { setting in
            var row = row(of: setting)
            row.icon = icons[String(setting.key.drop { $0 != "/" }.dropFirst())]
            return row
        }
        return Form(.message(title), [FormSection(rows, note: .message(note))])
    }

    private var privacyForm: Form {
        let marks = sensorMarks.map { mark in FormRow(id: "privacy/\(mark.id)", text: mark.text, kind: .label, symbol: mark.symbol) }
        let past = device.sensors.past.map { use in
            let source = source(of: use.program), age = Int64(clamping: (now.nanoseconds - use.ended.nanoseconds) / 1_000_000_000)
            let what: Message =
                switch use.sensor {
                case .microphone: .microphone
                case .camera: .camera
                case .screen: .screen
                case .location: .location
                }
            return FormRow(
                id: "privacy/\(use.sensor.rawValue)/\(use.program.id)", text: .verbatim(source.name), kind: .label,
                detail: .list([.message(what), ageText(seconds: age)], ", "), icon: source.icon)
        }
        let located = settings(on: .privacy).map { setting in
            var row = row(of: setting)
            row.icon = source(of: SensorUse.Program(id: String(setting.key.dropFirst("location/".count)))).icon
            return row
        }
        return Form(
            .message(.privacy),
            [
                FormSection(marks, note: marks.isEmpty ? .message(.nothingListens) : nil),
                FormSection(
                    located, title: located.isEmpty ? nil : .message(.location),
                    note: located.isEmpty ? nil : .message(.locationExplained)),
                FormSection(past, title: past.isEmpty ? nil : .message(.sensorsBefore)),
            ])
    }

    /// In binary units, as the memory is counted.
    static func size(_ bytes: Int64) -> String {
        if bytes < 1_048_576 { return "\((bytes + 1023) / 1024) KiB" }
        let megabytes = Double(bytes) / 1_048_576
        return megabytes < 1024
            ? "\(Int(clamping: megabytes.rounded(.up))) MiB" : "\(Setting.text((megabytes / 1024 * 10).rounded() / 10)) GiB"
    }

    /// The data kept for each app, the largest first.
    private var storageForm: Form {
        let rows = device.kept.map { item in
            let source = source(of: SensorUse.Program(id: item.app))
            var row = FormRow(
                id: "storage/\(item.app)", text: source.text, kind: .label, value: .verbatim(Self.size(item.bytes)), icon: source.icon)
            row.more = (.list([.message(.deleteKept), source.text], ", "), .device(.kept(.ask(app: item.app))))
            row.moreSymbol = .trash
            return row
        }
        let sum = device.kept.reduce(0) { $0 + $1.bytes }
        return Form(
            .message(.storage),
            [
                FormSection([
                    FormRow(id: "storage", text: .message(.keptInAll), kind: .label, value: .verbatim(Self.size(sum)))
                ]), FormSection(rows, note: .message(.storageExplained)),
            ])
    }

    private var aboutForm: Form {
        let machine = facts.machine
        func row(_ id: String, _ text: Message, _ value: String) -> FormRow? {
            value.isEmpty ? nil : FormRow(id: "about/\(id)", text: .message(text), kind: .label, detail: .verbatim(value))
        }
        let screen = workspace.screen
        return Form(
            .message(.aboutDevice),
            [
                FormSection([row("version", .version, machine.version)].compactMap(\.self)),
                FormSection(
                    [
                        row("system", .system, machine.system), row("kernel", .kernel, machine.kernel),
                        row("processor", .processor, machine.processor),
                        row("memory", .memory, machine.memory > 0 ? Self.size(machine.memory) : ""),
                        row(
                            "screen", .screenSize,
                            screen.map {
                                "\(Int(clamping: ($0.size.width * $0.scale).rounded())) × \(Int(clamping: ($0.size.height * $0.scale).rounded()))"
                            } ?? ""),
                    ].compactMap(\.self)),
            ])
    }
}
