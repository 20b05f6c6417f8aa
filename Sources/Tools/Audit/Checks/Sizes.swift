import Chrome
import Geometry
import Seeded
import Windows

extension Check {
    static let sizes = Check(
        "sizes", rules: ["W-11"], weight: 10,
        title: Words("Adapts to every size", ko: "모든 크기에 맞춰진다", ja: "あらゆるサイズに適応する"),
        does: Words(
            "Gives the window the size of every place of the idiom, down to 320x480, and odd sizes chosen by the seed.",
            ko: "320x480까지 이 기기 종류의 모든 자리 크기와, 시드로 고른 어중간한 크기를 윈도우에 준다.",
            ja: "320x480まで、このデバイスの種類のすべての場所のサイズと、シードで選んだ半端なサイズをウインドウに与える。"),
        counts: Words(
            "Broken: it closes, breaks the protocol, does not answer in 5 s, or draws another size within its own limits. Warning: its minimum size makes "
                + "the shell draw it smaller, or a strip at its edge stays empty.",
            ko: "어김: 닫히거나, 프로토콜을 어기거나, 5초 안에 답하지 않거나, 자기 한계 안인데 다른 크기로 그린다. 주의: 최소 크기 때문에 셸이 줄여 그리거나, 가장자리에 빈 띠가 남는다.",
            ja: "破っている: 閉じる、プロトコルに違反する、5秒以内に応答しない、または自分の制限内なのに別のサイズで描画する。注意: 最小サイズのためシェルが縮小して描画するか、端に空きが残る。"),
        mend: Words(
            "Let content wrap, scroll or hide so that the window can be 320 points wide, and draw the size that each configure says.",
            ko: "내용이 줄바꿈되거나 스크롤되거나 숨겨져서 윈도우 너비가 320포인트가 될 수 있게 하고, 각 configure의 크기대로 그리십시오.",
            ja: "内容を折り返し、スクロール、または隠すことで幅320ポイントに対応し、configureで示されたサイズで描画します。")
    ) { visit in
        var seen: [SizeEvidence] = []
        for size in places(of: visit.idiom.name, quick: visit.isQuick) + oddSizes(&visit.random, quick: visit.isQuick) {
            _ = visit.room.trace()
            var evidence = SizeEvidence(reaction: try visit.arrange(size))
            if evidence.reaction.isGone {
                evidence.protocolError = visit.room.trace().protocolError
                seen.append(evidence)
                break
            }
            if let window = try visit.main() {
                if let picture = visit.picture(of: window.id) { evidence.emptyEdges = emptyEdges(of: picture) }
                if judge(evidence).verdict != .kept { evidence.pictures = visit.keepPicture("sizes") }
            }
            seen.append(evidence)
        }
        return findings(seen)
    }

    /// The sizes of an idiom's places on common devices, in points.
    static func places(of idiom: String, quick: Bool) -> [Size] {
        let sizes: [Size] =
            switch idiom {
            case "phone": [Size(320, 480), Size(320, 568), Size(375, 667), Size(375, 812), Size(414, 896), Size(812, 375)]
            case "tv": [Size(1920, 1080), Size(1280, 720)]
            case "watch", "round-watch": [Size(240, 240), Size(396, 484)]
            default:
                [
                    // Slide Over, thirds, halves and whole screens, upright and lying.
                    Size(320, 480), Size(320, 568), Size(375, 820), Size(390, 820), Size(585, 820), Size(785, 820), Size(820, 1180),
                    Size(1180, 820), Size(1366, 1024), Size(1920, 1080),
                ]
            }
        return quick && sizes.count > 4 ? [sizes[0], sizes[2], sizes[4], sizes[sizes.count - 1]] : sizes
    }

    /// Sizes that no device has, at which rounding shows.
    static func oddSizes(_ random: inout SeededRandom, quick: Bool) -> [Size] {
        (0..<(quick ? 1 : 3)).map { _ in
            Size(Double(Int.random(in: 170...550, using: &random) * 2 + 1), Double(Int.random(in: 250...450, using: &random) * 2 + 1))
        }
    }

    struct SizeEvidence {
        var reaction: Visit.Reaction
        var protocolError: String?
        /// Edges along which nothing is drawn.
        var emptyEdges: [String] = []
        var pictures: [String] = []

