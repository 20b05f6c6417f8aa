import Geometry
import Locking
import Stage
import Windows

/// Apps over the lock screen of the shell: their buttons there, and the way back from them.
extension Views {
    /// An app that a person can open without unlocking.
    private struct OverApp {
        var app: App
        var isEmergency: Bool
    }

    /// Those that the configuration names, and that are installed: the emergency call first.
    private var overApps: [OverApp] {
        guard !greeter.isOn else { return [] }
        let emergency = workspace.app(facts.lock.emergency).map { [OverApp(app: $0, isEmergency: true)] } ?? []
        return emergency
            + facts.lock.apps.filter { $0 != facts.lock.emergency }.compactMap { workspace.app($0) }
            .map { OverApp(app: $0, isEmergency: false) }
    }

    // MARK: On the lock screen

    /// Adds the buttons beside the way in, which leaves them so much room on each side. The emergency call is on the left.
    func addOverButtons(_ out: inout Canvas, beside button: Rect) {
        let all = overApps, side = button.height
        guard !all.isEmpty else { return }
        var left = room.x + 16, right = room.maxX - 16
        for over in all {
            let isLeft = over.isEmergency, place = Rect(isLeft ? left : right - side, button.y, side, side)
            // They stand beside the way in, and not on it.
            guard isLeft ? place.maxX + 6 <= button.x : place.x - 6 >= button.maxX else { continue }
            if isLeft { left = place.maxX + 8 } else { right = place.x - 8 }
            let id = ControlID(.lock, "app/\(over.app.id)")
            out.fill(id, .panel, place, radius: side / 2)
            out.press(id, place, radius: side / 2)
            if over.isEmergency {
                out.symbol(id, .call, .destructive, in: place, side: 22)
            } else {
                out.icon(id, AppIcon(name: over.app.icon, title: over.app.name), place.inset(by: 9))
            }
            out.control(
                id, .button, over.isEmergency ? .message(.emergencyCall) : .similar(over.app.name), place,
                press: .lockScreen(.over(over.app.id)), focusRadius: side / 2)
        }
    }

    /// The width that the way in leaves for them, between the edges of the screen.
    func overButtonsWidth(height: Double) -> Double {
        let all = overApps, left = all.count { $0.isEmergency }, right = all.count - left
        return 2 * Double(max(left, right)) * (height + 8)
    }

    /// The emergency call in the upper corner beside the field.
    func addEmergency(_ out: inout Canvas, at top: Double) {
        guard let over = overApps.first, over.isEmergency else { return }
        let width = min(scaled(160), room.width - touch - 18), id = ControlID(.lock, "app/\(over.app.id)")
        let rect = Rect(room.maxX - width - 6, top, width, touch)
        out.press(id, rect.inset(by: 2), radius: touch / 2)
        out.text(id, .message(.emergencyCall), .headline, .onWallpaper, middle(rect.inset(by: 6), .headline), .center)
        out.control(id, .button, .message(.emergencyCall), rect.inset(by: 2), press: .lockScreen(.over(over.app.id)), focusRadius: 18)
    }

    // MARK: Over it

    private var overFootHeight: Double { max(touch, line(.callout) + 16) + (workspace.idiom.round == nil ? 8 : 20) }

    /// The part of the screen that the app has, in points of the screen: all but the status above and the way back below.
    public var overLockArea: Rect? {
        guard lock.screen.isUp, lock.over.app != nil else { return nil }
        let top = room.height < 300 ? room.y : room.y + lockBarHeight
        let area = Rect(screen.bounds.x, top, screen.bounds.width, max(1, room.maxY - overFootHeight - top))
        return onScreen(area).rounded
    }

    /// The way back, and words as long as the app has no window.
    func addOverLock(_ out: inout Canvas) {
        guard let name = lock.over.app else { return }
        let height = max(touch, line(.callout) + 16), width = min(room.width - 16, scaled(240))
        let y = room.maxY - height - (workspace.idiom.round == nil ? 4 : 16)
        let button = Rect((room.center.x - width / 2).rounded(), y, width, height), id: ControlID = "lock/over/back"
        out.fill(id, .panel, button, radius: height / 2)
        out.press(id, button, radius: height / 2)
        out.text(id, .message(.lockScreen), .callout, .primary, middle(button.inset(by: 6), .callout), .center)
        out.control(id, .button, .message(.lockScreen), button, press: .lockScreen(.back), focusRadius: height / 2)
        guard lock.over.window == nil else { return }
        let title = workspace.app(name)?.name ?? name
        let words: Text =
            switch lock.over.trouble {
            case .failed: .message(.couldNotOpen, [title])
            case .elsewhere: .message(.overElsewhere, [title])
            case nil: .message(.overOpens, [title])
            }
        let lines = room.width < 280 ? 4 : 3
        let place = Rect(
            room.x + 12, (room.center.y - line(.headline) * Double(lines) / 2).rounded(), room.width - 24, line(.headline) * Double(lines))
        out.text("lock/over/words", words, .headline, .onWallpaper, place, .center, lines: lines)
        out.control("lock/over/words", .label, words, place, focusable: false, hittable: false)
    }
}
