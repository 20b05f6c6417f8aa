import AudioSessions
import Geometry
import Stage
import Status
import Windows

/// The audio views outside of the control centre, and the parts that both share (A-07, A-10, A-11).
extension Views {
    // MARK: Volume changes

    /// Above everything, including the locker: the volume level after a change, and the microphone indicator. It
    /// takes no input.
    public func overlay() -> Canvas {
        var out = canvas()
        addRecording(&out)
        addLevel(&out)
        addLight(&out)
        return out
    }

    private func addLevel(_ out: inout Canvas) {
        guard let shown = interface.volume, !shown.isGone(at: now), !showsVolume else { return }
        let kind = shown.content
        let volume = audio.volumes[kind] ?? .init(level: 0, isMuted: false)
        addPill(
            &out, "volume", .volume, symbol(of: kind, volume), volume.level,
            isMuted: volume.isMuted || (kind == .ringer && audio.isSilenced), presence: shown.presence(at: now))
    }

    private func addLight(_ out: inout Canvas) {
        guard let shown = interface.light, !shown.isGone(at: now), let level = status.brightness else { return }
        if interface.isPanelOpen, interface.panel?.content == .controlCentre, interface.controlPage == .main { return }
        addPill(&out, "light", .brightness, .sun, level, isMuted: false, presence: shown.presence(at: now))
    }

    private func addPill(
        _ out: inout Canvas, _ id: ControlID, _ name: Message, _ symbol: Symbol, _ level: Double, isMuted: Bool, presence: Double
    ) {
        let presence = max(0, min(1, presence))
        let size = Size(min(248, room.width - 32), 48)
        let pill = Rect((room.center.x - size.width / 2).rounded(), room.minY + 12, size.width, size.height)
        var canvas = self.canvas()
        canvas.isInert = true
        canvas.shift = Vector(0, (1 - presence) * -(size.height + 40 + margins.top))
        canvas.opacity = presence
        canvas.shadow(id, pill, radius: 24, blur: 24, opacity: 0.3)
        canvas.ground(id, .panel, pill, radius: 24)
        if appearance.isRightToLeft { canvas.mirror = pill }
        canvas.symbol(id, symbol, .primary, in: Rect(pill.x + 8, pill.y, 40, pill.height), side: 22)
        let track = Rect(pill.x + 56, pill.y, pill.width - 56 - 24, pill.height)
        canvas.slider(
            id.part("level"), name, level, text: "", nil, track, thickness: 8, isMuted: isMuted)
        out.append(canvas)
    }

    /// Whether another view already shows the same level.
    private var showsVolume: Bool {
        if interface.isPanelOpen, interface.panel?.content == .controlCentre, interface.controlPage == .main { return true }
        if case .volume = interface.popover?.content { return interface.isPopoverOpen }
        return false
    }

    private func addRecording(_ out: inout Canvas) {
        guard audio.isRecording, !audio.isMicrophoneMuted else { return }
        let dot = screen.clearOfCorners(Rect(room.maxX - 17, room.minY + 7, 10, 10))
        out.fill("recording", part: 0, .controls, dot.inset(by: -2), radius: 7)
        out.fill("recording", part: 1, .recording, dot, radius: 5)
        out.control("recording", .label, .message(.microphoneInUse), dot, focusable: false, hittable: false)
    }

    // MARK: Volume view (A-11)

    func addVolumeView(_ canvas: inout Canvas, _ window: WindowID) {
        let frame = (stage.frame(of: window, at: now) ?? workspace.frames()[window]).map(own) ?? room
        let row = rowHeight
        let outputs = Array(
            audio.outputs.prefix(
                max(1, min(5, Int(clamping: (room.height - 32 - 24 - row * (workspace.idiom.sound.keysActOnRinger ? 2 : 1)) / row - 1)))))
        let width = min(room.width - 16, scaled(320))
        let kind: VolumeClass = audio.keysActOn == .call ? .call : .media
        var kinds = [kind]
        if workspace.idiom.sound.keysActOnRinger, audio.volumes[.ringer] != nil { kinds.append(.ringer) }
        let height = 24 + (row + 8) * Double(kinds.count) + row * Double(outputs.count + 1)
        let panel = kept(Rect((frame.center.x - width / 2).rounded(), frame.minY + 24, width, height))
        ground(&canvas, "volume-view", .panel, .message(.volume), panel, radius: 20)
        guard audio.isServerRunning else {
            let rect = panel.inset(by: 16)
            canvas.text("volume-view/none", .message(.noSound), .callout, .secondary, rect, .center, lines: 2)
            return canvas.control("volume-view/none", .label, .message(.noSound), rect, focusable: false)
        }
        var y = panel.y + 12
        for kind in kinds {
            addVolume(&canvas, "volume-view", kind, Rect(panel.x + 12, y, width - 24, row))
            y += row + 8
        }
        for choice in outputChoices(outputs) {
            addChoice(&canvas, ControlID(.volumeView, choice.id), choice, Rect(panel.x + 12, y, width - 24, row))
            y += row
        }
    }

