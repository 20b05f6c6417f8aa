import Geometry
import Stage
import Status
import Windows

/// The pages on which a person joins networks, pairs devices and ends the work of the machine.
extension Views {
    /// The form of a page of the control centre; nil: the page has another shape.
    func form(of page: ControlPage) -> Form? {
        switch page {
        case .wireless: wirelessForm
        case .network: networkForm ?? wirelessForm
        case .networkPassword: passwordForm ?? wirelessForm
        case .bluetooth: bluetoothForm
        case .device: deviceForm ?? bluetoothForm
        case .pairing: pairingForm ?? bluetoothForm
        case .power: powerForm
        case .drives: drivesForm
        case .tray: trayForm
        case .trayMenu: trayMenuForm ?? trayForm
        default: settingsForm(of: page)
        }
    }

    // MARK: Wireless networks

    private var wirelessForm: Form {
        let title = Text.message(.wireless)
        guard let network = status.network, network.hasWireless else {
            let isHanging = status.hanging.contains(.network)
            return Form(title, [FormSection([], note: isHanging ? .about(.serviceHangs, .wireless) : .message(.noWirelessDevice))])
        }
        var sections = [
            FormSection([
                FormRow(
                    id: "wireless/on", text: title, kind: .toggle(network.isWirelessOn, .device(.wireless(!network.isWirelessOn))))
            ])
        ]
        if let trouble = device.wireless.trouble { sections.append(FormSection([], note: text(of: trouble), isAlarming: true)) }
        guard network.isWirelessOn else { return Form(title, sections) }
        let reach = device.wireless.networks.filter { $0.strength != nil }, far = device.wireless.networks.filter { $0.strength == nil }
        sections.append(
            FormSection(
                reach.map(row(of:))
                    + [
                        FormRow(
                            id: "wireless/other", text: .message(.otherNetwork), kind: .button(.device(.network(.joinHidden(.personal)))),
                            symbol: .add, tone: .accent)
                    ], title: .message(.networks), note: reach.isEmpty ? .message(.searching) : nil))
        sections.append(FormSection(far.map(row(of:)), title: .message(.savedNetworks)))
        return Form(title, sections)
    }

    private func row(of network: WirelessNetwork) -> FormRow {
        let id = "wireless/\(network.id)", isJoining = device.wireless.attempt.map { $0.join.ssid == network.ssid } ?? false
        let state: Text? =
            network.state == .connecting || isJoining
            ? .message(.networkConnecting)
            : network.state == .connected
                ? .message(status.network?.needsLogin ?? false ? .networkLogin : .connected)
                : network.isSaved ? .message(.savedNetwork) : network.security == .enterprise ? .message(.companyNetwork) : nil
        let symbols: [Symbol] = [.wireless0, .wireless1, .wireless2, .wireless3]
        var row = FormRow(
            id: id, text: .similar(network.name),
            kind: network.strength != nil && network.state == .away && !isJoining
                ? .button(.device(.network(.join(network.id)))) : .page(.device(.network(.details(network.id)))),
            detail: network.strength == nil ? nil : state, symbol: network.strength.map { symbols[max(0, min(3, $0))] } ?? .wirelessOff)
        var words: [Text] = [row.text]
        if let state { words.append(state) }
        if network.security != .open, network.strength != nil { words.append(.message(.needsPassword)) }
        row.spoken = .list(words, ", ")
        if network.security != .open, network.state == .away, network.strength != nil { row.mark = .lock }
        if case .button = row.kind, network.isSaved {
            row.more = (.message(.moreAbout, [network.name]), .device(.network(.details(network.id))))
        }
        return row
    }

