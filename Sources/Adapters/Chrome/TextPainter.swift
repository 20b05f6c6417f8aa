import Geometry
import Glibc
import PangoLibrary
import Stage

/// The look of a text.
struct TextLook {
    /// The font size in points.
    var size: Double
    var isBold: Bool
    var lineHeight: Double
    var alignment: TextAlignment
    var lines: Int
    var colour: Colour4
    var language: Language
    var isRightToLeft: Bool
    /// The least font size, in points, to which a text may shrink before it is cut; nil: it never shrinks.
    var leastSize: Double?
    /// Whether a text that does not fit loses the middle of its last line instead of its end.
    var cutsMiddle = false

    init(style: TextStyle, alignment: TextAlignment, lines: Int, colour: Colour4, theme: Theme) {
        size = style.size * theme.effectiveTextScale
        lineHeight = style.lineHeight * theme.effectiveTextScale
        isBold = style.isBold
        self.alignment = alignment
        self.lines = max(1, min(lines, 100))
        self.colour = colour
        language = theme.language
        isRightToLeft = theme.isRightToLeft
    }
}

/// Renders text with Pango. All texts share one font map and context, because finding fonts is slow.
final class TextPainter {
    private let map: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer
    private let layout: OpaquePointer
    private var fonts: [Font: OpaquePointer] = [:]
    /// Measured at the first text. Until then, a thread of Pango loads the fonts.
    private lazy var measures = measureFont()

    private struct Font: Hashable {
        /// In Pango's units.
        var size: Int
        var isBold: Bool
        var language: Language
    }

    /// Points left free at both sides, because glyphs extend slightly beyond their advance.
    private static let inset = 1.0
    /// Longer texts are cut before layout. The message of a view may have this many bytes (`ModalRules`).
    private static let mostCharacters = 4096

