import Control
import Geometry
import Windows

extension Check {
    static let names = Check(
        "names", rules: ["X-05", "M-09"], weight: 6,
        title: Words("Names its controls for assistive technology", ko: "보조 기술을 위해 컨트롤에 이름이 있다", ja: "支援技術のためにコントロールに名前がある"),
        does: Words(
            "Reads the tree that the app exposes over AT-SPI.",
            ko: "앱이 AT-SPI로 공개하는 트리를 읽는다.",
            ja: "アプリがAT-SPIで公開するツリーを読む。"),
        counts: Words(
            "Broken: the app exposes nothing, or more than a fifth of its buttons, tabs, links and menu items (at least three) have neither a name nor a description. Warning: some have none.",
            ko: "어김: 아무것도 공개하지 않거나, 버튼, 탭, 링크, 메뉴 항목(셋 이상)의 5분의 1 넘게 이름도 설명도 없다. 주의: 둘 다 없는 것이 있다.",
            ja: "破っている: 何も公開しないか、ボタン、タブ、リンク、メニュー項目（3個以上）の5分の1を超えて名前も説明もない。注意: どちらもないものがある。"),
        mend: Words(
            "Use the toolkit's accessible widgets, and give buttons that show only an icon a label for assistive technology.",
            ko: "툴킷의 접근 가능한 위젯을 쓰고, 아이콘만 보이는 버튼에는 보조 기술용 이름을 주십시오.",
            ja: "ツールキットのアクセシブルなウィジェットを使い、アイコンだけのボタンには支援技術用のラベルを付けます。")
    ) { visit in
        try visit.needAssistive()
        // Some toolkits build their tree when they are first asked.
        var nodes = try visit.nodes()
        if nodes == nil || nodes!.count < 3 {
            Pause.sleep(1.5)
            nodes = try visit.nodes()
        }
        return [judge(names: nodes)]
    }

    /// The least number of controls that can break the rule. Fewer show little about an app.
    static let leastControls = 3

    static func judge(names nodes: [Assistive.Node]?) -> Finding {
        guard let nodes, nodes.count > 1 else { return Finding(.broken, part: "nothing", .exposesNothing) }
        // Labels beside fields often contain their names, and a control that does not show may get its name when it does.
        var controls = nodes.filter { $0.has(.showing) && [7, 8, 35, Assistive.Role.tab, 43, 44, 62, 88].contains($0.role) }
        // The tab of a single page is not drawn, although toolkits say that it shows.
        if controls.count(where: { $0.role == Assistive.Role.tab }) == 1 { controls.removeAll { $0.role == Assistive.Role.tab } }
        let nameless = controls.filter { $0.name.allSatisfy(\.isWhitespace) }
        let evidence =
            [Phrase.controls(objects: nodes.count, controls: controls.count, nameless: nameless.count)]
            + Dictionary(grouping: nameless, by: \.role).map { Phrase.role(Assistive.Role.name($0.key), count: $0.value.count) }.sorted {
                $0.english < $1.english
            }
        if controls.isEmpty { return Finding(.notApplicable, .noControls, evidence: evidence) }
        if nameless.count * 5 > controls.count, controls.count >= leastControls {
            return Finding(.broken, part: "names", .manyNameless, evidence: evidence)
        }
        if !nameless.isEmpty { return Finding(.warning, part: "names", .someNameless, evidence: evidence) }
        return Finding(.kept, .controlsNamed, evidence: evidence)
    }

    static let targets = Check(
        "targets", rules: ["X-02"], weight: 4,
        title: Words("Has targets that a finger hits", ko: "손가락으로 누를 수 있는 크기이다", ja: "指で押せる大きさのターゲットがある"),
        does: Words(
            "Reads the extents of controls over AT-SPI.",
            ko: "AT-SPI로 컨트롤의 크기를 읽는다.",
            ja: "AT-SPIでコントロールの範囲を読む。"),
        counts: Words(
            "Broken: most of at least three are smaller than 24 by 24 points (WCAG 2.2, AA). Warning: some are.",
            ko: "어김: 셋 이상 가운데 대부분이 가로세로 24포인트(WCAG 2.2, AA)보다 작다. 주의: 작은 것이 있다.",
            ja: "破っている: 3個以上あるうちのほとんどが縦横24ポイント（WCAG 2.2、AA）より小さい。注意: 小さいものがある。"),
        mend: Words(
            "Give controls at least 24 points in each direction, better 44.", ko: "컨트롤의 가로세로를 24포인트 이상, 되도록 44포인트로 하십시오.",
            ja: "コントロールの縦横を24ポイント以上、できれば44ポイントにします。")
    ) { visit in
        try visit.needAssistive()
        return [judge(targets: try visit.nodes() ?? [])]
    }

