import Chrome
import Geometry
import Windows

extension Check {
    static let rotation = Check(
        "rotation", rules: ["W-11"], weight: 6, idioms: ["pad", "phone", "kiosk"],
        title: Words("Follows the device when it is turned", ko: "기기를 돌리면 따라간다", ja: "デバイスの回転に追従する"),
        does: Words(
            "Turns the screen by a quarter and back.",
            ko: "화면을 90도 돌렸다가 되돌린다.",
            ja: "画面を90度回し、元に戻す。"),
        counts: Words(
            "Broken: the window closes, does not answer in 5 s or keeps its size. Warning: it is drawn smaller.",
            ko: "어김: 윈도우가 닫히거나, 5초 안에 답하지 않거나, 크기가 그대로이다. 주의: 줄여서 그려진다.",
            ja: "破っている: ウインドウが閉じる、5秒以内に応答しない、またはサイズが変わらない。注意: 縮小して描画される。"),
        mend: Words(
            "Take every configure as it comes; keep what a person sees in the middle.",
            ko: "모든 configure를 그대로 받아들이고, 사람이 보던 것을 가운데에 유지하십시오.",
            ja: "すべてのconfigureをそのまま受け入れ、見ていた内容を中央に保ちます。")
    ) { visit in
        var seen: [SizeEvidence] = []
        for turns in [1, 0] {
            let size = turns == 1 ? Size(visit.standard.height, visit.standard.width) : visit.standard
            let window = try visit.window()
            visit.room.skipTrace()
            try visit.client.perform(.rotate(turns))
            try visit.wait(3) { try visit.state().screen.map { $0.size == size } ?? false }
            var evidence = SizeEvidence(reaction: try visit.reaction(of: window.id, screen: size))
            if evidence.reaction.isGone { evidence.protocolError = visit.room.trace().protocolError }
            if judge(evidence).verdict != .kept { evidence.pictures = visit.keepPicture("rotation") }
            seen.append(evidence)
        }
        // The size's own check names limits.
        return findings(seen).map { $0.verdict == .kept ? Finding(.kept, .followsScreen, evidence: $0.evidence) : $0 }
    }

    static let scales = Check(
        "scales", rules: ["W-11", "X-05"], weight: 5,
        title: Words("Is sharp at every scale", ko: "모든 배율에서 선명하다", ja: "どの倍率でも鮮明に表示する"),
        does: Words(
            "Gives the screen scales of 1, 1.5 and 2, and reads how the app scales its buffers. An app that does not follow is started again.",
            ko: "화면 배율을 1, 1.5, 2로 바꾸며 앱이 버퍼를 어떻게 조절하는지 읽는다. 따라오지 않는 앱은 다시 시작한다.",
            ja: "画面の倍率を1、1.5、2にし、アプリがバッファをどう拡大縮小するかを読む。従わないアプリは起動し直す。"),
        counts: Words(
            "Broken: the window closes or does not answer. Warning: the app keeps buffers of scale 1, which the shell must enlarge. Not applicable: X11.",
            ko: "어김: 윈도우가 닫히거나 답하지 않는다. 주의: 앱이 배율 1의 버퍼를 유지하여 셸이 확대해야 한다. 해당 없음: X11이다.",
            ja: "破っている: ウインドウが閉じるか、応答しない。注意: アプリが倍率1のバッファのままで、シェルが拡大しなければならない。該当なし: X11である。"),
        mend: Words(
            "Support wp-fractional-scale, or set the buffer scale of the output.",
            ko: "wp-fractional-scale를 지원하거나 출력의 버퍼 배율을 설정하십시오.",
            ja: "wp-fractional-scaleに対応するか、出力のバッファ倍率を設定します。")
    ) { visit in
        if try visit.window().isX11 { return [Finding(.notApplicable, .noScaleOnX11)] }
        var findings: [Finding] = []
        for scale in visit.isQuick ? [2.0] : [1.5, 2] {
            visit.room.skipTrace()
            let reaction = try visit.arrange(visit.standard, scale: scale)
            let trace = visit.room.trace()
            var finding = judge(scale: scale, reaction, trace, always: visit.room.requests)
            if finding.part == "blurred" {
                try visit.endApp()
                visit.room.skipTrace()
                try visit.launch()
                finding = judge(scale: scale, reaction, trace, always: visit.room.requests, afterRestart: visit.room.trace())
            }
            findings.append(finding)
            if reaction.isGone { break }
        }
        return unite(findings)
    }