    private var networkForm: Form? {
        guard let network = device.wireless.networks.first(where: { $0.id == device.wireless.detailed }) else { return nil }
        let kinds: [WirelessSecurity: Message] = [.open: .noPassword, .wep: .wepKey, .personal: .password, .enterprise: .companyNetwork]
        var rows = [
            FormRow(
                id: "network/security", text: .message(.networkSecurity), kind: .label, value: kinds[network.security].map { .message($0) })
        ]
        if let strength = network.strength {
            rows.append(FormRow(id: "network/strength", text: .message(.strength), kind: .label, value: .verbatim("\(strength + 1) / 4")))
        }
        var deeds: [FormRow] = []
        if network.state == .connected, status.network?.needsLogin ?? false {
            deeds.append(
                FormRow(
                    id: "network/log-in", text: .message(.networkLogIn), kind: .button(.device(.network(.logIn))), symbol: .network,
                    tone: .accent))
        }
        if network.state != .away {
            deeds.append(
                FormRow(id: "network/leave", text: .message(.disconnect), kind: .button(.device(.network(.leave))), tone: .accent))
        } else if network.strength != nil {
            deeds.append(
                FormRow(id: "network/join", text: .message(.join), kind: .button(.device(.network(.join(network.id)))), tone: .accent))
        }
        if network.isSaved {
            deeds.append(
                FormRow(
                    id: "network/forget", text: .message(.forgetNetwork), kind: .button(.device(.network(.forget(network.id)))),
                    tone: .destructive))
        }
        return Form(.similar(network.name), [FormSection(rows), FormSection(deeds)])
    }

    private func text(of trouble: Wireless.Trouble) -> Text {
        switch trouble {
        case .enterprise(let name): .message(.companyNetworkTrouble, [name])
        case .failed(let name): .message(.notJoined, [name])
        case .says(let words): .message(.serviceRefused, [words])
        case .badPassword(.wep): .message(.badKey)
        case .badPassword: .message(.badPassword)
        case .badName: .message(.badNetworkName)
        }
    }

    private var passwordForm: Form? {
        guard let question = device.wireless.question else { return nil }
        var rows: [FormRow] = []
        if question.isHidden {
            rows.append(
                FormRow(
                    id: "wireless/name", text: .message(.networkName), kind: .field(.networkName, placeholder: .message(.networkName))))
        }
        if question.security.needsPassword {
            rows.append(
                FormRow(
                    id: "wireless/password", text: .message(.password), kind: .field(.networkPassword, placeholder: .message(.password)))
            )
        }
        let isReady =
            (!question.security.needsPassword || !interface.form.text(of: .networkPassword).isEmpty)
            && (!question.isHidden || !interface.form.text(of: .networkName).isEmpty)
        let join = Action.device(.network(.answer))
        var sections = [
            FormSection(
                rows, note: device.wireless.trouble.map(text(of:)) ?? (question.wasWrong ? .message(.wrongPassword) : nil), isAlarming: true
            )
        ]
        if question.isHidden {
            sections.append(
                FormSection(
                    [(WirelessSecurity.open, Message.noPassword), (.personal, .password), (.wep, .wepKey)].map { security, name in
                        FormRow(
                            id: "wireless/security/\(security.rawValue)", text: .message(name),
                            kind: .choice(question.security == security, .device(.network(.joinHidden(security)))))
                    }, title: .message(.networkSecurity)))
        }
        sections.append(
            FormSection([FormRow(id: "wireless/join", text: .message(.join), kind: .button(isReady ? join : nil), tone: .accent)]))
        let title: Text = question.isHidden ? .message(.otherNetwork) : .similar(question.name)
        return Form(title, sections, submit: isReady ? join : nil)
    }

    // MARK: Bluetooth

    private var bluetoothForm: Form {
        let title = Text.message(.bluetooth)
        guard let bluetooth = status.bluetooth else {
            let isHanging = status.hanging.contains(.bluetooth)
            return Form(title, [FormSection([], note: isHanging ? .about(.serviceHangs, .bluetooth) : .message(.noBluetoothAdapter))])
        }
        var sections = [
            FormSection([FormRow(id: "bluetooth/on", text: title, kind: .toggle(bluetooth.isOn, .device(.bluetooth(!bluetooth.isOn))))])
        ]
        if let trouble = device.pairing.trouble { sections.append(FormSection([], note: text(of: trouble), isAlarming: true)) }
        guard bluetooth.isOn else { return Form(title, sections) }
        let own = device.pairing.devices.filter(\.isPaired), others = device.pairing.devices.filter { !$0.isPaired }
        sections.append(FormSection(own.map(row(of:)), title: .message(.ownDevices)))
        sections.append(
            FormSection(
                others.map(row(of:)), title: .message(.otherDevices), note: others.isEmpty ? .message(.searching) : nil))
        return Form(title, sections)
    }

