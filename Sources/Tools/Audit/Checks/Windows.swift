import Glibc
import Windows

extension Check {
    static let newWindow = Check(
        "new-window", rules: ["W-12", "W-22"], weight: 4,
        title: Words("Opens another window when it is asked to", ko: "요청하면 다른 윈도우를 연다", ja: "求められたら別のウインドウを開く"),
        does: Words(
            "Asks for a new window as the + control does, and closes it.",
            ko: "+ 컨트롤처럼 새 윈도우를 요청하고, 그것을 닫는다.",
            ja: "+コントロールと同じように新しいウインドウを求め、それを閉じる。"),
        counts: Words(
            "Broken: the first window goes, or the new one cannot be closed. Warning: none opens although the entry does not say SingleMainWindow. "
                + "Not applicable: a plain command, or a single window.",
            ko: "어김: 첫 윈도우가 사라지거나, 새 윈도우를 닫을 수 없다. 주의: 항목에 SingleMainWindow가 없는데 새 윈도우가 열리지 않는다. 해당 없음: 단순한 명령이거나 윈도우가 하나인 앱이다.",
            ja: "破っている: 最初のウインドウが消えるか、新しいウインドウを閉じられない。注意: エントリにSingleMainWindowがないのに、何も開かない。該当なし: 単なるコマンドか、ウインドウが1つのアプリである。"),
        mend: Words(
            "Open a whole window at a second start, or say SingleMainWindow=true.",
            ko: "두 번째 시작에 온전한 윈도우를 열거나 SingleMainWindow=true를 적으십시오.",
            ja: "2回目の起動で完全なウインドウを開くか、SingleMainWindow=trueと書きます。")
    ) { visit in
        guard let entry = visit.subject.entry else { return [Finding(.notApplicable, .newWindowsOfInstalledAppsOnly)] }
        if entry.isSingleWindow { return [Finding(.notApplicable, .entrySaysSingleWindow)] }
        if visit.idiom.windowsOfApp == .one { return [Finding(.notApplicable, .idiomHasSingleWindow)] }
        let before = try visit.windows()
        do {
            try visit.client.perform(.newWindow(app: visit.subject.id))
        } catch {
            return [Finding(.notApplicable, .noNewWindowOffered(why: "\(error)"))]
        }
        var evidence = NewWindowEvidence()
        try visit.wait(12, every: 0.1) {
            evidence.opened = try visit.windows().first { window in !before.contains { $0.id == window.id } }?.id
            return evidence.opened != nil
        }
        visit.settle(1500)
        evidence.isFirstThere = try visit.windows().contains { $0.id == before.first?.id }
        if let opened = evidence.opened {
            try? visit.client.perform(.close(window: opened))
            // If closing puts windows away, the app keeps it.
            evidence.isClosed = try visit.wait(5) {
                try visit.state()[opened].map { visit.idiom.closing == .putsAway && !$0.shown } ?? true
            }
            // A question is an answer, too.
            if !evidence.isClosed { evidence.isClosed = try visit.windows().count > before.count + 1 }
            if !evidence.isClosed { evidence.pictures = visit.keepPicture("new-window") }
            visit.press("Escape")
        }
        return [judge(evidence)]
    }

    struct NewWindowEvidence {
        var opened: WindowID?
        var isFirstThere = true
        var isClosed = false
        var pictures: [String] = []
    }

    static func judge(_ evidence: NewWindowEvidence) -> Finding {
        if !evidence.isFirstThere { return Finding(.broken, part: "first", .firstWindowWent) }
        if evidence.opened == nil { return Finding(.warning, part: "none", .noNewWindow) }
        if !evidence.isClosed { return Finding(.broken, part: "stays", .newWindowStays, pictures: evidence.pictures) }
        return Finding(.kept, .newWindowWorks)
    }
}
