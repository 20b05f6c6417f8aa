import Geometry
import Stage
import Status
import Windows

/// The radios in the control centre: a round switch for each, and beside it where it is connected, which leads to its page.
extension Views {
    struct Radio {
        var id: String
        var symbol: Symbol
        var name: Message
        /// Where it is connected.
        var place: Text?
        var isOn: Bool
        /// nil: its service does not answer.
        var toggles: Action?
        var page: ControlPage
    }

    var radios: [Radio] {
        var out: [Radio] = []
        if let network = status.network, network.hasWireless {
            let isHere = network.link == .wireless && !network.name.isEmpty
            out.append(
                Radio(
                    id: "wireless", symbol: network.isWirelessOn ? isHere ? mark(of: network).symbol : .wireless3 : .wirelessOff,
                    name: .wireless,
                    place: isHere
                        ? network.needsLogin ? .message(.networkLogin) : .similar(network.name)
                        : .message(network.isWirelessOn ? .notConnected : .mannerOff),
                    isOn: network.isWirelessOn, toggles: .device(.wireless(!network.isWirelessOn)), page: .wireless))
        } else if status.hanging.contains(.network) {
            out.append(silent("wireless", .wirelessOff, .wireless, .wireless))
        }
        if let bluetooth = status.bluetooth {
            let names = bluetooth.connected.map(\.name).joined(separator: ", ")
            out.append(
                Radio(
                    id: "bluetooth", symbol: .bluetooth, name: .bluetooth,
                    place: names.isEmpty ? .message(bluetooth.isOn ? .notConnected : .mannerOff) : .similar(names), isOn: bluetooth.isOn,
                    toggles: .device(.bluetooth(!bluetooth.isOn)), page: .bluetooth))
        } else if status.hanging.contains(.bluetooth) {
            out.append(silent("bluetooth", .bluetooth, .bluetooth, .bluetooth))
        }
        return out
    }

    private func silent(_ id: String, _ symbol: Symbol, _ name: Message, _ page: ControlPage) -> Radio {
        Radio(id: id, symbol: symbol, name: name, place: .message(.noAnswer), isOn: false, toggles: nil, page: page)
    }

    func radioColumns(_ fit: Fit) -> Int { fit.width - 2 * fit.padding < 2 * scaled(150) ? 1 : 2 }
    func radioHeight(_ fit: Fit) -> Double { max(touch, line(.callout) + line(.caption) + 12) }

    func addRadios(_ canvas: inout Canvas, _ rect: Rect, _ fit: Fit) {
        let radios = radios, columns = radioColumns(fit), rows = Double((radios.count + columns - 1) / columns)
        // On a small screen everything is lower.
        let height = min(radioHeight(fit), ((rect.height - (rows - 1) * fit.gap) / max(1, rows)).rounded(.down))
        let width = ((rect.width - Double(columns - 1) * fit.gap) / Double(columns)).rounded(.down)
        for (index, radio) in radios.enumerated() {
            let isAlone = index == radios.count - 1 && index % columns == 0
            let cell = Rect(
                rect.x + Double(index % columns) * (width + fit.gap), rect.y + Double(index / columns) * (height + fit.gap),
                isAlone ? rect.width : width, height)
            let id = ControlID(.controlCentre, radio.id), page = id.part("page"), side = min(height, max(44, touch))
            canvas.fill(page, .control, cell, radius: min(18, height / 2))
            canvas.press(page, cell, radius: min(18, height / 2))
            let circle = Rect(cell.x + 4, cell.center.y - (side - 8) / 2, side - 8, side - 8)
            canvas.fill(id, radio.isOn ? .accent : .track, circle, radius: circle.width / 2)
            canvas.press(id, circle, radius: circle.width / 2)
            canvas.symbol(id, radio.symbol, radio.isOn ? .onAccent : radio.toggles == nil ? .secondary : .primary, in: circle, side: 20)
            canvas.control(
                id, .toggle, .message(radio.name), Rect(cell.x, cell.y, side, height), press: radio.toggles, chosen: radio.isOn,
                focusRadius: side / 2)
            let words = Rect(cell.x + side + 4, cell.y, cell.width - side - 8, height)
            let isLow = height < line(.callout) + line(.caption), total = isLow ? line(.callout) : line(.callout) + line(.caption)
            let top = words.center.y - total / 2
            canvas.text(page, .message(radio.name), .callout, .primary, Rect(words.x, top, words.width, line(.callout)))
            if !isLow, let place = radio.place {
                canvas.text(
                    page, part: 5, place, .caption, .secondary, Rect(words.x, top + line(.callout), words.width, line(.caption)))
            }
            canvas.control(
                page, .button, .list([.message(radio.name), radio.place ?? .message(.mannerOff)], ", "),
                Rect(words.x - 4, cell.y, cell.maxX - words.x + 4, height), press: .controlPage(radio.page), focusRadius: 16)
        }
    }

    /// Switches of the machine itself.
    var deviceTiles: [ControlTile] {
        var out: [ControlTile] = []
        func add(_ id: String, _ symbol: Symbol, _ name: Message, _ isOn: Bool?, _ action: (Bool) -> DeviceAction) {
            guard let isOn else { return }
            out.append(ControlTile(id: id, symbol: symbol, text: .message(name), action: .device(action(!isOn)), isOn: isOn))
        }
        add("aeroplane", .aeroplane, .aeroplane, status.isAeroplane) { .aeroplane($0) }
        add("night-light", .nightLight, .nightLight, device.isNightLight) { .nightLight($0) }
        add("flash-light", .flashLight, .flashLight, status.flashLight) { .flashLight($0) }
        add("record", .record, .recordScreen, status.isRecording) { .record($0) }
        return out
    }

    /// Leads to the page with the end of the session and of the machine's work.
    var powerTiles: [ControlTile] {
        guard workspace.idiom.offers.contains(.logOut) || !status.ends.isEmpty else { return [] }
        return [ControlTile(id: "power", symbol: .power, text: .message(.power), action: .controlPage(.power), isButton: true)]
    }
}