    /// - Parameters:
    ///   - always: the kinds of requests that the app made since its start.
    ///   - restarted: the messages of the app when it was started again at this scale.
    static func judge(
        scale: Double, _ reaction: Visit.Reaction, _ trace: Trace, always: Set<String>, afterRestart restarted: Trace = Trace()
    ) -> Finding {
        let at = Phrase.scale(scale)
        if reaction.isGone {
            return Finding(.broken, part: "closed", .closedAtScale, evidence: [at] + (trace.protocolError.map { [.verbatim($0)] } ?? []))
        }
        if reaction.isSilent { return Finding(.broken, part: "answer", .noAnswerToScale, evidence: [at]) }
        if trace.lines.isEmpty { return Finding(.couldNotTell, part: "trace", .buffersUnknown, evidence: [at]) }
        func isScaled(_ trace: Trace) -> Bool {
            trace.lines.contains { $0.isRequest && $0.interface == "wl_surface" && $0.name == "set_buffer_scale" && $0.arguments != "1" }
        }
        let isFractional =
            always.contains("wp_fractional_scale_manager_v1.get_fractional_scale") && always.contains("wp_viewport.set_destination")
        if isScaled(trace) || isFractional { return Finding(.kept, .followsScale, evidence: [at]) }
        if isScaled(restarted) { return Finding(.warning, part: "start", .followsScaleAfterRestart, evidence: [at]) }
        return Finding(.warning, part: "blurred", .blurred, evidence: [at])
    }

    static let toldArrangement = Check(
        "same-at-same-size", rules: ["W-10", "W-23"], weight: 4, isQuick: false, idioms: ["pad"],
        title: Words("Looks the same wherever it has the same size", ko: "크기가 같으면 어디서나 같게 보인다", ja: "同じサイズならどこでも同じに見える"),
        does: Words(
            "Puts the window beside another one in Split View, then gives it the same size in full screen, and compares the pictures.",
            ko: "윈도우를 Split View에서 다른 윈도우 옆에 둔 다음, 전체 화면에서 같은 크기를 주고 그림을 비교한다.",
            ja: "ウインドウをSplit Viewでほかのウインドウの隣に置き、次にフルスクリーンで同じサイズを与えて、画像を比べる。"),
        counts: Words(
            "Broken: more than 2 % of the pixels differ. Could not tell: the content moves by itself, or the sizes differ.",
            ko: "어김: 픽셀이 2 % 넘게 다르다. 판단 불가: 내용이 저절로 움직이거나 크기가 다르다.",
            ja: "破っている: ピクセルの2 %以上が異なる。判断できない: 内容がひとりでに動くか、サイズが異なる。"),
        mend: Words(
            "Choose the layout by the window's own size alone.", ko: "윈도우 자체의 크기만으로 레이아웃을 고르십시오.", ja: "ウインドウ自身のサイズだけでレイアウトを選びます。")
    ) { visit in
        let window = try visit.window()
        guard let neighbour = try visit.neighbour() else { return [Finding(.couldNotTell, .noSecondWindow)] }
        defer { try? visit.closeNeighbour() }
        try? visit.client.perform(.fullScreen(window: neighbour))
        try? visit.client.perform(.focus(window: window.id))
        try visit.client.perform(.splitView(window: window.id, side: .left))
        try visit.wait(4) { try visit.state()[window.id]?.place == .splitLeft }
        try? visit.client.perform(.focus(window: window.id))
        visit.settle(2500)
        var evidence = SameEvidence()
        guard let split = try visit.state()[window.id], let told = split.told, !told.isEmpty else {
            return [Finding(.couldNotTell, .mayChooseItsSize)]
        }
        let first = try visit.needPicture(of: window.id)
        Pause.sleep(0.7)
        let again = try visit.needPicture(of: window.id)
        evidence.pixels = first.pixels.count
        evidence.byItself = first.difference(from: again, tolerance: 8).count
        try visit.closeNeighbour()
        try visit.client.perform(.fullScreen(window: window.id))
        let reaction = try visit.arrange(told)
        visit.settle(2500)
        Pause.sleep(0.5)
        guard let full = visit.picture(of: window.id), reaction.drew == split.size else { return [Finding(.couldNotTell, .sizesDiffer)] }
        evidence.between = first.difference(from: full, tolerance: 8).count
        let finding = judge(evidence)
        return [finding]
    }

