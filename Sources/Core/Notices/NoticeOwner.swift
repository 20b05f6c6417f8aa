import Callers
import OrderedCollections

/// The owner of a notification, and the claims that the owner may make (P-06).
extension NoticeContent {
    /// The sender's owner. A store of an older shell has none: then its app counts.
    public var payer: Owner { owner ?? (app.isEmpty ? .user : .app(app)) }

    /// Whether the sender is a sandbox without a vouched name: the heading is "A program", without an icon of its choice.
    public var isNameless: Bool { owner == .nameless }

    /// The group of all that nameless sandboxes send. No app has an id like this.
    public static let namelessGroup = "?/sandbox"

    /// The content that its sender may claim. A program in a sandbox has the name and the icon of its vouched app.
    /// A sandbox without a vouched name has neither. Its notification is no call, no alarm and no person, and passes neither Do Not
    /// Disturb nor a focus nor a film.
    public var confined: NoticeContent {
        guard let owner, owner.isConfined else { return self }
        var content = self
        content.name = ""
        content.icon = nil
        guard owner == .nameless else { return content }
        content.app = ""
        content.site = nil
        content.category = ""
        content.sound = nil
        content.stays = false
        content.level = min(content.level, .active)
        return content
    }
}

extension Notice {
    /// The owner of the notification.
    public var payer: Owner { content.payer }
}

extension NoticeSchedule {
    /// The owner of the delivery.
    public var payer: Owner { content.payer }
}

extension Notices {
    /// Makes room by removing the oldest notifications of the owner that sends too much. A nameless sandbox pays with those of nameless
    /// sandboxes, an owner above its guaranteed amount with its own. Otherwise the owner that has the most pays.
    mutating func trim(besides id: NoticeID, _ turn: inout Turn) {
        guard let sender = all[id]?.payer else { return }
        let nameless = index.nameless ?? NoticeIndex.Held()
        let isFull = all.count - nameless.count > bounds.count || index.bytes - nameless.bytes > bounds.bytes
        let isDrawerFull = nameless.count > bounds.nameless || nameless.bytes > bounds.namelessBytes
        guard isFull || isDrawerFull else { return }
        var room = Room(all.values, besides: id)
        if isDrawerFull {
            room.empty(.nameless, count: bounds.slack(bounds.nameless), bytes: bounds.slack(bounds.namelessBytes))
        }
        if isFull {
            room.empty(
                for: sender, count: bounds.slack(bounds.count), bytes: bounds.slack(bounds.bytes), kept: (bounds.kept, bounds.keptBytes))
        }
        end(all: room.gone, .other, &turn)
    }

    /// The notifications of each owner, while room is made.
    private struct Room {
        struct Drawer {
            var ids: ArraySlice<(id: NoticeID, bytes: Int)> = []
            var count = 0
            var bytes = 0
        }

        var drawers: [Owner: Drawer] = [:]
        /// Without those of nameless sandboxes.
        var count = 0
        var bytes = 0
        var gone: [NoticeID] = []

        init(_ all: OrderedDictionary<NoticeID, Notice>.Values, besides id: NoticeID) {
            for notice in all {
                let size = notice.content.bytes
                var drawer = drawers.removeValue(forKey: notice.payer) ?? Drawer()
                if notice.id != id { drawer.ids.append((notice.id, size)) }
                drawer.count += 1
                drawer.bytes += size
                drawers[notice.payer] = drawer
                if notice.payer == .nameless { continue }
                count += 1
                bytes += size
            }
        }

        /// The owner's oldest one goes. Returns whether it had one.
        private mutating func pop(_ owner: Owner) -> Bool {
            guard let first = drawers[owner]?.ids.popFirst() else { return false }
            gone.append(first.id)
            drawers[owner]!.count -= 1
            drawers[owner]!.bytes -= first.bytes
            if owner == .nameless { return true }
            count -= 1
            bytes -= first.bytes
            return true
        }

        mutating func empty(_ owner: Owner, count: Int, bytes: Int) {
            while let drawer = drawers[owner], drawer.count > count || drawer.bytes > bytes, pop(owner) {}
        }

        mutating func empty(for sender: Owner, count most: Int, bytes mostBytes: Int, kept: (count: Int, bytes: Int)) {
            while count > most, pay(sender, kept.count, \.count) {}
            while bytes > mostBytes, pay(sender, kept.bytes, \.bytes) {}
        }

        private mutating func pay(_ sender: Owner, _ kept: Int, _ size: KeyPath<Drawer, Int>) -> Bool {
            if let own = drawers[sender], own[keyPath: size] > kept, pop(sender) { return true }
            let others = drawers.filter { $0.key != .nameless && !$0.value.ids.isEmpty }
            return others.max { ($0.value[keyPath: size], $0.key) < ($1.value[keyPath: size], $1.key) }.map { pop($0.key) } ?? false
        }
    }
}
