import Geometry
import Stage
import Windows

/// The idiom in the control centre: a tile that shows it, and a page that offers the others.
extension Views {
    /// Empty where there is nothing to choose.
    var idiomTiles: [ControlTile] {
        guard idioms.count > 1 else { return [] }
        let idiom = workspace.family, look = look(of: idiom)
        return [
            ControlTile(
                id: "idiom", symbol: look.symbol, text: look.title, spoken: idiom.title.isEmpty ? nil : .detailed(.idiom, idiom.title),
                action: .controlPage(.idioms), isButton: true)
        ]
    }

    func addIdiomPage(_ canvas: inout Canvas, _ presence: Double) {
        // A small screen shows a part of them, and a row that leads to the next part.
        let most = max(2, Int(clamping: (room.height - 32 - pageHead - 12) / touch))
        let part = partOfPage(idioms.count, most: most), shown = idioms[part.rows], count = shown.count + (part.hasMore ? 1 : 0)
        let row = rowOnPage(of: min(idioms.count, most))
        let place = addPage(&canvas, .idiom, rows: Double(count) * row, presence)
        if part.hasMore {
            let rect = Rect(place.x, place.y + Double(shown.count) * row, place.width, row), id: ControlID = "control-centre/idiom/more"
            canvas.press(id, rect, radius: 12)
            canvas.text(id, .message(.moreApps), .body, .accent, Rect(rect.x + 8, rect.y, rect.width - 16, row), .leadingMiddle)
            canvas.control(id, .button, .message(.moreApps), rect.inset(by: 1), press: .notice(.moreFocusApps), target: rect)
        }
        for (index, idiom) in shown.enumerated() {
            let look = look(of: idiom)
            let choice = SoundChoice(
                id: "idiom/\(idiom.name)", symbol: look.symbol, text: look.title, action: .idiom(idiom.name),
                isChosen: idiom == workspace.family)
            addChoice(&canvas, ControlID(.controlCentre, choice.id), choice, Rect(place.x, place.y + Double(index) * row, place.width, row))
        }
    }

    /// How a person recognises an idiom.
    func look(of idiom: Idiom) -> (title: Text, symbol: Symbol) {
        let known: (title: Message, symbol: Symbol) =
            switch idiom.device {
            case .tablet: (.idiomPad, .tablet)
            case .phone: (.idiomPhone, .phone)
            case .desktop: (.idiomMac, .desktop)
            case .television: (.idiomTV, .television)
            case .watch: (.idiomWatch, .watch)
            case .roundWatch: (.idiomRoundWatch, .watch)
            case .headset: (.idiomVision, .headgear)
            case .car: (.idiomCar, .display)
            case .kiosk: (.idiomKiosk, .tablet)
            }
        return (idiom.title.isEmpty ? .message(known.title) : .verbatim(idiom.title), known.symbol)
    }
}
