import Geometry
import Stage
import Windows

/// The idiom in the control centre: a tile that shows it, and a page that offers the others.
extension Views {
    /// Empty where there is nothing to choose.
    var idiomTiles: [ControlTile] {
        guard idioms.count > 1 else { return [] }
        let idiom = workspace.family, look = look(of: idiom)
        return [ControlTile(
            id: "idiom", symbol: look.symbol, text: look.title, spoken: idiom.title.isEmpty ? nil : .detailed(.idiom, idiom.title),
            action: .controlPage(.idioms), isButton: true)]
    }

    func addIdiomPage(_ canvas: inout Canvas, _ presence: Double) {
        let most = max(1, Int(clamping: (room.height - 32 - pageHead - 12) / 44)), shown = idioms.prefix(most)
        let row = max(44, min(rowHeight, ((room.height - 32 - pageHead - 12) / Double(max(1, shown.count))).rounded(.down)))
        let place = addPage(&canvas, .idiom, rows: Double(shown.count) * row, presence)
        for (index, idiom) in shown.enumerated() {
            let look = look(of: idiom)
            let choice = SoundChoice(
                id: "idiom/\(idiom.name)", symbol: look.symbol, text: look.title, action: .idiom(idiom.name),
                isChosen: idiom == workspace.family)
            addChoice(&canvas, ControlID(.controlCentre, choice.id), choice, Rect(place.x, place.y + Double(index) * row, place.width, row))
        }
    }

    /// How a person recognises an idiom.
    private func look(of idiom: Idiom) -> (title: Text, symbol: Symbol) {
        let known: (title: Message, symbol: Symbol) =
            switch idiom.device {
            case .tablet: (.idiomPad, .tablet)
            case .phone: (.idiomPhone, .phone)
            case .desktop: (.idiomMac, .desktop)
            case .television: (.idiomTV, .television)
            case .watch: (.idiomWatch, .watch)
            case .roundWatch: (.idiomRoundWatch, .watch)
            case .headset: (.idiomVision, .headgear)
            }
        return (idiom.title.isEmpty ? .message(known.title) : .verbatim(idiom.title), known.symbol)
    }
}
