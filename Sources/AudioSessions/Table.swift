/// Values in the order in which they came, found by key. Unlike a dictionary's its values can be looked at in place, so
/// that a decision over a hundred sessions copies none of them.
struct Table<Key: Hashable & Codable & Sendable, Value: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    private(set) var keys: [Key] = []
    var values: [Value] = []
    private var places: [Key: Int] = [:]

    init() {}

    var isEmpty: Bool { values.isEmpty }
    var count: Int { values.count }

    func index(forKey key: Key) -> Int? { places[key] }

    subscript(key: Key) -> Value? {
        get { places[key].map { values[$0] } }
        set {
            switch (places[key], newValue) {
            case (let place?, let value?): values[place] = value
            case (_?, nil): removeValue(forKey: key)
            case (nil, let value?):
                places[key] = values.count
                keys.append(key)
                values.append(value)
            case (nil, nil): break
            }
        }
    }

    @discardableResult
    mutating func removeValue(forKey key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        keys.remove(at: place)
        for later in keys[place...] { places[later]! -= 1 }
        return values.remove(at: place)
    }

    static func == (a: Table, b: Table) -> Bool { a.keys == b.keys && a.values == b.values }

    func hash(into hasher: inout Hasher) {
        hasher.combine(keys)
        hasher.combine(values)
    }

    private enum CodingKeys: CodingKey { case keys, values }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keys = try container.decode([Key].self, forKey: .keys)
        values = try container.decode([Value].self, forKey: .values)
        guard keys.count == values.count, Set(keys).count == keys.count else {
            throw DecodingError.dataCorruptedError(forKey: .values, in: container, debugDescription: "keys and values do not match")
        }
        for (place, key) in keys.enumerated() { places[key] = place }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(keys, forKey: .keys)
        try container.encode(values, forKey: .values)
    }
}