    init() {
        map = pango_cairo_font_map_new()
        context = pango_font_map_create_context(map)
        layout = pango_layout_new(context)
        // Without hinting and rounding, letters are spaced evenly at fractional scales too.
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)

        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
    }

    deinit {
        for font in fonts.values { pango_font_description_free(font) }
        g_object_unref(UnsafeMutableRawPointer(layout))
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(map))
    }

    /// The width in points of a text on one line, including the space at its sides.
    func width(of text: String, style: TextStyle, theme: Theme) -> Double {
        let look = TextLook(style: style, alignment: .leading, lines: 1, colour: .white(0), theme: theme)
        guard !set(text, look, size: look.size, width: nil) else { return 0 }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        // Round up to quarters of a point, so that sums of such widths do not lose the last letter to rounding.
        let width = Double(logical.width) / Double(PANGO_SCALE)
        return (width * 4 + 0.01).rounded(.up) / 4 + 2 * Self.inset
    }

    /// `box` is in points. The picture covers it at `scale` pixels per point.
    func write(_ text: String, _ look: TextLook, into picture: inout Picture, box: Size, scale: Double) {
        guard box.width > 0, box.height > 0 else { return }
        let (ascent, descent) = measures
        // If the box is lower than a line, use smaller letters instead of cutting them.
        let em = ascent + descent
        // Leave a small margin: some accents extend beyond the font's own height.
        let full = look.size * em <= box.height ? look.size : max(2, box.height / (em * 1.12))
        guard let fit = fit(text, look, full: full, em: em, in: box) else { return }
        let size = fit.size, lineHeight = fit.lineHeight, look = fit.look

        let count = min(Int(pango_layout_get_line_count(layout)), look.lines)
        let top = look.lines == 1 || look.alignment == .leadingMiddle ? (box.height - Double(count) * lineHeight) / 2 : 0
        let first = top + (lineHeight - size * em) / 2 + size * ascent
        let isLeft = look.alignment == .trailing ? look.isRightToLeft : !look.isRightToLeft
        let layout = layout, hasColours = text.unicodeScalars.contains { $0.properties.isEmojiPresentation }
        let columns = Double(picture.width), rows = Double(picture.height)
        picture.draw { cairo in
            // Keep the border columns free, whatever the glyphs do.
            let border = max(1, floor(Self.inset * scale / 2))
            cairo_rectangle(cairo, border, 0, max(0, columns - 2 * border), rows)
            cairo_clip(cairo)
            cairo_scale(cairo, scale, scale)
            setSource(cairo, look.colour)
            for index in 0..<count {
                guard let line = pango_layout_get_line_readonly(layout, Int32(index)) else { continue }
                var ink = PangoRectangle(), logical = PangoRectangle()
                pango_layout_line_get_extents(line, &ink, &logical)
                let unit = Double(PANGO_SCALE)
                let width = Double(logical.width) / unit
                var x =
                    switch look.alignment {
                    case .center: (box.width - width) / 2
                    case .leading, .leadingMiddle, .trailing: isLeft ? Self.inset : box.width - Self.inset - width
                    }
                x -= Double(logical.x) / unit
                // Move glyphs that extend beyond the box inside, as far as there is space.
                let left = x + Double(ink.x) / unit, right = left + Double(ink.width) / unit
                if right > box.width - Self.inset { x -= right - (box.width - Self.inset) }
                if left < Self.inset { x += Self.inset - left }
                // Align the baseline to a whole pixel, or the bottoms of letters look grey.
                let baseline = ((first + Double(index) * lineHeight) * scale).rounded() / scale
                cairo_move_to(cairo, x, baseline)
                if hasColours {
                    pango_cairo_show_layout_line(cairo, line)
                } else {
                    // Draw as a path: older Cairo versions place glyphs on whole pixels, which spaces them unevenly.
                    pango_cairo_layout_line_path(cairo, line)
                    cairo_fill(cairo)
                }
            }
        }
    }

    /// Whether a text is cut in a box of this size, in points, although it shrinks as far as it may.
    func isCut(_ text: String, _ look: TextLook, box: Size) -> Bool {
        let em = measures.ascent + measures.descent
        let full = look.size * em <= box.height ? look.size : max(2, box.height / (em * 1.12))
        return fit(text, look, full: full, em: em, in: box)?.isCut ?? false
    }

    /// Lays out the text: in its own size, or as much smaller as it may be so that nothing of it is cut (P-07). nil: there is nothing to
    /// draw.
    private func fit(
        _ text: String, _ look: TextLook, full: Double, em: Double, in box: Size
    ) -> (size: Double, lineHeight: Double, look: TextLook, isCut: Bool)? {
        let room = max(1, box.width - 2 * Self.inset), wanted = look.lines
        var size = full
        while true {
            var look = look
            let lineHeight = min(look.lineHeight * (size / full), max(box.height, size * em))
            if wanted > 1 { look.lines = max(1, min(wanted, Int(clamping: box.height / lineHeight + 0.01))) }
            if set(text, look, size: size, width: room) { return nil }
            let isCut = pango_layout_is_ellipsized(layout) != 0
            guard isCut, let least = look.leastSize, size > least else { return (size, lineHeight, look, isCut) }
            size = max(least, size * 0.94)
        }
    }

    /// Lays out the text. Returns true if there is nothing to draw.
    private func set(_ text: String, _ look: TextLook, size: Double, width: Double?) -> Bool {
        var text = Self.oneParagraph(text, isLong: look.lines > 1)
        guard !text.isEmpty else { return true }
        pango_context_set_language(context, pango_language_from_string(look.language.rawValue))
        pango_context_set_base_dir(
            context, look.isRightToLeft ? PANGO_DIRECTION_WEAK_RTL : PANGO_DIRECTION_WEAK_LTR)
        pango_layout_set_font_description(layout, font(size: size, isBold: look.isBold, look.language))
        pango_layout_set_width(layout, width.map { Int32(clamping: min($0, 100_000) * Double(PANGO_SCALE)) } ?? -1)
        pango_layout_set_height(layout, -Int32(look.lines))
        pango_layout_set_ellipsize(layout, look.cutsMiddle ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END)
        lay(&text)
        if look.lines > 1, joinLastLine(&text, most: look.lines) { lay(&text) }
        return false
    }

    private func lay(_ text: inout String) {
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                pango_layout_set_text(layout, $0.baseAddress, Int32($0.count))
            }
        }
    }

    /// Pango puts all the rest of the text into the last line, and shows line ends in it by a sign. They become spaces. Returns false if
    /// there are none.
    private func joinLastLine(_ text: inout String, most: Int) -> Bool {
        guard text.unicodeScalars.contains(Self.lineEnd), Int(pango_layout_get_line_count(layout)) >= most,
            let line = pango_layout_get_line_readonly(layout, Int32(most - 1))
        else { return false }
        let bytes = text.utf8,
            start =
                bytes.index(bytes.startIndex, offsetBy: Int(clamping: line.pointee.start_index), limitedBy: bytes.endIndex)
                ?? bytes.endIndex
        let rest = text.unicodeScalars[start...]
        guard rest.contains(Self.lineEnd) else { return false }
        var joined = String.UnicodeScalarView(text.unicodeScalars[..<start])
        for scalar in rest { joined.append(scalar == Self.lineEnd ? " " : scalar) }
        text = String(joined)
        return true
    }

    private static let lineEnd: Unicode.Scalar = "\u{2028}"

    /// Replaces control characters by spaces, and leaves out those that reverse the order of letters (U+202A to U+202E): names may contain
    /// anything, and "txt.exe" must not read as "exe.txt". In a single line, line ends become spaces, too. With `isLong`, the text keeps
    /// its line ends, and no line breaks inside a Korean word or a Japanese phrase, which Unicode allows after each syllable.
    private static func oneParagraph(_ text: String, isLong: Bool) -> String {
        var result = String.UnicodeScalarView(), wasHangul = false, before = Script.other
        for scalar in text.unicodeScalars.prefix(mostCharacters) where !(0x202a...0x202e).contains(scalar.value) {
            let isHangul = (0xac00...0xd7a3).contains(scalar.value)
            if isLong, isHangul, wasHangul { result.append("\u{2060}") }
            wasHangul = isHangul
            // Japanese is written without spaces: a phrase begins where kanji or kana follow the kana that ended the one before.
            let script = Script(scalar)
            if isLong, script.joins(before) { result.append("\u{2060}") }
            before = script
            switch scalar.properties.generalCategory {
            // Pango limits the lines of each paragraph. This character ends a line without ending the paragraph.
            case .control where isLong && scalar == "\n": result.append("\u{2028}")
            case .control, .lineSeparator, .paragraphSeparator, .surrogate: result.append(" ")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private func font(size: Double, isBold: Bool, _ language: Language) -> OpaquePointer {
        let key = Font(
            size: Int(clamping: (min(max(size, 1), 2000) * Double(PANGO_SCALE)).rounded()), isBold: isBold, language: language)
        if let font = fonts[key] { return font }
        // Tiles and low boxes use many sizes. Descriptions are cheap to make again.
        if fonts.count >= 64 {
            for font in fonts.values { pango_font_description_free(font) }
            fonts.removeAll()
        }
        let font = pango_font_description_new()!
        pango_font_description_set_family(font, Self.families(language))
        pango_font_description_set_weight(font, isBold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(font, Double(key.size))
        fonts[key] = font
        return font
    }

    /// Han characters look different in each language, so the language's own font comes first among them. Inter comes
    /// before all: "system-ui" on a bare Debian is not made for small sizes on a screen.
    private static func families(_ language: Language) -> String {
        let han =
            switch language {
            case .korean: "Noto Sans CJK KR, Noto Sans KR, Noto Sans CJK JP"
            case .japanese, .english: "Noto Sans CJK JP, Noto Sans JP, Noto Sans CJK KR"
            }
        return "Inter, Inter Variable, Cantarell, Adwaita Sans, Noto Sans, system-ui, DejaVu Sans, \(han), sans-serif"
    }

    /// Ascent and descent in ems. Only the first font counts, so that lines are equally high in every language.
    private func measureFont() -> (ascent: Double, descent: Double) {
        let size = 100.0
        guard
            let metrics = pango_context_get_metrics(
                context, font(size: size, isBold: false, .english), pango_language_from_string("en"))
        else { return (0.95, 0.25) }
        defer { pango_font_metrics_unref(metrics) }
        let unit = Double(PANGO_SCALE) * size
        return (
            min(max(Double(pango_font_metrics_get_ascent(metrics)) / unit, 0.7), 1.3),
            min(max(Double(pango_font_metrics_get_descent(metrics)) / unit, 0.15), 0.6)
        )
    }
}

/// The scripts between which Japanese lines break.
private enum Script {
    case kanji, hiragana, katakana, other

    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x3400...0x4dbf, 0x4e00...0x9fff, 0xf900...0xfaff, 0x3005, 0x3007: self = .kanji
        case 0x3041...0x309f: self = .hiragana
        case 0x30a1...0x30fa, 0x30fc...0x30ff, 0x31f0...0x31ff, 0xff66...0xff9f: self = .katakana
        default: self = .other
        }
    }

    /// Whether a letter belongs to the word of the letter before it: a compound, a loan word, or the kana after a stem.
    func joins(_ before: Script) -> Bool {
        switch (before, self) {
        case (.other, _), (_, .other): false
        case (_, .hiragana): true
        default: before == self
        }
    }
}
