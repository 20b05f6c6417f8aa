import MullionKit
import Toolkit

/// What is shown: a letter has a title and a text.
final class Letter {
    let title: String
    var text: String

    init(_ title: String, _ text: String) {
        self.title = title
        self.text = text
    }
}

/// The window of one letter. What is typed is unsaved work until it is saved.
final class LetterWindow: Window {
    let letter: Letter
    private lazy var editor = Editor { [unowned self] in changed() }
    /// What the app says of this window; set when it is shown.
    var said: AppWindow? { didSet { said?.onUnsavedAnswer = { [unowned self] in answered($0) } } }

    init(_ letter: Letter) {
        self.letter = letter
        super.init(letter.title, width: 420, height: 420)
        fill(Box.column([editor, Button("Save") { [unowned self] in save() }]))
        editor.show(letter.text, cursor: 0, scroll: 0)
    }

    func type(_ text: String) { editor.type(text) }

    private func changed() {
        let hasChanged = editor.text != letter.text
        guard hasChanged != (said?.unsaved != nil) else { return }
        said?.unsaved =
            hasChanged
            ? UnsavedWork("Save “\(letter.title)”?", message: "It was changed.", discard: "Discard", save: "Save", cancel: "Keep Editing")
            : nil
        App.say(hasChanged ? "changed" : "unchanged")
    }

    private func save() {
        letter.text = editor.text
        changed()
        App.say("saved")
    }

    private func answered(_ choice: UnsavedWork.Choice) {
        App.say("answered \(choice)")
        switch choice {
        case .save:
            save()
            close()
        // The shell asks the window to close next.
        case .discard, .cancel: break
        }
    }
}

/// The main window, and the windows of letters.
final class Letters {
    private let letters = ["Anna", "Ben", "Chris", "Dana"].map { Letter("To \($0)", "Dear \($0),\n") }
    private let main = Window("Letters", width: 480, height: 560)
    private var rows: [Widget] = []
    private var said: AppWindow?
    private var sheet: AppWindow?
    private var shown: [LetterWindow] = []
    private lazy var windows = AppWindows(display: App.waylandDisplay) { [unowned self] (letter: Letter) in
        let window = LetterWindow(letter)
        shown.append(window)
        window.onClose { [unowned self, unowned window] in
            App.say("closed \(letter.title)")
            window.said = nil
            shown.removeAll { $0 === window }
        }
        return window
    }

    func open() {
        rows = letters.map { letter in
            Button(letter.title) { [unowned self] in show(letter) }
                // "Open in New Window" on a pad and a mac, "Show Details…" on a phone (W-22).
                .menu({ [unowned self] in windows.openTitle }) { [unowned self] in windows.open(letter) { App.say("details \($0.title)") } }
        }
        rows.append(Button("Find…") { [unowned self] in find() })
        main.fill(Box.column(spacing: 12, rows))
        said = windows.describe(main)
        said?.onPinch = { [unowned self] number, token in
            App.say("pinched \(letters[Int(number)].title)")
            show(letters[Int(number)], token: token)
        }
        main.onLayout { [unowned self] in
            for (number, row) in rows.dropLast().enumerated() {
                if let bounds = main.bounds(of: row) {
                    said?.setPinchable(UInt32(number), bounds)
                } else {
                    said?.unsetPinchable(UInt32(number))
                }
            }
        }
        windows.onChange = { [unowned self] in App.say("title \(windows.openTitle)") }
        App.say("title \(windows.openTitle)")
        main.show(token: nil)
        App.onLine { [unowned self] in obey($0) }
    }

    private func show(_ letter: Letter, token: String? = nil) {
        // The shell chooses the style: one letter is raised over the list.
        let said = windows.openWindow(letter, token: token)
        (said.content as? LetterWindow)?.said = said
        App.say("opened \(letter.title)")
    }

    private func find() {
        let content = Window("Find", width: 320, height: 200)
        content.fill(Box.column([Label("Nothing to find yet."), Button("Done") { content.close() }]))
        content.onClose { [unowned self] in
            App.say("sheet closed")
            sheet = nil
        }
        sheet = windows.present(content, over: main)
        sheet?.isAtTop = true
        App.say("sheet")
    }

    /// "type WORDS", "menu NUMBER", "row NUMBER" (says where it is), "quit".
    private func obey(_ words: [String]) {
        switch words[0] {
        case "type": shown.last?.type(words.dropFirst().joined(separator: " "))
        case "menu": windows.open(letters[words.count > 1 ? (Int(words[1]) ?? 0) % letters.count : 0]) { App.say("details \($0.title)") }
        case "row":
            guard let number = words.count > 1 ? Int(words[1]) : nil, rows.indices.contains(number), let at = main.bounds(of: rows[number])
            else { return App.say("no row") }
            App.say("\(at.x) \(at.y) \(at.width) \(at.height)")
        case "quit": App.quit()
        default: App.say("unknown \(words[0]): type, menu, row or quit")
        }
    }
}
