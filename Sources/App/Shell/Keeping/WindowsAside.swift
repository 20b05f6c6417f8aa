import FoundationEssentials
import Store
import Windows

/// Arrangements that were set aside after crashes. They wait in the store until a person says whether their windows come back
/// (W-20). Each has an entry of its own, so none overwrites another.
struct WindowsAside {
    /// Those that this version can read, the latest first.
    private(set) var arrangements: [KeptArrangement] = []
    /// The keys of `arrangements`.
    private(set) var keys: [String] = []
    /// The keys of entries that this version cannot read. They stay.
    private(set) var unread: [String] = []
    private var last = 0

    private static let key = "windows-aside"

    init(_ entries: [Entry] = []) {
        let numbered = entries.compactMap { entry in Self.number(entry.key).map { (number: $0, entry: entry) } }
        for (number, entry) in numbered.sorted(by: { $0.number > $1.number }) {
            last = max(last, number)
            if let arrangement = KeptArrangement.read(entry.bytes), arrangement.version <= KeptArrangement.newest {
                arrangements.append(arrangement)
                keys.append(entry.key)
            } else {
                unread.append(entry.key)
            }
        }
    }

    var windows: Int { arrangements.reduce(0) { $0 + $1.windows.count } }

    /// Adds one. Returns the change that keeps it.
    mutating func add(_ arrangement: KeptArrangement, _ bytes: [UInt8]) -> Change {
        let change = addUnread(bytes)
        keys.insert(unread.removeLast(), at: 0)
        arrangements.insert(arrangement, at: 0)
        return change
    }

    /// The same for one that this version cannot read.
    mutating func addUnread(_ bytes: [UInt8]) -> Change {
        last += 1
        let key = last == 1 ? Self.key : "\(Self.key)-\(last)"
        unread.append(key)
        return .put(.arrangement, key: key, bytes)
    }

    /// A person answered: the entries that are not needed any more.
    mutating func takeKeys() -> [String] {
        defer { keys = [] }
        return keys
    }

    private static func number(_ key: String) -> Int? {
        guard key.hasPrefix(Self.key) else { return nil }
        let rest = key.dropFirst(Self.key.count)
        if rest.isEmpty { return 1 }
        // The limit leaves room to count on.
        guard rest.first == "-", let number = Int(rest.dropFirst()), (2..<1 << 32).contains(number), rest == "-\(number)" else {
            return nil
        }
        return number
    }
}

extension KeptArrangement {
    /// nil if the bytes are not understood.
    static func read(_ bytes: [UInt8]) -> KeptArrangement? { try? JSONDecoder().decode(KeptArrangement.self, from: Data(bytes)) }
}
