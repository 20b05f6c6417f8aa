import CairoLibrary
import Geometry
import Glibc
import PangoLibrary
import PixbufLibrary

/// The first mebibyte of a text, in pieces that Pango lays out one by one: a layout of the whole would be as slow as the
/// text is long, and its numbers overflow.
final class TextDocument: Document {
    static let mostBytes = 1 << 20

    private(set) var sizes: [Size] = []
    let note: String
    private let pieces: [String]
    private let layout: OpaquePointer

    init() throws(Trouble) {
        let (bytes, length) = try readFile(limit: Self.mostBytes)
        var (text, encoding) = Self.decoded(bytes, isCut: length > bytes.count)
        text = Self.visible(text)
        note = [length > bytes.count ? "cut\((length + (1 << 20) - 1) >> 20)" : "", encoding].filter { !$0.isEmpty }.joined(separator: ",")
        pieces = Self.pieces(text)
        let map = pango_cairo_font_map_new()!
        let context = pango_font_map_create_context(map)!
        let options = cairo_font_options_create()
        // Spaced evenly at every zoom.
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        layout = pango_layout_new(context)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        let font = pango_font_description_new()
        pango_font_description_set_family(font, "DejaVu Sans Mono, Noto Sans Mono, Noto Sans CJK JP, monospace")
        pango_font_description_set_absolute_size(font, 14 * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_line_spacing(layout, 1.25)
    }

    private static let inset = 20.0
    private var width = 600.0

    func fit(width: Double) {
        self.width = min(max(width, 100), 4000)
        sizes = pieces.indices.map { piece in
            set(piece)
            var extents = PangoRectangle()
            pango_layout_get_pixel_extents(layout, nil, &extents)
            let border = (piece == 0 ? Self.inset : 0) + (piece == pieces.count - 1 ? Self.inset : 0)
            return Size(self.width, max(1, Double(extents.height)) + border)
        }
    }

    func draw(_ part: Part, into memory: UnsafeMutableRawPointer) throws(Trouble) {
        set(part.page)
        paint(part, into: memory) { context in
            cairo_set_source_rgb(context, 0.11, 0.11, 0.12)
            cairo_move_to(context, Self.inset, part.page == 0 ? Self.inset : 0)
            pango_cairo_show_layout(context, layout)
        }
    }

    private func set(_ piece: Int) {
        pango_layout_set_width(layout, Int32(clamping: (width - 2 * Self.inset) * Double(PANGO_SCALE)))
        var text = pieces[piece]
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { pango_layout_set_text(layout, $0.baseAddress, Int32($0.count)) }
        }
    }

    // MARK: Text from bytes

    /// UTF-8, UTF-16 with a mark, or else Latin-1, which has a character for every byte.
    static func decoded(_ bytes: [UInt8], isCut: Bool) -> (text: String, note: String) {
        if bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) {
            let isLittle = bytes[0] == 0xff
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
                isLittle ? UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 : UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            return (String(decoding: units, as: UTF16.self), "utf16")
        }
        var whole = bytes[...]
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { whole = whole.dropFirst(3) }
        // A limit in the middle of a character.
        if isCut {
            for _ in 0..<3 where String(validating: whole, as: UTF8.self) == nil { whole = whole.dropLast() }
        }
        if let text = String(validating: whole, as: UTF8.self) { return (text, "") }
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        return (String(scalars), "latin1")
    }

    /// Control characters as their symbols, so that nothing is hidden; line ends alike.
    static func visible(_ text: String) -> String {
        var result = String.UnicodeScalarView(), wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0a: if !wasReturn { result.append("\n") }
            case 0x0d: result.append("\n")
            case 0x09: result.append("\t")
            case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{fffd}")
            case 0x7f: result.append("\u{2421}")
            // Marks that reverse the order of the following text.
            case 0x202a...0x202e, 0x2066...0x2069: result.append("\u{fffd}")
            default: result.append(scalar)
            }
            wasReturn = scalar.value == 0x0d
        }
        return String(result)
    }

    /// At most forty lines or four thousand characters each, cut at line ends where there are any.
    static func pieces(_ text: String) -> [String] {
        var pieces: [String] = [], piece = String.UnicodeScalarView(), lines = 0, count = 0
        for scalar in text.unicodeScalars {
            count += 1
            if scalar == "\n" {
                lines += 1
                if lines >= 40 || count >= 3000 {
                    pieces.append(String(piece))
                    (piece, lines, count) = (String.UnicodeScalarView(), 0, 0)
                    continue
                }
            } else if count >= 4000, scalar == " " || count >= 6000 {
                piece.append(scalar)
                pieces.append(String(piece))
                (piece, lines, count) = (String.UnicodeScalarView(), 0, 0)
                continue
            }
            piece.append(scalar)
        }
        if !piece.isEmpty || pieces.isEmpty { pieces.append(String(piece)) }
        return pieces
    }
}
