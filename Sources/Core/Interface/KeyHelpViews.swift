import Geometry
import Stage
import Windows

/// The list of keys.
extension Views {
    /// The sign on a key, and the word for it that a screen reader says.
    public struct KeyName: Hashable, Sendable {
        public var sign: Text
        public var said: Text

        public init(_ sign: Text, said: Text? = nil) {
            self.sign = sign
            self.said = said ?? sign
        }
    }

    public struct KeyLine: Hashable, Sendable {
        /// The chords that have the function, each with its keys in the order of pressing.
        public var chords: [[KeyName]]
        public var meaning: Text

        public init(chords: [[KeyName]], meaning: Text) {
            self.chords = chords
            self.meaning = meaning
        }

        /// Between a cap and a sign beside it.
        fileprivate static let gap = 2.0

        /// Of four corners, the first and the last are shown.
        private var separator: String { chords.count > 2 ? "–" : "/" }

        /// The keys, and the signs between them: "+" within a chord. A common beginning is named once: "Super + [ / ]".
        fileprivate var parts: [(text: Text, isKey: Bool)] {
            guard let first = chords.first, let last = chords.last else { return [] }
            func keys(_ chord: some Sequence<KeyName>) -> [(text: Text, isKey: Bool)] {
                Array(chord.map { [(text: $0.sign, isKey: true)] }.joined(separator: [(text: Text.verbatim("+"), isKey: false)]))
            }
            guard chords.count > 1 else { return keys(first) }
            let isCommon = first.dropLast() == last.dropLast()
            return keys(first) + [(text: .verbatim(separator), isKey: false)] + keys(isCommon ? Array(last.suffix(1)) : last)
        }

        /// "Move the Divider, Super Left Bracket, Super Right Bracket".
        fileprivate var said: Text { .list([meaning] + chords.map { .list($0.map(\.said), " ") }, ", ") }
    }

    func addKeyHelp(_ canvas: inout Canvas, _ presence: Double) {
        canvas.shift = .zero
        let columns = room.width > 560 ? 2 : 1
        let rows = max(1, (keys.count + columns - 1) / columns)
        // On a small screen, use less space so that no key is left out. Where even that is too much, everything is drawn smaller:
        // larger text must not cut off what it says.
        let style: TextStyle =
            36 + line(.title) + Double(rows) * (line(.callout) + 12) + 20 <= room.height - 24
                && (room.width - 48 - 80) / Double(columns) >= scaled(410) ? .callout : .caption
        let isTight = style == .caption
        let margin = isTight ? 16.0 : 24, gap = columns == 2 ? (isTight ? 20.0 : 32) : 0
        var head = isTight ? line(.headline) + 20 : line(.title) + 36
        var row = isTight ? line(.caption) + 4 : line(.callout) + 12
        let least = Size(Double(columns) * scaled(308) + 2 * margin + gap, head + Double(rows) * row + 8)
        let shrunk = isTight ? min(1, (room.width - 16) / least.width, (room.height - 24) / least.height) : 1
        head *= shrunk
        row *= shrunk
        let widest = min(room.width - (isTight ? 16 : 48), columns == 2 ? scaled(960) : scaled(460))
        let width = shrunk < 1 ? least.width * shrunk : max(widest, min(least.width, room.width - 16))
        let height = head + Double(rows) * row + (isTight ? 8 * shrunk : 20)
        let panel = Rect(((room.center.x - width / 2)).rounded(), (room.center.y - height / 2).rounded(), width, height)
        // Painting such a large glass would take longer than a frame when the screen is rotated.
        ground(&canvas, "keys", .panel, .message(.keyboardShortcuts), panel, radius: 20, isGlass: false)
        let titleHeight = line(isTight ? .headline : .title) * shrunk
        let title = Rect(panel.x + margin, panel.y + (isTight ? 10 * shrunk : 20), width - 2 * margin, titleHeight)
        canvas.text("keys/title", .message(.keyboardShortcuts), isTight ? .headline : .title, .primary, title, .center, shrunk: shrunk)
        let column = (width - 2 * margin * shrunk - gap * shrunk) / Double(columns)
        // Keys look like keys where there is room for their caps.
        let hasCaps = (keys.map { capsWidth($0, style) }.max() ?? 0) * shrunk <= column * 0.5
        for (index, key) in keys.enumerated() {
            let y = panel.y + head + Double(index % rows) * row
            let x = panel.x + margin * shrunk + Double(index / rows) * (column + gap * shrunk)
            let id = ControlID(.keys, index), whole = Rect(x, y, column, row)
            let split = (hasCaps ? capsWidth(key, style) * shrunk : min(column * 0.5, plainWidth(key, style) * shrunk)).rounded(.up)
            canvas.text(id, part: 2, key.meaning, style, .primary, Rect(x, y, column - split - 8 * shrunk, row), shrunk: shrunk)
            addKeys(&canvas, id, key, style, Rect(x + column - split, y, split, row), hasCaps: hasCaps, shrunk)
            canvas.control(id, .label, key.said, whole, focusable: false)
        }
    }