    static func judge(targets nodes: [Assistive.Node]) -> Finding {
        let frames = nodes.filter { Assistive.Role.targets.contains($0.role) && $0.has(.showing) }.compactMap(\.frame).filter {
            $0.width > 1 && $0.height > 1
        }
        if frames.isEmpty { return Finding(.couldNotTell, part: "extents", .noExtents) }
        let small = frames.filter { $0.width < 24 || $0.height < 24 }, touch = frames.filter { $0.width >= 44 && $0.height >= 44 }
        let evidence = [Phrase.targets(frames.count, small: small.count, large: touch.count)]
        if small.count * 2 > frames.count, frames.count >= leastControls {
            return Finding(.broken, part: "small", .mostTooSmall, evidence: evidence)
        }
        if !small.isEmpty { return Finding(.warning, part: "small", .someTooSmall, evidence: evidence) }
        return Finding(.kept, .largeEnough, evidence: evidence)
    }

    static let touch = Check(
        "touch", rules: ["X-02"], weight: 5,
        title: Words("Listens to fingers", ko: "손가락 입력을 받는다", ja: "指の操作を受け取る"),
        does: Words(
            "Taps into the window, and reads whether the app asked for touch events.",
            ko: "윈도우 안을 탭하고, 앱이 터치 이벤트를 요청했는지 읽는다.",
            ja: "ウインドウの中をタップし、アプリがタッチイベントを要求したかを読む。"),
        counts: Words(
            "Broken: the app closes. Warning: it asked for no touch events, so that fingers are only a pointer for it. Not applicable: X11.",
            ko: "어김: 앱이 닫힌다. 주의: 터치 이벤트를 요청하지 않아 손가락을 포인터로만 받는다. 해당 없음: X11이다.",
            ja: "破っている: アプリが閉じる。注意: タッチイベントを要求せず、指をポインタとしてしか受け取らない。該当なし: X11である。"),
        mend: Words("Use wl_touch, or a toolkit that does.", ko: "wl_touch를 쓰거나 그것을 쓰는 툴킷을 쓰십시오.", ja: "wl_touch、またはそれを使うツールキットを使います。")
    ) { visit in
        [try listens(visit, .touch, onX11: .fingersArePointerOnX11) { [.tap(at: $0)] }]
    }

    static let pointer = Check(
        "pointer", rules: ["X-02"], weight: 4,
        title: Words("Listens to a pointer", ko: "포인터 입력을 받는다", ja: "ポインタの操作を受け取る"),
        does: Words(
            "Clicks and scrolls in the window, and reads whether the app asked for pointer events.",
            ko: "윈도우 안에서 클릭하고 스크롤하며, 앱이 포인터 이벤트를 요청했는지 읽는다.",
            ja: "ウインドウの中でクリックとスクロールを行い、アプリがポインタイベントを要求したかを読む。"),
        counts: Words(
            "Broken: the app closes. Warning: it asked for no pointer events. Not applicable: X11.",
            ko: "어김: 앱이 닫힌다. 주의: 포인터 이벤트를 요청하지 않았다. 해당 없음: X11이다.",
            ja: "破っている: アプリが閉じる。注意: ポインタイベントを要求していない。該当なし: X11である。"),
        mend: Words("Handle wl_pointer besides touch.", ko: "터치 외에 wl_pointer도 처리하십시오.", ja: "タッチのほかにwl_pointerも処理します。")
    ) { visit in
        [try listens(visit, .pointer, onX11: .pointerOnX11) { [.click(at: $0), .pointerAxis(value: 15)] }]
    }

    /// Sends input to the middle of the window, and reads whether the app asked for the device.
    private static func listens(_ visit: Visit, _ device: Phrase.Device, onX11 words: Phrase, _ input: (Point) -> [InputRequest]) throws
        -> Finding
    {
        let window = try visit.window()
        if window.isX11 { return Finding(.notApplicable, words) }
        for input in window.picture.map({ input($0.center) }) ?? [] { try? visit.client.input(input) }
        visit.settle(600)
        visit.room.skipTrace()
        return judge(
            listens: "wl_seat.get_\(device.rawValue)", requests: visit.room.requests, isGone: try visit.state()[window.id] == nil,
            what: device)
    }