    struct SameEvidence: Hashable {
        var pixels = 0
        /// Pixels that change although nothing happens.
        var byItself = 0
        var between = 0
    }

    static func judge(_ evidence: SameEvidence) -> Finding {
        let limit = max(1, evidence.pixels / 50)
        let words = [Phrase.pixelsDiffer(evidence.between, of: evidence.pixels, byThemselves: evidence.byItself)]
        if evidence.between <= limit { return Finding(.kept, .looksEqual, evidence: words) }
        if evidence.byItself > limit / 4 { return Finding(.couldNotTell, part: "moves", .contentMoves, evidence: words) }
        return Finding(.broken, part: "differs", .looksDifferent, evidence: words)
    }

    static let answers = Check(
        "answers", rules: ["W-11", "S-09"], weight: 6,
        title: Words("Answers while it is resized", ko: "크기가 바뀌는 동안 응답한다", ja: "サイズ変更の間も応答する"),
        does: Words(
            "Changes the window's size several times without a pause, and measures its answers.",
            ko: "윈도우의 크기를 쉬지 않고 여러 번 바꾸며 답하는 시간을 잰다.",
            ja: "ウインドウのサイズを休まず何度か変え、応答の時間を測る。"),
        counts: Words(
            "Broken: no answer in 5 s. Warning: half of the answers took more than 1 s.",
            ko: "어김: 5초 안에 답하지 않는다. 주의: 답의 절반이 1초 넘게 걸렸다.",
            ja: "破っている: 5秒以内に応答しない。注意: 応答の半分に1秒以上かかった。"),
        mend: Words(
            "Do long work outside of the thread that answers the compositor.", ko: "오래 걸리는 일은 컴포지터에 응답하는 스레드 밖에서 하십시오.",
            ja: "時間のかかる処理は、コンポジタに応答するスレッドの外で行います。")
    ) { visit in
        var times: [Double?] = [], isSilent = false
        for step in 0..<(visit.isQuick ? 4 : 8) where !isSilent {
            let delta = Double(step % 4) * 60
            let reaction = try visit.arrange(Size(visit.standard.width - delta, visit.standard.height - delta))
            times.append(reaction.seconds)
            isSilent = reaction.isSilent
        }
        return [judge(answers: times, isSilent: isSilent)]
    }

    /// - Parameter answers: the seconds of each; nil without an answer or with another size.
    static func judge(answers: [Double?], isSilent: Bool) -> Finding {
        if isSilent { return Finding(.broken, part: "silent", .noAnswerToSize) }
        let times = answers.compactMap { $0 }.sorted()
        if times.isEmpty { return Finding(.couldNotTell, part: "sizes", .neverDrewSizes) }
        if times[times.count / 2] > 1 {
            return Finding(.warning, part: "slow", .answersSlowly, evidence: [.median(seconds: times[times.count / 2])])
        }
        return Finding(.kept, .answersQuickly, evidence: [.median(seconds: times[times.count / 2], count: times.count)])
    }
}
