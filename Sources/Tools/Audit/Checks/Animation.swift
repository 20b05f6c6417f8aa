import Clocks
import Windows

extension Check {
    static let animation = Check(
        "animation", rules: ["S-08", "S-09"], weight: 4,
        title: Words("Animates only in sight, and goes on", ko: "보일 때만 움직이고 다시 이어 간다", ja: "見えている間だけ動き、再び続ける"),
        does: Words(
            "Counts the frames that the app draws by itself in sight, on the home screen, and in sight again.",
            ko: "보일 때, 홈 화면에 있을 때, 다시 보일 때 앱이 스스로 그리는 프레임을 센다.",
            ja: "見えているとき、ホーム画面のとき、再び見えたときに、アプリが自分から描画するフレームを数える。"),
        counts: Words(
            "Broken: it draws at least half as many frames out of sight, or none when it is in sight again. Warning: it draws more than two a second out of "
                + "sight. Not applicable: nothing moves by itself.",
            ko: "어김: 보이지 않을 때도 프레임을 절반 이상 그리거나, 다시 보여도 그리지 않는다. 주의: 보이지 않을 때 초당 두 번 넘게 그린다. 해당 없음: 저절로 움직이는 것이 없다.",
            ja: "破っている: 見えないときも半分以上のフレームを描画するか、再び見えても描画しない。注意: 見えないときに毎秒2回を超えて描画する。該当なし: ひとりでに動くものがない。"),
        mend: Words(
            "Draw a frame only when the frame callback of the one before has come, and start again when the window is activated.",
            ko: "이전 프레임의 frame 콜백이 온 뒤에만 다음 프레임을 그리고, 윈도우가 활성화되면 다시 시작하십시오.",
            ja: "前のフレームのframeコールバックが届いてから次のフレームを描画し、ウインドウがアクティブになったら再開します。")
    ) { visit in
        let window = try visit.window()
        visit.room.skipTrace()
        if visit.room.requests.isEmpty { throw Untold(.noMessages, part: "trace") }
        func frames() throws -> Double {
            visit.room.skipTrace()
            let began = Clocks.monotonicSeconds
            try visit.wait(1.5, every: 0.3) { false }
            return Double(visit.room.trace().commits) / (Clocks.monotonicSeconds - began)
        }
        var evidence = AnimationEvidence(seen: try frames())
        guard evidence.isMoving else { return [judge(evidence)] }
        try visit.hide()
        Pause.sleep(1)
        evidence.hidden = try frames()
        try visit.show(window)
        Pause.sleep(0.7)
        evidence.again = try frames()
        return [judge(evidence)]
    }

    /// Commits a second.
    struct AnimationEvidence: Hashable {
        var seen = 0.0
        var hidden = 0.0
        var again = 0.0

        /// A cursor that blinks is no animation.
        var isMoving: Bool { seen >= 4 }
    }

    static func judge(_ evidence: AnimationEvidence) -> Finding {
        guard evidence.isMoving else { return Finding(.notApplicable, .nothingMoves) }
        let words = [Phrase.frames(seen: evidence.seen, hidden: evidence.hidden, again: evidence.again)]
        if evidence.hidden * 2 >= evidence.seen { return Finding(.broken, part: "hidden", .animatesHidden, evidence: words) }
        if evidence.again * 10 < evidence.seen { return Finding(.broken, part: "stuck", .animationStuck, evidence: words) }
        if evidence.hidden > 2 { return Finding(.warning, part: "hidden", .drawsHidden, evidence: words) }
        return Finding(.kept, .animatesOnlyInSight, evidence: words)
    }
}
