/// Finds a short part of a list that still fails as the whole does.
enum Shrinking {
    /// - Parameters:
    ///   - opening: how many of the first elements go with every part at first, because the others need them.
    ///   - isOver: whether the time is used up. The best part so far is taken then.
    ///   - fails: whether a part fails.
    /// - Returns: nil if not even the whole fails again.
    static func shortest<Element>(
        _ whole: [Element], opening: Int = 0, isOver: () -> Bool = { false }, fails: ([Element]) throws -> Bool
    ) rethrows -> [Element]? {
        guard var best = try end(of: whole, opening, isOver, fails) else { return nil }
        var size = max(1, best.count / 2)
        while !isOver() {
            var from = 0, isShorter = false
            while from < best.count, !isOver() {
                let without = Array(best[..<from] + best[min(best.count, from + size)...])
                if !without.isEmpty, try fails(without) {
                    best = without
                    isShorter = true
                } else {
                    from += size
                }
            }
            if size == 1, !isShorter { break }
            size = max(1, size / 2)
        }
        return best
    }

    /// The last steps are the likeliest cause: tries the opening with the last elements, ever more of them.
    private static func end<Element>(
        of whole: [Element], _ opening: Int, _ isOver: () -> Bool, _ fails: ([Element]) throws -> Bool
    ) rethrows -> [Element]? {
        let head = whole[..<min(opening, whole.count)], body = whole[head.count...]
        var count = 16
        while count < body.count, !isOver() {
            let part = Array(head + body.suffix(count))
            if try fails(part) { return part }
            count *= 4
        }
        return try fails(whole) ? whole : nil
    }
}
