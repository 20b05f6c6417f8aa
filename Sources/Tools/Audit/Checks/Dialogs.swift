import Control
import Geometry
import Journal
import Windows

extension Check {
    static let menus = Check(
        "menus", rules: ["M-11", "X-02"], weight: 5,
        title: Words("Keeps menus on the screen", ko: "메뉴가 화면 안에 있다", ja: "メニューが画面の中に収まる"),
        does: Words(
            "Holds a finger on the window's four corners, and taps beside each menu.",
            ko: "윈도우의 네 모서리를 손가락으로 길게 누르고, 열린 메뉴마다 그 옆을 탭한다.",
            ja: "ウインドウの四隅を指で長押しし、開いたメニューごとにその横をタップする。"),
        counts: Words(
            "Broken: a menu reaches beyond the screen, or a tap beside it leaves it open. Not applicable: no menu opens.",
            ko: "어김: 메뉴가 화면을 벗어나거나, 옆을 탭해도 닫히지 않는다. 해당 없음: 메뉴가 열리지 않는다.",
            ja: "破っている: メニューが画面の外に出るか、横をタップしても閉じない。該当なし: メニューが開かない。"),
        mend: Words(
            "Give popups a constraint adjustment (flip, slide, resize), and close them when the shell dismisses them.",
            ko: "팝업에 constraint adjustment(flip, slide, resize)를 주고, 셸이 닫으면 닫으십시오.",
            ja: "ポップアップにconstraint adjustment（flip、slide、resize）を指定し、シェルが閉じたら閉じます。")
    ) { visit in
        let window = try visit.window()
        guard let frame = window.picture else { return [Finding(.couldNotTell, .notInSight)] }
        var findings: [Finding] = []
        let corners = [
            Point(frame.minX + 60, frame.minY + 90), Point(frame.maxX - 60, frame.minY + 90), Point(frame.maxX - 60, frame.maxY - 60),
            Point(frame.minX + 60, frame.maxY - 60),
        ]
        for corner in (visit.isQuick ? [corners[2]] : corners) {
            visit.room.skipEvents()
            visit.room.skipTrace()
            try? visit.client.input(.tap(at: corner, hold: 900))
            var bounds: Rect?
            try visit.wait(1.2) {
                for event in visit.room.events() { if let found = popup(event), !found.isEmpty { bounds = found } }
                return bounds != nil
            }
            guard let opened = bounds, !opened.isEmpty else { continue }
            // Its geometry, as it was told. The bounds that the shell sees include shadows, of at most forty points.
            let geometry = popupGeometry(visit.room.trace())
            var evidence = MenuEvidence(bounds: geometry ?? opened, room: Rect(origin: .zero, size: frame.size))
            if geometry == nil { evidence.room = evidence.room.inset(by: -40) }
            if judge(evidence).verdict != .kept { evidence.pictures = visit.keepPicture("menus") }
            let beside = Point(corner.x < frame.center.x ? frame.maxX - 30 : frame.minX + 30, frame.center.y)
            try? visit.client.input(.tap(at: beside))
            evidence.isClosed = try visit.wait(2) {
                for event in visit.room.events() { if let found = popup(event) { bounds = found } }
                return bounds?.isEmpty ?? true
            }
            if !evidence.isClosed { evidence.pictures += visit.keepPicture("menus") }
            findings.append(judge(evidence))
            if !evidence.isClosed { visit.press("Escape") }
        }
        return findings.isEmpty ? [Finding(.notApplicable, .noMenu)] : unite(findings)
    }

    /// The bounds of all popups of a window, in its own points, if one of them grabs the seat as menus do; empty without any. Handles at a
    /// text and tooltips do not.
    static func popup(_ event: JSON) -> Rect? {
        if event["popupsChanged"]?["grab"]?.bool == false { return .zero }
        guard let boxes = event["popupsChanged"]?["boxes"]?.array?.map({ $0.array?.compactMap(\.number) ?? [] }),
            boxes.allSatisfy({ $0.count == 4 })
        else { return nil }
        guard let left = boxes.map({ $0[0] }).min(), let top = boxes.map({ $0[1] }).min(), let right = boxes.map({ $0[0] + $0[2] }).max(),
            let bottom = boxes.map({ $0[1] + $0[3] }).max()
        else { return .zero }
        return Rect(left, top, right - left, bottom - top)
    }

