import Control
import Windows

extension Check {
    static let reboot = Check(
        "reboot", rules: ["W-20", "S-04"], weight: 5, isQuick: false,
        title: Words("Comes back after a restart of the device", ko: "기기를 다시 시작해도 돌아온다", ja: "デバイスの再起動後に戻る"),
        does: "Types a word, waits until the shell has kept the arrangement, ends the shell and the app at once, as a loss of power does, starts the shell again with "
            + "the same home, and shows the windows that come back.",
        counts: "Broken: no window comes back. Warning: fewer than before, or the typed text, which the app exposed before, does not.",
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
        if !isKept { return [Finding(.couldNotTell, part: "kept", "the shell kept no window of it")] }
        return [judge(reboot: before, after: try visit.comeBack(count: before.count))]
    }

    static func judge(reboot before: KeptState, after: KeptState) -> Finding {
        let evidence = evidence(before, after)
        if after.count == 0 { return Finding(.broken, part: "gone", "no window comes back after a restart", evidence: evidence) }
        if after.count < before.count { return Finding(.warning, part: "windows", "not all windows come back after a restart", evidence: evidence) }
        if before.isTextSeen, !after.isTextSeen { return Finding(.warning, part: "text", "what was typed is lost after a restart", evidence: evidence) }
        return Finding(.kept, "its windows come back", evidence: evidence)
    }
}
