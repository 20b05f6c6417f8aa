import Stage
import Testing

@testable import Chrome

@Suite struct TokenTests {
    private let black = Colour4(0, 0, 0), white = Colour4(1, 1, 1)

    /// What a fill looks like over the darkest and the lightest that can be behind it.
    private func seen(_ paints: Paint..., in theme: Theme) -> [Colour4] {
        [black, white].map { behind in paints.reduce(behind) { Tokens.colour(of: $1, theme).over($0) } }
    }

    private func expect(
        _ tone: Tone, on fills: [Colour4], atLeast least: Float, _ theme: Theme,
        at place: SourceLocation = #_sourceLocation
    ) {
        for fill in fills {
            let contrast = Tokens.colour(of: tone, theme).over(fill).contrast(to: fill)
            #expect(contrast >= least, "\(tone) on \(fill): \(contrast)", sourceLocation: place)
        }
    }

    @Test("contrast is WCAG's")
    func formula() {
        #expect(abs(black.contrast(to: white) - 21) < 0.01)
        #expect(abs(white.contrast(to: Colour4(0.4666667, 0.4666667, 0.4666667)) - 4.48) < 0.01)
    }

    @Test("X-05: texts on panels, buttons and pressed rows have 4.5:1 over any wallpaper", arguments: looks)
    func panels(theme: Theme) {
        for tone in [Tone.primary, .secondary, .destructive, .accent] {
            expect(tone, on: seen(.panel, in: theme), atLeast: 4.5, theme)
            expect(tone, on: seen(.panel, .control, in: theme), atLeast: 4.5, theme)
            expect(tone, on: seen(.panel, .pressed, in: theme), atLeast: 4.5, theme)
            expect(tone, on: seen(.launching, in: theme), atLeast: 4.5, theme)
        }
        expect(.primary, on: seen(.panel, .control, .pressed, in: theme), atLeast: 4.5, theme)
        expect(.secondary, on: seen(.panel, .control, .pressed, in: theme), atLeast: 4.5, theme)
        expect(.primary, on: seen(.dock, in: theme), atLeast: 4.5, theme)
    }

    @Test("X-05: white on the accent, on badges, on a dimmed screen and behind the dots has 4.5:1", arguments: looks)
    func onFills(theme: Theme) {
        expect(.onAccent, on: seen(.accent, in: theme) + seen(.badge, in: theme), atLeast: 4.5, theme)
        expect(.onWallpaper, on: seen(.scrim, in: theme), atLeast: 4.5, theme)
        expect(.onWallpaper, on: seen(.controls, in: theme), atLeast: 4.5, theme)
    }

    @Test("X-05: increased contrast is 7:1, and nothing shines through", arguments: looks.filter(\.increasedContrast))
    func increased(theme: Theme) {
        for tone in [Tone.primary, .secondary] {
            expect(tone, on: seen(.panel, in: theme), atLeast: 7, theme)
            expect(tone, on: seen(.panel, .control, in: theme), atLeast: 7, theme)
        }
        expect(.onAccent, on: seen(.accent, in: theme) + seen(.badge, in: theme), atLeast: 7, theme)
        #expect(Tokens.colour(of: .panel, theme).alpha == 1)
        #expect(Tokens.colour(of: .dock, theme).alpha == 1)
    }

    @Test("X-05: what the keyboard is at is seen on panels, buttons and the dock", arguments: looks)
    func focus(theme: Theme) {
        for fill in seen(.panel, in: theme) + seen(.panel, .control, in: theme) {
            #expect(Tokens.colour(of: .focus, theme).contrast(to: fill) >= 3)
        }
    }

    @Test("X-05: the dots of a window have 3:1 on whatever is under them", arguments: looks)
    func dots(theme: Theme) {
        // As far past the middle as the dots stay as they are.
        let middle: [Colour4] = [0.41, 0.46, 0.51].map { Colour4($0, $0, $0) }
        let cases: [(ground: Paint, dot: Paint, under: [Colour4])] = [
            (.dots, .grip, [black, white] + middle), (.dotsOnLight, .gripOnLight, [white] + middle),
            (.dotsOnDark, .gripOnDark, [black] + middle),
        ]
        for (ground, dot, under) in cases {
            for colour in under {
                let fill = Tokens.colour(of: ground, theme).over(colour)
                let contrast = Tokens.colour(of: dot, theme).contrast(to: fill)
                #expect(contrast >= 3, "\(dot) on \(fill): \(contrast)")
            }
        }
    }

    @Test("X-05: the dots under running apps have 3:1 on the dock over light wallpapers", arguments: looks)
    func running(theme: Theme) {
        let lightest = seen(.dock, in: theme)[theme.isDark ? 0 : 1]
        #expect(Tokens.colour(of: .mark, theme).contrast(to: lightest) >= 3)
    }

    @Test("colours stay between 0 and 1", arguments: looks)
    func range(theme: Theme) {
        let fills = Paint.allCases.map { Tokens.colour(of: $0, theme) }
        for colour in fills + Tone.allCases.map({ Tokens.colour(of: $0, theme) }) {
            #expect([colour.red, colour.green, colour.blue, colour.alpha].allSatisfy { (0...1).contains($0) })
        }
    }

    @Test("what lies on apps' pictures and around them is the same in both looks")
    func sameInBoth() {
        var dark = Theme()
        dark.isDark = true
        for paint in [Paint.divider, .letterbox, .dotsOnLight, .dotsOnDark, .pill, .handle, .preview, .wallpaper] {
            #expect(Tokens.colour(of: paint, Theme()) == Tokens.colour(of: paint, dark))
        }
        #expect(Tokens.colour(of: .letterbox, dark) == Colour4(0.07, 0.07, 0.08))
        #expect(Tokens.colour(of: .panel, Theme()) != Tokens.colour(of: .panel, dark))
    }

    @Test("X-05: a letter is white on a colour with 4.5:1")
    func tiles() {
        for (top, bottom) in FallbackTile.palette {
            #expect(white.contrast(to: top) >= 4.5)
            #expect(white.contrast(to: bottom) >= 4.5)
        }
    }
}
