import Geometry
import Stage
import Windows

/// The banner over the app in front: a window waits, or an app asked to come in front and was refused (W-19).
extension Views {
    public func banner() -> Canvas {
        var canvas = self.canvas()
        guard let shown = interface.banner, !shown.isGone(at: now), let window = workspace[shown.content.window] else { return canvas }
        let presence = max(0, min(1, shown.presence(at: now)))
        let name = workspace.appName(of: window.id)
        let text = Text.message(shown.content.isNew ? .openedWindow : .wantsAttention, [name])
        let button = Size(max(88, scaled(88)), 44), gap = 8.0
        let width = min(room.width - 16, scaled(560)), isNarrow = width < scaled(480)
        let height = (isNarrow ? line(.callout) * 2 + button.height + 3 * gap : max(64, line(.callout) * 2 + 2 * gap)).rounded()
        let panel = Rect((room.center.x - width / 2).rounded(), room.minY + 12, width, height)
        canvas.opacity = presence
        canvas.isInert = !shown.isOpen
        canvas.shift = Vector(0, (1 - presence) * -(height + 24))
        ground(&canvas, "banner", .alert, text, panel, radius: 18)
        let icon = Rect(panel.x + 14, panel.y + (isNarrow ? gap + line(.callout) - 18 : (height - 36) / 2), 36, 36)
        canvas.icon("banner", self.icon(of: window.app.isEmpty ? window.facts.appID : window.app), icon)
        let buttons = 2 * button.width + 2 * gap
        let words = isNarrow
            ? Rect(icon.maxX + 12, panel.y + gap, panel.maxX - icon.maxX - 24, line(.callout) * 2)
            : Rect(icon.maxX + 12, panel.y + gap, panel.maxX - icon.maxX - 24 - buttons, height - 2 * gap)
        canvas.text("banner", text, .callout, .primary, words, lines: 2)
        let y = isNarrow ? panel.maxY - gap - button.height : panel.center.y - button.height / 2
        let open: Action = workspace.waiting.contains(window.id) ? .openWaiting(window: window.id)
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