    /// The place of the first popup of the messages in its parent; nil without one.
    static func popupGeometry(_ trace: Trace) -> Rect? {
        guard let told = trace.lines.first(where: { !$0.isRequest && $0.interface == "xdg_popup" && $0.name == "configure" }) else {
            return nil
        }
        let numbers = told.arguments.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
        return numbers.count == 4 ? Rect(numbers[0], numbers[1], numbers[2], numbers[3]) : nil
    }

    struct MenuEvidence: Hashable {
        var bounds: Rect
        var room: Rect
        var isClosed = true
        var pictures: [String] = []
    }

    static func judge(_ evidence: MenuEvidence) -> Finding {
        let words = [Phrase.menu(evidence.bounds.size, in: evidence.room.size)]
        if !evidence.room.contains(evidence.bounds, tolerance: 2) {
            return Finding(.broken, part: "outside", .menuBeyondScreen, evidence: words, pictures: evidence.pictures)
        }
        if !evidence.isClosed { return Finding(.broken, part: "stays", .menuStays, evidence: words, pictures: evidence.pictures) }
        return Finding(.kept, .menusWork, evidence: words)
    }

    static let dialogs = Check(
        "dialogs", rules: ["M-02", "M-12", "M-09", "M-01"], weight: 7,
        title: Words("Opens dialogs with a parent, a title and a way out", ko: "대화상자에 부모, 제목, 나가는 길이 있다", ja: "ダイアログに親、タイトル、出口がある"),
        does: Words(
            "Presses common keys that open dialogs (Ctrl+O, Ctrl+Shift+S, Ctrl+comma, Ctrl+H, Ctrl+P, F1), and leaves each with Escape or a request to close.",
            ko: "대화상자를 여는 흔한 키(Ctrl+O, Ctrl+Shift+S, Ctrl+쉼표, Ctrl+H, Ctrl+P, F1)를 누르고, 열린 대화상자마다 Escape나 닫기 요청으로 나간다.",
            ja: "ダイアログを開く一般的なキー（Ctrl+O、Ctrl+Shift+S、Ctrl+コンマ、Ctrl+H、Ctrl+P、F1）を押し、それぞれEscapeか閉じる要求で抜ける。"),
        counts: Words(
            "Broken: a dialog cannot be left. Warning: it has no title or no parent. Not applicable: none opens.",
            ko: "어김: 대화상자에서 나갈 수 없다. 주의: 제목이나 부모가 없다. 해당 없음: 열리는 것이 없다.",
            ja: "破っている: ダイアログから抜けられない。注意: タイトルまたは親がない。該当なし: 何も開かない。"),
        mend: Words(
            "Set the parent (transient for) and a title, and let Escape, a Cancel button and the close request leave the dialog.",
            ko: "부모(transient for)와 제목을 설정하고, Escape와 취소 버튼과 닫기 요청으로 나갈 수 있게 하십시오.",
            ja: "親（transient for）とタイトルを設定し、Escape、キャンセルボタン、閉じる要求で抜けられるようにします。")
    ) { visit in
        var seen: [DialogEvidence] = []
        for keys in visit.isQuick ? ["Ctrl+o", "F1"] : ["Ctrl+o", "Ctrl+Shift+s", "Ctrl+comma", "Ctrl+h", "Ctrl+p", "F1"] {
            let base = try visit.window()
            let own = try visit.processes
            let before = Set(try visit.windows().map(\.id))
            visit.press(keys)
            var found: WindowReport?
            try visit.wait(1.5, every: 0.1) {
                found = try visit.windows().first { window in !before.contains(window.id) && window.pid.map(own.contains) ?? true }
                return found != nil
            }
            guard let first = found else {
                visit.press("Escape")
                continue
            }
            visit.settle(1200)
            // Titles may come after the first frame.
            let dialog = try visit.state()[first.id] ?? first
            var evidence = DialogEvidence(keys: keys, hasParent: dialog.parent != nil, hasTitle: !dialog.title.allSatisfy(\.isWhitespace))
            evidence.pictures = evidence.hasParent && evidence.hasTitle ? [] : visit.keepPicture("dialogs")
            visit.notes.formUnion((dialog.notes ?? []).map(\.rawValue))
            try? visit.client.perform(.focus(window: dialog.id))
            visit.press("Escape")
            evidence.isLeft = try visit.wait(2) { try visit.state()[dialog.id].map { $0.place == .unmapped } ?? true }
            if !evidence.isLeft {
                try? visit.client.perform(.close(window: dialog.id))
                evidence.isLeft = try visit.wait(3) { try visit.state()[dialog.id].map { $0.place == .unmapped } ?? true }
                evidence.byCloseOnly = evidence.isLeft
            }
            if !evidence.isLeft {
                evidence.pictures += visit.keepPicture("dialogs")
                try? visit.client.perform(.endApp(window: base.id))
                try visit.wait(3) { try visit.windows().isEmpty }
            }
            seen.append(evidence)
        }
        return seen.isEmpty ? [Finding(.notApplicable, .noDialog)] : unite(seen.map { judge($0) })
    }

