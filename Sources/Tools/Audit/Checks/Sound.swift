import AudioSessions
import Clocks
import Control
import Windows

extension Visit {
    /// The sessions whose processes belong to the app; nil without a sound server.
    func sounds() throws -> [SessionsReport.Session]? {
        let report = try client.ask(.get(.audio), for: SoundReport.self)
        guard report.server else { return nil }
        let own = Set(try processes)
        return report.sessions.filter { session in session.app.id == subject.id || session.app.lineage.contains(where: own.contains) }
    }

    /// Ends the check without a sound server, or if the app plays nothing by itself. Returns the sessions of the app.
    @discardableResult
    func needSounds(playing isPlaying: Bool = true) throws -> [SessionsReport.Session] {
        guard let sounds = try sounds() else { throw Untold(.noSoundServer, part: "server") }
        // A player may need a moment for its first sound.
        if isPlaying, try !wait(start.moment + 2.5 - Clocks.monotonicSeconds, every: 0.2, isSounding) {
            throw Untold(.playsNothing, .notApplicable)
        }
        return isPlaying ? try self.sounds() ?? [] : sounds
    }

    func isSounding() throws -> Bool { try sounds()?.contains { $0.isPlaying && !$0.streams.allSatisfy(\.isInput) } ?? false }
}

extension Check {
    static let startSound = Check(
        "sound-at-start", rules: ["A-06", "A-01"], weight: 4,
        title: Words("Is silent until a person starts a sound", ko: "사람이 시작하기 전에는 조용하다", ja: "人が始めるまで音を出さない"),
        does: Words(
            "Listens for 2 s after the start without any input.",
            ko: "시작한 뒤 아무 입력 없이 2초 동안 듣는다.",
            ja: "起動後、何も入力せずに2秒間聞く。"),
        counts: Words(
            "Broken: it plays although no file was given to it. A player that was given a file may play, and so may a game, which the silence switch silences.",
            ko: "어김: 파일을 주지 않았는데 재생한다. 파일을 받은 플레이어는 재생해도 되고, 무음 스위치를 따르는 게임도 그렇다.",
            ja: "破っている: ファイルを渡していないのに再生する。ファイルを渡されたプレーヤーは再生してよく、消音スイッチで消えるゲームの音もよい。"),
        mend: Words("Play only what a person started.", ko: "사람이 시작한 것만 재생하십시오.", ja: "人が開始したものだけを再生します。")
    ) { visit in
        try visit.needSounds(playing: false)
        try visit.wait(2, every: 0.2) { try visit.isSounding() }
        let kinds = try (visit.sounds() ?? []).filter { $0.isPlaying && !$0.streams.allSatisfy(\.isInput) }.map(\.kind)
        return [judge(soundsAtStart: kinds, wasGivenFile: visit.subject.isGivenFile)]
    }

    static func judge(soundsAtStart kinds: [SoundKind], wasGivenFile: Bool) -> Finding {
        if kinds.isEmpty { return Finding(.kept, .silent) }
        if kinds.allSatisfy({ $0 == .gameAmbient || $0 == .gameSolo }) { return Finding(.kept, .playsGameSound) }
        return wasGivenFile ? Finding(.kept, .playsWhatItWasGiven) : Finding(.broken, part: "start", .playsUnasked)
    }

    static let soundRole = Check(
        "sound-role", rules: ["A-26", "A-01", "A-02", "A-03"], weight: 4,
        title: Words("Says what its sound is for", ko: "소리의 용도를 알린다", ja: "音声の用途を伝える"),
        does: Words(
            "Reads the categories and media roles of the app's streams while they play.",
            ko: "앱의 스트림이 재생되는 동안 그 범주와 미디어 역할을 읽는다.",
            ja: "アプリのストリームの再生中に、そのカテゴリとメディアの役割を読む。"),
        counts: Words(
            "Warning: a stream has no role, so that the shell can only mix it. Not applicable: it plays nothing by itself.",
            ko: "주의: 스트림에 역할이 없어 셸이 섞기만 할 수 있다. 해당 없음: 스스로 아무것도 재생하지 않는다.",
            ja: "注意: ストリームに役割がなく、シェルは混ぜることしかできない。該当なし: 自分からは何も再生しない。"),
        mend: Words(
            "Set media.role (Music, Movie, Communication, Game, …), or declare an audio session.",
            ko: "media.role(Music, Movie, Communication, Game 등)을 설정하거나 오디오 세션을 선언하십시오.",
            ja: "media.role（Music、Movie、Communication、Gameなど）を設定するか、オーディオセッションを宣言します。")
    ) { visit in
        let sounds = try visit.needSounds()
        return [judge(roles: sounds.filter(\.isPlaying).map { ($0.kind, $0.isDeclared) })]
    }

    static func judge(roles: [(kind: SoundKind, isDeclared: Bool)]) -> Finding {
        if roles.isEmpty { return Finding(.notApplicable, .playsNothing) }
        let evidence = roles.map { Phrase.list([.verbatim($0.kind.rawValue)] + ($0.isDeclared ? [.declared] : [])) }
        return roles.contains { $0.kind == .unknown && !$0.isDeclared }
            ? Finding(.warning, part: "role", .purposeUnknown, evidence: evidence) : Finding(.kept, .purposeKnown, evidence: evidence)
    }

