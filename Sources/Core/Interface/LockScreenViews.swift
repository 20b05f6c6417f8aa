import AudioSessions
import Geometry
import Locking
import Notices
import Stage
import Status
import Windows

/// The lock screen of the shell, as its view shows it.
public struct LockSight: Hashable, Codable, Sendable {
    public var screen = LockScreen()
    public var finger = FingerLock()
    /// The app over it.
    public var over = OverLock()
    /// How far the notifications are scrolled, in points of the view.
    public var scroll = 0.0
    public var greeter = Greeter()
    /// Whether programs take pictures of the screen: then no letter of an answer is shown.
    public var isPictured = false
    public var name: Text { .message(greeter.isOn ? .logIn : .lockTitle) }

    public init() {}
}

/// The lock screen of the shell: the time, what plays, the notifications that a person allows there, and the field for the password.
///
/// It shows nothing of windows, and names apps only where a person chose that.
extension Views {
    public func lockScreen() -> Canvas {
        var out = canvas()
        guard lock.screen.isUp else { return out }
        // Glass would show the windows behind the lock.
        out.glass = nil
        out.control("lock/screen", .panel, lock.name, room, focusable: false)
        // On a small screen an app has the room of the bar.
        var top = lock.over.app != nil && room.height < 300 ? room.y : addLockBar(&out)
        guard lock.over.app == nil else {
            addOverLock(&out)
            return out
        }
        guard !isGreeterPage else {
            addGreeter(&out)
            return out
        }
        top = addGreeterCorner(&out, below: top)
        let bottom = lock.screen.isOpen ? addUnlocking(&out, below: top) : addLockFoot(&out)
        guard !lock.screen.isOpen || room.height - keysHeight > scaled(420) else { return out }
        let clock = addLockClock(&out, below: top, above: bottom)
        if !lock.screen.isOpen { addLockList(&out, Rect(room.x, clock, room.width, bottom - clock)) }
        return out
    }

    /// Where the notifications are, and how far they can be scrolled.
    public var lockList: (window: Rect, length: Double)? {
        guard !isGreeterPage else { return greeterList }
        guard lock.screen.isUp, !lock.screen.isOpen, lock.over.app == nil else { return nil }
        let top = room.minY + lockBarHeight
        var probe = canvas()
        let foot = addLockFoot(&probe), clock = addLockClock(&probe, below: top, above: foot)
        let window = lockRowWindow(Rect(room.x, clock, room.width, foot - clock)), rows = lockRows
        guard !rows.isEmpty, window.height >= lockRowHeight else { return nil }
        return (window, max(0, Double(rows.count) * (lockRowHeight + 8) + 8 - window.height))
    }

    // MARK: The time and the state of the device

    /// How high the strip with the state of the device is, at the upper edge.
    var lockBarHeight: Double { max(28, line(.headline) + 8) }

    private func addLockBar(_ out: inout Canvas) -> Double {
        let margin = max(14, (screen.cornerRadius / 2).rounded())
        let strip = Rect(room.x + margin, room.y, room.width - 2 * margin, lockBarHeight)
        // On a round screen there is no room beside the middle.
        if workspace.idiom.round == nil { addStatusMarks(&out, in: strip, .onWallpaper) }
        return strip.maxY
    }

    func addLockClock(_ out: inout Canvas, below top: Double, above bottom: Double) -> Double {
        guard let time = status.time else { return top }
        let isSmall = room.height < 500
        // The time comes first: where there is little room, in a smaller style.
        let styles: [TextStyle] = isSmall ? [.largeTitle, .title, .headline] : [.clock]
        let style = styles.first { line($0) <= bottom - top } ?? styles[styles.count - 1]
        let dateStyle: TextStyle = isSmall ? .callout : .title, height = line(style)
        // On the smallest screens the time stands without the date.
        let dateHeight = time.day == nil || top + height + line(dateStyle) > bottom ? 0 : line(dateStyle)
        let space = max(0, min(bottom - top - height - dateHeight, isSmall ? 8 : scaled(48)))
        let y = top + (space / 2).rounded()
        let clock = Rect(room.x + 8, y, room.width - 16, height), date = Rect(room.x + 8, clock.maxY, room.width - 16, dateHeight)
        guard date.maxY <= bottom else { return top }
        // Large text on a narrow screen: smaller signs, and not fewer.
        let shrunk = min(1, clock.width / max(1, Text.width(of: time.text) * scaled(style.size)))
        out.text("lock/time", .verbatim(time.text), style, .onWallpaper, clock, .center, shrunk: shrunk)
        out.control("lock/time", .label, .verbatim(time.text), clock, focusable: false, hittable: false)
        if let day = time.day, dateHeight > 0 {
            out.text("lock/date", .date(day), dateStyle, .onWallpaper, date, .center)
            out.control("lock/date", .label, .date(day), date, focusable: false, hittable: false)
        }
        return date.maxY + 12
    }

