import AudioSessions
import Geometry
import Stage
import Windows

/// The control centre: playback, volume, output, and the look of the shell.
extension Views {
    /// How to fit everything on a small screen: first side by side, then tighter, and finally tiles without labels.
    struct Fit {
        var columns: Int
        /// 0 to 2.
        var tightness: Int
        /// The width of one column.
        var width: Double

        var padding: Double { tightness == 0 ? 16 : 12 }
        var gap: Double { tightness == 0 ? 12 : 8 }
    }

    private enum Block: Hashable {
        case status, call, playing, none
        case volume(VolumeClass)
        case radios, brightness, tiles
        /// An input method that gets no text.
        case unheard
    }

    func addControlCentre(_ canvas: inout Canvas, _ presence: Double) {
        if let form = form(of: interface.controlPage) { return addForm(&canvas, form, presence) }
        switch interface.controlPage {
        case .main: addMainPage(&canvas, presence)
        case .outputs: addOutputPage(&canvas, presence)
        case .apps: addMixerPage(&canvas, presence)
        case .idioms: addIdiomPage(&canvas, presence)
        default: addFocusPages(&canvas, interface.controlPage, presence)
        }
    }

    private func addMainPage(_ canvas: inout Canvas, _ presence: Double) {
        let blocks = self.blocks, fit = mainFit(blocks), plan = mainPlan, panel = plan.panel
        canvas.shift = Vector(0, (presence - 1) * panelWay(panel.height))
        ground(&canvas, "control-centre", .panel, .message(.controlCentre), panel, radius: 24)
        let isWhole = interface.form.isWhole, scroll = min(plan.reach, max(0, interface.form.scroll.value(at: now)))
        if plan.reach > 0, !isWhole { canvas.window = canvas.placed(plan.window) }
        defer { canvas.window = nil }
        let inner = fit.width - 2 * fit.padding, top = panel.y + fit.padding - scroll
        var y = top
        for block in blocks {
            let isSecond = fit.columns == 2 && block == .tiles
            let x = panel.x + fit.padding + (isSecond ? inner + fit.padding : 0)
            let rect = Rect(x, isSecond ? top : y, inner, height(of: block, fit))
            if !isSecond { y = rect.maxY + fit.gap }
            guard isWhole || (rect.maxY > plan.window.minY && rect.minY < plan.window.maxY) else { continue }
            switch block {
            case .status: addStatusLine(&canvas, rect, .primary)
            case .radios: addRadios(&canvas, rect, fit)
            case .call: addCall(&canvas, rect)
            case .playing: addPlaying(&canvas, rect, fit)
            case .none: addNoSound(&canvas, rect)
            case .unheard: addUnheard(&canvas, rect)
            case .volume(let kind): addVolume(&canvas, "control-centre", kind, rect)
            case .brightness: addBrightness(&canvas, rect)
            case .tiles: addTiles(&canvas, rect, fit)
            }
        }
    }

    /// The first page with its tiles as large as they fit. On a screen that is too small for all of them it scrolls.
    var mainPlan: ListPlan {
        let fit = mainFit(blocks), wanted = height(blocks, fit), most = room.height - 32
        let width = fit.width * Double(fit.columns) - (fit.columns == 2 ? fit.padding : 0)
        let panel = panelFrame(width, min(most, wanted))
        return ListPlan(panel: panel, window: panel.inset(by: Insets(4, 0, 4, 0)), length: wanted > most ? wanted - 8 : panel.height - 8)
    }

    private func mainFit(_ blocks: [Block]) -> Fit {
        let most = room.height - 32
        var fit = Fit(columns: 1, tightness: 2, width: panelWidth)
        search: for tightness in 0...2 {
            for columns in 1...2 where columns == 1 || room.width >= 600 {
                fit = Fit(
                    columns: columns, tightness: tightness,
                    width: columns == 1 ? panelWidth : min(panelWidth, ((room.width - 32) / 2).rounded(.down)))
                if height(blocks, fit) <= most { break search }
            }
        }
        return fit
    }

