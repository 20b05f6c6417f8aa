import AudioSessions
import Control
import FoundationEssentials

extension Check {
    static let interrupted = Check(
        "sound-interrupted", rules: ["A-18", "A-17", "A-15"], weight: 5,
        title: Words("Gives way to calls and alarms, and resumes", ko: "통화와 알람에 자리를 내주고 다시 잇는다", ja: "通話やアラームに譲り、再開する"),
        does: Words(
            "Plays a call for 3 s while the app plays, and ends it; then an alarm and a spoken prompt (not in the quick audit).",
            ko: "앱이 재생하는 동안 통화 소리를 3초 내고 끝낸다. 그다음 알람과 안내 음성을 낸다(빠른 감사에서는 하지 않는다).",
            ja: "アプリの再生中に通話の音を3秒鳴らして止める。次にアラームと音声案内を鳴らす（クイック監査では行わない）。"),
        counts: Words(
            "Broken: it plays again before the other sound ends. Warning: it plays on unheard, or stays silent afterwards although nobody paused it. "
                + "Not applicable: it plays nothing by itself.",
            ko: "어김: 다른 소리가 끝나기 전에 다시 재생한다. 주의: 들리지 않는데 재생을 계속하거나, 아무도 멈추지 않았는데 그 뒤 조용하다. 해당 없음: 스스로 아무것도 재생하지 않는다.",
            ja: "破っている: ほかの音が終わる前に再び再生する。注意: 聞こえないのに再生を続けるか、誰も止めていないのにその後音を出さない。該当なし: 自分からは何も再生しない。"),
        mend: Words(
            "Offer a player on the session bus (MPRIS) that pauses and plays, or follow the interruptions of an audio session.",
            ko: "일시 정지와 재생이 되는 플레이어를 세션 버스(MPRIS)에 두거나 오디오 세션의 중단 신호를 따르십시오.",
            ja: "一時停止と再生に応じるプレーヤーをセッションバス（MPRIS）に公開するか、オーディオセッションの割り込みに従います。")
    ) { visit in
        try visit.needSounds()
        var findings: [Finding] = []
        for role in visit.isQuick ? ["Phone"] : ["Phone", "Alarm", "Announcement"] {
            guard try visit.wait(4, every: 0.2, { try visit.isSounding() }) else { break }
            var evidence = InterruptionEvidence(role: role)
            guard let other = try visit.play(role: role) else { throw Untold(.noPlayer, part: "tools") }
            defer { visit.room.stop(other) }
            evidence.isHeard = try visit.wait(4, every: 0.1) { try visit.isPlaying(process: other) }
            guard evidence.isHeard else {
                findings.append(judge(evidence))
                break
            }
            evidence.gaveWay = try visit.wait(1.5, every: 0.1) { try !visit.isHeard() }
            evidence.stopped = try visit.wait(1.5, every: 0.1) { try !visit.isRunning() }
            evidence.isSilenced = try (visit.sounds() ?? []).contains { !$0.interruptedBy.isEmpty }
            // The shell takes sound that begins now for sound that a person started.
            evidence.cameBack = evidence.gaveWay && evidence.stopped ? try visit.wait(2, every: 0.1) { try visit.isRunning() } : false
            visit.room.stop(other)
            try visit.wait(3, every: 0.1) { try !visit.isPlaying(process: other) }
            evidence.resumed = try visit.wait(5, every: 0.1) { try visit.isHeard() }
            findings.append(judge(evidence))
        }
        return unite(findings)
    }

    struct InterruptionEvidence: Hashable {
        /// The media role of the other sound.
        var role = "Phone"
        /// Whether the other sound played.
        var isHeard = true
        /// Whether the app was not heard at full level any more: interrupted, ducked or paused.
        var gaveWay = false
        /// Whether its streams stopped.
        var stopped = false
        /// Whether the shell silences it. Streams that the shell only lowers may run on.
        var isSilenced = false
        /// Whether it played again before the other sound ended.
        var cameBack = false
        /// Whether it was heard again afterwards.
        var resumed = false
    }

    static func judge(_ evidence: InterruptionEvidence) -> Finding {
        let words = [
            Phrase.about(
                .otherSound(role: evidence.role),
                .list([
                    .gaveWay(evidence.gaveWay), .streamsStopped(evidence.stopped), .heardAfterwards(evidence.resumed),
                ]))
        ]
        guard evidence.isHeard else { return Finding(.couldNotTell, part: "other", .otherSoundSilent, evidence: words) }
        if evidence.cameBack { return Finding(.broken, part: "over", .playsOverOther, evidence: words) }
        if !evidence.resumed { return Finding(.warning, part: "silent", .silentAfterInterruption, evidence: words) }
        if evidence.isSilenced, !evidence.stopped {
            return Finding(.warning, part: "unheard", .playsUnheard, evidence: words)
        }
        return Finding(.kept, .givesWay, evidence: words)
    }

