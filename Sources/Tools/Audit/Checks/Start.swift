extension Check {
    static let start = Check(
        "start", rules: ["X-01"], weight: 10, needsWindow: false,
        title: Words("Starts and shows a window", ko: "시작하여 윈도우를 보여 준다", ja: "起動してウインドウを表示する"),
        does: Words(
            "Starts the app in a fresh home and waits up to 20 s for its first window.",
            ko: "새 홈에서 앱을 시작하고 첫 윈도우를 최대 20초 기다린다.",
            ja: "新しいホームでアプリを起動し、最初のウインドウを最大20秒待つ。"),
        counts: Words(
            "Broken: it ends, cannot be started or shows no window. Warning: its first window took more than 10 s.",
            ko: "어김: 끝나 버리거나, 시작할 수 없거나, 윈도우를 보여 주지 않는다. 주의: 첫 윈도우까지 10초 넘게 걸렸다.",
            ja: "破っている: 終了してしまう、起動できない、またはウインドウを表示しない。注意: 最初のウインドウまで10秒以上かかった。"),
        mend: Words(
            "Start without files, settings and services that a fresh home lacks. Show the first window at once and load afterwards.",
            ko: "새 홈에 없는 파일, 설정, 서비스 없이도 시작하게 하십시오. 첫 윈도우를 바로 보이고 나머지는 그다음에 불러오십시오.",
            ja: "新しいホームにないファイル、設定、サービスがなくても起動するようにします。最初のウインドウをすぐに表示し、残りはその後に読み込みます。")
    ) { visit in
        if !visit.start.wasTried { try visit.launch() }
        return [judge(visit.start)]
    }

    static func judge(_ start: Visit.Start) -> Finding {
        guard let seconds = start.seconds else {
            return Finding(.broken, part: start.isRunning ? "no-window" : "ended", start.failure ?? .didNotStart)
        }
        let evidence = [Phrase.firstWindow(seconds: seconds)]
        return seconds > 10
            ? Finding(.warning, part: "slow", .firstWindowLate, evidence: evidence)
            : Finding(.kept, .showsWindow, evidence: evidence)
    }
}
