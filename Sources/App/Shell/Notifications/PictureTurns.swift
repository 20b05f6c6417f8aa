import Callers

/// The owners whose pictures are being made small (P-06). Each owner has at most one at a time, and those of the owners are made beside
/// each other, so that a slow one holds up only those of its own owner.
struct PictureTurns<Item> {
    /// Owners whose pictures are made at a time.
    static var most: Int { 16 }

    private(set) var present: [Owner: Item] = [:]
    private var waiting: [(owner: Owner, item: Item)] = []

    mutating func add(_ item: Item, of owner: Owner) { waiting.append((owner, item)) }

    /// The next one that may begin, now that it counts as begun; nil: none may.
    mutating func next() -> Item? {
        guard present.count < Self.most, let index = waiting.firstIndex(where: { present[$0.owner] == nil }) else { return nil }
        let (owner, item) = waiting.remove(at: index)
        present[owner] = item
        return item
    }

    /// The one of this owner is done.
    mutating func ended(_ owner: Owner) { present[owner] = nil }
}