    /// The room that a panel leaves free beside itself. A watch is narrow, and a round screen has room around it already.
    private var sideMargin: Double { room.width < 300 ? 4 : 16 }
    /// The settings have more to show than the control centre.
    var panelWidth: Double { min(room.width - 2 * sideMargin, scaled(interface.isInSettings ? 560 : 392)) }

    func panelFrame(_ width: Double, _ height: Double) -> Rect {
        if interface.isInSettings {
            // One frame for all pages, so that nothing jumps between them.
            return Rect((room.center.x - width / 2).rounded(), room.y + 16, width, min(room.height - 32, scaled(760)))
        }
        return Rect(appearance.isRightToLeft ? room.minX + sideMargin : room.maxX - sideMargin - width, room.y + 16, width, height)
    }

    private var blocks: [Block] {
        var out: [Block] = workspace.idiom.status.place == .controlCentre && status.time != nil ? [.status] : []
        if !radios.isEmpty { out.append(.radios) }
        if audio.call.map({ $0.state != .ended }) ?? false { out.append(.call) }
        if audio.isServerRunning || audio.playing != nil { out.append(.playing) }
        if audio.isServerRunning {
            out.append(.volume(audio.keysActOn == .call ? .call : .media))
            // A phone always shows the ringer; others only while something rings.
            if audio.volumes[.ringer] != nil, workspace.idiom.sound.keysActOnRinger || audio.keysActOn == .ringer {
                out.append(.volume(.ringer))
            }
        } else {
            out.append(.none)
        }
        if status.brightness != nil { out.append(.brightness) }
        if !tiles.isEmpty { out.append(.tiles) }
        if interface.unheardMethods?.last != nil { out.append(.unheard) }
        return out
    }

    private func height(_ blocks: [Block], _ fit: Fit) -> Double {
        func sum(_ blocks: [Block]) -> Double {
            blocks.reduce(0) { $0 + height(of: $1, fit) } + Double(max(0, blocks.count - 1)) * fit.gap
        }
        guard fit.columns == 2 else { return sum(blocks) + 2 * fit.padding }
        return max(sum(blocks.filter { $0 != .tiles }), sum([.tiles])) + 2 * fit.padding
    }

    private func height(of block: Block, _ fit: Fit) -> Double {
        switch block {
        case .status: return line(.headline) + 4
        case .radios:
            let rows = Double((radios.count + radioColumns(fit) - 1) / radioColumns(fit))
            return rows * radioHeight(fit) + (rows - 1) * fit.gap
        case .call: return rowHeight + (fit.tightness == 0 ? 8 : 0)
        case .playing:
            guard let playing = audio.playing else { return rowHeight }
            var height = fit.padding + headHeight(fit) + 12
            if playing.info.duration != nil { height += 20 + (fit.tightness < 2 ? line(.caption) : 0) }
            return height + (commands(of: playing).isEmpty ? 0 : 52)
        case .none: return max(44, line(.callout) + 20)
        case .unheard: return 2 * line(.caption) + 4
        case .volume, .brightness: return fit.tightness == 0 ? max(52, rowHeight) : 48
        case .tiles:
            let tiles = self.tiles, layout = tileLayout(fit)
            let rows = Double((tiles.count + layout.columns - 1) / layout.columns)
            return rows * layout.height + (rows - 1) * fit.gap + noteHeight(fit)
        }
    }

    // MARK: Now Playing

    private func headHeight(_ fit: Fit) -> Double {
        let words = line(.headline) + line(.callout) + (fit.tightness < 2 ? line(.caption) : 0)
        return max(fit.tightness < 2 ? 60 : 44, words)
    }

    struct Command {
        var id: String
        var symbol: Symbol
        var text: Text
        var command: RemoteCommand
        /// Seconds of the app's own interval.
        var seconds: Double?
    }

