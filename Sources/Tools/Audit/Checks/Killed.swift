import Control
import Glibc
import Windows

extension Check {
    static let killed = Check(
        "killed", rules: ["W-20", "S-04", "S-13"], weight: 7,
        title: Words("Comes back as it was after a kill", ko: "강제로 끝난 뒤 있던 그대로 돌아온다", ja: "強制終了の後、元のまま戻る"),
        does: Words(
            "Types a word, goes to the home screen, waits 2 s, kills the app's processes with SIGKILL, and opens its windows again.",
            ko: "단어를 입력하고, 홈 화면으로 가서 2초 기다린 뒤, 앱의 프로세스를 SIGKILL로 끝내고 윈도우를 다시 연다.",
            ja: "単語を入力し、ホーム画面に移って2秒待ち、アプリのプロセスをSIGKILLで終わらせ、ウインドウを開き直す。"),
        counts: Words(
            "Broken: fewer windows come back. Warning: the typed text, which the app exposed before, does not come back.",
            ko: "어김: 돌아온 윈도우가 더 적다. 주의: 앱이 공개했던 입력한 글이 돌아오지 않는다.",
            ja: "破っている: 戻るウインドウが減る。注意: アプリが公開していた入力文字が戻らない。"),
        mend: Words(
            "Save state when the window goes out of sight, not when the app quits, and restore it at the start.",
            ko: "앱이 끝날 때가 아니라 윈도우가 보이지 않게 될 때 상태를 저장하고, 시작할 때 되돌리십시오.",
            ja: "終了時ではなく、ウインドウが見えなくなるときに状態を保存し、起動時に復元します。")
    ) { visit in
        let window = try visit.window()
        try visit.rest()
        var before = KeptState(try visit.windows())
        try typeIntoContent(visit, window)
        before.isTextSeen = try visit.texts().contains { $0.contains(typedWord) }
        try visit.hide()
        Pause.sleep(2)
        // The windows that it shows in the background count.
        before.count = try visit.windows().count
        for pid in try visit.processes.reversed() { kill(pid, SIGKILL) }
        try visit.wait(3) { try visit.windows().isEmpty }
        return [judge(before: before, after: try visit.comeBack(count: before.count))]
    }

    struct KeptState: Hashable {
        var count: Int
        /// Whether the app exposed the typed word.
        var isTextSeen = false
        var wasLaunchedAgain = false

        init(count: Int = 0, isTextSeen: Bool = false) {
            self.count = count
            self.isTextSeen = isTextSeen
        }

        init(_ windows: [WindowReport]) { count = windows.count }
    }

    static func judge(before: KeptState, after: KeptState) -> Finding {
        let evidence = evidence(before, after)
        if after.count == 0 { return Finding(.broken, part: "gone", .doesNotComeBack, evidence: evidence) }
        if after.count < before.count { return Finding(.broken, part: "windows", .someWindowsMissing, evidence: evidence) }
        if before.isTextSeen, !after.isTextSeen { return Finding(.warning, part: "text", .textLost, evidence: evidence) }
        if before.isTextSeen { return Finding(.kept, .windowsAndTextBack, evidence: evidence) }
        return Finding(.couldNotTell, part: "text", .windowsBackTextUnknown, evidence: evidence)
    }

    static func evidence(_ before: KeptState, _ after: KeptState) -> [Phrase] {
        [.windows(before: before.count, after: after.count)]
            + (before.isTextSeen ? [.typedText(isThereAfterwards: after.isTextSeen)] : [])
    }
}

extension Visit {
    /// Opens the app again, by its windows that the shell kept if there are any, and waits for its windows.
    @discardableResult
    func comeBack(count: Int) throws -> Check.KeptState {
        var ends = LaunchEnds(room)
        let placeholders = try state().windows.filter { $0.placeholder == true }
        for placeholder in placeholders { try? client.perform(.focus(window: placeholder.id)) }
        if placeholders.isEmpty { try launch() }
        try wait(20, every: 0.1) { try windows().count >= count || ends.isOver }
        settle(3000)
        var after = Check.KeptState(try windows())
        if after.count == 0 {
            try launch()
            after.wasLaunchedAgain = true
            after.count = try windows().count
        }
        try wait(2, every: 0.3) { false }
        after.isTextSeen = try texts().contains { $0.contains(Check.typedWord) }
        return after
    }
}
