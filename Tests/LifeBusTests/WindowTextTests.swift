import Testing

@testable import MullionKit

/// The words that MullionKit gives to apps (W-22, W-24).
@Suite struct WindowTextTests {
    @Test(
        "W-22: the title follows the language, and falls back to English",
        arguments: [
            ("en", "Open in New Window", "Show Details…"), ("ko", "새로운 창에서 열기", "세부사항 보기…"), ("ja", "新規ウインドウで開く", "詳細を表示…"),
            ("de", "Open in New Window", "Show Details…"),
        ])
    func titles(_ language: String, _ window: String, _ details: String) {
        #expect(WindowText.openInNewWindow.localized(language) == window)
        #expect(WindowText.showDetails.localized(language) == details)
    }

    @Test(
        "The language is the first part of a locale",
        arguments: [
            ("ko_KR.UTF-8", "ko"), ("ja_JP", "ja"), ("en_GB:fr", "en"), ("KO", "ko"), ("", ""), ("한국", ""),
        ])
    func languages(_ locale: String, _ language: String) { #expect(WindowText.language(of: locale) == language) }

    @Test("W-22: without a shell that says otherwise, items open in windows as the toolkit opens them")
    func withoutShell() {
        final class Content: ToolkitWindow {
            var waylandSurface: OpaquePointer? { nil }
            var shown: [String?] = []
            var parent: (any ToolkitWindow)?

            func show(token: String?) { shown.append(token) }
            func setParent(_ parent: any ToolkitWindow) { self.parent = parent }
        }
        var made: [Content] = []
        let windows = AppWindows<Int>(display: nil) { _ in
            made.append(Content())
            return made.last!
        }
        #expect(!windows.isConnected && windows.canOpenNewWindows && !windows.canPinchOpen)
        windows.open(3) { _ in Issue.record("the item opens in a window") }
        windows.openWindow(4, style: .prominent, token: "token")
        #expect(made.map(\.shown) == [[nil], ["token"]])
        let sheet = windows.present(Content(), over: made[0])
        #expect(sheet.presentation == .sheet, "sheets are the default (M-15)")
        #expect((sheet.content as? Content)?.parent === made[0])
        // What has nobody to hear it is kept all the same.
        sheet.isAtTop = true
        sheet.setPinchable(1, .init(x: 0, y: 0, width: 10, height: 10))
        sheet.unsaved = UnsavedWork("Save?", discard: "Discard", cancel: "Cancel")
        #expect(sheet.isAtTop && sheet.unsaved?.save == nil)
    }
}