    struct DialogEvidence: Hashable {
        var keys: String
        var hasParent: Bool
        var hasTitle: Bool
        var isLeft = false
        /// Whether Escape did not leave it.
        var byCloseOnly = false
        var pictures: [String] = []
    }

    static func judge(_ evidence: DialogEvidence) -> Finding {
        let words = [
            Phrase.about(
                .verbatim(evidence.keys),
                .list([
                    .parent(evidence.hasParent), .title(evidence.hasTitle), .left(byClosing: evidence.isLeft ? evidence.byCloseOnly : nil),
                ]))
        ]
        if !evidence.isLeft { return Finding(.broken, part: "trap", .dialogIsTrap, evidence: words, pictures: evidence.pictures) }
        if !evidence.hasTitle { return Finding(.warning, part: "title", .dialogUntitled, evidence: words, pictures: evidence.pictures) }
        if !evidence.hasParent {
            return Finding(.warning, part: "parent", .dialogWithoutParent, evidence: words, pictures: evidence.pictures)
        }
        return Finding(.kept, .dialogsWork, evidence: words)
    }

    static let presentation = Check(
        "presentation", rules: ["M-15", "M-12"], weight: 2,
        title: Words("Presents modal windows in a way that fits", ko: "모달 윈도우의 표시 방식이 알맞다", ja: "モーダルウインドウの提示方法が適切である"),
        does: Words(
            "Reads what the shell notes about the windows that were open so far.",
            ko: "지금까지 열린 윈도우에 대해 셸이 기록한 것을 읽는다.",
            ja: "これまでに開いたウインドウについてシェルが記録したことを読む。"),
        counts: Words(
            "Warning: the shell noted a mismatch.",
            ko: "주의: 셸이 어긋남을 기록했다.",
            ja: "注意: シェルが不一致を記録した。"),
        mend: Words(
            "Use sheets for short tasks and full screen for immersive ones; give popovers an anchor.",
            ko: "짧은 작업에는 시트를, 몰입형 작업에는 전체 화면을 쓰고, 팝오버에는 기준점을 주십시오.",
            ja: "短い作業にはシート、没入型の作業にはフルスクリーンを使い、ポップオーバーにはアンカーを指定します。")
    ) { visit in
        let notes = visit.notes.union(try visit.windows().flatMap { $0.notes ?? [] }.map(\.rawValue))
        return [judge(notes: notes)]
    }

    static func judge(notes: Set<String>) -> Finding {
        // A title that is missing is a finding of `dialogs`.
        let notes = notes.subtracting([WindowNote.untitled.rawValue])
        return notes.isEmpty
            ? Finding(.kept, .presentationFits)
            : Finding(
                .warning, part: notes.sorted().joined(separator: "+"), .presentationDoesNotFit,
                evidence: notes.sorted().map { .verbatim($0) })
    }
}
