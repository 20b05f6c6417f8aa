import Chrome
import Geometry
import Stage
import Testing

@Suite struct SymbolTests {
    @Test("every symbol is seen, inside its box, in its tone", arguments: Symbol.allCases)
    func seen(symbol: Symbol) throws {
        let painter = makePainter()
        let picture = painter.picture(of: .symbol(symbol, .primary), size: Size(24, 24), scale: 2)
        let ink = try #require(picture.ink())
        #expect(ink.minX >= 1 && ink.minY >= 1 && ink.maxX <= 47 && ink.maxY <= 47)
        #expect(ink.width > 12 && max(ink.width, ink.height) > 24)
        // In the middle, or it looks misplaced on a button.
        #expect(abs((ink.minX + ink.maxX) / 2 - 24) <= 4 && abs((ink.minY + ink.maxY) / 2 - 24) <= 4)
        let other = painter.picture(of: .symbol(symbol, .destructive), size: Size(24, 24), scale: 2)
        #expect(other != picture && other.ink() == ink)
    }

    @Test("no symbol looks like another, also when it is small", arguments: [16.0, 24])
    func different(side: Double) {
        let painter = makePainter()
        let pictures = Symbol.allCases.map { symbol in
            painter.picture(of: .symbol(symbol, .primary), size: Size(side, side), scale: 1)
        }
        for (index, one) in pictures.enumerated() {
            for other in pictures[(index + 1)...] {
                #expect(one.difference(from: other, tolerance: 80).count >= 12)
            }
        }
    }

    @Test("X-04: only what means onwards turns with the direction of reading", arguments: Symbol.allCases)
    func mirrored(symbol: Symbol) {
        let art = Art.symbol(symbol, .primary)
        let usual = makePainter().picture(of: art, size: Size(24, 24), scale: 2)
        let other = makePainter { $0.isRightToLeft = true }.picture(of: art, size: Size(24, 24), scale: 2)
        if symbol == .chevronForward || symbol == .chevronBack {
            #expect(other != usual)
            #expect(other.difference(from: usual.mirrored, tolerance: 16).count == 0)
        } else {
            #expect(other == usual)
        }
    }
}
