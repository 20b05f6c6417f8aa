import Chrome
import Geometry
import Interface
import Stage
import Testing

@Suite struct TextTests {
    private let long = "Quarterly figures of the northern branch, third revision, with all tables"

    @Test("a picture has the pixels of its box, rounded up", arguments: [1, 1.25, 1.5, 2, 3])
    func sizes(scale: Double) {
        let painter = makePainter()
        let arts: [Art] = [
            .text(.verbatim("Files"), .body, .primary, .leading, lines: 1), .symbol(.bell, .onWallpaper),
            .icon(AppIcon(name: nil, title: "Files")), .wallpaper,
        ]
        for art in arts {
            for size in [Size(37.3, 21.7), Size(48, 20), Size(0.2, 30), Size(0, 0), Size(-3, .nan)] {
                let picture = painter.picture(of: art, size: size, scale: scale)
                func wanted(_ side: Double) -> Int { side * scale > 1 ? Int(clamping: (side * scale).rounded(.up)) : 1 }
                #expect(picture.width == wanted(size.width))
                #expect(picture.height == (size.height.isNaN ? 1 : wanted(size.height)))
            }
        }
        // 66.00000000000001 is 66.
        #expect(painter.picture(of: .symbol(.bell, .primary), size: Size(60, 60), scale: 1.1).width == 66)
    }

    @Test(
        "what does not fit ends in an ellipsis and leaves the box's border columns free",
        arguments: [1, 1.25, 1.5, 2, 3], TextAlignment.allCases)
    func ellipsis(scale: Double, alignment: TextAlignment) {
        let painter = makePainter()
        for style in TextStyle.allCases {
            let box = Size(120, style.lineHeight)
            let picture = painter.text(long, style, .primary, alignment, in: box, scale: scale)
            let cut = (1..<long.count).contains { count in
                painter.text(long.prefix(count) + "…", style, .primary, alignment, in: box, scale: scale) == picture
            }
            #expect(cut, "\(style) is not a beginning with an ellipsis")
            let ink = picture.ink()
            #expect(ink != nil && ink!.minX >= 1 && ink!.maxX <= Double(picture.width) - 1)
            // As much of the name as there is room for: one more sign of the largest style is half as wide as the box.
            #expect((ink?.width ?? 0) > (style == .clock ? 40 : 80) * scale)
        }
    }