    /// The last part of its path; with its adapter if two adapters know it.
    private func name(of near: NearDevice) -> String {
        let parts = near.path.split(separator: "/"), last = parts.last.map(String.init) ?? ""
        let isShared = device.pairing.devices.contains { $0.path < near.path && $0.path.hasSuffix("/\(last)") }
        return isShared ? parts.suffix(2).joined(separator: "/") : last
    }

    private func row(of near: NearDevice) -> FormRow {
        let step = device.pairing.busy.flatMap { $0.path == near.path ? $0.step : nil }
        let state: Text? =
            step.map { .message($0 == .disconnecting ? .disconnecting : .networkConnecting) }
            ?? (near.isConnected
                ? near.battery.map { .message(.connectedAt, ["\($0)%"]) } ?? .message(.connected)
                : near.isPaired ? .message(.notConnected) : nil)
        let details = Action.device(.pairing(.details(near.path)))
        let kind: FormRow.Kind =
            step == .pairing
            ? .button(.device(.pairing(.cancel)))
            : step != nil || near.isConnected ? .page(details) : .button(.device(.pairing(.pick(near.path))))
        var row = FormRow(
            id: "bluetooth/\(name(of: near))", text: .similar(near.name), kind: kind,
            detail: state, symbol: symbol(of: near))
        if case .button = kind, near.isPaired { row.more = (.message(.moreAbout, [near.name]), details) }
        return row
    }

    private var deviceForm: Form? {
        guard let near = device.pairing.devices.first(where: { $0.path == device.pairing.detailed }), near.isPaired else { return nil }
        let isBusy = device.pairing.busy != nil
        var rows: [FormRow] = []
        if let battery = near.battery {
            rows.append(FormRow(id: "device/battery", text: .message(.battery), kind: .label, value: .verbatim("\(battery)%")))
        }
        return Form(
            .similar(near.name),
            [
                FormSection(rows),
                FormSection([
                    FormRow(
                        id: "device/pick", text: .message(near.isConnected ? .disconnect : .connect),
                        kind: .button(isBusy ? nil : .device(.pairing(.pick(near.path)))), tone: .accent),
                    FormRow(
                        id: "device/forget", text: .message(.forgetDevice), kind: .button(.device(.pairing(.forget(near.path)))),
                        tone: .destructive),
                ]),
            ])
    }

    private func symbol(of device: NearDevice) -> Symbol {
        switch device.icon {
        case "audio-headset": .headset
        case "audio-headphones", "audio-card": .headphones
        case "input-keyboard": .keyboard
        case "phone": .phone
        case "computer": .desktop
        case "video-display": .display
        default: .bluetooth
        }
    }

    private func text(of trouble: Pairing.Trouble) -> Text {
        switch trouble {
        case .notPaired(let name, let words): .list([.message(.notPaired, [name]), reason(words)], ": ")
        case .notConnected(let name, let words): .list([.message(.notConnectedTo, [name]), reason(words)], ": ")
        case .badCode: .message(.badCode)
        }
    }

    /// BlueZ's reason in the person's language; words that are not known stay as they are.
    private func reason(_ words: String) -> Text {
        guard let reason = Pairing.Reason(words) else { return .verbatim(words) }
        let message: Message =
            switch reason {
            case .away: .deviceAway
            case .refused: .deviceRefused
            case .forgotten: .deviceForgotten
            case .useless: .deviceUseless
            case .busy: .deviceBusy
            case .off: .bluetoothOff
            case .broken: .deviceBroken
            }
        return .message(message)
    }

