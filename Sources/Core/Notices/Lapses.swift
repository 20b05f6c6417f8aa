import Geometry

/// The outcome of a notification whose sender left the bus.
public enum NoticeLapse: String, Hashable, Codable, Sendable, CaseIterable {
    /// A call that rang: a person cannot answer it any more.
    case missedCall
    /// An unfinished job: its sender reports no more progress.
    case stopped
}

/// Claims of a notification about the present hold only while a sender stands for them: a call that rings, an alarm, a bar.
extension Notices {
    /// A connection has left the bus.
    mutating func lose(sender: String, at now: Moment, _ turn: inout Turn) {
        guard index.hasSender(sender) else { return }
        for var notice in all.values.filter({ $0.sender == sender }) {
            notice.sender = nil
            // The portal only passes on an app's notifications. The app's own name on the bus says whether the app is there.
            if notice.content.origin?.service == .portal { put(notice.withoutLostButtons()) } else { lapse(notice, at: now, &turn) }
        }
    }

    /// The process that owns an app's name on the bus; nil: it has left.
    mutating func follow(owner process: Int32?, of app: String, at now: Moment, _ turn: inout Turn) {
        for var notice in all.values.filter({ $0.content.origin?.app == app }) {
            if let process {
                guard notice.content.process != process else { continue }
                notice.content.process = process
                put(notice)
            } else {
                notice.sender = nil
                lapse(notice, at: now, &turn)
            }
        }
    }

    mutating func lapse(_ notice: Notice, at now: Moment, _ turn: inout Turn) {
        guard notice.content.category != "call.ongoing" else {
            // No sender hears of its end.
            put(notice)
            return end(notice.id, .expired, &turn)
        }
        var after = notice
        after.content.process = nil
        after.lapse(isBrief: clock(at: now) - notice.arrived < NoticeLimits.brief, at: clock(at: now))
        after = after.withoutLostButtons()
        put(after)
        if after.content != notice.content, !after.content.isTransient { turn.effects.append(.keep(after.id)) }
    }

    /// Ends the bars that their senders did not renew.
    mutating func endBars(at time: Int64, _ turn: inout Turn) {
        for number in index.lapsing.filter({ $0.value <= time }).keys.sorted() {
            guard var notice = all[NoticeID(UInt32(number))] else { continue }
            notice.lapse(isBrief: false, at: time)
            put(notice)
            if !notice.content.isTransient { turn.effects.append(.keep(notice.id)) }
        }
    }

    /// Keeps an answer that was not delivered in its notification.
    mutating func keepUnsent(_ id: NoticeID, _ text: String) -> Turn {
        var turn = Turn()
        guard var notice = all[id], !text.isEmpty else { return turn }
        notice.content.unsent = text
        // A notification that is shown once would take the answer with it.
        notice.content.isTransient = false
        put(notice)
        turn.effects.append(.keep(id))
        return turn
    }
}

extension Notice {
    /// Applies the loss of its sender: a ringing call becomes a missed call, an alarm goes by itself, and a bar stops.
    mutating func lapse(isBrief: Bool, at time: Int64) {
        switch content.category {
        case "call.incoming":
            content.category = "call.missed"
            content.lapse = .missedCall
            // The app's text said that a caller is waiting.
            (content.body, content.buttons, content.stays) = ("", [], false)
        case "alarm.ringing": content.stays = false
        default: break
        }
        guard let progress = content.progress, progress < 100 else { return lapses = nil }
        guard !isBrief else { return lapses = time + NoticeLimits.renewal }
        (content.progress, content.lapse, lapses) = (nil, .stopped, nil)
    }

    /// Without the buttons that mean nothing without its sender.
    func withoutLostButtons() -> Notice {
        var out = self
        if sender == nil { out.content.buttons.removeAll { !content.outlives($0) } }
        return out
    }

    /// Whether it tells of something that ended with the machine's last run: a state of the machine, a job, something about that
    /// moment. Text from a person and scheduled deliveries do not.
    var endsWithBoot: Bool {
        guard content.unsent == nil, schedule == nil else { return false }
        if content.isOfThisBoot ?? false || content.progress != nil { return true }
        guard !content.isFromPerson else { return content.category == "call.ongoing" }
        let kind = content.category.prefix { $0 != "." }
        // A time-sensitive notification without an app is a daemon's, which tells again if it still holds.
        let isUrgent = content.level == .critical || content.level == .timeSensitive && content.app.isEmpty && content.origin == nil
        return isUrgent || Notice.kindsOfMachine.contains(String(kind))
    }

    /// The beginnings of categories that tell of the machine.
    private static let kindsOfMachine: Set = [
        "alarm", "battery", "cellbroadcast", "device", "hardware", "network", "os", "power", "presence", "security", "system", "update",
        "x-gnome",
    ]
}