    /// The core does not measure text: a width that surely holds it. The words for keys without a sign are short in each language.
    private func width(of text: Text, _ style: TextStyle) -> Double {
        let ems = text.nameWidth ?? 4.4
        return (ems * scaled(style.size)).rounded(.up)
    }

    private func capWidth(_ part: (text: Text, isKey: Bool), _ style: TextStyle) -> Double {
        part.isKey
            ? max(scaled(style.lineHeight + 4), width(of: part.text, style) + scaled(style == .caption ? 9 : 12)) : scaled(style.size * 0.6)
    }

    private func capsWidth(_ line: KeyLine, _ style: TextStyle) -> Double {
        let parts = line.parts
        return parts.reduce(0) { $0 + capWidth($1, style) } + Double(max(0, parts.count - 1)) * KeyLine.gap
    }

    private func plainWidth(_ line: KeyLine, _ style: TextStyle) -> Double {
        line.parts.reduce(0) { $0 + width(of: $1.text, style) + ($1.isKey ? 0 : scaled(style.size * 0.6)) }
    }

    /// A chord reads from left to right in every language, as the keys stand side by side.
    private func addKeys(
        _ canvas: inout Canvas, _ id: ControlID, _ line: KeyLine, _ style: TextStyle, _ place: Rect, hasCaps: Bool, _ shrunk: Double
    ) {
        let parts = line.parts
        guard hasCaps else {
            let words = parts.map { $0.isKey ? $0.text : Text.list([.verbatim(" "), $0.text, .verbatim(" ")], "") }
            // Isolated, so that signs keep their order in a line that runs the other way.
            let isolated = appearance.isRightToLeft ? [.verbatim("\u{2066}")] + words + [.verbatim("\u{2069}")] : words
            return canvas.text(id, part: 5, .list(isolated, ""), style, .secondary, place, .trailing, shrunk: shrunk)
        }
        let mirror = canvas.mirror
        canvas.mirror = nil
        defer { canvas.mirror = mirror }
        let height = min(place.height - 2, (self.line(style) + 6) * shrunk)
        // At the end of its line, which is at the left where the language runs to the left.
        var x = mirror.map { $0.minX + $0.maxX - place.maxX } ?? place.maxX - capsWidth(line, style) * shrunk
        for (index, part) in parts.enumerated() {
            let rect = Rect(x, place.center.y - height / 2, capWidth(part, style) * shrunk, height), key = id.part("\(index)")
            if part.isKey { canvas.fill(key, .control, rect, radius: min(6, height / 3)) }
            // A sign has the gaps beside it, too.
            let box = part.isKey ? rect : rect.inset(by: Insets(0, -3, 0, -3))
            canvas.text(key, part.text, style, part.isKey ? .primary : .secondary, box, .center, shrunk: shrunk)
            x += rect.width + KeyLine.gap * shrunk
        }
    }
}