    // MARK: The foot of the clock's page

    /// Returns its top.
    private func addLockFoot(_ out: inout Canvas) -> Double {
        let height = max(44, line(.callout) + 20)
        let width = min(room.width - 32 - overButtonsWidth(height: height), scaled(240))
        var top = room.maxY - height - 12
        let button = Rect((room.center.x - width / 2).rounded(), top, width, height), id: ControlID = "lock/open"
        out.fill(id, .panel, button, radius: height / 2)
        out.press(id, button, radius: height / 2)
        out.text(id, .message(.unlock), .headline, .primary, button.inset(by: 6), .center)
        out.control(id, .button, .message(.unlock), button, press: .lockScreen(.open), focusRadius: height / 2)
        addOverButtons(&out, beside: button)
        top -= 8
        if emergencyStandsAlone {
            top -= touch
            addEmergency(&out, in: Rect(room.x + 16, top, room.width - 32, touch))
        }
        if let words = fingerWords, room.height >= 300 {
            top -= line(.callout)
            let rect = Rect(room.x + 16, top, room.width - 32, line(.callout))
            out.text("lock/finger", words, .callout, .onWallpaper, rect, .center)
            out.control("lock/finger", .label, words, rect, focusable: false, hittable: false)
            top -= 8
        }
        if let playing = audio.playing, room.height >= 300 { top = addLockPlaying(&out, playing, above: top) }
        return top - 4
    }

    /// The words of the fingerprint reader; nil: it waits for nothing.
    var fingerWords: Text? {
        switch lock.finger.hint {
        case .again: .message(.fingerAgain)
        case .wrong: .message(.fingerWrong)
        case .over: .message(.fingerOver)
        case nil: lock.finger.isReady ? .message(.fingerAsked) : nil
        }
    }

    /// The playing item and its controls.
    private func addLockPlaying(_ out: inout Canvas, _ playing: AudioSummary.Playing, above bottom: Double) -> Double {
        let commands = commands(of: playing), width = min(room.width - 32, scaled(380))
        let head = line(.headline) + line(.caption), height = 24 + head + (commands.isEmpty ? 0 : touch)
        let card = Rect((room.center.x - width / 2).rounded(), bottom - height, width, height), id: ControlID = "lock/playing"
        let title: Text = playing.info.title.isEmpty ? .message(.notPlaying) : .verbatim(playing.info.title)
        out.fill(id, .panel, card, radius: 18)
        let words = Rect(card.x + 16, card.y + 12, card.width - 32, line(.headline))
        out.text(id, title, .headline, .primary, words, .center)
        out.text(
            id, part: 5, .verbatim(playing.info.artist), .caption, .secondary, Rect(words.x, words.maxY, words.width, line(.caption)),
            .center)
        out.control(id, .label, title, card, focusable: false, hittable: false)
        // Playback controls follow the direction of a tape, not of the language.
        let mirror = out.mirror
        out.mirror = nil
        defer { out.mirror = mirror }
        let step = min(72, (width - 16) / Double(max(1, commands.count))), count = Double(commands.count)
        for (index, command) in commands.enumerated() {
            let cell = Rect((card.center.x - count * step / 2 + Double(index) * step).rounded(), card.maxY - touch - 6, step, touch)
            let key = id.part(command.id)
            out.press(key, cell.inset(by: 2), radius: 12)
            out.symbol(key, command.symbol, .primary, in: cell, side: 26)
            out.control(key, .button, command.text, cell.inset(by: 2), press: .audio(.remote(command.command, .controlCentre)))
        }
        return card.y
    }

