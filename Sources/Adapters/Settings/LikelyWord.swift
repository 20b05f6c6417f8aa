/// Suggests the word that a misspelt one was meant to be.
public enum LikelyWord {
    /// The known word nearest to `word`; nil if none is near enough.
    public static func nearest(to word: String, among known: [String]) -> String? {
        known.map { ($0, distance(Array(word), Array($0))) }
            .filter { $0.1 <= min(3, max(2, $0.0.count / 3)) }
            .min { $0.1 < $1.1 }?.0
    }

    /// ` Did you mean "split"?`, or an empty string.
    public static func hint(for word: String, among known: [String]) -> String {
        nearest(to: word, among: known).map { " Did you mean \"\($0)\"?" } ?? ""
    }

    /// Levenshtein distance. Names are short, so a long word is far from all of them.
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        if a.count > 64 { return a.count }
        var row = Array(0...b.count)
        for (i, character) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let replaced = diagonal + (character == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[b.count]
    }
}
