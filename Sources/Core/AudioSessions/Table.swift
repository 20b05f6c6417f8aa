/// A key of a `Table`.
protocol TableKey: Hashable, Codable, Sendable {
    /// A hash: the same for equal keys, and different in its high bits for most others.
    var scattered: UInt64 { get }
}

extension TableKey {
    /// A hash for keys numbered by the shell or the sound server: a multiplication spreads consecutive numbers
    /// evenly, in a tenth of the time of keyed hashing. Programs cannot choose these numbers to collide.
    static func scatter(_ number: UInt64) -> UInt64 { number &* 0x9E37_79B9_7F4A_7C15 }
}

extension SessionID: TableKey {
    var scattered: UInt64 { Self.scatter(raw) }
}

extension StreamID: TableKey {
    var scattered: UInt64 { Self.scatter(raw) }
}

extension AppRef: TableKey {
    var scattered: UInt64 { Self.scatter(UInt64(bitPattern: Int64(self))) }
}

extension PlayerID: TableKey {
    /// Apps choose these names, so use keyed hashing.
    var scattered: UInt64 { UInt64(bitPattern: Int64(hashValue)) }
}

/// A dictionary that keeps the order of insertion. Unlike with `Dictionary`, values can be read in place, so that a
/// decision over a hundred sessions copies none of them.
struct Table<Key: TableKey, Value: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    private(set) var keys: [Key] = []
    var values: [Value] = []
    /// The index of each key, at the slot given by its high bits or one of the next ones; -1: free. The number of
    /// slots is a power of two, and at least half of them are free.
    private var slots = [Int32](repeating: -1, count: 16)

    init() {}

    var isEmpty: Bool { values.isEmpty }
    var count: Int { values.count }

    func index(forKey key: Key) -> Int? {
        var slot = slot(of: key)
        while slots[slot] >= 0 {
            let place = Int(slots[slot])
            if keys[place] == key { return place }
            slot = next(slot)
        }
        return nil
    }

    subscript(key: Key) -> Value? {
        get { index(forKey: key).map { values[$0] } }
        set {
            switch (index(forKey: key), newValue) {
            case (let place?, let value?): values[place] = value
            case (_?, nil): removeValue(forKey: key)
            case (nil, let value?):
                keys.append(key)
                values.append(value)
                if keys.count * 2 > slots.count { fill(slots.count * 2) } else { enter(keys.count - 1) }
            case (nil, nil): break
            }
        }
    }

    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        guard let place = index(forKey: key) else { return nil }
        keys.remove(at: place)
        // Later entries move up, so most slots change.
        fill(slots.count)
        return values.remove(at: place)
    }

    private func slot(of key: Key) -> Int { Int(key.scattered >> UInt64(slots.count.leadingZeroBitCount + 1)) }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    private mutating func enter(_ place: Int) {
        var slot = slot(of: keys[place])
        while slots[slot] >= 0 { slot = next(slot) }
        slots[slot] = Int32(place)
    }

    private mutating func fill(_ count: Int) {
        slots = [Int32](repeating: -1, count: count)
        for place in keys.indices { enter(place) }
    }

    static func == (a: Table, b: Table) -> Bool { a.keys == b.keys && a.values == b.values }

    func hash(into hasher: inout Hasher) {
        hasher.combine(keys)
        hasher.combine(values)
    }

    private enum CodingKeys: CodingKey { case keys, values }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let keys = try container.decode([Key].self, forKey: .keys)
        let values = try container.decode([Value].self, forKey: .values)
        guard keys.count == values.count, Set(keys).count == keys.count else {
            throw DecodingError.dataCorruptedError(forKey: .values, in: container, debugDescription: "keys and values do not match")
        }
        for (key, value) in zip(keys, values) { self[key] = value }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(keys, forKey: .keys)
        try container.encode(values, forKey: .values)
    }
}
