import AudioSessions
import Geometry
import Stage
import Status
import Windows

/// The time, the battery and the connections, as a person reads them at a glance.
extension Views {
    /// A symbol of the state of the device, and the words for it.
    struct StatusMark {
        var id: String
        var symbol: Symbol
        var text: Text
        /// Beside the symbol.
        var detail = ""
        var isAlarming = false
    }

    /// In reading order. A service that is not there has none.
    var statusMarks: [StatusMark] {
        var out: [StatusMark] = []
        if let focus = focusMark { out.append(focus) }
        if audio.isSilenced { out.append(StatusMark(id: "silence", symbol: .bellMuted, text: .message(.silence))) }
        if let minute = notices.nextAlarm(at: now) {
            out.append(
                StatusMark(id: "alarm", symbol: .alarm, text: .message(.alarmAt, [TimeOfDay(hour: minute / 60, minute: minute % 60).text])))
        }
        if let bluetooth = status.bluetooth, !bluetooth.connected.isEmpty {
            let names = bluetooth.connected.map { device in device.battery.map { "\(device.name) \($0)%" } ?? device.name }
            out.append(
                StatusMark(id: "bluetooth", symbol: .bluetooth, text: .message(.bluetoothWith, [names.joined(separator: ", ")])))
        }
        if let network = status.network { out.append(mark(of: network)) }
        if let battery = status.battery { out.append(mark(of: battery)) }
        return out
    }

    private var focusMark: StatusMark? {
        if notices.choices.isQuiet { return StatusMark(id: "focus", symbol: .moon, text: .message(.doNotDisturb)) }
        return notices.focus(at: now).map { StatusMark(id: "focus", symbol: .moon, text: isOnText($0)) }
    }

    func mark(of network: Network) -> StatusMark {
        let symbol: Symbol, text: Text
        switch network.link {
        case .none:
            (symbol, text) = (network.hasWireless ? .wirelessOff : .wired, .message(.networkNone))
        case .connecting: (symbol, text) = (network.hasWireless ? .wireless0 : .wired, .message(.networkConnecting))
        case .wired: (symbol, text) = (.wired, .message(.networkWired))
        case .wireless:
            symbol = [.wireless0, .wireless1, .wireless2, .wireless3][max(0, min(3, network.strength))]
            text = network.name.isEmpty ? .message(.wireless) : .message(.wirelessNamed, [network.name])
        case .cellular: (symbol, text) = (.cellular, .message(.networkCellular))
        case .other: (symbol, text) = (.network, .message(.networkOther))
        }
        return StatusMark(
            id: "network", symbol: symbol, text: network.needsLogin ? .list([text, .message(.networkLogin)], ", ") : text,
            isAlarming: network.needsLogin)
    }

    private func mark(of battery: Battery) -> StatusMark {
        let symbols: [Symbol] = [.battery0, .battery1, .battery2, .battery3, .battery4]
        let percent = "\(battery.percent)%"
        let state: Message =
            switch battery.power {
            case .discharging: .batteryAt
            case .charging: .batteryCharging
            case .full: .batteryFull
            case .held: .batteryHeld
            }
        var words: [Text] = [.message(state, [percent])]
        if let remaining = battery.remaining {
            let minutes = Int(clamping: (remaining / 60).rounded())
            words.append(
                minutes >= 60 ? .message(.batteryHours, ["\(minutes / 60)", "\(minutes % 60)"]) : .message(.batteryMinutes, ["\(minutes)"]))
        }
        if battery.isLow { words.append(.message(.batteryLow)) }
        return StatusMark(
            id: "battery", symbol: symbols[max(0, min(4, Int(clamping: (battery.level * 4).rounded())))], text: .list(words, ", "),
            detail: percent, isAlarming: battery.isLow)
    }

    /// Devices that listen to a person or locate one, and programs that see the screen, with their apps.
    var sensorMarks: [StatusMark] {
        var out: [StatusMark] = []
        if audio.isRecording {
            let names = audio.recorders.map { source($0).name }
            out.append(
                StatusMark(id: "microphone", symbol: .microphone, text: named(.microphoneInUse, names)))
        }
        let cameras = device.sensors.cameras
        if !cameras.isEmpty {
            out.append(StatusMark(id: "camera", symbol: .camera, text: named(.cameraInUse, cameras.map { source(of: $0).name })))
        }
        let locators = device.sensors.locators
        if !locators.isEmpty {
            out.append(StatusMark(id: "location", symbol: .location, text: named(.locationInUse, locators.map { source(of: $0).name })))
        }
        let isRecorded = status.isRecording ?? false
        if isRecorded { out.append(StatusMark(id: "record", symbol: .record, text: .message(.screenIsRecorded))) }
        // The recorder is one of them.
        if sharers.count > (isRecorded ? 1 : 0) {
            let names = sharers.map { client in
                workspace.windows.values.first { $0.facts.client == client }.map { workspace.appName(of: $0.id) } ?? ""
            }
            out.append(StatusMark(id: "screen", symbol: .screenShared, text: named(.screenIsShared, names)))
        }
        return out
    }

