import Control
import Geometry
import Windows

extension Check {
    static let rightToLeft = Check(
        "right-to-left", rules: ["X-04", "X-05"], weight: 3, isQuick: false,
        title: Words("Mirrors itself for languages from right to left", ko: "오른쪽에서 왼쪽으로 쓰는 언어에 맞춰 뒤집힌다", ja: "右から左に書く言語では左右を反転する"),
        does: Words(
            "Reads where controls are over AT-SPI, starts the app again in Arabic (LANGUAGE=ar:fa:he), and compares.",
            ko: "컨트롤이 어디에 있는지 AT-SPI로 읽고, 앱을 아랍어(LANGUAGE=ar:fa:he)로 다시 시작하여 비교한다.",
            ja: "コントロールの位置をAT-SPIで読み、アプリをアラビア語（LANGUAGE=ar:fa:he）で起動し直して比べる。"),
        counts: Words(
            "Broken: it does not start, or its words change and nothing is mirrored. Warning: less than half of what lies at a side is mirrored. Could not tell: nothing "
                + "changes, because the app or its toolkit has no such language here.",
            ko: "어김: 시작하지 않거나, 글은 바뀌는데 좌우가 뒤집히지 않는다. 주의: 한쪽에 놓인 것의 절반 미만만 뒤집힌다. 판단 불가: 앱이나 툴킷에 그런 언어가 없어 아무것도 바뀌지 않는다.",
            ja: "破っている: 起動しないか、言葉は変わるのに左右が反転しない。注意: 片側にあるものの半分未満しか反転しない。判断できない: アプリやツールキットにその言語がなく、何も変わらない。"),
        mend: Words(
            "Lay controls out from start to end instead of from left to right, and use the toolkit's direction.",
            ko: "컨트롤을 왼쪽·오른쪽이 아니라 시작·끝 기준으로 배치하고 툴킷의 방향을 따르십시오.",
            ja: "コントロールを左右ではなく先頭・末尾を基準に配置し、ツールキットの方向に従います。")
    ) { visit in
        try visit.needAssistive()
        let plain = try visit.controls()
        if plain.isEmpty { throw Untold(.noExtents, part: "extents") }
        try visit.endApp()
        try visit.launch(with: ["LANGUAGE": "ar:fa:he"])
        guard visit.isStarted else {
            let reason = visit.start.failure ?? .didNotStart
            try visit.launch()
            return [Finding(.broken, part: "start", .noStartRightToLeft, evidence: [reason])]
        }
        try visit.rest()
        let turned = try visit.controls()
        let width = try visit.window().size.width
        var finding = judge(mirror: MirrorEvidence(plain, turned, width: width))
        if finding.verdict == .broken || finding.verdict == .warning { finding.pictures = visit.keepPicture("right-to-left") }
        try visit.endApp()
        return [finding]
    }

    struct MirrorEvidence: Hashable {
        /// Controls that are in both trees and do not lie in the middle.
        var sided = 0
        /// The number of those controls that lie where they would in a mirror.
        var mirrored = 0
        /// Controls with another name.
        var translated = 0

        init(sided: Int, mirrored: Int, translated: Int) { (self.sided, self.mirrored, self.translated) = (sided, mirrored, translated) }

        /// Pairs controls by their order in the trees. Their widths follow their words, so only their sides count.
        init(_ plain: [Assistive.Node], _ turned: [Assistive.Node], width: Double) {
            guard plain.map(\.role) == turned.map(\.role) else {
                // The trees differ, so their controls cannot be paired.
                translated = Set(plain.map(\.name)) == Set(turned.map(\.name)) ? 0 : plain.count
                return
            }
            for (before, after) in zip(plain, turned) {
                if before.name != after.name { translated += 1 }
                guard let a = before.frame, let b = after.frame else { continue }
                // As far from one edge as it was from the other.
                let side = min(a.minX, width - a.maxX), isLeft = a.minX < width - a.maxX
                guard abs(a.minX - (width - a.maxX)) > width / 8 else { continue }
                sided += 1
                if (b.minX > width - b.maxX) == isLeft, abs(min(b.minX, width - b.maxX) - side) < width / 4 { mirrored += 1 }
            }
        }
    }

    static func judge(mirror evidence: MirrorEvidence) -> Finding {
        let words = [Phrase.mirroring(sided: evidence.sided, mirrored: evidence.mirrored, translated: evidence.translated)]
        if evidence.sided > 0, evidence.mirrored * 2 >= evidence.sided { return Finding(.kept, .mirrored, evidence: words) }
        if evidence.translated == 0, evidence.mirrored == 0 {
            return Finding(.couldNotTell, part: "language", .noRightToLeft, evidence: words)
        }
        if evidence.sided == 0 { return Finding(.couldNotTell, part: "sides", .noSidedControls, evidence: words) }
        return evidence.mirrored == 0
            ? Finding(.broken, part: "mirror", .notMirrored, evidence: words)
            : Finding(.warning, part: "mirror", .partlyMirrored, evidence: words)
    }
}

extension Visit {
    fileprivate func controls() throws -> [Assistive.Node] {
        try (nodes() ?? []).filter { $0.isControl && $0.has(.showing) && ($0.frame.map { $0.width > 1 && $0.height > 1 } ?? false) }
    }

    /// Ends the app without asking, so that it can be started in another way.
    func endApp() throws {
        hasEndedApp = true
        if let window = try main() { try? client.perform(.endApp(window: window.id)) }
        try wait(4) { try windows().isEmpty }
    }
}