    static func judge(listens request: String, requests: Set<String>, isGone: Bool, what: Phrase.Device) -> Finding {
        if isGone { return Finding(.broken, part: "closed", .closedBy(what)) }
        if requests.contains(request) { return Finding(.kept, .asksFor(what), evidence: [.verbatim(request)]) }
        if requests.isEmpty { return Finding(.couldNotTell, part: "trace", .noMessages) }
        return Finding(.warning, part: "deaf", .deafFor(what), evidence: [.noRequest(request)])
    }

    static let keys = Check(
        "keys", rules: ["X-02"], weight: 5,
        title: Words("Is reached by keys alone", ko: "키보드만으로 닿는다", ja: "キーボードだけで操作できる"),
        does: Words(
            "Presses Tab twelve times, and reads over AT-SPI which object has the focus.",
            ko: "탭 키를 열두 번 누르고, 어느 객체에 포커스가 있는지 AT-SPI로 읽는다.",
            ja: "Tabを12回押し、どのオブジェクトにフォーカスがあるかをAT-SPIで読む。"),
        counts: Words(
            "Broken: there are controls that take the focus, but Tab reaches none. Could not tell: Tab writes into a text, or nothing is exposed.",
            ko: "어김: 포커스를 받는 컨트롤이 있는데 탭 키로는 하나도 닿지 않는다. 판단 불가: 탭 키가 글에 입력되거나, 공개된 것이 없다.",
            ja: "破っている: フォーカスを受け取るコントロールがあるのに、Tabではどれにも到達できない。判断できない: Tabが文字として入力されるか、何も公開されていない。"),
        mend: Words(
            "Let Tab reach every control, and show where the focus is.", ko: "탭 키로 모든 컨트롤에 닿고 포커스가 보이게 하십시오.",
            ja: "Tabですべてのコントロールに到達でき、フォーカスが見えるようにします。")
    ) { visit in
        try visit.needAssistive()
        var focused: Set<String> = []
        var evidence = KeyEvidence(tellsDisabled: false)
        for press in 0..<(visit.isQuick ? 5 : 12) {
            visit.press("Tab")
            if press % 4 == 0 { visit.settle(300) }
            guard press % 3 == 0 || press < 4 else { continue }
            let nodes = try visit.nodes() ?? []
            evidence.focusable = max(evidence.focusable, focusable(nodes))
            evidence.tellsDisabled = evidence.tellsDisabled || nodes.contains { $0.has(.sensitive) }
            for node in nodes where node.has(.focused) && node.depth > 1 {
                focused.insert(node.id)
                if Assistive.Role.texts.contains(node.role), node.text?.contains("\t") ?? false || node.role == Assistive.Role.terminal {
                    evidence.isWritten = true
                }
            }
            if focused.count > 2 { break }
        }
        evidence.focused = focused.count
        return [judge(evidence)]
    }

    /// How many objects can have the focus now. Toolkits say so of controls that are disabled, too, and some do not say which are (GTK before 4.10).
    static func focusable(_ nodes: [Assistive.Node]) -> Int {
        let tellsDisabled = nodes.contains { $0.has(.sensitive) }
        return nodes.count { node in
            node.has(.focusable) && node.has(.showing) && (node.has(.sensitive) || !tellsDisabled)
                && (node.isControl || Assistive.Role.texts.contains(node.role))
        }
    }

    struct KeyEvidence: Hashable {
        /// Objects that can have the focus.
        var focusable = 0
        /// Different objects that had it.
        var focused = 0
        /// Whether Tab is a character for the one that has it.
        var isWritten = false
        /// Whether the app says which controls are disabled.
        var tellsDisabled = true
    }

    static func judge(_ evidence: KeyEvidence) -> Finding {
        let words = [Phrase.focus(possible: evidence.focusable, had: evidence.focused)]
        if evidence.focused >= 2 { return Finding(.kept, .tabMoves, evidence: words) }
        if evidence.isWritten { return Finding(.couldNotTell, part: "writes", .tabWrites, evidence: words) }
        if evidence.focusable == 0 { return Finding(.couldNotTell, part: "nothing", .nothingFocusable, evidence: words) }
        if !evidence.tellsDisabled { return Finding(.couldNotTell, part: "disabled", .disabledUnknown, evidence: words) }
        if evidence.focusable == 1 { return Finding(.notApplicable, .oneFocusable, evidence: words) }
        return evidence.focused == 0
            ? Finding(.broken, part: "focus", .tabReachesNothing, evidence: words)
            : Finding(.warning, part: "focus", .tabStays, evidence: words)
    }
}
