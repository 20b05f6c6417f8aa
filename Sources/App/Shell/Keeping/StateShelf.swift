/// The kept state of apps, by the app's id and a name of the app's own. All of it is in memory, so that an app gets its
/// state before its first configure without waiting for the disk. If it grows too large, the oldest entries are dropped.
struct StateShelf {
    /// The key in the store: the app's id and the name.
    private struct Item {
        var bytes: [UInt8]
        /// The age of the newest entry. Continues to count over restarts.
        var age: UInt64
    }

    private var items: [String: Item] = [:]
    private var bytes = 0
    private var lastAge: UInt64 = 0
    private let most: Int

    /// - Parameter most: the limit in bytes for all entries together.
    init(most: Int = 64 << 20) { self.most = most }

    static let mostStates = 4096

    static func key(_ app: String, _ name: String) -> String { "\(app)\u{1f}\(name)" }

    subscript(key: String) -> [UInt8]? { items[key]?.bytes }

    /// Returns the bytes for the disk, and the keys of the dropped entries, of which this one may be one.
    mutating func put(_ key: String, _ new: [UInt8]) -> (entry: [UInt8], left: [String]) {
        remove(key)
        lastAge += 1
        insert(key, Item(bytes: new, age: lastAge))
        var left: [String] = []
        while bytes > most || items.count > Self.mostStates, let oldest = items.min(by: { $0.value.age < $1.value.age })?.key {
            remove(oldest)
            left.append(oldest)
        }
        return (withUnsafeBytes(of: lastAge.littleEndian) { Array($0) } + new, left)
    }

    mutating func remove(_ key: String) {
        guard let old = items.removeValue(forKey: key) else { return }
        bytes -= old.bytes.count
    }

    /// Adds an entry as `put` returned it. Returns false if the bytes are not valid.
    mutating func load(_ key: String, entry: [UInt8]) -> Bool {
        guard entry.count >= 8 else { return false }
        let age = entry.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // The counter must never overflow.
        guard age < UInt64.max / 2 else { return false }
        remove(key)
        insert(key, Item(bytes: Array(entry.dropFirst(8)), age: age))
        lastAge = max(lastAge, age)
        return true
    }

    private mutating func insert(_ key: String, _ item: Item) {
        items[key] = item
        bytes += item.bytes.count
    }
}
