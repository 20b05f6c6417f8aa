import CairoLibrary
import Chrome
import Geometry
import PangoLibrary
import PixbufLibrary
import QuickLook
import QuickLookHelper
import Stage

/// Draws the window with Cairo, in points.
final class Painter {
    private let language: Language
    private let fonts: String

    init(_ language: Language) {
        self.language = language
        let own =
            switch language {
            case .korean: "Noto Sans CJK KR"
            case .english, .japanese: "Noto Sans CJK JP"
            }
        fonts = "Inter, Cantarell, Noto Sans, system-ui, DejaVu Sans, \(own), sans-serif"
    }

    static let closeButton = Rect(8, 10, 84, 48)

    static func shareButton(_ size: Size) -> Rect { Rect(size.width - 92, 10, 84, 48) }

    static func playButton(_ area: Rect) -> Rect { Rect(center: Point(area.center.x, area.center.y - 20), size: Size(96, 96)) }

    private struct Ink {
        var red: Double, green: Double, blue: Double
        var alpha = 1.0

        static let ground = Ink(red: 0.11, green: 0.11, blue: 0.12)
        static let bar = Ink(red: 0.17, green: 0.17, blue: 0.18)
        static let panel = Ink(red: 0.23, green: 0.23, blue: 0.25)
        static let line = Ink(red: 1, green: 1, blue: 1, alpha: 0.12)
        static let text = Ink(red: 1, green: 1, blue: 1)
        static let quiet = Ink(red: 0.72, green: 0.72, blue: 0.75)
        static let accent = Ink(red: 0.35, green: 0.68, blue: 1)
        static let pressed = Ink(red: 1, green: 1, blue: 1, alpha: 0.14)
        static let paper = Ink(red: 1, green: 1, blue: 1)
    }

    private enum Align { case left, center }

    func draw(
        _ context: OpaquePointer, _ look: QuickLook, _ items: [Item], menu: ShareMenu?, pressed: Button?, at now: Moment
    ) {
        let size = look.size
        fill(context, Rect(origin: .zero, size: size), .ground)
        cairo_save(context)
        path(context, look.area)
        cairo_clip(context)
        let isMoving = look.isMoving(at: now), zoom = look.zoom(at: now)
        for placement in look.placements(at: now) {
            let item = items[placement.file]
            switch item.state {
            case .shown: page(context, item, placement, isFast: isMoving, zoom: placement.file == look.front ? zoom : 1)
            case .opening: note(context, placement.frame, language.words(.fileOpening), nil)
            case .failed(let trouble):
                mark(context, placement.frame)
                note(context, placement.frame, language.words(.fileNotShown, item.name), language.words(trouble.kind.message))
            case .media(let isVideo): media(context, placement.frame, item, isVideo: isVideo, isPressed: pressed == .play)
            }
        }
        cairo_restore(context)
        bar(context, look, items, pressed: pressed, at: now)
        if let menu { panel(context, menu, size, pressed: pressed) }
    }

    // MARK: Files

    private func page(_ context: OpaquePointer, _ item: Item, _ placement: QuickLook.Placement, isFast: Bool, zoom: Double) {
        let frame = placement.frame
        if item.file?.kind != .image { fill(context, frame, .paper) }
        if let rendition = item.pages[placement.page] {
            show(context, rendition, frame, isFast: isFast)
        } else if item.isRefused(placement.page) {
            fill(context, frame, .panel)
            note(context, frame, language.words(.filePageNotShown), nil)
        }
        if zoom > 1.01, let sharp = item.sharp, sharp.page == placement.page {
            show(context, sharp.rendition, frame, isFast: isFast)
        }
    }

    private func show(_ context: OpaquePointer, _ rendition: Rendition, _ frame: Rect, isFast: Bool) {
        cairo_save(context)
        cairo_translate(context, frame.x, frame.y)
        cairo_scale(context, frame.width / Double(rendition.whole.width), frame.height / Double(rendition.whole.height))
        cairo_rectangle(
            context, Double(rendition.part.x), Double(rendition.part.y), Double(rendition.part.columns), Double(rendition.part.rows))
        cairo_set_source_surface(context, rendition.surface, Double(rendition.part.x), Double(rendition.part.y))
        let pattern = cairo_get_source(context)
        cairo_pattern_set_filter(pattern, isFast ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_GOOD)
        // Else the edges fade into the ground.
        cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        cairo_fill(context)
        cairo_restore(context)
    }

