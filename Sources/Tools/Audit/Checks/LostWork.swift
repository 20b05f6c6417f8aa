import Control
import Windows

extension Check {
    static let lostWork = Check(
        "lost-work", rules: ["M-10", "S-13"], weight: 7,
        title: Words("Loses no work, whichever way it is closed", ko: "어떻게 닫아도 작업을 잃지 않는다", ja: "どの方法で閉じても作業を失わない"),
        does: Words(
            "Types a word and closes the window by its control; then, not in the quick audit, quits the app and ends the session. Opens the app again unless it asked.",
            ko: "단어를 입력하고 윈도우의 컨트롤로 닫는다. 그다음 앱을 종료하고 세션을 끝낸다(빠른 감사에서는 하지 않는다). 물어보지 않았으면 앱을 다시 연다.",
            ja: "単語を入力し、ウインドウのコントロールで閉じる。次にアプリを終了し、セッションを終える（クイック監査では行わない）。尋ねられなければ、アプリを開き直す。"),
        counts: Words(
            "Broken: a document's text is gone without a question. Warning: text of a field or a terminal is. Could not tell: it exposes no typed text over AT-SPI.",
            ko: "어김: 문서의 글이 묻지도 않고 사라진다. 주의: 입력란이나 터미널의 글이 사라진다. 판단 불가: 입력한 글을 AT-SPI로 공개하지 않는다.",
            ja: "破っている: 書類の文字が尋ねられずに失われる。注意: 入力欄や端末の文字が失われる。判断できない: 入力した文字をAT-SPIで公開していない。"),
        mend: Words(
            "Ask before work is lost, or save it without asking and bring it back. Answer the end of the session in the same way.",
            ko: "작업이 사라지기 전에 묻거나, 묻지 말고 저장했다가 되살리십시오. 세션이 끝날 때도 똑같이 하십시오.",
            ja: "作業が失われる前に尋ねるか、尋ねずに保存して復元します。セッションの終了時も同じようにします。")
    ) { visit in
        try visit.needAssistive()
        var findings: [Finding] = []
        for way in visit.isQuick ? [Way.close] : Way.allCases {
            let window = try visit.window()
            try visit.rest()
            let word = "audit\(way.rawValue)"
            try typeIntoContent(visit, window, word)
            guard let node = try (visit.nodes() ?? []).first(where: { $0.text?.contains(word) ?? false }) else {
                findings.append(Finding(.couldNotTell, part: "text", .noTextToCompare))
                break
            }
            findings.append(judge(way, try visit.outcome(of: way, window, word), isDocument: isDocument(node)))
        }
        return unite(findings)
    }

    /// Whether a text has room for several lines and is no terminal. Some toolkits say that of a field, too, so its height counts if it is known.
    static func isDocument(_ node: Assistive.Node) -> Bool {
        let height = node.frame?.height ?? 0
        return node.has(.multiLine) && node.role != Assistive.Role.terminal && (height <= 1 || height >= 100)
    }

    /// Ways in which a person closes the work.
    public enum Way: String, CaseIterable, Sendable {
        /// The control at the window's top.
        case close
        /// All windows of the app.
        case quit
        case session
    }

    public enum WorkOutcome: String, Sendable { case asked, kept, lost, stayed }

    static func judge(_ way: Way, _ outcome: WorkOutcome, isDocument: Bool) -> Finding {
        let words = [Phrase.about(.way(way), .outcome(outcome))]
        switch outcome {
        case .asked, .kept: return Finding(.kept, .asksOrKeepsText, evidence: words)
        case .stayed: return Finding(.couldNotTell, part: "stayed", .didNotClose, evidence: words)
        case .lost:
            return isDocument
                ? Finding(.broken, part: way.rawValue, .documentLost, evidence: words)
                : Finding(.warning, part: way.rawValue, .textLostWithoutQuestion, evidence: words)
        }
    }
}

extension Visit {
    /// Closes the window in this way, and opens the app again unless it asks.
    fileprivate func outcome(of way: Check.Way, _ window: WindowReport, _ word: String) throws -> Check.WorkOutcome {
        let before = Set(try windows().map(\.id))
        switch way {
        case .close: try askToClose(window)
        case .quit: try client.perform(.quitApp(app: nil))
        case .session: try client.perform(.quit)
        }
        var asks = false
        let isGone =
            try wait(8, every: 0.1) {
                // The session may be over in the middle of a question.
                guard room.isAlive, let state = try? client.state() else { return !room.isAlive }
                asks =
                    state.open.contains { ["log-out", "alert", "action-sheet"].contains($0) }
                    || state.windows.contains { $0.placeholder == nil && $0.place != .unmapped && !before.contains($0.id) }
                return asks || way != .session && state[window.id] == nil
            } && !asks
        if !asks, room.isAlive,
            try nodes()?.contains(where: { $0.role == Assistive.Role.alert || $0.role == Assistive.Role.dialog }) ?? false
        {
            asks = true
        }
        guard isGone else {
            // The audit answers no question of the app. It ends the app, and ignores the work that the app saves then.
            try? client.perform(.dismiss)
            press("Escape")
            settle(500)
            try? client.perform(.endApp(window: window.id))
            try wait(4) { try windows().isEmpty }
            return asks ? .asked : .stayed
        }
        if way == .session { try restartShell(killing: nil) }
        try comeBack(count: 1)
        return try texts().contains { $0.contains(word) } ? .kept : .lost
    }
}
