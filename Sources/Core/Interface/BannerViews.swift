import Geometry
import Stage
import Windows

/// The banner over the app in front: a window waits, or an app asked to come in front and was refused (W-19).
extension Views {
    public func banner() -> Canvas {
        var canvas = self.canvas()
        guard let shown = interface.banner, !shown.isGone(at: now), let window = workspace[shown.content.window] else { return canvas }
        let presence = max(0, min(1, shown.presence(at: now)))
        let app = workspace.trustedApp(of: window.id), isNew = shown.content.isNew
        // The title of a window in a sandbox is only a claim.
        let name = app.isEmpty && window.facts.sandbox != nil ? "" : workspace.appName(of: window.id)
        // The app's deed has to remain readable.
        let short = name.count > 28 ? name.prefix(27) + "…" : name
        func sentence(_ name: String) -> Text {
            name.isEmpty
                ? .message(isNew ? .openedWindowUnknown : .wantsAttentionUnknown)
                : .message(isNew ? .openedWindow : .wantsAttention, [name])
        }
        let text = sentence(short)
        let width = min(room.width - 16, scaled(560)), isNarrow = width < scaled(480), gap = 8.0
        let button = Size(isNarrow ? min(scaled(88), (width - 3 * gap) / 2) : scaled(88), 44)
        let lines = width < scaled(280) ? 3 : 2, words = line(.callout) * Double(lines)
        let height = (isNarrow ? words + button.height + 3 * gap : max(64, words + 2 * gap)).rounded()
        let panel = Rect((room.center.x - width / 2).rounded(), room.minY + 12, width, height)
        canvas.opacity = presence
        canvas.isInert = !shown.isOpen
        canvas.shift = Vector(0, (1 - presence) * -(height + 24 + margins.top))
        // The words alone are an alert: a panel of the same name would be read as well.
        ground(&canvas, "banner", .panel, .message(.notifications), panel, radius: 18)
        canvas.control("banner/text", .alert, sentence(name), panel.inset(by: 20), focusable: false)
        let icon = Rect(panel.x + 14, (isNarrow ? panel.y + gap + words / 2 : panel.center.y) - 18, 36, 36)
        canvas.icon("banner", app.isEmpty ? AppIcon(name: nil, title: name) : self.icon(of: app), icon)
        let buttons = 2 * button.width + 2 * gap
        let place =
            isNarrow
            ? Rect(icon.maxX + 12, panel.y + gap, panel.maxX - icon.maxX - 24, words)
            : Rect(icon.maxX + 12, panel.y + gap, panel.maxX - icon.maxX - 24 - buttons, height - 2 * gap)
        canvas.text("banner", text, .callout, .primary, place, .leadingMiddle, lines: lines)
        let y = isNarrow ? panel.maxY - gap - button.height : panel.center.y - button.height / 2
        let open: Action =
            workspace.waiting.contains(window.id)
            ? .openWaiting(window: window.id)
            : workspace.pip?.window == window.id ? .pipShow : .focus(window: window.id)
        let all: [(id: String, text: Message, paint: Paint, tone: Tone, action: Action)] = [
            ("later", .later, .control, .primary, .bannerLater), ("open", .open, .accent, .onAccent, open),
        ]
        for (index, choice) in all.enumerated() {
            let rect = Rect(panel.maxX - gap - Double(2 - index) * (button.width + gap) + gap, y, button.width, button.height)
            let id = ControlID(.banner, choice.id)
            canvas.fill(id, choice.paint, rect, radius: 12)
            canvas.press(id, rect, radius: 12)
            canvas.text(id, .message(choice.text), .callout, choice.tone, rect, .center)
            canvas.control(id, .button, .message(choice.text), rect, press: choice.action, focusRadius: 12)
        }
        return canvas
    }
}