    static let soundHidden = Check(
        "sound-hidden", rules: ["A-01", "A-02", "S-05"], weight: 6,
        title: Words("Stops what belongs to the foreground", ko: "전면에서만 나야 할 소리를 멈춘다", ja: "前面だけの音声を止める"),
        does: Words(
            "Hides the app while it plays, and reads whether its streams run on.",
            ko: "재생하는 앱을 숨기고, 스트림이 계속되는지 읽는다.",
            ja: "再生中のアプリを隠し、ストリームが続くかどうかを読む。"),
        counts: Words(
            "Broken: a sound of a category that is not for the background runs on for 3 s. Not applicable: it plays nothing by itself.",
            ko: "어김: 백그라운드용이 아닌 범주의 소리가 3초 동안 계속된다. 해당 없음: 스스로 아무것도 재생하지 않는다.",
            ja: "破っている: バックグラウンド用でないカテゴリの音声が3秒間続く。該当なし: 自分からは何も再生しない。"),
        mend: Words(
            "Pause games and effects when the window is hidden; declare playback for music and films.",
            ko: "윈도우가 숨겨지면 게임과 효과음을 멈추고, 음악과 영상은 playback으로 선언하십시오.", ja: "ウインドウが隠れたらゲームや効果音を止め、音楽と映像はplaybackとして宣言します。")
    ) { visit in
        try visit.needSounds()
        try visit.hide()
        try visit.wait(3, every: 0.3) { try !visit.isSounding() }
        let running = try (visit.sounds() ?? []).filter { session in session.streams.contains { $0.isRunning && !$0.isInput } }
        return [judge(hidden: running.map { ($0.category, $0.kind) })]
    }

    static func judge(hidden running: [(category: Category, kind: SoundKind)]) -> Finding {
        let evidence = running.map { Phrase.verbatim("\($0.category.rawValue), \($0.kind.rawValue)") }
        return running.contains { $0.category == .ambient || $0.category == .soloAmbient }
            ? Finding(.broken, part: "runs", .foregroundSoundRunsOn, evidence: evidence)
            : Finding(.kept, .backgroundSoundOnly, evidence: evidence)
    }

    static let soundKeys = Check(
        "sound-keys", rules: ["A-12", "A-13"], weight: 3,
        title: Words("Does not start when Play is pressed elsewhere", ko: "다른 곳의 재생 버튼에 시작하지 않는다", ja: "他での再生ボタンで始まらない"),
        does: Words(
            "Sends Play from the keyboard while the app is silent.",
            ko: "앱이 조용할 때 키보드에서 재생을 보낸다.",
            ja: "アプリが音を出していないときに、キーボードから再生を送る。"),
        counts: Words(
            "Broken: it begins to play although it was no source before.",
            ko: "어김: 전에 재생하던 것이 아닌데 재생을 시작한다.",
            ja: "破っている: それまで再生していなかったのに、再生を始める。"),
        mend: Words(
            "Offer a player on the bus only while there is something to play.", ko: "재생할 것이 있을 때만 버스에 플레이어를 두십시오.",
            ja: "再生するものがあるときだけ、バスにプレーヤーを公開します。")
    ) { visit in
        try visit.needSounds(playing: false)
        if try visit.isSounding() { return [Finding(.notApplicable, .playIsMeantForIt)] }
        try? visit.client.perform(.audio(.remote(.play, .key)))
        let begins = try visit.wait(2, every: 0.2) { try visit.isSounding() }
        if begins { try? visit.client.perform(.audio(.remote(.pause, .key))) }
        return [judge(beginsOnPlay: begins)]
    }

    static func judge(beginsOnPlay: Bool) -> Finding {
        beginsOnPlay ? Finding(.broken, part: "play", .beginsToPlay) : Finding(.kept, .staysSilent)
    }

    static let notifications = Check(
        "notifications", rules: ["S-07", "A-22"], weight: 4,
        title: Words("Notifies sparingly", ko: "알림을 아껴 보낸다", ja: "通知を控えめにする"),
        does: Words(
            "Reads the notifications that arrived from the start until now, without an act of a person.",
            ko: "시작부터 지금까지 사람의 행동 없이 온 알림을 읽는다.",
            ja: "起動から今までに、人の操作なしに届いた通知を読む。"),
        counts: Words(
            "Broken: one that is time-sensitive or critical. Warning: any other that shows a banner.",
            ko: "어김: 시간에 민감하거나 긴급한 알림이 왔다. 주의: 배너를 보이는 다른 알림이 왔다.",
            ja: "破っている: 即時または緊急の通知が届いた。注意: バナーを表示するほかの通知が届いた。"),
        mend: Words(
            "Leave what needs no attention in the app; notify only of what a person waits for.",
            ko: "주의가 필요 없는 것은 앱 안에 두고, 사람이 기다리는 것만 알리십시오.",
            ja: "注意が不要なものはアプリ内に留め、人が待っているものだけを通知します。")
    ) { visit in
        let report = try visit.client.ask(.get(.notifications), for: NoticeReport.self)
        return [judge(levels: report.notifications.map(\.level))]
    }

    static func judge(levels: [String]) -> Finding {
        let evidence = levels.map { Phrase.notification(level: $0) }
        if levels.contains(where: { $0 == "critical" || $0.hasPrefix("time") }) {
            return Finding(.broken, part: "level", .urgentNotice, evidence: evidence)
        }
        if levels.contains(where: { $0 != "passive" }) { return Finding(.warning, part: "banner", .unaskedNotice, evidence: evidence) }
        return Finding(.kept, .notifiedOfNothing, evidence: evidence)
    }
}
