extension String {
    /// Text from outside for one line of a view: at most so many characters, no control characters, and no marks that turn the direction of
    /// the words after them.
    public func oneLine(_ most: Int) -> String {
        var clean = String.UnicodeScalarView()
        // A character can have any number of accents.
        for scalar in unicodeScalars.prefix(8 * most) {
            switch scalar.value {
            case ..<0x20, 0x7f..<0xa0, 0x2028, 0x2029: clean.append(" ")
            case 0x061c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069, 0xfeff: break
            default: clean.append(scalar)
            }
        }
        let words = String(clean).split(separator: " ").joined(separator: " ")
        return words.count > most ? words.prefix(max(0, most - 1)) + "…" : words
    }
}
