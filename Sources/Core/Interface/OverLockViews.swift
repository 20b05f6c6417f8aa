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
        var ids: [String] = []
        for id in [facts.lock.emergency] + facts.lock.apps where !id.isEmpty && !ids.contains(id) { ids.append(id) }
        return ids.compactMap { workspace.app($0) }.map { OverApp(app: $0, isEmergency: $0.id == facts.lock.emergency) }
    }

    /// Those that have room beside the way in, which needs this width for its word.
    private func shownOverApps(height: Double) -> [OverApp] {
        let all = overApps, own = max(110, scaled(90))
        let each = max(0, Int(clamping: ((room.width - 32 - own) / 2 / (height + 8)).rounded(.down)))
        return Array(all.filter(\.isEmergency).prefix(each)) + Array(all.filter { !$0.isEmergency }.prefix(each))
    }

    // MARK: On the lock screen

    /// Adds the buttons beside the way in, which leaves them so much room on each side. The emergency call is on the left.
    func addOverButtons(_ out: inout Canvas, beside button: Rect) {
        let all = shownOverApps(height: button.height), side = button.height
        guard !all.isEmpty else { return }
        var left = room.x + 16, right = room.maxX - 16
        for over in all {
            let isLeft = over.isEmergency, place = Rect(isLeft ? left : right - side, button.y, side, side)
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
        let all = shownOverApps(height: height), left = all.count { $0.isEmergency }, right = all.count - left
        return 2 * Double(max(left, right)) * (height + 8)
    }

    /// Whether the emergency call has no room beside the way in, as on a watch.
    var emergencyStandsAlone: Bool {
        let height = max(44, line(.callout) + 20)
        return overApps.first?.isEmergency ?? false && !(shownOverApps(height: height).first?.isEmergency ?? false) && room.height >= 150
    }

    /// The emergency call, beside the way back or in a row of its own.
    func addEmergency(_ out: inout Canvas, in rect: Rect) {
        guard let over = overApps.first, over.isEmergency else { return }
        let id = ControlID(.lock, "app/\(over.app.id)")
        out.press(id, rect.inset(by: 2), radius: touch / 2)
        out.text(
            id, .message(.emergencyCall), .headline, .onWallpaper, middle(rect.inset(by: 6), .headline), .center,
            shrunk: room.width < 280 ? 0.8 : 1)
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
        if let time = status.time, room.height >= 300 {
            let bar = Rect(room.x + 8, room.y, room.width / 2, lockBarHeight)
            out.text("lock/time", .verbatim(time.text), .headline, .onWallpaper, middle(bar, .headline))
            out.control("lock/time", .label, .verbatim(time.text), bar, focusable: false, hittable: false)
        }
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
