import Control
import Geometry
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// The examples of docs/windows-api.md, driven by touch (W-12 to W-16, W-21, W-22, M-03, M-10, M-15).
    @Suite(.serialized) struct WindowExampleTests {
        private static let asked = "launch = []\nnew-windows = \"asked\"\n"
        private static let inC = ["\(WindowExample.folder)/.build/debug/mullion-windows-c"]
        private static let inPython = ["python3", "\(WindowExample.folder)/windows.py"]
        private static let inSwift = "\(WindowExample.folder)/.build/debug/mullion-letters"

        /// The middle of a row of the list, which is as both examples lay it out; the last one is the bar.
        private func row(_ number: Int, of list: WindowReport) throws -> Point {
            let frame = try #require(list.frame), height = ((frame.height - 64 - 48) / 6).rounded(.down)
            return Point(frame.center.x, frame.minY + 64 + Double(number) * height + (height - 12) / 2)
        }

        /// The same of `mullion-letters`, which GTK lays out: it is asked.
        private func row(_ number: Int, of example: WindowExample) throws -> Point {
            let count = example.lines.count
            try example.tell("row \(number)")
            try example.shell.wait("the place of row \(number)") { example.lines.count > count }
            let words = example.lines[count].split(separator: " ").compactMap { Double($0) }
            try #require(words.count == 4, "\(example.lines[count])")
            let frame = Rect(words[0], words[1], words[2], words[3]), list = try #require(example.list.frame)
            return Point(list.minX + frame.center.x, list.minY + frame.center.y)
        }

        private func answer(_ label: String, _ shell: ShellUnderTest) throws {
            try shell.wait("the question") { try shell.isOpen("action-sheet") }
            try shell.settle()
            try shell.tap(try #require(try shell.views().last { $0.name == label }).frame.center)
            try shell.settle()
        }

        @Test("W-13, W-14, W-16, M-03, M-10, W-21: the examples in C and Python, by touch", arguments: [inC, inPython])
        func protocolExamples(_ command: [String]) throws {
            let name = command.count == 1 ? "c" : "python"
            try ShellUnderTest.with(config: Self.asked) { shell in
                let example = try WindowExample(shell, command)
                try example.hears("capabilities 3")
                try shell.keepPicture("example-\(name)-list")
                // A tap opens an item: automatic is prominent.
                try shell.tap(row(1, of: example.list))
                try example.hears("opened 1")
                let item = try example.window("Item 2")
                #expect(item.place == .dialog && item.parent == example.list.id && item.modal)
                try shell.keepPicture("example-\(name)-item")
                // Unsaved work is asked about, whichever way the window is closed.
                try shell.tap(try #require(item.frame).center)
                try example.hears("changed 1")
                try shell.perform(.close(window: item.id))
                try answer("Keep Editing", shell)
                try example.hears("answered 2")
                try shell.perform(.close(window: item.id))
                try shell.keepPicture("example-\(name)-question")
                try answer("Save", shell)
                try example.hears("answered 1")
                try example.hears("closed 1")
                try shell.waitUntilGone(item.id)
                // A sheet, which a swipe anywhere pulls away.
                try shell.tap(row(5, of: example.list))
                try example.hears(name == "c" ? "sheet 0" : "sheet")
                let sheet = try example.window("About the Items"), frame = try #require(sheet.frame)
                try shell.keepPicture("example-\(name)-sheet")
                try shell.drag(frame.center, frame.center + Vector(4, 300), rest: 0)
                try shell.waitUntilGone(sheet.id)
                // Two fingers.
                let center = try row(3, of: example.list)
                for (finger, side) in [(Int32(0), -1.0), (1, 1)] {
                    try shell.client.input(.touchDown(touch: finger, at: center + Vector(side * 40, 0)))
                }
                for step in 1...8 {
                    for (finger, side) in [(Int32(0), -1.0), (1, 1)] {
                        try shell.client.input(
                            .touchMotion(touch: finger, at: center + Vector(side * (40 + 8 * Double(step)), -20 * Double(step))))
                    }
                }
                try example.hears(name == "c" ? "touch cancelled 0" : "touch cancelled")
                try shell.keepPicture("example-\(name)-pinch")
                for finger in [Int32(0), 1] { try shell.client.input(.touchUp(touch: finger)) }
                try example.hears("pinched 3")
                try example.hears("opened 3")
                let pinched = try example.window("Item 4")
                #expect(pinched.place == .dialog && pinched.parent == example.list.id)
                try shell.perform(.close(window: pinched.id))
                try example.hears("closed 3")
            }
        }

        @Test("W-22: on a phone an app shows details where it opens a window elsewhere", arguments: [inC, inPython])
        func onAPhone(_ command: [String]) throws {
            try ShellUnderTest.with(size: "390x844", config: Self.asked) { shell in
                let example = try WindowExample(shell, command)
                try example.hears("capabilities 0")
                try shell.tap(row(2, of: example.list))
                try example.hears("details 2")
                try shell.settle()
                #expect(try shell.state().windows.count == 1)
                try shell.keepPicture("example-\(command.count == 1 ? "c" : "python")-phone")
            }
        }

        @Test("W-16, W-21, W-22, M-10, M-15: the example in Swift on MullionKit and GTK, by touch")
        func kitExample() throws {
            try ShellUnderTest.with(config: Self.asked) { shell in
                let example = try WindowExample(shell, [Self.inSwift])
                try example.hears("title Open in New Window")
                try shell.settle()
                try shell.keepPicture("example-swift-list")
                try shell.tap(row(0, of: example))
                try example.hears("opened To Anna")
                let letter = try example.window("To Anna")
                #expect(letter.place == .dialog && letter.parent == example.list.id && letter.modal)
                try shell.tap(try #require(letter.frame).center + Vector(0, -60))
                try shell.client.input(.type(text: "hello"))
                try example.hears("changed")
                try shell.keepPicture("example-swift-letter")
                try shell.perform(.close(window: letter.id))
                try answer("Save", shell)
                try example.hears("answered save")
                try example.hears("closed To Anna")
                try shell.waitUntilGone(letter.id)
                // The context menu says what fits this device.
                try shell.client.input(.tap(at: row(1, of: example), hold: 900))
                try shell.settle()
                try shell.keepPicture("example-swift-menu")
                try shell.press("Escape")
                try shell.pinch(row(2, of: example), from: 60, to: 320)
                try example.hears("pinched To Chris")
                let pinched = try example.window("To Chris")
                #expect(pinched.place == .dialog && pinched.parent == example.list.id)
                try shell.keepPicture("example-swift-pinched")
                try shell.perform(.close(window: pinched.id))
                try example.hears("closed To Chris")
                try shell.waitUntilGone(pinched.id)
                try shell.tap(row(4, of: example))
                try example.hears("sheet")
                #expect(try example.window("Find").place == .dialog)
                try shell.keepPicture("example-swift-sheet")
            }
        }

        @Test(
            "W-22: the title in three languages, and another one on a phone",
            arguments: [
                ("ko_KR.UTF-8", "1180x820", "새로운 창에서 열기"), ("ja_JP.UTF-8", "1180x820", "新規ウインドウで開く"),
                ("de_DE.UTF-8", "390x844", "Show Details…"),
                ("ko_KR.UTF-8", "390x844", "세부사항 보기…"),
            ])
        func titles(_ language: String, _ size: String, _ title: String) throws {
            try ShellUnderTest.with(size: size, config: Self.asked) { shell in
                let example = try WindowExample(shell, [Self.inSwift], language: language)
                try example.hears("title \(title)")
                guard size == "390x844" else { return }
                // What the title says is what happens: the app shows the letter itself.
                try example.tell("menu 1")
                try example.hears("details To Ben")
                #expect(try shell.state().windows.count == 1)
            }
        }
    }
}