    @Test("P-07: a name beside a similar one keeps its end when it is cut", arguments: [1, 1.5, 2], [false, true])
    func middle(scale: Double, isRightToLeft: Bool) {
        let painter = makePainter { $0.isRightToLeft = isRightToLeft }
        let names = ["LibreOffice Text Writer", "LibreOffice Text Reader"], box = Size(100, 18)
        func pictures(_ text: (String) -> Text) -> [Picture] {
            names.map { painter.picture(of: .text(text($0), .caption, .primary, .center, lines: 1), size: box, scale: scale) }
        }
        // Of two lines, the second one loses its middle.
        let long = ["Minutes of the meeting of the whole staff, draft", "Minutes of the meeting of the whole staff, notes"]
        func inTwoLines(_ text: (String) -> Text) -> [Picture] {
            long.map { painter.picture(of: .text(text($0), .caption, .primary, .leading, lines: 2), size: Size(120, 36), scale: scale) }
        }
        let ends = inTwoLines(Text.verbatim), middles = inTwoLines(Text.similar)
        #expect(ends[0] == ends[1] && middles[0] != middles[1])
        let whole = pictures(Text.verbatim), middle = pictures(Text.similar)
        #expect(whole[0] == whole[1] && middle[0] != middle[1])
        for picture in middle { #expect((picture.ink()?.width ?? 0) > 70 * scale) }
        #expect(painter.isCut(.text(.similar(names[0]), .caption, .primary, .center, lines: 1), size: box))
        // One that fits is not changed.
        let fits = painter.picture(of: .text(.similar("Files"), .caption, .primary, .center, lines: 1), size: box, scale: scale)
        #expect(fits == painter.text("Files", .caption, .primary, .center, in: box, scale: scale))
    }

    @Test(
        "letters that lean out of their place stay off the border",
        arguments: ["jjj", "fff", "ŴÅÂ", "漢字", "한글", "ﷺ", "W"])
    func overhang(text: String) {
        let painter = makePainter()
        for width in stride(from: 3.0, through: 40, by: 0.7) {
            for alignment in TextAlignment.allCases {
                let picture = painter.text(text, .largeTitle, .primary, alignment, in: Size(width, 36))
                guard let ink = picture.ink() else { continue }
                #expect(ink.minX >= 1 && ink.maxX <= Double(picture.width) - 1, "\(width)")
            }
        }
    }

    @Test("a box of the measured width shows a text whole", arguments: Language.allCases)
    func measured(language: Language) {
        let painter = makePainter { $0.language = language }
        for message in Message.allCases {
            for style in [TextStyle.title, .callout, .badge] {
                let text = Text.message(message, ["Files", "3"])
                let width = painter.width(of: text, style: style)
                func picture(_ extra: Double) -> Picture {
                    let art = Art.text(text, style, .primary, .leading, lines: 1)
                    return painter.picture(of: art, size: Size(width + extra, style.lineHeight), scale: 1)
                }
                let tight = picture(0).ink(), wide = picture(60).ink()
                #expect(tight == wide, "\(painter.string(text))")
            }
        }
        #expect(painter.width(of: .verbatim(""), style: .body) == 0)
    }

    @Test("X-05: larger text is larger; what is out of range is not", arguments: [1.5, 2, 7])
    func textScale(factor: Double) {
        let one = makePainter().width(of: .verbatim(long), style: .body) - 2
        let other = makePainter { $0.textScale = factor }.width(of: .verbatim(long), style: .body) - 2
        #expect(abs(other / one - min(factor, 2)) < 0.02)
    }

    @Test("X-04: leading is the side where reading begins", arguments: [false, true], ["Files", "123", "קבצים"])
    func alignment(isRightToLeft: Bool, text: String) {
        let painter = makePainter { $0.isRightToLeft = isRightToLeft }
        func middle(_ alignment: TextAlignment) -> Double {
            let ink = painter.text(text, .body, .primary, alignment, in: Size(200, 20)).ink()
            return ink.map { ($0.minX + $0.maxX) / 2 } ?? .nan
        }
        #expect(isRightToLeft ? middle(.leading) > 150 : middle(.leading) < 50)
        #expect(isRightToLeft ? middle(.trailing) < 50 : middle(.trailing) > 150)
        #expect(abs(middle(.center) - 100) < 2)
    }

    @Test("one line stands in the middle, several begin at the top; no more than asked for")
    func vertical() {
        let painter = makePainter()
        let one = painter.text("HH", in: Size(60, 80)).ink()!
        #expect(abs(one.minY + one.maxY - 80) <= 2)
        let top = painter.text("HH", lines: 3, in: Size(60, 80)).ink()!
        #expect(top.maxY <= 20)
        let two = painter.text(long, lines: 2, in: Size(120, 80)).ink()!
        #expect(two.minY < 20 && two.maxY > 24 && two.maxY <= 40)
        // Beside an icon, they stand in the middle as well.
        let beside = painter.text("HH", .body, .primary, .leadingMiddle, lines: 2, in: Size(60, 80)).ink()!
        #expect(abs(beside.minY + beside.maxY - 80) <= 2 && beside.minX < 10)
        let both = painter.text(long, .body, .primary, .leadingMiddle, lines: 2, in: Size(120, 80)).ink()!
        #expect(abs(both.minY + both.maxY - 80) <= 8)
        // A box with room for two lines has two, whatever was asked for.
        let cut = painter.text(long, lines: 5, in: Size(120, 44)).ink()!
        #expect(cut.maxY <= 41)
    }

    @Test("a text of several lines keeps its line ends; in one line they are spaces")
    func lineEnds() {
        let painter = makePainter()
        let three = painter.text("one\ntwo\nthree", lines: 3, in: Size(300, 80)).ink()!
        #expect(three.minY < 20 && three.maxY > 44 && three.maxY <= 60)
        #expect(painter.text("one\ntwo", lines: 1, in: Size(300, 20)) == painter.text("one two", lines: 1, in: Size(300, 20)))
        // The third line does not fit.
        let two = painter.text("one\ntwo\nthree", lines: 2, in: Size(300, 80)).ink()!
        #expect(two.maxY > 24 && two.maxY <= 40)
    }

    @Test("what stands below the last line is joined to it without a sign for the line end")
    func lineEndsBelow() {
        let painter = makePainter()
        func picture(_ text: String, lines: Int) -> Picture {
            painter.picture(
                of: .text(.verbatim(text), .body, .primary, .leading, lines: lines),
                size: Size(300, Double(lines) * TextStyle.body.lineHeight), scale: 1)
        }
        #expect(picture("one\ntwo\nthree", lines: 2) == picture("one\ntwo three", lines: 2))
        #expect(picture("one\n\nthree", lines: 2) == picture("one\n three", lines: 2))
        let wrapped = "a text that is so long that it goes on in the next line"
        #expect(picture(wrapped + "\nend", lines: 2) == picture(wrapped + " end", lines: 2))
        #expect(picture("one\ntwo", lines: 2) != picture("one two", lines: 2))
    }

    @Test("the longest message of a view is drawn to its end")
    func longest() {
        let painter = makePainter()
        let text = String(repeating: "word ", count: 4096 / 5), box = Size(800, 2000)
        let whole = painter.text(text, lines: 99, in: box).ink()!, part = painter.text(String(text.prefix(3000)), lines: 99, in: box).ink()!
        #expect(whole.maxY > part.maxY + 40)
    }

    @Test("descenders are never cut off, also where the box is lower than a line", arguments: [8, 10, 12, 16, 20, 40])
    func descenders(height: Double) {
        for factor in [1.0, 2] {
            let painter = makePainter { $0.textScale = factor }
            let picture = painter.text("gjpqyÅ", in: Size(100, height), scale: 4)
            let ink = picture.ink()!
            #expect(ink.minY >= 1 && ink.maxY <= Double(picture.height) - 1)
        }
    }

    @Test("line ends and control characters of a name are spaces; nothing of it is markup")
    func hostile() {
        let painter = makePainter()
        let box = Size(200, 20)
        #expect(painter.text("A\nB", in: box) == painter.text("A B", in: box))
        #expect(painter.text("A\u{2029}B", in: box) == painter.text("A B", in: box))
        #expect(painter.text("A\0B", in: box) == painter.text("A B", in: box))
        #expect(painter.text("A\u{202e}exe.txt\u{202c}", in: box) == painter.text("Aexe.txt", in: box), "letters keep their order")
        #expect(painter.text("<b>A</b>", in: box) != painter.text("A", in: box))
        #expect(painter.text(String(repeating: "W\u{301}\u{302}", count: 200_000), in: box).ink() != nil)
        #expect(painter.text("", in: box).ink() == nil)
        #expect(painter.text("A", in: Size(1, 1)).ink() == nil)
    }

    @Test("Korean lines end between words")
    func koreanWords() {
        let painter = makePainter { $0.language = .korean }
        let whole = painter.text("가나다 라마바사", lines: 2, in: Size(90, 40)).ink(rows: 0..<18)!
        let first = painter.text("가나다", lines: 2, in: Size(90, 40)).ink(rows: 0..<18)!
        #expect(whole.width == first.width)
    }

    @Test(
        "X-04: Japanese lines end between phrases",
        arguments: [
            ("画面を回転します", "画面を"), ("ピクチャ・イン・ピクチャ", "ピクチャ・イン・"), ("新しいウインドウを開く", "新しい"), ("すべてのウインドウ", "すべての"),
        ])
    func japanesePhrases(text: String, first: String) {
        let painter = makePainter { $0.language = .japanese }
        // Wide enough for one letter more than the first phrase.
        let width = Double(first.count + 1) * 15 + 8
        let whole = painter.text(text, lines: 3, in: Size(width, 60)).ink(rows: 0..<19)!
        let alone = painter.text(first, lines: 3, in: Size(width, 60)).ink(rows: 0..<19)!
        #expect(abs(whole.width - alone.width) <= 1, "\(text) breaks after \(whole.width), not \(alone.width)")
    }

    @Test(
        "P-07: the shell's own words shrink before they are cut, by a fifth or to the usual size; names are cut", arguments: [1.0, 1.5, 2])
    func shrinks(scale: Double) {
        let painter = makePainter { $0.textScale = scale }
        let message = Text.message(.keyboardShortcuts), style = TextStyle.body, words = painter.string(message)
        func isCut(_ text: Text, _ width: Double, lines: Int = 1) -> Bool {
            painter.isCut(.text(text, style, .primary, .leading, lines: lines), size: Size(width, style.lineHeight * scale))
        }
        let usual = (0..<800).first { width in !isCut(.verbatim(words), Double(width)) }.map(Double.init)!
        #expect(!isCut(message, usual) && isCut(.verbatim(words), usual - 1))
        let least = max(0.8, scale / 2) / scale
        #expect(!isCut(message, usual * (least + 0.08)) && isCut(message, usual * (least - 0.05)))
        if scale == 2 { #expect(!isCut(message, usual * 0.42, lines: 2), "two lines of letters that are half as high fit, too") }
    }

    @Test("X-04: Han characters look as in the person's language")
    func han() {
        let korean = makePainter { $0.language = .korean }, japanese = makePainter { $0.language = .japanese }
        let box = Size(40, 36)
        #expect(korean.text("輸", .largeTitle, in: box) != japanese.text("輸", .largeTitle, in: box))
    }

    @Test("over the wallpaper, texts and symbols have a shadow that fades before the border")
    func shadow() {
        let painter = makePainter()
        for picture in [
            painter.text("Files", .body, .onWallpaper, .center, in: Size(60, 28), scale: 2),
            painter.picture(of: .symbol(.search, .onWallpaper), size: Size(24, 24), scale: 2),
        ] {
            let dark = picture.pixels.count { $0 >> 24 > 20 && $0 & 0xff_ffff == 0 }
            #expect(dark > 50)
            for x in 0..<picture.width {
                #expect(picture[x, 0].alpha < 8 && picture[x, picture.height - 1].alpha < 8)
            }
            for y in 0..<picture.height {
                #expect(picture[0, y].alpha < 8 && picture[picture.width - 1, y].alpha < 8)
            }
        }
        let plain = painter.text("Files", .body, .onAccent, in: Size(60, 28))
        #expect(plain.pixels.allSatisfy { $0 >> 24 == $0 & 0xff })
    }

    @Test("an alert's title that the core thinks fits on one line does, in every language", arguments: Language.allCases)
    func titles(language: Language) throws {
        let painter = makePainter()
        painter.theme.language = language
        for message in Text.titleWidths.keys {
            for name in ["", "Files", "Firefox ESR", "LibreOffice Calc", "설정", "メモ帳"] {
                let title = Text.message(message, [name]), ems = try #require(title.titleWidth)
                #expect(painter.width(of: title, style: .headline) <= ems * TextStyle.headline.size, "\(painter.string(title))")
            }
        }
    }

    @Test("the age of a notification has room in every language", arguments: Language.allCases)
    func ages(language: Language) {
        let painter = makePainter()
        painter.theme.language = language
        let ages: [(Message, String, Int64)] = [
            (.noticeNow, "", 0), (.noticeMinutes, "59", 3599), (.noticeHours, "23", 86_399), (.noticeDays, "365", 31_536_000),
        ]
        for (message, number, age) in ages {
            let text = Text.message(message, [number])
            #expect(
                painter.width(of: text, style: .caption) <= Views.ageEms(age, isLate: false) * TextStyle.caption.size,
                "\(painter.string(text))")
        }
        #expect(painter.width(of: .message(.noticeLate), style: .caption) <= Views.ageEms(0, isLate: true) * TextStyle.caption.size)
    }

    @Test("the same again is the same picture, whatever was painted between")
    func repeatable() {
        let painter = makePainter()
        let first = painter.text(long, .callout, .secondary, lines: 2, in: Size(90, 32), scale: 1.5)
        _ = painter.text("다른 글", .largeTitle, in: Size(200, 40), scale: 3)
        painter.theme.language = .japanese
        _ = painter.text("別の文", .badge, in: Size(20, 10), scale: 1)
        painter.theme.language = .english
        #expect(painter.text(long, .callout, .secondary, lines: 2, in: Size(90, 32), scale: 1.5) == first)
    }
}

extension TextAlignment {
    fileprivate static let allCases: [TextAlignment] = [.leading, .center, .trailing]
}