    /// The commands that the app has enabled, and no others.
    func commands(of playing: AudioSummary.Playing) -> [Command] {
        let has = playing.commands.contains
        var out: [Command] = []
        // Skipping is for apps with their own intervals, and for those without tracks.
        func skip(_ id: String, _ symbol: Symbol, _ message: Message, _ own: Double?, _ command: (Double?) -> RemoteCommand) -> Command {
            let seconds = own ?? 10
            return Command(
                id: id, symbol: symbol, text: .message(message, [Views.number(seconds)]), command: command(seconds), seconds: seconds)
        }
        if has(.previous) {
            out.append(Command(id: "previous", symbol: .previousTrack, text: .message(.previousTrack), command: .previous))
        }
        if has(.skipBackward), playing.skipBackward != nil || !has(.previous) {
            out.append(skip("skip-backward", .skipBackward, .skipBackward, playing.skipBackward) { .skipBackward($0) })
        }
        if playing.status == .playing {
            if has(.pause) || has(.togglePlayPause) {
                out.append(Command(id: "play", symbol: .pause, text: .message(.pause), command: has(.pause) ? .pause : .togglePlayPause))
            } else if has(.stop) {
                out.append(Command(id: "play", symbol: .stop, text: .message(.stop), command: .stop))
            }
        } else if has(.play) || has(.togglePlayPause) {
            out.append(Command(id: "play", symbol: .play, text: .message(.play), command: has(.play) ? .play : .togglePlayPause))
        }
        if has(.skipForward), playing.skipForward != nil || !has(.next) {
            out.append(skip("skip-forward", .skipForward, .skipForward, playing.skipForward) { .skipForward($0) })
        }
        if has(.next) { out.append(Command(id: "next", symbol: .nextTrack, text: .message(.nextTrack), command: .next)) }
        return out
    }

    private func addPlaying(_ canvas: inout Canvas, _ rect: Rect, _ fit: Fit) {
        let id: ControlID = "control-centre/playing"
        canvas.fill(id, .control, rect, radius: 18)
        guard let playing = audio.playing else {
            canvas.symbol(id, .note, .secondary, in: Rect(rect.x, rect.y, 52, rect.height), side: 20)
            canvas.text(id, .message(.notPlaying), .body, .secondary, Rect(rect.x + 52, rect.y, rect.width - 68, rect.height))
            return canvas.control(id, .label, .message(.notPlaying), rect, focusable: false)
        }
        let commands = commands(of: playing)
        let wanted = height(of: .playing, fit), share = min(1, rect.height / max(1, wanted))
        let pad = fit.padding * share, source = source(playing.app, name: playing.name)
        let head = Rect(rect.x + fit.padding, rect.y + pad, rect.width - 2 * fit.padding, headHeight(fit) * share)
        addHead(&canvas, id, playing, source, head, fit)

        // Playback controls follow the direction of a tape, not of the language, so they are not mirrored.
        let mirror = canvas.mirror
        canvas.mirror = nil
        defer { canvas.mirror = mirror }
        let place = mirror.map { Rect($0.minX + $0.maxX - rect.maxX, rect.y, rect.width, rect.height) } ?? rect
        if let duration = playing.info.duration {
            let seconds = position(of: playing, duration: duration)
            let bar = Rect(place.x + fit.padding, head.maxY + 6 * share, place.width - 2 * fit.padding, 20 * share)
            let canSeek = playing.commands.contains(.seek) && duration > 0
            let here = level(of: id.part("position"), duration > 0 ? seconds / duration : 0)
            canvas.slider(
                id.part("position"), .position, here, text: "\(Views.clock(here * duration)) / \(Views.clock(duration))",
                canSeek ? .position(duration: duration) : nil, bar, thickness: 4, knob: 14)
            if fit.tightness < 2 {
                // Times are written left to right, each below its own end.
                let times = Rect(bar.x, bar.maxY, bar.width, line(.caption) * share)
                let (left, right): (TextAlignment, TextAlignment) = appearance.isRightToLeft ? (.trailing, .leading) : (.leading, .trailing)
                func time(_ text: String) -> Text { .verbatim(appearance.isRightToLeft ? "\u{2066}\(text)\u{2069}" : text) }
                canvas.text(id.part("position"), part: 5, time(Views.clock(here * duration)), .caption, .secondary, times.leftHalf, left)
                canvas.text(
                    id.part("position"), part: 6, time("−" + Views.clock(duration - (here * duration).rounded(.down))), .caption,
                    .secondary,
                    times.rightHalf, right)
            }
        }
        guard !commands.isEmpty else { return }
        let strip = Rect(place.x + fit.padding, place.maxY - 52 * share - 2, place.width - 2 * fit.padding, 48 * share)
        let step = min(72, strip.width / Double(commands.count))
        let left = strip.center.x - step * Double(commands.count) / 2
        for (index, command) in commands.enumerated() {
            let cell = Rect((left + Double(index) * step).rounded(), strip.y, step.rounded(.down), strip.height)
            let key = id.part(command.id)
            canvas.press(key, cell.inset(by: 2), radius: 12)
            canvas.symbol(key, command.symbol, .primary, in: cell, side: command.seconds == nil ? 28 : 32)
            if let seconds = command.seconds {
                let number = Views.number(seconds)
                canvas.text(key, part: 5, .verbatim(number), .badge, .primary, Rect(cell.center.x - 20, cell.center.y - 7, 40, 16), .center)
            }
            canvas.control(
                key, .button, command.text, cell.inset(by: 2), press: .audio(.remote(command.command, .controlCentre)))
        }
    }

