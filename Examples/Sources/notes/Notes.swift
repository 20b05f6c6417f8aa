import Foundation
import MullionKit
import Toolkit

/// One note that is never saved by hand: what is typed, the cursor and the place to which it is scrolled survive the app.
final class Notes {
    /// What is handed over.
    private struct Page: Codable {
        var text = ""
        var cursor = 0
        var scroll = 0.0
    }

    private let life = try? AppLife()
    private var state: WindowState?
    private lazy var editor = Editor { [unowned self] in state?.changed() }

    func open() {
        if let life {
            let state = WindowState(name: "main", in: life)
            self.state = state
            state.onSave = { [unowned self] in
                App.say("saved \(editor.text.count) \(editor.cursor)")
                return try? [UInt8](JSONEncoder().encode(Page(text: editor.text, cursor: editor.cursor, scroll: editor.scroll)))
            }
            state.onRefused = { App.say("refused \($0)") }
            // Before the window is shown, so that its first frame has the text.
            if let bytes = state.wait(), let page = try? JSONDecoder().decode(Page.self, from: Data(bytes)) {
                editor.show(page.text, cursor: page.cursor, scroll: page.scroll)
                App.say("restored \(page.text.count) \(page.cursor)")
            } else {
                App.say("fresh")
            }
            ServiceLoop(life)
        }
        let window = Window("Notes", width: 420, height: 480)
        window.show(Box.column([editor]))
        App.onLine { [unowned self] in obey($0) }
    }

    /// "type WORDS", "text", "scroll", "quit".
    private func obey(_ words: [String]) {
        switch words[0] {
        case "type": editor.type(words.dropFirst().joined(separator: " ") + "\n")
        case "text": App.say("text \(editor.text.split(separator: "\n").joined(separator: " / "))")
        case "scroll": App.say("scroll \(Int(editor.scroll))")
        case "quit": App.quit()
        default: App.say("unknown \(words[0]): type, text, scroll or quit")
        }
    }
}
