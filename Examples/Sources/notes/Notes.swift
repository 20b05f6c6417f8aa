import Foundation
import MullionKit
import Toolkit

/// One note that is never saved by hand: what is typed, the cursor and the place to which it is scrolled survive the app.
///
/// The shell keeps the state of a window that may come back (W-20). A window that a person closes is gone with its state, and so the
/// text is in a file, too (M-10).
final class Notes {
    /// What is handed over.
    private struct Page: Codable {
        var text = ""
        var cursor = 0
        var scroll = 0.0
    }

    private let life = try? AppLife()
    private var state: WindowState?
    private lazy var editor = Editor { [unowned self] in
        keep()
        state?.changed()
    }
    private var kept = ""
    private let file: URL = {
        let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return URL(fileURLWithPath: data ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share").appendingPathComponent(
            "mullion-notes/note.txt")
    }()

    func open() {
        kept = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        if !restore() {
            editor.show(kept, cursor: kept.unicodeScalars.count, scroll: 0)
            App.say(kept.isEmpty ? "fresh" : "kept \(kept.count)")
        }
        let window = Window("Notes", width: 420, height: 480)
        window.show(Box.column([editor]))
        App.onLine { [unowned self] in obey($0) }
    }

    /// Shows what the shell kept of the window. False without a shell that does, or in a window that is new.
    private func restore() -> Bool {
        var isRestored = false
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
                // The file has each change, and the state what the shell asked for last.
                let text = kept.isEmpty ? page.text : kept
                editor.show(text, cursor: min(page.cursor, text.unicodeScalars.count), scroll: page.scroll)
                App.say("restored \(text.count) \(page.cursor)")
                isRestored = true
            }
            ServiceLoop(life)
        }
        return isRestored
    }

    /// Writes the text at once: a note is small, and the app may end at any moment.
    private func keep() {
        let text = editor.text
        guard text != kept else { return }
        do {
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
            kept = text
        } catch {
            App.say("cannot keep \(error)")
        }
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
