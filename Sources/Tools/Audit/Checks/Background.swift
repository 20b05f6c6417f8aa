import Clocks
import Control
import Lifecycle
import Windows

extension Check {
    static let hiddenWork = Check(
        "hidden-work", rules: ["S-08", "S-03"], weight: 7,
        title: Words("Rests while it is out of sight", ko: "보이지 않을 때 쉰다", ja: "見えない間は休む"),
        does: Words(
            "Goes to the home screen, waits 2 s, and measures 8 s of the app's processor time, wakeups and commits (4 s in the quick audit) before the shell freezes it.",
            ko: "홈 화면으로 가서 2초 기다린 뒤, 셸이 얼리기 전까지 앱의 프로세서 시간, 깨어남, 커밋을 8초(빠른 감사에서는 4초) 동안 잰다.",
            ja: "ホーム画面に移って2秒待ち、シェルが凍結する前に、アプリのプロセッサ時間、ウェイクアップ、コミットを8秒間（クイック監査では4秒間）測る。"),
        counts: Words(
            "Broken: more than 20 % of a processor. Warning: more than 3 %, or more than two commits a second. An app that plays, records or has a task is not measured.",
            ko: "어김: 프로세서를 20 % 넘게 쓴다. 주의: 3 % 넘게 쓰거나, 초당 두 번 넘게 커밋한다. 재생이나 녹음을 하거나 작업이 있는 앱은 재지 않는다.",
            ja: "破っている: プロセッサを20 %を超えて使う。注意: 3 %を超えて使うか、毎秒2回を超えてコミットする。再生や録音をするアプリ、タスクのあるアプリは測らない。"),
        mend: Words(
            "Stop timers, animations and redrawing when the window is suspended.", ko: "윈도우가 suspended 상태이면 타이머, 애니메이션, 다시 그리기를 멈추십시오.",
            ja: "ウインドウがsuspendedの間はタイマー、アニメーション、再描画を止めます。")
    ) { visit in
        try visit.hide()
        Pause.sleep(2)
        let reasons = try visit.life()?.reasons.map(\.kind) ?? []
        if let reason = reasons.first(where: { ["sound", "recording", "call", "task", "picture-in-picture"].contains($0) }) {
            return [Finding(.notApplicable, .reasonToRun(reason))]
        }
        let processes = try visit.processes
        visit.room.skipTrace()
        let before = Load(of: processes), began = Clocks.monotonicSeconds
        try visit.wait(visit.isQuick ? 4 : 8, every: 0.5) { false }
        let seconds = Clocks.monotonicSeconds - began, used = Load(of: processes) - before
        return [judge(hidden: used, commits: visit.room.trace().commits, seconds: seconds)]
    }

    static func judge(hidden used: Load, commits: Int, seconds: Double) -> Finding {
        let share = used.processor / (seconds * 10), rate = Double(used.wakeups) / seconds, commitRate = Double(commits) / seconds
        let evidence = [Phrase.load(share: share, wakeups: rate, commits: commitRate)]
        if share > 20 { return Finding(.broken, part: "processor", .worksHardUnseen, evidence: evidence) }
        if share > 3 { return Finding(.warning, part: "processor", .worksUnseen, evidence: evidence) }
        if commitRate > 2 { return Finding(.warning, part: "commits", .drawsUnseen, evidence: evidence) }
        return Finding(.kept, .rests, evidence: evidence)
    }

    static let shownAgain = Check(
        "shown-again", rules: ["S-09"], weight: 4,
        title: Words("Is back at once when it is shown again", ko: "다시 보이면 바로 돌아온다", ja: "再び表示するとすぐに戻る"),
        does: Words(
            "Hides the app for a second and shows it, three times, and measures until it has answered.",
            ko: "앱을 1초 숨겼다가 보이기를 세 번 하고, 답할 때까지의 시간을 잰다.",
            ja: "アプリを1秒隠して表示することを3回行い、応答までの時間を測る。"),
        counts: Words(
            "Broken: it does not answer in 5 s. Warning: the median is more than 1 s.",
            ko: "어김: 5초 안에 답하지 않는다. 주의: 중앙값이 1초를 넘는다.",
            ja: "破っている: 5秒以内に応答しない。注意: 中央値が1秒を超える。"),
        mend: Words(
            "Keep what is needed for the first frame, and load the rest after it.", ko: "첫 프레임에 필요한 것을 남겨 두고 나머지는 그 뒤에 불러오십시오.",
            ja: "最初のフレームに必要なものを保持し、残りはその後に読み込みます。")
    ) { visit in
        var times: [Double?] = []
        for _ in 0..<(visit.isQuick ? 1 : 3) {
            let window = try visit.window()
            try visit.hide()
            Pause.sleep(1)
            let time = Patience(5)
            try visit.client.perform(.focus(window: window.id))
            let isBack = try visit.wait(5, every: 0.01) {
                try visit.state()[window.id].map { $0.shown && ($0.isX11 || ($0.configured ?? 0) <= $0.answered) } ?? true
            }
            times.append(isBack ? time.spent : nil)
        }
        return [judge(shownAgain: times)]
    }