    private func addHead(
        _ canvas: inout Canvas, _ id: ControlID, _ playing: AudioSummary.Playing, _ source: Source, _ head: Rect, _ fit: Fit
    ) {
        let side = min(head.height, 96), art = Rect(head.x, head.center.y - side / 2, side, side)
        canvas.press(id.part("app"), head.inset(by: -4), radius: 14)
        if playing.info.artwork.isEmpty {
            canvas.icon(id, source.icon, art)
        } else {
            canvas.add(id, 4, .art(.artwork(playing.info.artwork, radius: 10), size: art.size), art)
            let badge = Rect(art.maxX - 18, art.maxY - 18, 24, 24)
            canvas.icon(id, part: 5, source.icon, badge)
        }
        let words = Rect(art.maxX + 14, head.y, head.maxX - art.maxX - 14, head.height)
        let title = playing.info.title.isEmpty ? source.name : playing.info.title
        let artist = [playing.info.artist, playing.info.album].first { !$0.isEmpty } ?? ""
        var lines: [(Text, TextStyle, Tone)] = [(title.isEmpty ? source.text : .verbatim(title), .headline, .primary)]
        if !artist.isEmpty { lines.append((.verbatim(artist), .callout, .secondary)) }
        // Do not repeat the name of the app.
        let isSaid = title == source.name || artist == source.name
        if !isSaid, fit.tightness < 2 {
            lines.insert((source.text, .caption, .secondary), at: 0)
        } else if !isSaid, artist.isEmpty {
            lines.append((source.text, .callout, .secondary))
        }
        let total = lines.reduce(0) { $0 + line($1.1) }, share = min(1, words.height / max(1, total))
        var y = words.center.y - total * share / 2
        for (index, part) in lines.enumerated() {
            let height = line(part.1) * share
            canvas.text(id, part: 10 + UInt8(index), part.0, part.1, part.2, Rect(words.x, y, words.width, height))
            y += height
        }
        let spoken = [title, artist, isSaid ? "" : source.name].filter { !$0.isEmpty }.joined(separator: ", ")
        let said: Text = !source.name.isEmpty ? .verbatim(spoken) : spoken.isEmpty ? source.text : .detailed(.someProgram, spoken)
        canvas.control(
            id.part("app"), source.open == nil ? .label : .button, said, head, press: source.open,
            focusable: source.open != nil, focusRadius: 14)
    }

    /// The current position in the item, in seconds.
    private func position(of playing: AudioSummary.Playing, duration: Double) -> Double {
        let since = playing.status == .playing ? max(0, now - playing.since) * playing.info.rate : 0
        return max(0, min(duration, playing.info.position + since))
    }

    static func clock(_ seconds: Double) -> String {
        let whole = Int(clamping: max(0, min(359_999, seconds.isFinite ? seconds : 0)))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return whole < 3600 ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }

