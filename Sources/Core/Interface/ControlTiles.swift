import AudioSessions
import Geometry
import Stage
import Windows

/// The tiles of the control centre: switches, and tiles that open a page.
extension Views {
    struct ControlTile {
        var id: String
        var symbol: Symbol
        var text: Text
        /// The text for screen readers, if it differs.
        var spoken: Text?
        var action: Action
        var isOn = false
        /// Opens something. Otherwise it is a switch.
        var isButton = false
        /// The fill of a switch that is on.
        var paint = Paint.accent
        /// The configuration file says it.
        var isFixed = false
    }

    /// The tiles that a person wants to see, in the person's order.
    var tiles: [ControlTile] {
        let order = facts.controls
        guard order != ControlOrder() else { return allTiles }
        let all = Dictionary(allTiles.map { ($0.id, $0) }) { first, _ in first }
        return order.arranged(allTiles.map(\.id)).filter { !order.hidden.contains($0) }.compactMap { all[$0] }
    }

    /// Every tile that this device has something for.
    var allTiles: [ControlTile] {
        var out = deviceTiles
        if audio.isServerRunning {
            out.append(
                ControlTile(
                    id: "silence", symbol: audio.isSilenced ? .bellMuted : .bell, text: .message(.silence), action: .audio(.silence(nil)),
                    isOn: audio.isSilenced))
            let output = audio.outputs.first { $0.id == audio.route.output }
            out.append(
                ControlTile(
                    id: "outputs", symbol: output.map { symbol(of: $0.kind) } ?? .speakerMuted,
                    text: output.map(name(of:)) ?? .message(.output),
                    spoken: output.flatMap { $0.id == AudioOutput.nowhere ? nil : .detailed(.output, $0.name) },
                    action: .controlPage(.outputs), isButton: true))
            out.append(ControlTile(id: "apps", symbol: .levels, text: .message(.appVolumes), action: .controlPage(.apps), isButton: true))
            if audio.isRecording || audio.isMicrophoneMuted {
                out.append(
                    ControlTile(
                        id: "microphone", symbol: audio.isMicrophoneMuted ? .microphoneMuted : .microphone,
                        text: .message(.input), spoken: .message(audio.isRecording ? .microphoneInUse : .muteMicrophone),
                        action: .audio(.muteMicrophone(nil)), isOn: audio.isMicrophoneMuted, paint: .badge))
            }
        }
        if audio.isServerRunning, interface.screenKeyboard != nil || audio.isKeyboardKnown {
            out.append(
                ControlTile(
                    id: "key-clicks", symbol: .keyClicks, text: .message(.keyClicks), action: .keyClicks(!audio.hasKeyClicks),
                    isOn: audio.hasKeyClicks,
                    isFixed: fixed.contains(.keyClicks)))
        }
        if let isShown = interface.screenKeyboard {
            out.append(
                ControlTile(
                    id: "keyboard", symbol: .keyboard, text: .message(.screenKeyboard), action: .screenKeyboard(shown: !isShown),
                    isOn: isShown))
        }
        if workspace.idiom.dressing != .dots, let front = workspace.focus.map(workspace.root(of:)), workspace.hidesMenus(of: front) {
            out.append(
                ControlTile(
                    id: "menus", symbol: .list, text: .message(.menus), spoken: .detailed(.menus, workspace.appName(of: front)),
                    action: .barMenu("own"), isButton: true))
        }
        if workspace.idiom.depth != nil {
            out.append(
                ControlTile(
                    id: "surroundings", symbol: .moon, text: .message(.dimSurroundings), action: .surroundings(),
                    isOn: isDim))
        }
        // A remote control has no swipe from an edge.
        if workspace.idiom.views.alwaysFocuses, workspace.idiom.offers.contains(.notifications) {
            out.append(
                ControlTile(id: "notifications", symbol: .notices, text: .message(.notifications), action: .notifications, isButton: true))
        }
        let isLarge = appearance.textScale > 1.01
        return out + [
            focusTile,
            ControlTile(
                id: "dark", symbol: appearance.isDark ? .moon : .sun, text: .message(.darkAppearance),
                action: .darkAppearance(!appearance.isDark), isOn: appearance.isDark, isFixed: fixed.contains(.appearance)),
            ControlTile(
                id: "motion", symbol: .motion, text: .message(.reducedMotion), action: .reducedMotion(!reducedMotion), isOn: reducedMotion,
                isFixed: fixed.contains(.reducedMotion)),
            ControlTile(
                id: "text", symbol: .textSize, text: .message(.largerText), action: .textSize(isLarge ? 1 : 1.35), isOn: isLarge,
                isFixed: fixed.contains(.textSize)),
            device.hasTurnSensor
                ? ControlTile(
                    id: "rotation-lock", symbol: .rotationLock, text: .message(.rotationLock),
                    action: .device(.rotationLock(!device.locksRotation)),
                    isOn: device.locksRotation)
                : ControlTile(id: "rotate", symbol: .rotate, text: .message(.rotate), action: .rotate(screen.turned), isButton: true),
        ] + trayTiles + driveTiles + powerTiles + idiomTiles
    }