    static let headphones = Check(
        "headphones", rules: ["A-09", "A-08"], weight: 6,
        title: Words("Pauses when headphones are pulled out", ko: "헤드폰을 뽑으면 멈춘다", ja: "ヘッドホンを抜くと一時停止する"),
        does: Words(
            "Plugs headphones in while the app plays, and pulls them out.",
            ko: "앱이 재생하는 동안 헤드폰을 꽂았다가 뽑는다.",
            ja: "アプリの再生中にヘッドホンを差し込み、抜く。"),
        counts: Words(
            "Broken: it is heard from the speaker within 3 s, without a person. Warning: it pauses when headphones are plugged in, or plays on unheard after they "
                + "are pulled out. Not applicable: it plays nothing by itself.",
            ko: "어김: 사람이 하지 않았는데 3초 안에 스피커에서 소리가 난다. 주의: 헤드폰을 꽂으면 멈추거나, 뽑은 뒤 들리지 않는데 재생을 계속한다. 해당 없음: 스스로 아무것도 재생하지 않는다.",
            ja: "破っている: 人が操作していないのに、3秒以内にスピーカーから聞こえる。注意: ヘッドホンを差し込むと止まるか、抜いた後に聞こえないのに再生を続ける。該当なし: 自分からは何も再生しない。"),
        mend: Words(
            "Pause when the player on the session bus (MPRIS) is asked to, or the audio session is interrupted with routeDisconnected, and wait for a person.",
            ko: "세션 버스의 플레이어(MPRIS)가 요청받거나 오디오 세션이 routeDisconnected로 중단되면 일시 정지하고 사람을 기다리십시오.",
            ja: "セッションバスのプレーヤー（MPRIS）が求められたとき、またはオーディオセッションがrouteDisconnectedで割り込まれたときは一時停止し、人を待ちます。")
    ) { visit in
        try visit.needSounds()
        guard try visit.plugHeadphones() else { throw Untold(.noHeadphones, part: "tools") }
        var evidence = HeadphonesEvidence()
        evidence.playsOnPlugged = try visit.wait(2, every: 0.1) { try visit.isHeard() }
        guard try visit.pullHeadphones() else { throw Untold(.headphonesStay, part: "tools") }
        // The shell disconnects it before it asks it to pause.
        try visit.wait(1.2) { try !visit.isHeard() }
        evidence.heardAfterwards = try visit.wait(3, every: 0.1) { try visit.isHeard() }
        evidence.stopped = try !visit.isRunning()
        return [judge(evidence)]
    }

    struct HeadphonesEvidence: Hashable {
        var playsOnPlugged = true
        var heardAfterwards = false
        var stopped = true
    }

    static func judge(_ evidence: HeadphonesEvidence) -> Finding {
        let words = [
            Phrase.list([
                .playsOnPlugged(evidence.playsOnPlugged), .heardPulled(evidence.heardAfterwards), .streamsStopped(evidence.stopped),
            ])
        ]
        if evidence.heardAfterwards { return Finding(.broken, part: "speaker", .heardFromSpeaker, evidence: words) }
        if !evidence.playsOnPlugged { return Finding(.warning, part: "plugged", .stopsWhenPlugged, evidence: words) }
        if !evidence.stopped { return Finding(.warning, part: "unheard", .playsUnheard, evidence: words) }
        return Finding(.kept, .pausesAndWaits, evidence: words)
    }
}

extension Visit {
    private static let headphones = "audit-headphones"

    /// Whether a sound of the app reaches a person at its full level: it plays, nothing interrupts it, and nothing ducks it.
    func isHeard() throws -> Bool {
        try sounds()?.contains { session in
            session.isPlaying && session.state == "active" && session.interruptedBy.isEmpty && session.duckedBy.isEmpty
                && session.streams.contains { $0.isRunning && $0.isConnected && !$0.isInput }
        } ?? false
    }

    /// Whether streams of the app run, heard or not.
    func isRunning() throws -> Bool { try sounds()?.contains { $0.streams.contains { $0.isRunning && !$0.isInput } } ?? false }

    func isPlaying(process: Int32) throws -> Bool {
        try client.ask(.get(.audio), for: SoundReport.self).sessions.contains { $0.isPlaying && $0.app.lineage.contains(process) }
    }

    /// Plays another sound of this role. Returns its process; nil if the tool is missing.
    func play(role: String) throws -> Int32? {
        let file = "\(room.path)/home/other.wav"
        try Data(Self.tone(seconds: 20)).write(to: URL(filePath: file))
        return room.start(["pw-cat", "-p", "--media-role", role, file])
    }

    /// A quiet tone: 16 bits, one channel, 8000 a second.
    static func tone(seconds: Int) -> [UInt8] {
        let count = seconds * 8000
        func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        var bytes =
            Array("RIFF".utf8) + word(36 + 2 * count) + Array("WAVEfmt ".utf8) + word(16) + [1, 0, 1, 0] + word(8000) + word(16000) + [
                2, 0, 16, 0,
            ]
        bytes += Array("data".utf8) + word(2 * count)
        for index in 0..<count { bytes += index / 10 % 2 == 0 ? [0, 4] : [0, 252] }
        return bytes
    }

    /// Returns whether the shell uses them.
    fileprivate func plugHeadphones() throws -> Bool {
        let properties = [
            "factory.name=support.null-audio-sink", "node.name=\(Self.headphones)", "node.description=Headphones", "media.class=Audio/Sink",
            "object.linger=true", "audio.position=[FL FR]", "monitor.channel-volumes=true", "session.suspend-timeout-seconds=0",
            "device.api=test",
            "priority.driver=1000", "device.form-factor=headphone", "priority.session=1100",
        ]
        guard room.tool(["pw-cli", "create-node", "adapter", "{ \(properties.joined(separator: " ")) }"]) != nil else { return false }
        return try wait(5, every: 0.1) { try client.ask(.get(.audio), for: SoundReport.self).output == Self.headphones }
    }

    fileprivate func pullHeadphones() throws -> Bool {
        _ = room.tool(["pw-cli", "destroy", Self.headphones])
        return try wait(5) { try !client.ask(.get(.audio), for: SoundReport.self).outputs.contains { $0.id == Self.headphones } }
    }
}