    // MARK: Rows

    var rowHeight: Double { max(48, touch, line(.body) + 24) }

    /// A slider with a symbol that mutes. For the ringer, the symbol is the silence switch where the ringer has a volume of its own
    /// (A-06, A-07), and only a picture elsewhere.
    func addVolume(_ canvas: inout Canvas, _ base: ControlID, _ kind: VolumeClass, _ rect: Rect) {
        let volume = audio.volumes[kind] ?? .init(level: 1, isMuted: false)
        let id = base.part(kind.rawValue)
        canvas.fill(id, .control, rect, radius: min(18, rect.height / 2))
        let button = Rect(rect.x, rect.y, 52, rect.height)
        let canMute = kind == .media || kind == .call
        if canMute { canvas.press(base.part("mute"), button.inset(by: 2), radius: 16) }
        let isSwitch = kind == .ringer && workspace.idiom.sound.keysActOnRinger
        if isSwitch { canvas.press(base.part("ringer-silence"), button.inset(by: 2), radius: 16) }
        canvas.symbol(id, symbol(of: kind, volume), .primary, in: button, side: 22)
        if isSwitch {
            canvas.control(
                base.part("ringer-silence"), .toggle, .message(.silence), button.inset(by: 2), press: .audio(.silence(nil)),
                chosen: audio.isSilenced, focusRadius: 16)
        }
        if canMute {
            canvas.control(
                base.part("mute"), .toggle, .message(.mute), button.inset(by: 2), press: .audio(.mute(nil)), chosen: volume.isMuted,
                focusRadius: 16)
        }
        canvas.slider(
            id, message(of: kind), level(of: id, volume.level), text: percent(level(of: id, volume.level)), .volume(kind),
            Rect(button.maxX, rect.y + 2, rect.width - 52 - 14, rect.height - 4), isMuted: volume.isMuted || (isSwitch && audio.isSilenced))
    }

    /// The value while dragging, or the actual one.
    func level(of id: ControlID, _ value: Double) -> Double { interface.sliding?.id == id ? interface.sliding!.value : value }

    func percent(_ share: Double) -> String { "\(Int(clamping: (max(0, min(1, share)) * 100).rounded()))%" }

    func message(of kind: VolumeClass) -> Message {
        switch kind {
        case .media: .volume
        case .ringer: .ringer
        case .alarm: .alarmVolume
        case .call: .callVolume
        }
    }

    func symbol(of kind: VolumeClass, _ volume: AudioSummary.Volume) -> Symbol {
        switch kind {
        case .ringer: volume.isMuted || audio.isSilenced ? .bellMuted : .bell
        case .alarm: .bell
        case .media, .call: volume.isMuted || volume.level <= 0 ? .speakerMuted : volume.level < 0.5 ? .speakerQuiet : .speaker
        }
    }

    struct SoundChoice {
        var id: String
        var symbol: Symbol
        var text: Text
        var action: Action
        var isChosen: Bool
    }

    func name(of output: AudioOutput) -> Text { output.id == AudioOutput.nowhere ? .message(.noOutput) : .verbatim(output.name) }

    /// Automatic first, then these outputs (A-10).
    func outputChoices(_ outputs: [AudioOutput]) -> [SoundChoice] {
        [
            SoundChoice(
                id: "automatic", symbol: .speaker, text: .message(.automatic), action: .audio(.pickOutput(nil)),
                isChosen: !audio.isOutputPicked)
        ]
            + outputs.map {
                SoundChoice(
                    id: "output/\($0.id.raw)", symbol: symbol(of: $0.kind), text: name(of: $0), action: .audio(.pickOutput($0.id)),
                    isChosen: audio.isOutputPicked && audio.route.output == $0.id)
            }
    }