    /// The height of the line that explains the locks; 0 if there are none, or no room.
    func noteHeight(_ fit: Fit) -> Double {
        fit.tightness == 0 && fit.width >= 300 && tiles.contains(where: \.isFixed) ? line(.caption) + 10 : 0
    }

    func tileLayout(_ fit: Fit) -> (columns: Int, height: Double, isWide: Bool) {
        var layout = roughTileLayout(fit)
        if !layout.isWide { layout.columns = Views.evenColumns(tiles.count, most: layout.columns) }
        return layout
    }

    /// So many columns that the last row is as full as can be: six things stand three by three, not as four and two.
    static func evenColumns(_ count: Int, most: Int) -> Int {
        guard count > most, most > 1 else { return most }
        let rows = (count + most - 1) / most
        return (count + rows - 1) / rows
    }

    private func roughTileLayout(_ fit: Fit) -> (columns: Int, height: Double, isWide: Bool) {
        let touch = max(48, touch)
        if fit.tightness > 0, fit.columns == 1 || fit.tightness > 1 { return (4, touch, false) }
        // A watch has no room for labels.
        if fit.width < 300 { return (3, touch, false) }
        let cell = (fit.width - 2 * fit.padding - 3 * fit.gap) / 4
        // If labels are too long for a quarter of the width, put them beside their symbol on a half.
        if cell < scaled(76) { return (2, max(touch, hasNarrowLabels(fit) ? 2 * line(.callout) + 8 : line(.callout) + 24), true) }
        return (4, glyphHeight + 14 + line(.caption) * 2 + 6, false)
    }

    /// The height of the symbol above the label of a tile.
    private var glyphHeight: Double { max(34, min(56, scaled(34))) }

    /// Whether labels beside their symbols need two lines.
    private func hasNarrowLabels(_ fit: Fit) -> Bool { (fit.width - 2 * fit.padding - fit.gap) / 2 - 58 < scaled(92) }

    func addTiles(_ canvas: inout Canvas, _ rect: Rect, _ fit: Fit) {
        let tiles = self.tiles, layout = tileLayout(fit)
        let rows = (tiles.count + layout.columns - 1) / layout.columns
        let width = ((rect.width - Double(layout.columns - 1) * fit.gap) / Double(layout.columns)).rounded(.down)
        let note = noteHeight(fit)
        let height = min(layout.height, (rect.height - note - Double(rows - 1) * fit.gap) / Double(rows)).rounded(.down)
        if note > 0 {
            let text = Rect(rect.x, rect.maxY - note, rect.width, note)
            canvas.text(
                "control-centre/fixed", .message(.setInFile), .caption, .secondary,
                Rect(rect.x, rect.maxY - line(.caption), rect.width, line(.caption)), .center)
            canvas.control("control-centre/fixed", .label, .message(.setInFile), text, focusable: false)
        }
        for (index, tile) in tiles.enumerated() {
            let id = ControlID(.controlCentre, tile.id)
            // A tile that is alone in the last row is as wide as the row.
            let isAlone = index == tiles.count - 1 && index % layout.columns == 0 && layout.columns > 1
            let cell = Rect(
                rect.x + Double(index % layout.columns) * (width + fit.gap), rect.y + Double(index / layout.columns) * (height + fit.gap),
                isAlone ? rect.width : width, height)
            let tone: Tone = tile.isOn ? .onAccent : tile.isFixed ? .secondary : .primary
            canvas.fill(id, tile.isOn ? tile.paint : .control, cell, radius: min(16, height / 2))
            if !tile.isFixed { canvas.press(id, cell, radius: 16) }
            if tile.isFixed { canvas.symbol(id, part: 2, .lock, tone, in: Rect(cell.maxX - 20, cell.y + 4, 16, 16), side: 12) }
            if layout.isWide {
                canvas.symbol(id, tile.symbol, tone, in: Rect(cell.x + 6, cell.y, 40, cell.height), side: 24)
                let label = Rect(cell.x + 50, cell.y, cell.width - 58, cell.height)
                if hasNarrowLabels(fit) {
                    canvas.text(id, tile.text, .callout, tone, label, .leadingMiddle, lines: 2)
                } else {
                    canvas.text(id, tile.text, .callout, tone, label, lines: 1)
                }
            } else if layout.height <= max(48, touch) {
                canvas.symbol(id, tile.symbol, tone, in: cell, side: min(26, height - 8))
            } else {
                // The symbol and one line stand in the middle of a tile together; the second line has its room below.
                canvas.symbol(id, tile.symbol, tone, in: Rect(cell.x, cell.y + 8, cell.width, glyphHeight), side: 26)
                canvas.text(
                    id, tile.text, .caption, tone, Rect(cell.x + 2, cell.y + glyphHeight + 10, cell.width - 4, line(.caption) * 2), .center,
                    lines: 2)
            }
            let spoken: Text = tile.spoken ?? tile.text
            canvas.control(
                id, tile.isButton ? .button : .toggle, spoken, cell, press: tile.isFixed ? nil : tile.action,
                chosen: tile.isOn,
                focusRadius: 16)
        }
    }
}
