import Control
import Foundation
import Journal
import Testing

@Suite("docs/control.md")
struct DocumentTests {
    static let examples: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../../docs/control.md"
        let text = (try? String(contentsOfFile: folder, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init).filter { line in ["> ", "< ", "! "].contains { line.hasPrefix($0) } }
    }()

    @Test("every request in it is understood, and every mistake is one")
    func requests() throws {
        let requests = Self.examples.filter { !$0.hasPrefix("< ") }
        #expect(requests.count > 60)
        for example in requests {
            let message = ReadMessage(line: Array(example.dropFirst(2).utf8))
            switch (message.request, example.hasPrefix("!")) {
            case (.success, false), (.failure, true): break
            case (.success(let request), true): Issue.record("\(example) is \(request)")
            case (.failure(let error), false): Issue.record("\(example): \(error)")
            }
        }
    }

    @Test("the mistakes get the very answers that it shows")
    func mistakes() throws {
        let examples = Self.examples
        for (index, example) in examples.enumerated() where example.hasPrefix("!") {
            guard case .failure(let error) = ReadMessage(line: Array(example.dropFirst(2).utf8)).request else { continue }
            let answer = try JSON(parsing: Array(examples[index + 1].dropFirst(2).utf8))
            #expect(try answer["error"]?.decoded(as: ControlError.self) == error)
        }
    }

    @Test("every answer in it is one")
    func answers() throws {
        for example in Self.examples where example.hasPrefix("<") {
            let answer = try JSON(parsing: Array(example.dropFirst(2).utf8))
            #expect(answer["v"]?.integer == 1, "\(example)")
            #expect(["ok", "error", "event"].count { answer[$0] != nil } == 1, "\(example)")
            if answer["ok"]?["windows"] != nil { _ = try answer["ok"]?.decoded(as: StateReport.self) }
            if case .array(let views) = answer["ok"] { for view in views { _ = try view.decoded(as: ViewReport.self) } }
            if answer["ok"]?["wlroots"] != nil { _ = try answer["ok"]?.decoded(as: VersionReport.self) }
            if answer["ok"]?["server"] != nil { _ = try answer["ok"]?.decoded(as: SoundReport.self) }
            if answer["ok"]?["hand"] != nil { _ = try answer["ok"]?.decoded(as: ClockReport.self) }
            if answer["ok"]?["height"] != nil { _ = try answer["ok"]?.decoded(as: ScreenshotReport.self) }
        }
    }

    @Test("every action and every input has an example")
    func complete() {
        let text = Self.examples.joined(separator: "\n")
        for name in [
            "touchDown", "touchMotion", "touchUp", "touchCancel", "pointerMotion", "pointerButton", "pointerAxis", "key",
            "press", "type", "tap", "click", "drag", "pinch",
        ] { #expect(text.contains("{\"input\":{\"\(name)\""), "\(name)") }
        for name in [
            "fullScreen", "splitView", "slideOver", "pictureInPicture", "close", "focus", "focusNext", "divider", "dividerStep",
            "swapSides", "slideOverSide", "slideOverHide", "slideOverShow", "slideOverToggle", "slideOverNext",
            "slideOverPrevious", "pipCorner", "pipWidth", "pipStep", "pipStash", "pipShow", "pipToggle",
            "nextSpace", "previousSpace", "showSpace", "openWaiting", "launch", "rotate", "resizeScreen", "quit",
            "openApp", "newWindow", "appAction", "closeSpace", "home", "appSwitcher", "dock", "appShelf", "appExpose", "controls",
            "appMenu", "search", "notifications", "controlCentre", "keyHelp", "dismiss", "press", "scroll", "addToDock",
            "removeFromDock", "darkAppearance", "reducedMotion", "textSize", "adjust", "audio", "controlPage", "volumeView", "playSound",
            "cover", "tabletMode",
        ] { #expect(text.contains("\"do\":\"\(name)\"") || text.contains("\"do\":{\"\(name)\""), "\(name)") }
    }
}