    func addChoice(_ canvas: inout Canvas, _ id: ControlID, _ choice: SoundChoice, _ rect: Rect) {
        canvas.press(id, rect, radius: 12)
        let isUsed = choice.isChosen || choice.id == "output/\(audio.route.output?.raw ?? "")"
        let tone: Tone = isUsed ? .accent : .primary
        // On a watch the words need the room.
        let isNarrow = rect.width < 240, left = isNarrow ? 34.0 : 52, end = isNarrow ? (choice.isChosen ? 28.0 : 4) : 44
        canvas.symbol(id, choice.symbol, tone, in: Rect(rect.x + (isNarrow ? 2 : 6), rect.y, isNarrow ? 28 : 36, rect.height), side: 22)
        canvas.text(
            id, choice.text, .body, .primary, Rect(rect.x + left, rect.y, rect.width - left - end, rect.height), .leadingMiddle, lines: 2)
        if choice.isChosen {
            canvas.symbol(
                id, part: 5, .check, .accent, in: Rect(rect.maxX - (isNarrow ? 26 : 40), rect.y, isNarrow ? 24 : 36, rect.height), side: 18)
        }
        canvas.control(id, .menuItem, choice.text, rect.inset(by: 1), press: choice.action, target: rect, chosen: choice.isChosen)
    }

    func symbol(of kind: AudioOutput.Kind) -> Symbol {
        switch kind {
        case .speaker: .speaker
        case .receiver: .receiver
        case .headphones: .headphones
        case .headset: .headset
        case .usb: .usb
        case .hdmi: .display
        case .bluetoothA2DP, .bluetoothHFP: .bluetooth
        case .lineOut: .lineOut
        case .network: .network
        case .virtual: .speakerQuiet
        }
    }

    func symbol(of kind: AudioInput.Kind) -> Symbol {
        switch kind {
        case .builtIn, .virtual: .microphone
        case .headset: .headset
        case .usb: .usb
        case .bluetooth: .bluetooth
        case .lineIn: .lineOut
        }
    }

    // MARK: Apps with sound

    struct Source {
        var icon: AppIcon
        /// "" for a sandbox without a vouched name.
        var name: String
        /// As alerts and notifications name it (P-06).
        var text: Text { name.isEmpty ? .message(.someProgram) : .verbatim(name) }
        /// Brings its window to the front; nil if it has none.
        var open: Action?
    }

    /// The installed app, or else the window of the same process, or else the name alone. The name that a program in a sandbox gives
    /// itself does not count, nor do its windows' names.
    func source(of program: SensorUse.Program) -> Source {
        source(AudioApp(id: program.id, lineage: program.lineage, isSandboxed: program.isSandboxed))
    }

    func source(_ app: AudioApp, name: String = "") -> Source {
        let window = workspace.window(of: app)
        if app.isSandboxed, workspace.app(app.id) == nil {
            let trusted = window.map { workspace.trustedApp(of: $0.id) } ?? "", own = workspace.app(trusted)
            let title = own?.name ?? (app.id.isEmpty ? trusted : app.id)
            let icon =
                own.map { AppIcon(name: $0.icon, title: $0.name) }
                ?? AppIcon(name: title.isEmpty ? "application-x-executable" : title.lowercased(), title: title.isEmpty ? "?" : title)
            return Source(icon: icon, name: title, open: own.map { .openApp(app: $0.id) } ?? window.map { .focus(window: $0.id) })
        }
        let id = app.id.lowercased()
        let known =
            workspace.app(app.id) ?? workspace.apps.first { $0.id.lowercased() == id || $0.windowClass?.lowercased() == id }
            ?? window.flatMap { workspace.app($0.app) }
            ?? workspace.apps.first { $0.script?.lowercased() == id }
            ?? workspace.apps.first { $0.command.first?.split(separator: "/").last.map { $0.lowercased() == id } ?? false }
        if let known { return Source(icon: AppIcon(name: known.icon, title: known.name), name: known.name, open: .openApp(app: known.id)) }
        let title = !name.isEmpty ? name : window.map { workspace.appName(of: $0.id) } ?? app.id
        return Source(icon: AppIcon(name: id, title: title), name: title, open: window.map { .focus(window: $0.id) })
    }
}
