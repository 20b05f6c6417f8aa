import Geometry
import Rooms
import Windows

/// The items that apps keep in the tray, and the menu of one of them that a person looks at.
///
/// An item is of its app, and ends with the app's connection to the bus. A menu is read while a person sees it, and an app that does not
/// answer leaves a page that says so.
public struct Tray: Room {
    /// In the order in which they came.
    public private(set) var items: [TrayItem] = []
    /// The menu that a person opened.
    public private(set) var menu: Menu?
    /// Why the last item did not open.
    public private(set) var trouble: Trouble?
    /// The item that was asked to come forward.
    private var opening: Opening?
    private var lastItem: UInt32 = 0, lastAsk: UInt64 = 0
    /// The menus within the menu that the app knows to be open.
    private var opened: [Int32] = []

    public init() {}

    public struct Menu: Hashable, Codable, Sendable {
        public var item: UInt32
        public var content = Content.reading
        fileprivate var ask: UInt64

        /// The rows of the menu, or of one within it; nil: there is no such menu. `path`: the places of the rows that open it.
        public func rows(at path: [Int]) -> (title: String?, rows: [ExportedMenu.Row])? {
            guard case .rows(var rows) = content else { return nil }
            var title: String?
            for place in path {
                guard rows.indices.contains(place), !rows[place].rows.isEmpty, rows[place].isEnabled else { return nil }
                title = rows[place].label
                rows = rows[place].rows
            }
            return (title, rows)
        }
    }

    public enum Content: Hashable, Codable, Sendable {
        case reading
        case rows([ExportedMenu.Row])
        /// Its app does not answer.
        case silent
        /// It has no menu, or none that can be read.
        case none
    }

    public enum Trouble: Hashable, Codable, Sendable {
        /// The app of an item does not answer.
        case silent(item: UInt32)
        /// It neither opens nor has a menu.
        case opensNothing(item: UInt32)

        public var item: UInt32 {
            switch self {
            case .silent(let item), .opensNothing(let item): item
            }
        }
    }

    private struct Opening: Hashable, Codable, Sendable {
        var item: UInt32
        var ask: UInt64
    }

    /// How an app answered a call.
    public enum Answer: String, Hashable, Codable, Sendable, CaseIterable {
        case done
        /// It does not know the call, or refused it.
        case refused
        /// It did not answer in time.
        case silent
    }

    public enum Event: Hashable, Codable, Sendable {
        /// An app has this item, or changed it.
        case item(TrayFacts)
        /// An item is gone, by its key.
        case gone(String)
        case wish(TrayAct)
        /// The answer to `open` or `contextMenu`.
        case answered(ask: UInt64, Answer)
        /// The answer to `readMenu`, and each later one while the menu is followed.
        case menu(ask: UInt64, Content)
        /// Whether the pages of the tray are in sight, and which menu within the menu is.
        case seen(isOpen: Bool, menu: [Int]?)
        case locked
    }

    public enum Outcome: Hashable, Sendable {
        case changed
        /// Ask an item's app to come forward.
        case open(key: String, ask: UInt64)
        /// Ask an item's app to show its own menu.
        case contextMenu(key: String, ask: UInt64)
        /// The windows that this process opens now come forward.
        case expects(process: Int32)
        /// Read the menu of an item, and follow it.
        case readMenu(key: String, ask: UInt64)
        /// The menu is out of sight.
        case closeMenu(key: String)
        /// These menus within the menu are open, the outermost first.
        case menusOpen(key: String, [Int32])
        case press(key: String, entry: Int32)
        /// The page with all items, the page with the menu, and the menus within it.
        case showsItems, showsMenu
        case showsSubmenu([Int])
        /// The menu is gone.
        case leavesMenu
        /// The app comes forward: nothing of the shell stands before it.
        case leavesViews
        case refuse(String)
    }

    public subscript(id: UInt32) -> TrayItem? { items.first { $0.id == id } }

    /// The items that a person sees.
    public var shown: [TrayItem] { items.filter { $0.facts.state != .passive } }

    /// - Parameter isOpen: whether the session is not locked.
    public mutating func handle(_ event: Event, in isOpen: Bool, at now: Moment) -> [Outcome] {
        switch event {
        case .item(let facts): return took(facts.limited)
        case .gone(let key):
            guard let index = items.firstIndex(where: { $0.facts.key == key }) else { return [] }
            let id = items.remove(at: index).id
            if opening?.item == id { opening = nil }
            if trouble?.item == id { trouble = nil }
            guard menu?.item == id else { return [.changed] }
            (menu, opened) = (nil, [])
            return [.leavesMenu, .changed]
        case .wish(let act):
            guard isOpen else { return [.refuse("the screen is locked")] }
            return carryOut(act)
        case .answered(let ask, let answer): return answered(ask, answer, isOpen)
        case .menu(let ask, let content):
            guard menu?.ask == ask else { return [] }
            let limited = Self.limited(content)
            guard menu?.content != limited else { return [] }
            menu!.content = limited
            return [.changed]
        case .seen(let isOpen, let path): return seen(isOpen, path)
        case .locked:
            opening = nil
            trouble = nil
            return dropMenu() + [.changed]
        }
    }

    private mutating func took(_ facts: TrayFacts) -> [Outcome] {
        if let index = items.firstIndex(where: { $0.facts.key == facts.key }) {
            guard items[index].facts != facts else { return [] }
            items[index].facts = facts
            return [.changed]
        }
        guard items.count < TrayLimits.items, items.count(where: { $0.facts.sender == facts.sender }) < TrayLimits.each else { return [] }
        repeat { lastItem = lastItem == .max ? 1 : lastItem + 1 } while self[lastItem] != nil
        items.append(TrayItem(id: lastItem, facts: facts))
        return [.changed]
    }

