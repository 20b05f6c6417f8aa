import AudioSessions
import Geometry
import Stage
import Windows

/// The controls on Picture in Picture (W-06): close, full size, and playback.
extension Views {
    /// Shown over the picture by a tap; hidden after a while.
    public func pipControls() -> Canvas {
        var out = canvas()
        // Picture in Picture and playback are not mirrored for right-to-left languages.
        let mirror = out.mirror
        out.mirror = nil
        defer { out.mirror = mirror }
        guard let shown = interface.pipControls, !shown.isGone(at: now), workspace.pip?.window == shown.content,
            let frame = stage.frame(of: shown.content, at: now).map(own), frame.width > 60, frame.height > 40
        else { return out }
        out.opacity = max(0, min(1, shown.presence(at: now)))
        out.isInert = !shown.isOpen
        defer {
            out.opacity = 1
            out.isInert = false
        }
        out.fill("picture-controls", .scrim, frame, radius: workspace.idiom.picture.radius)
        let side = max(28, min(44, min(frame.width * 0.17, frame.height * 0.3))).rounded()
        let inset = (side * 0.25).rounded() + side / 2
        let window = shown.content
        addPipButton(
            &out, "close", .close, .message(.closeNamed, [WindowNames(workspace).of(window)]), .close(window: window),
            at: Point(frame.minX + inset, frame.minY + inset), side)
        addPipButton(
            &out, "full", .fullScreen, .message(.fullScreen), .fullScreen(window: window),
            at: Point(frame.maxX - inset, frame.minY + inset), side)
        if let call = audio.call, call.state == .accepted, workspace[window]?.belongs(to: call.app) ?? false {
            addPipButton(
                &out, "end-call", .endCall, .message(.endCall), .audio(.endCall), at: Point(frame.center.x, frame.maxY - inset), side,
                ground: .badge)
        }
        // Without fingers that carry windows there, the picture and the window in front change places by a control (W-26).
        if workspace.idiom.views.alwaysFocuses, workspace.currentSpace != nil || !workspace.spaces.isEmpty {
            addPipButton(&out, "swap", .swap, .message(.swapPicture), .pipSwap, at: Point(frame.center.x, frame.minY + inset), side)
        }
        let commands = pipCommands(of: window)
        guard !commands.isEmpty else { return out }
        let step = min(side * 1.7, (frame.width - side) / Double(commands.count))
        // Centred, but clear of the controls at the top.
        let y = max(frame.center.y, frame.minY + inset + side + 2)
        let left = frame.center.x - step * Double(commands.count - 1) / 2
        for (index, command) in commands.enumerated() {
            addPipButton(
                &out, command.id, command.symbol, command.text, .audio(.remote(command.command, .controlCentre)),
                at: Point(left + step * Double(index), y), side, seconds: command.seconds)
        }
        return out
    }

    /// The Now Playing commands, if this window's app is the one that plays.
    private func pipCommands(of window: WindowID) -> [Command] {
        guard let playing = audio.playing, let window = workspace[window], window.belongs(to: playing.app) else { return [] }
        let all = commands(of: playing)
        guard let play = all.first(where: { $0.id == "play" }) else { return [] }
        // For films, offer skipping by seconds. Offer next and previous only if the app has no skipping.
        func skip(_ id: String, _ symbol: Symbol, _ message: Message, _ own: Double?, _ command: (Double?) -> RemoteCommand) -> Command? {
            let seconds = own ?? 10
            guard playing.commands.contains(command(nil).name) else { return nil }
            return Command(
                id: id, symbol: symbol, text: .message(message, [Views.number(seconds)]), command: command(seconds), seconds: seconds)
        }
        let back = skip("skip-backward", .skipBackward, .skipBackward, playing.skipBackward) { .skipBackward($0) }
        let on = skip("skip-forward", .skipForward, .skipForward, playing.skipForward) { .skipForward($0) }
        return [back ?? all.first { $0.id == "previous" }, play, on ?? all.first { $0.id == "next" }].compactMap(\.self)
    }

    private func addPipButton(
        _ out: inout Canvas, _ name: String, _ symbol: Symbol, _ text: Text, _ action: Action, at center: Point, _ side: Double,
        seconds: Double? = nil, ground: Paint = .controls
    ) {
        let id = ControlID(.pipControls, name), rect = Rect(center: center, size: Size(side, side))
        out.fill(id, ground, rect, radius: side / 2)
        out.press(id, rect, radius: side / 2)
        out.symbol(id, symbol, .onAccent, in: rect, side: (side * 0.55).rounded())
        if let seconds {
            out.text(id, part: 5, .verbatim(Views.number(seconds)), .badge, .onAccent, Rect(center: center, size: Size(side, 16)), .center)
        }
        out.control(id, .button, text, rect, press: action, focusRadius: side / 2)
    }
}