    static func number(_ seconds: Double) -> String { "\(Int(clamping: max(0, min(999, seconds.isFinite ? seconds.rounded() : 0))))" }

    private func addNoSound(_ canvas: inout Canvas, _ rect: Rect) {
        canvas.text("control-centre/no-sound", .message(.noSound), .callout, .secondary, rect, .center)
        canvas.control("control-centre/no-sound", .label, .message(.noSound), rect, focusable: false)
    }

    private func addUnheard(_ canvas: inout Canvas, _ rect: Rect) {
        guard let unheard = interface.unheardMethods, let name = unheard.last else { return }
        let text = Text.message(.inputMethodUnheard, [name, unheard.present])
        canvas.text("control-centre/unheard", text, .caption, .secondary, rect, .center, lines: 2)
        canvas.control("control-centre/unheard", .label, text, rect, focusable: false)
    }

    // MARK: A call

    private func addCall(_ canvas: inout Canvas, _ rect: Rect) {
        guard let call = audio.call else { return }
        let source = source(call.app), isRinging = call.state != .accepted
        let message: Message = isRinging ? .incomingCall : .callWith
        let text: Text = source.name.isEmpty ? .about(message, .someProgram) : .message(message, [source.name])
        canvas.fill("control-centre/call", .control, rect, radius: 18)
        canvas.icon("control-centre/call", source.icon, Rect(rect.x + 12, rect.center.y - 16, 32, 32))
        let buttons: [(String, Symbol, Message, Action, Paint)] =
            isRinging
            ? [
                ("decline", .endCall, .declineCall, .audio(.declineCall), .badge),
                ("answer", .call, .answerCall, .audio(.answerCall), .accent),
            ]
            : [("end", .endCall, .endCall, .audio(.endCall), .badge)]
        let words = Rect(rect.x + 56, rect.y, rect.width - 56 - Double(buttons.count) * 56 - 8, rect.height)
        canvas.text("control-centre/call", text, .body, .primary, words)
        canvas.control("control-centre/call", .label, text, words, focusable: false)
        for (index, button) in buttons.enumerated() {
            let id = ControlID(.controlCentre, "call/\(button.0)"), side = min(44, rect.height - 8)
            let key = Rect(center: Point(rect.maxX - 32 - Double(buttons.count - 1 - index) * 56, rect.center.y), size: Size(side, side))
            canvas.fill(id, button.4, key, radius: side / 2)
            canvas.press(id, key, radius: side / 2)
            canvas.symbol(id, button.1, .onAccent, in: key, side: 22)
            canvas.control(id, .button, .message(button.2), key, press: button.3, focusRadius: side / 2)
        }
    }

    // MARK: Pages

    var pageHead: Double { max(touch + 8, line(.headline) + 28) }

    /// Adds a page's background, title and back button. Returns the remaining area for its rows.
    func addPage(_ canvas: inout Canvas, _ title: Message, rows: Double, _ presence: Double) -> Rect {
        addPage(&canvas, .message(title), rows: rows, presence)
    }

    func addPage(_ canvas: inout Canvas, _ title: Text, rows: Double, _ presence: Double) -> Rect {
        let panel = panelFrame(panelWidth, min(room.height - 32, pageHead + rows + 12))
        addPageHead(&canvas, title, panel, presence)
        let inset = panel.width < 300 ? 8.0 : 16
        return Rect(panel.x + inset, panel.y + pageHead, panel.width - 2 * inset, panel.height - pageHead - 12)
    }

    private func addForm(_ canvas: inout Canvas, _ form: Form, _ presence: Double) {
        let plan = formPlan(form, width: panelWidth)
        addPageHead(&canvas, form.title, plan.panel, presence)
        addRows(&canvas, form, .controlCentre, plan.window, inset: plan.panel.width < 300 ? 8 : 16)
    }