    /// "Microphone in Use: Recorder". A program without a name has none here.
    private func named(_ message: Message, _ names: [String]) -> Text {
        var known: [String] = []
        for name in names where !name.isEmpty && !known.contains(name) { known.append(name) }
        return known.isEmpty ? .message(message) : .list([.message(message), .verbatim(known.joined(separator: ", "))], ": ")
    }

    /// The words for the whole state, for a screen reader.
    private func spoken(_ marks: [StatusMark]) -> Text { .list(marks.map(\.text), ", ") }

    // MARK: The bar

    func addStatusBar(_ out: inout Canvas) {
        guard let (bar, first, last) = statusHalves, let time = status.time else { return }
        out.control("status", .label, .message(.statusBar), bar, focusable: false, hittable: false)
        addTime(&out, time, first, .onWallpaper)
        addStatusMarks(&out, in: last, .onWallpaper)
    }

    /// The bar while it is seen, and the part of it for each group. Half of it belongs to each, so that a cut-out in the middle hides
    /// neither.
    private var statusHalves: (bar: Rect, first: Rect, last: Rect)? {
        guard let whole = workspace.screen?.statusBar, workspace.statusBar != nil || interface.isOverviewOpen, status.time != nil
        else { return nil }
        let margin = max(14, (screen.cornerRadius / 2).rounded()), bar = own(whole)
        let strip = Rect(bar.x + margin, bar.y, bar.width - 2 * margin, bar.height)
        let half = (strip.width / 2 - 40).rounded(.down)
        return (bar, Rect(strip.x, strip.y, half, strip.height), Rect(strip.maxX - half, strip.y, half, strip.height))
    }

    /// The place of the dot for unread notifications in the bar: behind the time and what listens or sees; where these leave no room, at
    /// the upper end of the time.
    var unreadPlaceInBar: Rect? {
        guard let (_, strip, _) = statusHalves, let time = status.time else { return nil }
        let words = min(width(of: time), strip.width), side = 8.0, sensors = Double(sensorMarks.count) * (statusSide + 6)
        let end = strip.x + words + (sensors > 0 && words + 6 + sensors <= strip.width ? 6 + sensors : 0)
        guard end + 4 + side <= strip.maxX else { return Rect(strip.x + words - side, strip.y + 2, side, side) }
        return Rect(end + 4, strip.center.y - side / 2, side, side)
    }

    /// The time at the beginning of a strip, and behind it what listens or sees.
    private func addTime(_ out: inout Canvas, _ time: TimeOfDay, _ strip: Rect, _ tone: Tone) {
        let rect = Rect(strip.x, strip.y, min(width(of: time), strip.width), strip.height)
        out.press("status/time", rect.inset(by: Insets(3, -6, 3, -6)), radius: 8)
        out.text("status/time", .verbatim(time.text), .headline, tone, middle(rect, .headline))
        out.control(
            "status/time", .button, withUnread(.verbatim(time.text)), rect,
            press: workspace.idiom.offers.contains(.notifications) ? .notifications : nil,
            target: rect, focusRadius: 8)
        addSensors(&out, at: rect.maxX + 6, in: strip)
    }

    private func addSensors(_ out: inout Canvas, at x: Double, in strip: Rect) {
        let marks = sensorMarks, side = statusSide
        let all = Rect(x, strip.y, Double(marks.count) * (side + 6), strip.height)
        guard !marks.isEmpty, all.maxX <= strip.maxX else { return }
        for (index, mark) in marks.enumerated() {
            let place = Rect(all.x + Double(index) * (side + 6), strip.y, side + 6, strip.height)
            out.symbol("status/sensors", part: 3 + UInt8(index), mark.symbol, .accent, in: place, side: 16)
        }
        out.control(
            "status/sensors", .button, spoken(marks), all, press: workspace.idiom.offers.contains(.controlCentre) ? .sensors : nil,
            target: all,
            focusRadius: 8)
    }

    /// The state of the device at the end of a strip.
    ///
    /// - Returns: where it begins.
    @discardableResult
    func addStatusMarks(_ out: inout Canvas, in strip: Rect, _ tone: Tone) -> Double {
        var marks = statusMarks, x = strip.maxX
        let side = statusSide
        // The last ones are the most important.
        while marks.count > 1, width(of: marks) > strip.width { marks.removeFirst() }
        guard !marks.isEmpty else { return x }
        let spoken = spoken(marks), id: ControlID = "status/state"
        for (index, mark) in marks.reversed().enumerated() {
            let size = width(of: mark), part = UInt8(3 + 4 * index), rect = Rect(x - size, strip.y, size, strip.height)
            let own: Tone = mark.isAlarming && tone != .onWallpaper ? .destructive : tone
            out.symbol(id, part: part, mark.symbol, own, in: Rect(rect.maxX - side, rect.y, side, rect.height), side: 18)
            var end = rect.maxX - side - 3
            if !mark.detail.isEmpty {
                let words = width(of: mark.detail)
                out.text(
                    id, part: part + 1, .verbatim(mark.detail), .callout, own,
                    middle(Rect(end - words, rect.y, words, rect.height), .callout), .trailing)
                end -= words
            }
            if mark.id == "battery", status.battery?.isPluggedIn ?? false {
                let bolt = (side * 0.7).rounded()
                out.symbol(id, part: part + 2, .bolt, own, in: Rect(end - bolt, rect.y, bolt, rect.height), side: 12)
            }
            x -= size + Views.statusGap
        }
        x += Views.statusGap
        let all = Rect(x, strip.y, strip.maxX - x, strip.height)
        out.press(id, all.inset(by: Insets(3, -6, 3, -6)), radius: 8)
        out.control(
            id, .button, spoken, all,
            press: workspace.idiom.offers.contains(.controlCentre) && !lock.screen.isUp ? .controlCentre : nil, target: all,
            focusRadius: 8)
        return x
    }