    private static func limited(_ content: Content) -> Content {
        guard case .rows(let rows) = content else { return content }
        let limited = ExportedMenu.limited([ExportedMenu(title: "-", rows: rows)]).first?.rows ?? []
        return limited.isEmpty ? .none : .rows(limited)
    }

    // MARK: Acts of a person

    private func known(_ id: UInt32) -> (item: TrayItem?, objection: [Outcome]) {
        let item = self[id]
        return (item, item == nil ? [.refuse("no item \(id) is in the tray")] : [])
    }

    private mutating func carryOut(_ act: TrayAct) -> [Outcome] {
        switch act {
        case .open(let id):
            guard let item = self[id] else { return known(id).objection }
            trouble = nil
            if item.facts.isMenu, item.facts.hasMenu { return show(item) }
            opening = Opening(item: id, ask: nextAsk())
            return expects(item) + [.open(key: item.facts.key, ask: lastAsk), .changed]
        case .menu(let id):
            guard let item = self[id] else { return known(id).objection }
            trouble = nil
            return show(item)
        case .submenu(let id, let path):
            guard let menu, menu.item == id, menu.rows(at: path) != nil else { return [.refuse("no such menu of item \(id) is open")] }
            return [.showsSubmenu(path)]
        case .press(let id, let entry):
            guard let item = self[id] else { return known(id).objection }
            guard let menu, menu.item == id, case .rows(let rows) = menu.content else {
                return [.refuse("the menu of item \(id) is not open")]
            }
            guard let row = Self.row(UInt32(bitPattern: entry), in: rows) else {
                return [.refuse("the menu of item \(id) has no entry \(entry) that can be chosen")]
            }
            let out = expects(item) + [.press(key: item.facts.key, entry: entry)]
            // The menu stays after a switch, for the next one.
            return row.mark == nil ? out + [.leavesViews] : out
        }
    }

    private static func row(_ number: UInt32, in rows: [ExportedMenu.Row]) -> ExportedMenu.Row? {
        for row in rows where row.isEnabled && !row.isSeparator {
            if row.rows.isEmpty {
                if row.number == number { return row }
            } else if let found = self.row(number, in: row.rows) {
                return found
            }
        }
        return nil
    }

    private func expects(_ item: TrayItem) -> [Outcome] { item.facts.process.map { [.expects(process: $0)] } ?? [] }

    private mutating func nextAsk() -> UInt64 {
        lastAsk += 1
        return lastAsk
    }

    private mutating func show(_ item: TrayItem) -> [Outcome] {
        guard item.facts.hasMenu else {
            opening = Opening(item: item.id, ask: nextAsk())
            return [.contextMenu(key: item.facts.key, ask: lastAsk), .changed]
        }
        let out = menu?.item == item.id ? [] : dropMenu(isReplaced: true)
        menu = Menu(item: item.id, ask: nextAsk())
        return out + [.readMenu(key: item.facts.key, ask: lastAsk), .showsMenu, .changed]
    }

    private mutating func answered(_ ask: UInt64, _ answer: Answer, _ isOpen: Bool) -> [Outcome] {
        guard let opening, opening.ask == ask, let item = self[opening.item] else { return [] }
        self.opening = nil
        switch answer {
        case .done: return [.leavesViews, .changed]
        case .refused where item.facts.hasMenu && isOpen: return show(item)
        case .refused: trouble = .opensNothing(item: item.id)
        case .silent: trouble = .silent(item: item.id)
        }
        return isOpen ? [.showsItems, .changed] : [.changed]
    }

    // MARK: A person looks

    private mutating func seen(_ isOpen: Bool, _ path: [Int]?) -> [Outcome] {
        var out: [Outcome] = []
        if !isOpen, trouble != nil {
            trouble = nil
            out.append(.changed)
        }
        guard let menu else { return out }
        guard let path else { return out + dropMenu(isReplaced: true) + [.changed] }
        guard case .rows(var rows) = menu.content else { return out }
        var ids: [Int32] = []
        for (depth, place) in path.enumerated() {
            // Its app took it away.
            guard rows.indices.contains(place), !rows[place].rows.isEmpty, rows[place].isEnabled else {
                return out + [.showsSubmenu(Array(path.prefix(depth)))]
            }
            ids.append(Int32(bitPattern: rows[place].number))
            rows = rows[place].rows
        }
        guard ids != opened, let key = self[menu.item]?.facts.key else { return out }
        opened = ids
        return out + [.menusOpen(key: key, ids)]
    }

    /// `isReplaced`: its page shows something else already.
    private mutating func dropMenu(isReplaced: Bool = false) -> [Outcome] {
        guard let old = menu else { return [] }
        (menu, opened) = (nil, [])
        return (self[old.item].map { [.closeMenu(key: $0.facts.key)] } ?? []) + (isReplaced ? [] : [.leavesMenu])
    }

    public func violations(in isOpen: Bool) -> [String] {
        var found: [String] = []
        if items.count > TrayLimits.items { found.append("the tray has \(items.count) items") }
        if Set(items.map(\.facts.key)).count != items.count || Set(items.map(\.id)).count != items.count {
            found.append("an item is in the tray twice")
        }
        if let menu, self[menu.item] == nil { found.append("a menu of the tray is of no item") }
        if let opening, self[opening.item] == nil { found.append("an item that is gone is asked to open") }
        if !isOpen, menu != nil { found.append("a menu of the tray is open in a locked session") }
        return found
    }
}