    static func judge(shownAgain times: [Double?]) -> Finding {
        let known = times.compactMap { $0 }.sorted()
        guard known.count == times.count, !known.isEmpty else { return Finding(.broken, part: "answer", .noAnswerWhenShown) }
        let median = known[known.count / 2]
        return median > 1
            ? Finding(.warning, part: "slow", .slowWhenShown, evidence: [.median(seconds: median)])
            : Finding(.kept, .backAtOnce, evidence: [.median(seconds: median)])
    }

    static let freeze = Check(
        "freeze", rules: ["S-03", "S-05", "S-06"], weight: 6,
        title: Words("Goes on after it was frozen", ko: "얼렸다 풀어도 이어 간다", ja: "凍結されても続けられる"),
        does: Words(
            "Hides the app until the shell freezes it, leaves it frozen for 3 s, shows it and changes its size.",
            ko: "셸이 얼릴 때까지 앱을 숨기고, 3초 동안 얼려 둔 뒤, 다시 보이고 크기를 바꾼다.",
            ja: "シェルが凍結するまでアプリを隠し、3秒間凍結したままにしてから、表示してサイズを変える。"),
        counts: Words(
            "Broken: its windows are gone, or it does not answer afterwards. Warning: it keeps itself awake without sound, a call or a task.",
            ko: "어김: 윈도우가 사라졌거나 그 뒤에 답하지 않는다. 주의: 소리, 통화, 작업 없이 스스로를 깨워 둔다.",
            ja: "破っている: ウインドウが消えたか、その後応答しない。注意: 音声、通話、タスクなしに自身を起こしたままにする。"),
        mend: Words(
            "Expect that time passes between two lines of code; reconnect what timed out. Declare a task for work that must finish.",
            ko: "코드 두 줄 사이에도 시간이 흐를 수 있으니 끊긴 연결은 다시 잇고, 끝내야 하는 일은 작업으로 선언하십시오.",
            ja: "コードの途中で時間が経過することを想定し、切れた接続はつなぎ直します。終えるべき処理はタスクとして宣言します。")
    ) { visit in
        let window = try visit.window(), before = try visit.windows()
        try visit.room.setGrace(0.5)
        defer { try? visit.room.setGrace(3600) }
        try visit.hide()
        var evidence = FreezeEvidence()
        evidence.isFrozen = try visit.wait(7, every: 0.1) { try visit.life()?.phase.isFrozen ?? false }
        evidence.reasons = try visit.life()?.reasons.map(\.kind) ?? []
        Pause.sleep(visit.isQuick ? 1 : 3)
        try? visit.client.perform(.focus(window: window.id))
        try visit.wait(3) { try visit.state()[window.id]?.shown ?? true }
        evidence.windows = (before.count, try visit.windows().count)
        if try visit.state()[window.id] != nil {
            let size = visit.standard
            evidence.isAnswered = try !visit.arrange(.init(size.width - 80, size.height - 60)).isSilent
        }
        return [judge(evidence)]
    }

    struct FreezeEvidence {
        var isFrozen = false
        var reasons: [String] = []
        var windows = (before: 0, after: 0)
        var isAnswered = false
    }

    static func judge(_ evidence: FreezeEvidence) -> Finding {
        let words =
            [Phrase.frozen(evidence.isFrozen, before: evidence.windows.before, after: evidence.windows.after)]
            + (evidence.reasons.isEmpty ? [] : [.reasonsToRun(evidence.reasons.sorted())])
        if evidence.windows.after < evidence.windows.before {
            return Finding(.broken, part: "gone", .windowsGoneAfterFreeze, evidence: words)
        }
        if !evidence.isAnswered { return Finding(.broken, part: "answer", .noAnswerAfterFreeze, evidence: words) }
        if !evidence.isFrozen {
            let good: Set<String> = ["sound", "recording", "call", "task", "picture-in-picture"]
            if evidence.reasons.contains(where: good.contains) { return Finding(.notApplicable, .hasReasonToRun, evidence: words) }
            return evidence.reasons.contains("inhibits")
                ? Finding(.warning, part: "awake", .keepsItselfAwake, evidence: words)
                : Finding(.couldNotTell, part: "awake", .notFrozen, evidence: words)
        }
        return Finding(.kept, .goesOnAsBefore, evidence: words)
    }
}

extension AppPhase {
    var isFrozen: Bool { rawValue == "frozen" || rawValue == "suspended" }
}

extension Visit {
    /// The life of the app under audit.
    func life() throws -> LifeReport.App? {
        let ids = Set(try windows().map(\.id))
        return try client.ask(.get(.life), for: LifeReport.self).apps.first { !ids.isDisjoint(with: $0.windows) }
    }
}