    private static let statusGap = 7.0
    private var statusSide: Double { scaled(18) }

    /// A percent sign is wider than a digit.
    private func width(of detail: String) -> Double { (Text.width(of: detail) * scaled(TextStyle.callout.size)).rounded() + 8 }

    private func width(of time: TimeOfDay) -> Double { (Text.width(of: time.text) * scaled(TextStyle.headline.size)).rounded() + 8 }

    private func width(of mark: StatusMark) -> Double {
        statusSide + (mark.detail.isEmpty ? 0 : width(of: mark.detail) + 3)
            + (mark.id == "battery" && status.battery?.isPluggedIn ?? false ? (statusSide * 0.7).rounded() : 0)
    }

    private func width(of marks: [StatusMark]) -> Double { marks.reduce(0) { $0 + width(of: $1) + Views.statusGap } }

    func middle(_ rect: Rect, _ style: TextStyle) -> Rect {
        Rect(rect.x, rect.y + ((rect.height - line(style)) / 2).rounded(), rect.width, line(style))
    }

    // MARK: Elsewhere

    /// The time and the state of the device in one line, where an idiom has no bar for them.
    func addStatusLine(_ out: inout Canvas, _ rect: Rect, _ tone: Tone) {
        guard let time = status.time else { return }
        let half = (rect.width / 2).rounded(.down)
        addTime(&out, time, Rect(rect.x, rect.y, half, rect.height), tone)
        addStatusMarks(&out, in: Rect(rect.maxX - half, rect.y, half, rect.height), tone)
    }

    /// The room at the end of the menu bar for the time and the state; 0: it has none of them.
    var statusWidth: Double {
        guard workspace.idiom.status.place == .menuBar, let time = status.time else { return 0 }
        return 12 + width(of: time) + width(of: statusMarks) + Double(sensorMarks.count) * (statusSide + 6)
    }

    /// The state and the time at the end of the menu bar.
    func addBarStatus(_ out: inout Canvas, _ bar: Rect) {
        guard statusWidth > 0, let time = status.time else { return }
        let strip = Rect(bar.maxX - statusWidth, bar.y, statusWidth, bar.height - 1), words = width(of: time)
        addTime(&out, time, Rect(strip.maxX - words, strip.y, words, strip.height), .primary)
        let x = addStatusMarks(&out, in: Rect(strip.x, strip.y, strip.width - words - 8, strip.height), .primary)
        addSensors(&out, at: x - Double(sensorMarks.count) * (statusSide + 6), in: strip)
    }

    // MARK: What listens and sees

    /// The apps that listen to a person or see the screen, by name.
    func addSensorList(_ canvas: inout Canvas) {
        let marks = sensorMarks, row = rowHeight, width = min(room.width - 16, scaled(360))
        let bar = workspace.screen?.statusBar.map(own) ?? Rect(room.x, room.y, room.width, 0)
        let x = workspace.idiom.status.place == .bar ? bar.x + 8 : room.maxX - 8 - width
        let panel = kept(Rect(x, max(room.y, bar.maxY) + 8, width, row * Double(max(1, marks.count)) + 16))
        ground(&canvas, "sensors", .panel, spoken(marks), panel)
        for (index, mark) in marks.enumerated() {
            let id = ControlID(.sensors, mark.id), rect = Rect(panel.x + 8, panel.y + 8 + Double(index) * row, panel.width - 16, row)
            canvas.symbol(id, mark.symbol, .accent, in: Rect(rect.x, rect.y, 44, rect.height), side: 22)
            canvas.text(id, mark.text, .body, .primary, Rect(rect.x + 48, rect.y, rect.width - 52, rect.height), .leadingMiddle, lines: 2)
            canvas.control(id, .label, mark.text, rect, focusable: false)
        }
    }

    // MARK: The control centre

    func addBrightness(_ canvas: inout Canvas, _ rect: Rect) {
        guard let brightness = status.brightness else { return }
        let id: ControlID = "control-centre/brightness", here = level(of: id, brightness)
        canvas.fill(id, .control, rect, radius: min(18, rect.height / 2))
        canvas.symbol(id, .sun, .primary, in: Rect(rect.x, rect.y, 52, rect.height), side: 22)
        canvas.slider(
            id, .brightness, here, text: percent(here), .brightness, Rect(rect.x + 52, rect.y + 2, rect.width - 52 - 14, rect.height - 4))
    }
}
