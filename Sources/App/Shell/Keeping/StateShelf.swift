/// The kept state of apps, by the app's id and a name of the app's own. All of it is in memory, so that an app gets its
/// state before its first configure without waiting for the disk.
///
/// Each app has a share of its own. When its share or the shelf is full, an app's own oldest entries go first, and nothing of an
/// app goes that has a window or is about to have one back.
struct StateShelf {
    private struct Item {
        var bytes: [UInt8]
        /// The age of the newest entry. Continues to count over restarts.
        var age: UInt64
        var app: String
    }

    /// Entries that may not give way to new ones.
    struct Claims {
        /// Apps with windows, with windows that come back, or with programs that offer state.
        var apps: Set<String> = []
        /// Entries that a program offers now. They do not give way to others of their own app either.
        var keys: Set<String> = []
    }

    /// By key in the store: the app's id and the name.
    private var items: [String: Item] = [:]
    private var used: [String: (bytes: Int, entries: Int)] = [:]
    private var bytes = 0
    private var lastAge: UInt64 = 0
    private let most: Int
    private let share: Int

    /// - Parameters:
    ///   - most: the limit in bytes for all entries together.
    ///   - share: that for the entries of one app.
    init(most: Int = 64 << 20, share: Int = 8 << 20) {
        self.most = most
        self.share = share
    }

    static let mostStates = 4096
    static let mostStatesOfOneApp = 512

    static func key(_ app: String, _ name: String) -> String { "\(app)\u{1f}\(name)" }

    subscript(key: String) -> [UInt8]? { items[key]?.bytes }

    /// Returns the bytes for the disk, and the keys of the entries that went. nil: there is no room, and what was kept under this
    /// name stays.
    mutating func put(_ app: String, _ name: String, _ new: [UInt8], beside claims: Claims = Claims()) -> (entry: [UInt8], left: [String])?
    {
        let key = Self.key(app, name), old = items[key]
        remove(key)
        guard let left = makeRoom(for: new.count, of: app, beside: claims) else {
            if let old { insert(key, old) }
            return nil
        }
        for key in left { remove(key) }
        lastAge += 1
        let item = Item(bytes: new, age: lastAge, app: app)
        insert(key, item)
        return (Self.entry(item), left)
    }

    /// The bytes of each app.
    var sizes: [String: Int] { used.mapValues(\.bytes) }

    /// Removes the entries of an app but these. Returns the keys of those that went.
    mutating func removeAll(of app: String, but offered: Set<String>) -> [String] {
        let gone = items.filter { $0.value.app == app && !offered.contains($0.key) }.map(\.key).sorted()
        for key in gone { remove(key) }
        return gone
    }

    /// All entries, as `put` returned them.
    var all: [(key: String, entry: [UInt8])] { items.map { ($0.key, Self.entry($0.value)) }.sorted { $0.key < $1.key } }

    private static func entry(_ item: Item) -> [UInt8] { withUnsafeBytes(of: item.age.littleEndian) { Array($0) } + item.bytes }

    /// The entries that have to go for one more of this size; nil: it does not fit.
    private func makeRoom(for size: Int, of app: String, beside claims: Claims) -> [String]? {
        let own = used[app] ?? (0, 0)
        var ownBytes = own.bytes + size - share, ownEntries = own.entries + 1 - Self.mostStatesOfOneApp
        var allBytes = bytes + size - most, allEntries = items.count + 1 - Self.mostStates
        guard max(ownBytes, ownEntries, allBytes, allEntries) > 0 else { return [] }
        var left: [String] = []
        // Its own first, the oldest first. Whatever it offers now stays.
        let mine = items.filter { $0.value.app == app && !claims.keys.contains($0.key) }.sorted { $0.value.age < $1.value.age }
        for (key, item) in mine where max(ownBytes, ownEntries, allBytes, allEntries) > 0 {
            left.append(key)
            ownBytes -= item.bytes.count
            allBytes -= item.bytes.count
            ownEntries -= 1
            allEntries -= 1
        }
        guard ownBytes <= 0, ownEntries <= 0 else { return nil }
        guard max(allBytes, allEntries) > 0 else { return left }
        let others = items.filter { $0.value.app != app && !claims.apps.contains($0.value.app) }.sorted { $0.value.age < $1.value.age }
        for (key, item) in others where max(allBytes, allEntries) > 0 {
            left.append(key)
            allBytes -= item.bytes.count
            allEntries -= 1
        }
        return max(allBytes, allEntries) > 0 ? nil : left
    }

    mutating func remove(_ key: String) {
        guard let old = items.removeValue(forKey: key) else { return }
        bytes -= old.bytes.count
        guard let before = used[old.app] else { return }
        used[old.app] = before.entries > 1 ? (before.bytes - old.bytes.count, before.entries - 1) : nil
    }

    /// Adds an entry as `put` returned it. Returns false if the bytes are not valid.
    mutating func load(_ key: String, entry: [UInt8]) -> Bool {
        guard entry.count >= 8 else { return false }
        let age = entry.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The counter must never overflow.
        guard age < UInt64.max / 2 else { return false }
        remove(key)
        let app = key.split(separator: "\u{1f}", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? key
        insert(key, Item(bytes: Array(entry.dropFirst(8)), age: age, app: app))
        lastAge = max(lastAge, age)
        return true
    }

    private mutating func insert(_ key: String, _ item: Item) {
        items[key] = item
        bytes += item.bytes.count
        let before = used[item.app] ?? (0, 0)
        used[item.app] = (before.bytes + item.bytes.count, before.entries + 1)
    }
}

/// The state of sandboxes without a name, by the number of the sandbox: in memory, and only as long as it is connected.
struct ContainedStates {
    private var states: [UInt64: [String: [UInt8]]] = [:]
    private var bytes: [UInt64: Int] = [:]

    /// The most bytes of one sandbox, and of all together.
    static let share = 8 << 20, most = 32 << 20

    subscript(container: UInt64, name: String) -> [UInt8]? { states[container]?[name] }

    mutating func put(_ new: [UInt8], _ container: UInt64, _ name: String) {
        remove(container, name)
        guard (bytes[container] ?? 0) + new.count <= Self.share, bytes.values.reduce(0, +) + new.count <= Self.most else { return }
        states[container, default: [:]][name] = new
        bytes[container, default: 0] += new.count
    }

    mutating func remove(_ container: UInt64, _ name: String) {
        if let old = states[container]?.removeValue(forKey: name) { bytes[container]! -= old.count }
    }

    mutating func forget(_ container: UInt64) {
        states[container] = nil
        bytes[container] = nil
    }
}
