import Control
import Windows

extension Check {
    static let unaskedWindows = Check(
        "unasked-windows", rules: ["W-19"], weight: 8,
        title: Words("Opens no window without being asked", ko: "요청 없이 윈도우를 열지 않는다", ja: "求められずにウインドウを開かない"),
        does: Words(
            "Leaves the app alone for 10 s after its start (4 s in the quick audit), and counts windows that the shell had to hold back.",
            ko: "시작한 뒤 앱을 10초(빠른 감사에서는 4초) 동안 그대로 두고, 셸이 붙잡아 둔 윈도우를 센다.",
            ja: "起動後、アプリを10秒（クイック監査では4秒）そのままにし、シェルが保留したウインドウを数える。"),
        counts: Words(
            "Broken: a window without a parent opened although nobody did anything. Warning: a dialog did.",
            ko: "어김: 아무것도 하지 않았는데 부모 없는 윈도우가 열렸다. 주의: 대화상자가 열렸다.",
            ja: "破っている: 何もしていないのに、親のないウインドウが開いた。注意: ダイアログが開いた。"),
        mend: Words(
            "Open windows only as the answer to an act of a person. Show tips and news inside the first window.",
            ko: "윈도우는 사람의 행동에 대한 응답으로만 여십시오. 팁과 새 소식은 첫 윈도우 안에 보이십시오.",
            ja: "ウインドウは人の操作に応じてだけ開きます。ヒントやお知らせは最初のウインドウの中に表示します。")
    ) { visit in
        let first = try visit.window()
        var seen: Set<WindowID> = []
        func look() throws {
            for window in try visit.windows() where window.parent == nil { seen.insert(window.id) }
        }
        try visit.wait(visit.isQuick ? 4 : 10, every: 0.05) {
            try look()
            return false
        }
        func finding() throws -> Finding {
            try look()
            let windows = try visit.windows()
            return judge(
                first: first.id, windows: windows, waiting: try visit.state().waiting, passed: passed(seen, now: windows.map(\.id))
            ) { visit.keepPicture("unasked-windows") }
        }
        let found = try finding()
        guard found.part == "window" else { return [found] }
        // The picture of a start goes by itself as soon as the app is ready, which takes long at the first start of large apps.
        guard try visit.wait(20, every: 0.3, { try !visit.windows().contains { $0.id == first.id } }) else { return [found] }
        return [try finding()]
    }

    /// The number of windows that may come and go at a start, such as a splash screen and a trial window of a toolkit.
    static let mostPassing = 2

    /// How many windows came and are gone.
    static func passed(_ seen: Set<WindowID>, now: [WindowID]) -> Int { seen.subtracting(now).count }

    /// - Parameter passed: windows that opened and closed again.
    static func judge(
        first: WindowID, windows: [WindowReport], waiting: [WindowID], passed: Int = 0, picture: () -> [String] = { [] }
    ) -> Finding {
        // A picture of the start may come first, and goes when the app is ready.
        let main = windows.contains { $0.id == first } ? first : windows.first { $0.parent == nil }?.id
        let others = windows.filter { $0.id != main }
        let plain = others.filter { $0.parent == nil && !$0.modal }
        if passed > mostPassing {
            return Finding(.broken, part: "flood", .keepsOpeningWindows, pictures: picture())
        }
        // Of many alike, one line says enough.
        func evidence(_ windows: [WindowReport]) -> [Phrase] {
            windows.reduce(into: []) { lines, window in
                let line = Phrase.window(appID: window.appID, hasParent: window.parent != nil, isHeld: waiting.contains(window.id))
                if !lines.contains(line) { lines.append(line) }
            }
        }
        if !plain.isEmpty {
            return Finding(.broken, part: "window", .openedWindow, evidence: evidence(plain), pictures: picture())
        }
        if !others.isEmpty {
            return Finding(.warning, part: "dialog", .openedDialog, evidence: evidence(others), pictures: picture())
        }
        return Finding(.kept, .openedNothing)
    }
}