    private func mark(_ context: OpaquePointer, _ frame: Rect) {
        let center = Point(frame.center.x, frame.center.y - 64)
        set(context, .quiet)
        cairo_set_line_width(context, 3)
        cairo_new_path(context)
        cairo_arc(context, center.x, center.y, 24, 0, 2 * .pi)
        cairo_stroke(context)
        cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        cairo_move_to(context, center.x, center.y - 11)
        cairo_line_to(context, center.x, center.y + 3)
        cairo_stroke(context)
        cairo_arc(context, center.x, center.y + 11, 2, 0, 2 * .pi)
        cairo_fill(context)
    }

    private func note(_ context: OpaquePointer, _ frame: Rect, _ title: String, _ reason: String?) {
        let width = min(frame.width - 48, 520)
        guard width > 40 else { return }
        let x = frame.center.x - width / 2
        let height = text(context, title, Rect(x, frame.center.y - 16, width, 0), 20, .text, isBold: true, lines: 3)
        if let reason { _ = text(context, reason, Rect(x, frame.center.y - 8 + height, width, 0), 16, .quiet, lines: 6) }
    }

    private func media(_ context: OpaquePointer, _ frame: Rect, _ item: Item, isVideo: Bool, isPressed: Bool) {
        let button = Painter.playButton(frame), center = button.center
        set(context, isPressed ? .quiet : .text)
        cairo_new_path(context)
        cairo_arc(context, center.x, center.y, 48, 0, 2 * .pi)
        cairo_fill(context)
        set(context, .ground)
        cairo_move_to(context, center.x - 13, center.y - 22)
        cairo_line_to(context, center.x + 25, center.y)
        cairo_line_to(context, center.x - 13, center.y + 22)
        cairo_close_path(context)
        cairo_fill(context)
        let width = min(frame.width - 48, 520)
        let place = Rect(frame.center.x - width / 2, button.maxY + 24, width, 0)
        let height = text(context, item.name, place, 20, .text, isBold: true, lines: 2)
        let what = language.words(
            Player.isInstalled ? (isVideo ? .fileVideo : .fileSound) : (isVideo ? .fileVideoNoPlayer : .fileSoundNoPlayer))
        _ = text(context, what, place.offset(by: Vector(0, height + 8)), 16, .quiet, lines: 2)
    }

    // MARK: Bar and menu

    private func bar(_ context: OpaquePointer, _ look: QuickLook, _ items: [Item], pressed: Button?, at now: Moment) {
        let size = look.size, item = items[look.front]
        fill(context, Rect(0, 0, size.width, QuickLook.barHeight), .bar)
        fill(context, Rect(0, QuickLook.barHeight - 1, size.width, 1), .line)
        button(context, Painter.closeButton, language.words(.done), isPressed: pressed == .close)
        if item.canBeShared { button(context, Painter.shareButton(size), language.words(.fileShare), isPressed: pressed == .share) }
        var words: [String] = []
        if items.count > 1 { words.append(language.words(.fileNumber, "\(look.front + 1)", "\(items.count)")) }
        if let page = look.page(at: now), page.count > 1 { words.append(language.words(.page, "\(page.number + 1)", "\(page.count)")) }
        words += item.notes.map { note in
            switch note {
            case .cut(let size): language.words(.fileCut, "\(size)")
            case .utf16: "UTF-16"
            case .latin1: language.words(.fileLatin1)
            }
        }
        if item.helper != nil, !item.isIsolated { words.append(language.words(.fileLessIsolated)) }
        let zoom = look.zoom(at: now)
        if zoom > 1.01 { words.append("\(Int(clamping: (zoom * 100).rounded())) %") }
        // Below the dots of the window, between the buttons.
        let room = Rect(100, 0, max(20, size.width - 200), 0)
        let isAlone = words.isEmpty
        _ = text(context, item.name, room.offset(by: Vector(0, isAlone ? 31 : 24)), 15, .text, isBold: true, lines: 1)
        if !isAlone { _ = text(context, words.joined(separator: " · "), room.offset(by: Vector(0, 43)), 12, .quiet, lines: 1) }
    }

    private func button(_ context: OpaquePointer, _ frame: Rect, _ label: String, isPressed: Bool) {
        if isPressed { rounded(context, frame, 12, .pressed) }
        _ = text(context, label, Rect(frame.x, frame.center.y - 11, frame.width, 0), 17, .accent, lines: 1)
    }