    private func addPageHead(_ canvas: inout Canvas, _ title: Text, _ panel: Rect, _ presence: Double) {
        let head = pageHead
        canvas.shift = Vector(0, (presence - 1) * panelWay(panel.height))
        ground(&canvas, "control-centre", .panel, title, panel, radius: 24)
        let back = Rect(panel.x + 8, panel.y + (head - touch) / 2, touch, touch)
        canvas.press("control-centre/back", back, radius: 12)
        canvas.symbol("control-centre/back", .chevronBack, .accent, in: back, side: 22)
        canvas.control("control-centre/back", .button, .message(.back), back, press: .dismiss)
        canvas.text(
            "control-centre/title", title, .headline, .primary, Rect(panel.x + touch + 12, panel.y, panel.width - 2 * touch - 24, head),
            .center)
    }

    private func addOutputPage(_ canvas: inout Canvas, _ presence: Double) {
        var choices = outputChoices(audio.outputs)
        let inputs = audio.inputs.map { input in
            SoundChoice(
                id: "input/\(input.id.raw)", symbol: symbol(of: input.kind), text: .verbatim(input.name),
                action: .audio(.pickInput(input.id)),
                isChosen: audio.route.input == input.id)
        }
        let heading = inputs.isEmpty ? 0 : line(.callout) + 16
        // There is no scrolling. Rows that do not fit at their least height are left out, the last outputs first.
        let most = max(2, Int(clamping: (room.height - 32 - pageHead - 12 - heading) / touch))
        let shownInputs = inputs.prefix(max(0, min(inputs.count, most - min(choices.count, most - 1))))
        choices = Array(choices.prefix(most - shownInputs.count))
        let count = Double(choices.count + shownInputs.count)
        let row = max(touch, min(rowHeight, ((room.height - 32 - pageHead - 12 - heading) / count).rounded(.down)))
        let room = addPage(&canvas, .output, rows: count * row + (shownInputs.isEmpty ? 0 : heading), presence)
        var y = room.y
        for choice in choices {
            addChoice(&canvas, ControlID(.controlCentre, choice.id), choice, Rect(room.x, y, room.width, row))
            y += row
        }
        guard !shownInputs.isEmpty else { return }
        let title = Rect(room.x + 6, y, room.width - 12, heading)
        canvas.text("control-centre/inputs", .message(.input), .callout, .secondary, title)
        canvas.control("control-centre/inputs", .label, .message(.input), title, focusable: false)
        y += heading
        for choice in shownInputs {
            addChoice(&canvas, ControlID(.controlCentre, choice.id), choice, Rect(room.x, y, room.width, row))
            y += row
        }
    }

    private func addMixerPage(_ canvas: inout Canvas, _ presence: Double) {
        let row = max(72, line(.body) + 52)
        let apps = audio.apps.prefix(max(1, Int(clamping: (room.height - 32 - pageHead - 12) / row)))
        let place = addPage(&canvas, .appVolumes, rows: max(1, Double(apps.count)) * row, presence)
        guard !apps.isEmpty else {
            canvas.text("control-centre/no-apps", .message(.noAppVolumes), .callout, .secondary, place, .center, lines: 2)
            return canvas.control("control-centre/no-apps", .label, .message(.noAppVolumes), place, focusable: false)
        }
        for (index, app) in apps.enumerated() {
            let source = source(app.app), id = ControlID(.controlCentre, "app/\(app.app.id)")
            let rect = Rect(place.x, place.y + Double(index) * row, place.width, row)
            canvas.icon(id, source.icon, Rect(rect.x + 4, rect.center.y - 20, 40, 40))
            let tone: Tone = app.isSounding ? .primary : .secondary
            canvas.text(id, part: 5, source.text, .body, tone, Rect(rect.x + 58, rect.y + 4, rect.width - 62, line(.body)))
            canvas.slider(
                id, .volume, of: source.name.isEmpty ? nil : source.name, level(of: id, app.level), text: percent(level(of: id, app.level)),
                .appVolume(app.app.id),
                Rect(rect.x + 54, rect.y + line(.body) + 4, rect.width - 58, row - line(.body) - 8))
        }
    }
}

extension Rect {
    fileprivate var leftHalf: Rect { Rect(x, y, (width / 2).rounded(.down), height) }
    fileprivate var rightHalf: Rect { Rect(x + (width / 2).rounded(.down), y, (width / 2).rounded(.down), height) }
}
