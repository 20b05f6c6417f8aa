import Control
import Geometry
import Windows

extension Check {
    static let close = Check(
        "close", rules: ["M-10", "M-09"], weight: 8,
        title: Words("Closes when it is asked to, or asks", ko: "닫으라고 하면 닫히거나 물어본다", ja: "閉じるよう求められたら閉じるか、尋ねる"),
        does: Words(
            "Asks each window to close; again after typing a word. An app that asks a question is given Escape.",
            ko: "윈도우마다 닫으라고 요청하고, 단어를 입력한 뒤 다시 요청한다. 앱이 물어보면 Escape를 누른다.",
            ja: "ウインドウごとに閉じるよう求め、単語を入力してからもう一度求める。アプリが尋ねたらEscapeを押す。"),
        counts: Words(
            "Broken: the window is still there after 5 s without a question (and does not answer pings), a question has no way out by Escape or closing, or the app crashes.",
            ko: "어김: 5초 뒤에도 묻지 않고 윈도우가 남아 있거나(핑에도 답하지 않거나), 질문을 Escape나 닫기로 벗어날 수 없거나, 앱이 비정상 종료된다.",
            ja: "破っている: 5秒後も尋ねずにウインドウが残る（pingにも応答しない）、質問からEscapeでも閉じる操作でも抜けられない、またはアプリがクラッシュする。"),
        mend: Words(
            "Handle the close request at once, and let Escape and the close request leave a question.",
            ko: "닫기 요청을 바로 처리하고, 질문은 Escape와 닫기 요청으로 나갈 수 있게 하십시오.",
            ja: "閉じる要求をすぐに処理し、質問からはEscapeと閉じる要求で抜けられるようにします。")
    ) { visit in
        var findings: [Finding] = []
        for isTyped in [false, true] {
            let window = try visit.window()
            try visit.rest()
            var evidence = CloseEvidence(isTyped: isTyped)
            if isTyped { try typeIntoContent(visit, window) }
            let before = Set(try visit.windows().map(\.id))
            visit.room.skipEvents()
            visit.room.skipTrace()
            try? visit.askToClose(window)
            try visit.wait(5, every: 0.1) {
                guard try visit.state()[window.id] != nil else {
                    evidence.isClosed = true
                    return true
                }
                evidence.asks =
                    try visit.windows().contains { !before.contains($0.id) }
                    || !(try visit.state().open.filter { $0 == "alert" || $0 == "action-sheet" }.isEmpty)
                return evidence.asks
            }
            if !evidence.isClosed, !evidence.asks, let other = try visit.nodes() {
                // Questions inside of the window.
                evidence.asks = other.contains { $0.role == Assistive.Role.dialog || $0.role == Assistive.Role.alert }
            }
            if evidence.isClosed {
                // A window is gone a moment before its process.
                _ = try? visit.wait(1) { visit.room.hasEnds }
                evidence.crash = visit.room.events().lazy.compactMap { $0["launchEnded"]?["signal"]?.integer }.first
                evidence.protocolError = visit.room.trace().protocolError
            } else {
                evidence.isSilent = visit.room.trace().unansweredPings > 0
                evidence.pictures = visit.keepPicture("close")
            }
            if evidence.asks {
                visit.press("Escape")
                evidence.isLeft = try visit.wait(3) { try visit.windows().allSatisfy { before.contains($0.id) } }
                if !evidence.isLeft {
                    for other in try visit.windows() where !before.contains(other.id) {
                        try? visit.client.perform(.close(window: other.id))
                    }
                    evidence.isLeft = try visit.wait(3) { try visit.windows().allSatisfy { before.contains($0.id) } }
                }
            }
            findings.append(judge(evidence))
            if !evidence.isClosed, try visit.state()[window.id] != nil {
                try? visit.client.perform(.endApp(window: window.id))
                try visit.wait(3) { try visit.state()[window.id] == nil }
            }
        }
        return unite(findings)
    }

    static let typedWord = "audited"

    /// A tap in the middle and a word, as a person begins to write.
    static func typeIntoContent(_ visit: Visit, _ window: WindowReport, _ word: String = typedWord) throws {
        if let picture = try visit.state()[window.id]?.picture {
            try? visit.client.input(.tap(at: picture.center))
            visit.settle(500)
        }
        visit.type(word)
        visit.settle(800)
        // The tap may have opened a dialog, which keeps the window from closing.
        try visit.leaveDialogs()
    }

    struct CloseEvidence {
        var isTyped: Bool
        var isClosed = false
        var asks = false
        /// Whether a ping has no answer.
        var isSilent = false
        /// Whether its question could be left.
        var isLeft = false
        var crash: Int64?
        var protocolError: String?
        var pictures: [String] = []
    }

    static func judge(_ evidence: CloseEvidence) -> Finding {
        let when: Phrase = evidence.isTyped ? .afterTyping : .afterStart
        if let crash = evidence.crash, crash != 15 {
            return Finding(.broken, part: "crash", .crashesOnClose, evidence: [.about(when, .signal(crash))])
        }
        if let error = evidence.protocolError {
            return Finding(.broken, part: "protocol", .breaksProtocolOnClose, evidence: [.about(when, .verbatim(error))])
        }
        if !evidence.isClosed, !evidence.asks, evidence.isSilent {
            return Finding(
                .broken, part: "silent", .answersNothing, evidence: [.about(when, .stillThere)], pictures: evidence.pictures)
        }
        if !evidence.isClosed, !evidence.asks {
            return Finding(
                .broken, part: "stays", .staysWithoutQuestion, evidence: [.about(when, .stillThere)], pictures: evidence.pictures)
        }
        if evidence.asks, !evidence.isLeft {
            return Finding(.broken, part: "trap", .questionIsTrap, evidence: [when], pictures: evidence.pictures)
        }
        return Finding(.kept, .closesOrAsks, evidence: [.about(when, evidence.isClosed ? .closed : .asked)])
    }

    /// One finding for each part. Kept parts are left out if there is another finding.
    static func unite(_ all: [Finding]) -> [Finding] {
        var united: [Finding] = []
        let kept = all.filter { $0.verdict == .kept || $0.verdict == .notApplicable }
        for finding in all where !kept.contains(finding) {
            if let index = united.firstIndex(where: { $0.part == finding.part && $0.verdict == finding.verdict }) {
                united[index].evidence += finding.evidence.filter { !united[index].evidence.contains($0) }
                united[index].pictures += finding.pictures
            } else {
                united.append(finding)
            }
        }
        if !united.isEmpty { return united }
        guard var first = kept.first(where: { $0.verdict == .kept }) ?? kept.first else { return [] }
        first.evidence = kept.filter { $0.verdict == first.verdict }.flatMap(\.evidence)
        return [first]
    }
}
