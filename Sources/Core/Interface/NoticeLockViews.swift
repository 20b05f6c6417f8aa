import Geometry
import Notices
import Stage
import Windows

/// The number of notifications on a locked screen and, for apps that a person allowed, which they are.
extension Views {
    public func lockedNotices() -> Canvas {
        var out = canvas()
        let told = notices.onLock()
        guard told.count > 0 else { return out }
        // Glass would show the windows behind the lock.
        out.glass = nil
        let text = Text.message(.noticesWait, ["\(told.count)"])
        let height = max(40, line(.callout) + 20), width = min(room.width - 32, scaled(220))
        let pill = Rect((room.center.x - width / 2).rounded(), lockCardFrame.map { $0.maxY + 12 } ?? room.minY + 16, width, height)
        // A small screen has no room for more than the card.
        guard pill.maxY <= room.maxY else { return out }
        out.fill("lock/notices", .panel, pill, radius: height / 2)
        out.symbol("lock/notices", .bell, .secondary, in: Rect(pill.x + 14, pill.y, 24, height), side: 18)
        out.text("lock/notices", text, .callout, .primary, Rect(pill.x + 46, pill.y, width - 62, height), .leadingMiddle)
        out.control("lock/notices", .label, text, pill, focusable: false)
        let card = Size(min(room.width - 32, scaled(360)), max(56, line(.caption) + line(.headline) + 20))
        for (index, notice) in told.open.filter({ $0.id != interface.lockCards.front }).prefix(room.height < 500 ? 1 : 3).enumerated() {
            let rect = Rect(
                (room.center.x - card.width / 2).rounded(), pill.maxY + 12 + Double(index) * (card.height + 8), card.width, card.height)
            guard rect.maxY <= room.maxY else { break }
            let id = ControlID(.lock, "notice/\(index)")
            out.fill(id, .panel, rect, radius: 16)
            addIcon(&out, id, notice, Rect(rect.x + 12, rect.center.y - 16, 32, 32))
            let left = rect.x + 56, top = rect.center.y - (line(.caption) + line(.headline)) / 2
            out.text(id, part: 2, sourceText(notice), .caption, .secondary, Rect(left, top, rect.width - 72, line(.caption)))
            out.text(
                id, part: 5, titleText(of: notice), .headline, .primary, Rect(left, top + line(.caption), rect.width - 72, line(.headline)))
            out.control(id, .label, spoken(notice, isTitleOnly: true), rect, focusable: false)
        }
        return out
    }
}