    private var pairingForm: Form? {
        guard let question = device.pairing.question else { return nil }
        let yes = Action.device(.pairing(.confirm(true))), no = Action.device(.pairing(.confirm(false)))
        func button(_ id: String, _ text: Message, _ action: Action?, _ tone: Tone = .accent) -> FormRow {
            FormRow(id: "pairing/\(id)", text: .message(text), kind: .button(action), tone: tone)
        }
        let cancel = button("cancel", .cancel, .device(.pairing(.cancel)), .primary)
        func shown(_ code: String) -> FormRow { FormRow(id: "pairing/code", text: .message(.code), kind: .label, value: .verbatim(code)) }
        let title = Text.similar(question.name.isEmpty ? NetworkFacts.name([]) : question.name)
        switch question.asks {
        case .sameDigits(let digits):
            return Form(
                title,
                [
                    FormSection([shown(Views.sixDigits(digits))], note: .message(.sameDigits)),
                    FormSection([button("yes", .pairDevice, yes), button("no", .doNotPair, no, .destructive)]),
                ])
        case .permission:
            return Form(
                title,
                [
                    FormSection([], note: .message(.mayPair)),
                    FormSection([button("yes", .pairDevice, yes), button("no", .doNotPair, no, .destructive)]),
                ])
        case .code, .digits:
            let field = FormRow(id: "pairing/field", text: .message(.code), kind: .field(.pairingCode, placeholder: .message(.code)))
            let isReady = !interface.form.text(of: .pairingCode).isEmpty, answer = Action.device(.pairing(.answer))
            return Form(
                title,
                [
                    FormSection(
                        [field], note: device.pairing.trouble == .badCode ? .message(.badCode) : .message(.typeCode),
                        isAlarming: device.pairing.trouble == .badCode),
                    FormSection([button("pair", .pairDevice, isReady ? answer : nil), cancel]),
                ], submit: isReady ? answer : nil)
        case .shows(let code, _):
            return Form(title, [FormSection([shown(code)], note: .message(.typeCodeThere)), FormSection([cancel])])
        }
    }

    private static func sixDigits(_ number: UInt32) -> String {
        let digits = "\(number % 1_000_000)"
        let all = String(repeating: "0", count: 6 - digits.count) + digits
        return "\(all.prefix(3)) \(all.suffix(3))"
    }

    // MARK: The end of the machine's work

    private var powerForm: Form {
        func button(_ id: String, _ text: Message, _ symbol: Symbol, _ action: Action, _ tone: Tone = .primary) -> FormRow {
            FormRow(id: "power/\(id)", text: .message(text), kind: .button(action), symbol: symbol, tone: tone)
        }
        let ends = status.ends.map { end in
            switch end {
            case .suspend: button("suspend", .suspend, .moon, .device(.end(.suspend)))
            case .restart: button("restart", .restart, .rotate, .device(.end(.restart)))
            case .update: button("update", .updateAndRestart, .rotate, .device(.end(.update)))
            case .turnOff: button("turn-off", .turnOff, .power, .device(.end(.turnOff)), .destructive)
            }
        }
        var sections: [FormSection] = []
        if let profiles = status.profiles {
            sections.append(
                FormSection(
                    profiles.all.map { name in
                        FormRow(
                            id: "power/profile/\(name)",
                            text: .message(name == "power-saver" ? .powerSaver : name == "performance" ? .fastPower : .balancedPower),
                            kind: .choice(profiles.active == name, .device(.powerProfile(name))))
                    }, title: .message(.powerProfile)))
        }
        let logOut = workspace.idiom.offers.contains(.logOut) ? [button("log-out", .logOut, .leave, .quit)] : []
        let others = status.canSwitchUser ? [button("switch-user", .switchUser, .leave, .device(.switchUser))] : []
        sections.append(FormSection(others + logOut + ends.reversed()))
        return Form(.message(.power), sections)
    }
}
