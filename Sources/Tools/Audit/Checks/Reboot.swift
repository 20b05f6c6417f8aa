import Control
import Windows

extension Check {
    static let reboot = Check(
        "reboot", rules: ["W-20", "S-04"], weight: 5, isQuick: false,
        title: Words("Comes back after a restart of the device", ko: "기기를 다시 시작해도 돌아온다", ja: "デバイスの再起動後に戻る"),
        does: Words(
            "Types a word, waits until the shell has kept the arrangement, ends the shell and the app at once, as a loss of power does, starts the shell again with "
                + "the same home, and shows the windows that come back.",
            ko: "단어를 입력하고, 셸이 배치를 저장할 때까지 기다린 뒤, 전원이 나갔을 때처럼 셸과 앱을 한꺼번에 끝낸다. 같은 홈으로 셸을 다시 시작하고 돌아온 윈도우를 보인다.",
            ja: "単語を入力し、シェルが配置を保存するまで待ち、電源が切れたときのようにシェルとアプリを同時に終わらせる。同じホームでシェルを起動し直し、戻ったウインドウを表示する。"),
        counts: Words(
            "Broken: no window comes back. Warning: fewer than before, or the typed text, which the app exposed before, does not.",
            ko: "어김: 돌아온 윈도우가 없다. 주의: 전보다 적게 돌아오거나, 앱이 공개했던 입력한 글이 돌아오지 않는다.",
            ja: "破っている: ウインドウが1つも戻らない。注意: 以前より少ないか、アプリが公開していた入力文字が戻らない。"),
        mend: Words(
            "Save state as it changes, not only at the end, and restore it at the start; keep app ids stable.",
            ko: "끝날 때만이 아니라 바뀔 때마다 상태를 저장하고 시작할 때 되돌리며, 앱 ID를 바꾸지 마십시오.",
            ja: "終了時だけでなく変更のたびに状態を保存し、起動時に復元します。app idは変えないようにします。")
    ) { visit in
        let window = try visit.window()
        try visit.rest()
        try typeIntoContent(visit, window)
        visit.settle(1500)
        var before = KeptState(try visit.windows())
        before.isTextSeen = try visit.texts().contains { $0.contains(typedWord) }
        // The store writes half a second after a change, and programs that save by time do so within a few seconds.
        try visit.wait(2.5, every: 0.3) { false }
        try visit.restartShell(killing: try visit.processes)
        let isKept = try visit.wait(6, every: 0.1) { try visit.state().windows.contains { $0.placeholder == true } }
        if !isKept { return [Finding(.couldNotTell, part: "kept", .noWindowKept)] }
        return [judge(reboot: before, after: try visit.comeBack(count: before.count))]
    }

    static func judge(reboot before: KeptState, after: KeptState) -> Finding {
        let evidence = evidence(before, after)
        if after.count == 0 { return Finding(.broken, part: "gone", .noWindowAfterRestart, evidence: evidence) }
        if after.count < before.count { return Finding(.warning, part: "windows", .someWindowsMissingAfterRestart, evidence: evidence) }
        if before.isTextSeen, !after.isTextSeen { return Finding(.warning, part: "text", .textLostAfterRestart, evidence: evidence) }
        return Finding(.kept, .windowsBack, evidence: evidence)
    }
}