    // MARK: Notifications

    /// One app's notifications: the newest that may be read here, and how many there are.
    private struct LockRow {
        var id: String
        var newest: Notice?
        var count: Int
    }

    /// Groups by app, the newest first. Those that are only counted are one more row.
    private var lockRows: [LockRow] {
        let told = notices.onLock()
        var rows: [LockRow] = []
        for notice in told.open where notice.id != interface.lockCards.front {
            if let index = rows.firstIndex(where: { $0.newest?.group == notice.group }) {
                rows[index].count += 1
            } else {
                rows.append(LockRow(id: "notice/\(rows.count)", newest: notice, count: 1))
            }
        }
        let others = told.count - told.open.count
        if others > 0 { rows.append(LockRow(id: "notices", newest: nil, count: others)) }
        return rows
    }

    private var lockRowHeight: Double { max(56, line(.caption) + line(.headline) + 20) }

    /// The part of a space that whole rows fill.
    private func lockRowWindow(_ space: Rect) -> Rect {
        let step = lockRowHeight + 8, rows = ((space.height - 8) / step).rounded(.down)
        return Rect(space.x, space.y, space.width, rows < 1 ? 0 : rows * step + 8)
    }

    private func addLockList(_ out: inout Canvas, _ space: Rect) {
        let rows = lockRows, window = lockRowWindow(space), width = min(window.width - 32, scaled(420)), height = lockRowHeight
        guard !rows.isEmpty else { return }
        let isWhole = Double(rows.count) * (height + 8) + 8 <= window.height
        if !isWhole {
            addLockCount(&out, rows.reduce(0) { $0 + $1.count }, Rect(space.x, window.maxY, space.width, space.maxY - window.maxY))
        }
        guard window.height >= height + 16 else { return }
        let before = out.window
        out.window = out.placed(window)
        defer { out.window = before }
        let first = max(window.minY + 8, lockCardFrame.map { $0.maxY + 8 } ?? 0)
        for (index, row) in rows.enumerated() {
            let rect = Rect(
                (window.center.x - width / 2).rounded(), first + Double(index) * (height + 8) - lock.scroll, width, height)
            guard rect.maxY > window.minY, rect.minY < window.maxY else { continue }
            let id = ControlID(.lock, row.id)
            out.fill(id, .panel, rect, radius: 18)
            guard let notice = row.newest else {
                let text = Text.message(.noticesWait, ["\(row.count)"])
                out.symbol(id, .bell, .secondary, in: Rect(rect.x + 12, rect.y, 32, rect.height), side: 20)
                out.text(id, text, .callout, .primary, Rect(rect.x + 56, rect.y, rect.width - 72, rect.height), .leadingMiddle)
                out.control(id, .label, text, rect, focusable: false, hittable: false)
                continue
            }
            addIcon(&out, id, notice, Rect(rect.x + 12, rect.center.y - 16, 32, 32))
            let left = rect.x + 56, top = rect.center.y - (line(.caption) + line(.headline)) / 2, words = rect.width - 72
            let source: Text =
                row.count > 1 ? .list([sourceText(notice), .verbatim("\(row.count)")], " · ") : sourceText(notice)
            out.text(id, part: 2, source, .caption, .secondary, Rect(left, top, words, line(.caption)))
            out.text(id, part: 5, titleText(of: notice), .headline, .primary, Rect(left, top + line(.caption), words, line(.headline)))
            out.press(id, rect, radius: 18)
            out.control(
                id, .button, spoken(notice, isTitleOnly: true), rect.intersection(window), press: .lockScreen(.openNotice(notice.id.raw)),
                focusable: false)
        }
    }

    /// Where not every row has room: how many notifications there are.
    private func addLockCount(_ out: inout Canvas, _ count: Int, _ space: Rect) {
        guard space.height >= line(.caption) else { return }
        let text = Text.message(.noticesWait, ["\(count)"]), id: ControlID = "lock/notice-count"
        let rect = Rect(space.x + 8, space.center.y - line(.caption) / 2, space.width - 16, line(.caption))
        out.text(id, text, .caption, .onWallpaper, rect, .center)
        out.control(id, .label, text, rect, focusable: false, hittable: false)
    }
}
