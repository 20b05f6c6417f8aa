import Control
import Geometry
import Windows

extension Check {
    static let sameAct = Check(
        "finger-like-pointer", rules: ["X-02"], weight: 5,
        title: Words("Does the same for a finger as for a pointer", ko: "손가락과 포인터에 똑같이 반응한다", ja: "指とポインタに同じように応じる"),
        does: Words(
            "Taps controls, which it finds over AT-SPI, and clicks the same ones (one in the quick audit, otherwise three), and compares what changes in the tree.",
            ko: "AT-SPI로 찾은 컨트롤을 탭하고 같은 컨트롤을 클릭하여(빠른 감사에서는 하나, 아니면 셋), 트리에서 바뀌는 것을 비교한다.",
            ja: "AT-SPIで見つけたコントロールをタップし、同じものをクリックして（クイック監査では1つ、ほかは3つ）、ツリーの変化を比べる。"),
        counts: Words(
            "Broken: only one of the two has an effect. Warning: their effects differ. Could not tell: no control with extents changes anything, or its effect could "
                + "not be undone.",
            ko: "어김: 둘 중 하나만 효과가 있다. 주의: 효과가 다르다. 판단 불가: 크기가 공개된 컨트롤 가운데 무엇인가를 바꾸는 것이 없거나, 효과를 되돌릴 수 없다.",
            ja: "破っている: 一方にしか効果がない。注意: 効果が異なる。判断できない: 範囲を公開したコントロールに何かを変えるものがないか、効果を元に戻せない。"),
        mend: Words(
            "Handle touch with the same gesture as the pointer; do not rely on hovering.",
            ko: "터치와 포인터를 같은 제스처로 처리하고, 포인터를 올려 두는 동작에 기대지 마십시오.",
            ja: "タッチとポインタを同じジェスチャーで処理し、ホバーに頼らないようにします。")
    ) { visit in
        try visit.needAssistive()
        let window = try visit.window()
        if window.isX11 { throw Untold(.fingersArePointerOnX11, .notApplicable) }
        guard let picture = window.picture else { throw Untold(.notInSight) }
        let places = targets(try visit.nodes() ?? [], in: Rect(origin: .zero, size: window.size))
        if places.isEmpty { throw Untold(.noExtents, part: "extents") }
        var judged: [Finding] = []
        for place in places.prefix(visit.isQuick ? 2 : 5) where judged.count < (visit.isQuick ? 1 : 3) {
            let point = picture.origin + (place.center - Point.zero) * (window.scale ?? 1)
            guard let evidence = try visit.compare(at: point, window) else { continue }
            if let finding = judge(evidence) { judged.append(finding) }
            guard try visit.state()[window.id] != nil else { break }
        }
        return judged.isEmpty ? [Finding(.couldNotTell, part: "effect", .noActEffect)] : unite(judged)
    }

    /// The frames of controls that can be pressed and pressed again, with toggles first. Controls whose names end or leave the app are
    /// left out.
    static func targets(_ nodes: [Assistive.Node], in window: Rect) -> [Rect] {
        let order: [UInt32] = [62, 7, 37, 44, 43]
        let avoided = ["close", "quit", "exit", "minimi", "maximi", "delete", "remove", "new", "open", "save", "send", "full"]
        let fit = nodes.filter { node in
            guard let frame = node.frame, frame.width >= 8, frame.height >= 8, window.contains(frame) else { return false }
            return order.contains(node.role) && node.has(.showing) && node.has(.sensitive)
                && !avoided.contains { node.name.lowercased().contains($0) }
        }
        return order.flatMap { role in fit.filter { $0.role == role } }.compactMap(\.frame)
    }

    struct ActEvidence: Hashable {
        /// The facts that appeared in the tree or left it after a tap.
        var touch: Set<String> = []
        var pointer: Set<String> = []
    }

    /// nil if neither had an effect.
    static func judge(_ evidence: ActEvidence) -> Finding? {
        let words = [Phrase.facts(tap: evidence.touch.count, click: evidence.pointer.count)]
        if evidence.touch.isEmpty, evidence.pointer.isEmpty { return nil }
        if evidence.touch.isEmpty { return Finding(.broken, part: "touch", .tapWithoutEffect, evidence: words) }
        if evidence.pointer.isEmpty { return Finding(.broken, part: "pointer", .clickWithoutEffect, evidence: words) }
        let both = evidence.touch.intersection(evidence.pointer).count
        // Trees also change by themselves.
        if both * 2 >= min(evidence.touch.count, evidence.pointer.count) { return Finding(.kept, .tapAndClickSame, evidence: words) }
        return Finding(.warning, part: "differs", .tapAndClickDiffer, evidence: words)
    }
}

extension Visit {
    /// Facts that acts change: the objects, and their states and texts.
    fileprivate func facts() throws -> Set<String> {
        // Checked, expanded, pressed, selected, showing.
        let states: UInt64 = 1 << 4 | 1 << 10 | 1 << 20 | 1 << 23 | 1 << 25
        let nodes = try (nodes() ?? []).map { "\($0.role) \($0.name) \($0.states & states) \(($0.text ?? "").prefix(200))" }
        return Set(nodes).union(try windows().map { "window \($0.id.raw)" })
    }

    /// The effects of a tap and of a click at this point; nil if one of them cannot be undone.
    fileprivate func compare(at point: Point, _ window: WindowReport) throws -> Check.ActEvidence? {
        let before = try facts()
        guard let touch = try effect(of: .tap(at: point), before), let pointer = try effect(of: .click(at: point), before) else {
            return nil
        }
        return Check.ActEvidence(touch: touch, pointer: pointer)
    }

    /// Returns the facts that appeared or disappeared; nil if neither Escape nor the same act restores the state before.
    private func effect(of act: InputRequest, _ before: Set<String>) throws -> Set<String>? {
        func facts(after input: InputRequest) throws -> Set<String> {
            try? client.input(input)
            settle(800)
            return try self.facts()
        }
        let effect = try facts(after: act).symmetricDifference(before)
        if try effect.isEmpty || facts(after: .press(keys: "Escape")) == before { return effect }
        return try facts(after: act) == before ? effect : nil
    }
}
