import Geometry
import Stage
import Windows

/// The view of a locked screen while no locker holds the session. It knows nothing of windows, apps or sound.
extension Views {
    public func lockNotice() -> Canvas {
        var out = canvas()
        guard let notice = interface.lockNotice else { return out }
        out.glass = nil
        let message: Message, lines: Double
        switch notice {
        case .starting: (message, lines) = (.lockStarting, 1)
        case .failing: (message, lines) = (.lockFailing, 3)
        }
        let width = min(room.width - 48, scaled(420))
        // Large text on a narrow screen needs more lines.
        let count = Int(clamping: (lines * scaled(420) / width).rounded(.up))
        let height = line(.title) + 12 + line(.body) * Double(count)
        let title = Rect((room.center.x - width / 2).rounded(), (room.center.y - height / 2).rounded(), width, line(.title))
        let body = Rect(title.x, title.maxY + 12, width, height - line(.title) - 12)
        let name = ControlID(.lock, "title"), text = ControlID(.lock, "message")
        out.text(name, .message(.lockTitle), .title, .onWallpaper, title, .center)
        out.control(name, .label, .message(.lockTitle), title, focusable: false)
        out.text(text, .message(message), .body, .onWallpaperSecondary, body, .center, lines: count)
        out.control(text, .label, .message(message), body, focusable: false)
        return out
    }
}
