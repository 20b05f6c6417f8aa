import Seeded

typealias Dice = SeededRandom

extension SeededRandom {
    /// True with this probability.
    mutating func chance(_ of: Double) -> Bool { Double.random(in: 0..<1, using: &self) < of }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func pick<C: Collection>(_ from: C) -> C.Element? { from.randomElement(using: &self) }
}