        var words: Phrase {
            var facts: [Phrase] = [.screen(reaction.screen, told: reaction.told), reaction.isGone ? .windowClosed : .drew(reaction.drew)]
            if !reaction.minimum.isEmpty || reaction.minimum != .zero { facts.append(.minimum(reaction.minimum)) }
            if reaction.scale < 0.995 { facts.append(.shownAt(percent: Int(clamping: (reaction.scale * 100).rounded()))) }
            if !reaction.isAnswered { facts.append(.notAnswered) }
            return .list(facts)
        }
    }

    static func judge(_ evidence: SizeEvidence) -> Finding {
        let reaction = evidence.reaction
        func finding(_ verdict: Verdict, _ part: String, _ why: Phrase) -> Finding {
            Finding(
                verdict, part: part, why, evidence: [evidence.words] + (evidence.protocolError.map { [.protocolError($0)] } ?? []),
                pictures: evidence.pictures)
        }
        if reaction.isGone { return finding(.broken, "closed", evidence.protocolError == nil ? .closedAtSize : .brokeProtocolAtSize) }
        if reaction.isSilent { return finding(.broken, "answer", .noAnswerToSize) }
        guard let told = reaction.told else { return finding(.kept, "app", .mayChooseItsSizeHere) }
        let needs = Size(max(told.width, reaction.minimum.width), max(told.height, reaction.minimum.height))
        if reaction.drew.width > told.width + 1 || reaction.drew.height > told.height + 1 {
            return needs.width > told.width || needs.height > told.height || reaction.scale < 0.995
                ? finding(.warning, "minimum", .minimumAbovePlace)
                : finding(.broken, "follows", .drawsMoreThanTold)
        }
        let most = Size(
            reaction.maximum.width > 0 ? reaction.maximum.width : .infinity,
            reaction.maximum.height > 0 ? reaction.maximum.height : .infinity)
        if reaction.drew.width < min(told.width, most.width) - 1 || reaction.drew.height < min(told.height, most.height) - 1 {
            return finding(.broken, "follows", .drawsLessThanTold)
        }
        if reaction.drew.width < told.width - 1 || reaction.drew.height < told.height - 1 {
            return finding(.warning, "maximum", .maximumLeavesRoom)
        }
        if reaction.scale < 0.995 { return finding(.warning, "minimum", .minimumMakesSmaller) }
        if !evidence.emptyEdges.isEmpty { return finding(.warning, "edges", .emptyEdges) }
        return finding(.kept, "app", .adaptsToEverySize)
    }

    /// One finding for each kind, with the evidence of all sizes.
    static func findings(_ seen: [SizeEvidence]) -> [Finding] {
        // If windows choose their sizes, nothing was tried.
        if !seen.isEmpty, seen.allSatisfy({ $0.reaction.told == nil && !$0.reaction.isGone && !$0.reaction.isSilent }) {
            return [Finding(.couldNotTell, part: "free", .mayChooseItsSize, evidence: seen.map(\.words))]
        }
        let judged = seen.map { judge($0) }
        var findings: [Finding] = []
        for finding in judged where finding.verdict != .kept {
            if let index = findings.firstIndex(where: { $0.part == finding.part }) {
                findings[index].evidence += finding.evidence
                findings[index].pictures += finding.pictures
            } else {
                findings.append(finding)
            }
        }
        return findings.isEmpty ? [Finding(.kept, .adaptsToEverySize, evidence: seen.map(\.words))] : findings
    }

    /// The edges along which a strip of four pixels is transparent over the whole length.
    static func emptyEdges(of picture: Picture) -> [String] {
        let width = Double(picture.width), height = Double(picture.height)
        guard width > 60, height > 60 else { return [] }
        let strips = [
            ("left", Rect(0, 30, 4, height - 60)), ("right", Rect(width - 4, 30, 4, height - 60)),
            ("top", Rect(30, 0, width - 60, 4)), ("bottom", Rect(30, height - 4, width - 60, 4)),
        ]
        return strips.filter { picture.singleColour(in: $0.1).map { $0.alpha == 0 } ?? false }.map(\.0)
    }
}