    private func panel(_ context: OpaquePointer, _ menu: ShareMenu, _ size: Size, pressed: Button?) {
        let frame = menu.frame(in: size)
        for step in 1...4 {
            rounded(
                context,
                Rect(frame.x - Double(step) * 2, frame.y - Double(step), frame.width + Double(step) * 4, frame.height + Double(step) * 4),
                16, Ink(red: 0, green: 0, blue: 0, alpha: 0.08))
        }
        rounded(context, frame, 14, .panel)
        for (index, row) in menu.rows.enumerated() {
            let place = Rect(frame.x, frame.y + Double(index) * ShareMenu.rowHeight, frame.width, ShareMenu.rowHeight)
            if pressed == .menu(index) { rounded(context, place, 14, .pressed) }
            if index > 0 { fill(context, Rect(place.x, place.y, place.width, 1), .line) }
            _ = text(context, row.label, Rect(place.x + 16, place.center.y - 11, place.width - 32, 0), 16, .text, lines: 1, align: .left)
        }
    }

    // MARK: Cairo and Pango

    private func set(_ context: OpaquePointer, _ ink: Ink) { cairo_set_source_rgba(context, ink.red, ink.green, ink.blue, ink.alpha) }

    private func path(_ context: OpaquePointer, _ rect: Rect) {
        cairo_new_path(context)
        cairo_rectangle(context, rect.x, rect.y, rect.width, rect.height)
    }

    private func fill(_ context: OpaquePointer, _ rect: Rect, _ ink: Ink) {
        set(context, ink)
        path(context, rect)
        cairo_fill(context)
    }

    private func rounded(_ context: OpaquePointer, _ rect: Rect, _ radius: Double, _ ink: Ink) {
        set(context, ink)
        cairo_new_path(context)
        cairo_arc(context, rect.maxX - radius, rect.minY + radius, radius, -.pi / 2, 0)
        cairo_arc(context, rect.maxX - radius, rect.maxY - radius, radius, 0, .pi / 2)
        cairo_arc(context, rect.minX + radius, rect.maxY - radius, radius, .pi / 2, .pi)
        cairo_arc(context, rect.minX + radius, rect.minY + radius, radius, .pi, 1.5 * .pi)
        cairo_close_path(context)
        cairo_fill(context)
    }

    /// Writes from the top of a place, and returns how high the text is.
    private func text(
        _ context: OpaquePointer, _ words: String, _ place: Rect, _ size: Double, _ ink: Ink, isBold: Bool = false, lines: Int,
        align: Align = .center
    ) -> Double {
        guard let layout = pango_cairo_create_layout(context) else { return 0 }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let font = pango_font_description_new()
        pango_font_description_set_family(font, fonts)
        pango_font_description_set_weight(font, isBold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(font, size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        pango_font_description_free(font)
        pango_layout_set_width(layout, Int32(clamping: place.width * Double(PANGO_SCALE)))
        pango_layout_set_height(layout, lines == 1 ? 0 : -Int32(lines))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        // The end of a name says more than its middle.
        pango_layout_set_ellipsize(layout, lines == 1 ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END)
        pango_layout_set_alignment(layout, align == .center ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT)
        // A name may hold anything, line ends and marks of direction, too.
        let scalars = words.unicodeScalars.prefix(600).map { scalar -> Unicode.Scalar in
            scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) || (0x202a...0x202e).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value) ? "\u{fffd}" : scalar
        }
        var clean = String(String.UnicodeScalarView(scalars))
        clean.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { pango_layout_set_text(layout, $0.baseAddress, Int32($0.count)) }
        }
        set(context, ink)
        cairo_move_to(context, place.x, place.y)
        pango_cairo_show_layout(context, layout)
        var extents = PangoRectangle()
        pango_layout_get_pixel_extents(layout, nil, &extents)
        return Double(extents.height)
    }
}

extension Trouble.Kind {
    /// The same for a person who reads no English.
    var message: Message {
        switch self {
        case .missing: .fileMissing
        case .folder: .fileIsFolder
        case .special: .fileIsSpecial
        case .empty: .fileEmpty
        case .forbidden: .fileForbidden
        case .unknown: .fileUnknownKind
        case .unreadable: .fileUnreadable
        case .large: .fileTooLarge
        case .broken: .fileBroken
        case .locked: .fileLocked
        case .library: .fileNeedsLibrary
        case .costly: .fileTooCostly
        case .unconfined: .fileUnconfined
        }
    }
}
