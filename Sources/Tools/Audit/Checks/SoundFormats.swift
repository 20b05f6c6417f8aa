import FoundationEssentials
import Glibc

extension Check {
    static let soundFormats = Check(
        "sound-formats", rules: ["A-24"], weight: 1, isQuick: false, needsWindow: false,
        title: Words("Ships sounds in the recommended format", ko: "권장 형식의 소리를 담고 있다", ja: "推奨形式の音声を収録している"),
        does: Words(
            "Reads the headers of the audio files in the app's package (dpkg), or in the folder of an app that no package has, at most 200.",
            ko: "앱의 패키지(dpkg)나, 패키지에 없는 앱이면 그 폴더에 있는 오디오 파일의 헤더를 최대 200개까지 읽는다.",
            ja: "アプリのパッケージ（dpkg）、またはパッケージにないアプリならそのフォルダにあるオーディオファイルのヘッダを、最大200個読む。"),
        counts: Words(
            "Warning: files of more than 1 MiB in other formats than AAC or Opus. Could not tell: neither the package nor a folder of its own is known.",
            ko: "주의: 1 MiB가 넘는 파일이 AAC나 Opus가 아닌 형식이다. 판단 불가: 패키지도 고유한 폴더도 알 수 없다.",
            ja: "注意: 1 MiBを超えるファイルがAACでもOpusでもない形式である。判断できない: パッケージも固有のフォルダも分からない。"),
        mend: Words(
            "Ship long sounds as HE-AAC with 64 kbps.", ko: "긴 소리는 64 kbps HE-AAC로 담으십시오.", ja: "長い音声は64 kbpsのHE-AACで収録します。")
    ) { visit in
        guard let files = packaged(visit) ?? unpackaged(visit) else {
            throw Untold(.filesUnknown, part: "package")
        }
        let endings: Set<String> = ["wav", "mp3", "ogg", "oga", "opus", "flac", "m4a", "aac", "aiff", "mid"]
        let names = files.filter { endings.contains($0.split(separator: ".").last.map { $0.lowercased() } ?? "") }
        return [judge(sounds: names.prefix(200).compactMap { sound(at: $0) })]
    }

    private static func packaged(_ visit: Visit) -> [String]? {
        guard let file = visit.subject.file ?? executable(visit), let owner = visit.room.tool(["dpkg-query", "-S", file]),
            owner.status == 0,
            let package = owner.output.split(separator: ":").first, let listing = visit.room.tool(["dpkg-query", "-L", String(package)])
        else { return nil }
        return listing.output.split(separator: "\n").map(String.init)
    }

    /// The files beside a program or script that lies in a folder of its own, as one that was just built does.
    private static func unpackaged(_ visit: Visit) -> [String]? {
        let shared: Set<String> = ["/bin", "/usr/bin", "/usr/local/bin", "/usr/games", "/sbin", "/usr/sbin"]
        let folders = visit.subject.command.filter { $0.hasPrefix("/") && access($0, R_OK) == 0 }.map { path in
            String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
        guard let folder = folders.first(where: { !$0.isEmpty && !shared.contains($0) }) else { return nil }
        return (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted().map { "\(folder)/\($0)" }
    }

    private static func executable(_ visit: Visit) -> String? {
        guard let name = visit.subject.command.first else { return nil }
        let path =
            name.hasPrefix("/")
            ? name : visit.room.environment["PATH"]?.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
        return path
    }

    struct ShippedSound: Hashable {
        var file: String
        var format: String
        var bytes: Int
    }

    private static func sound(at path: String) -> ShippedSound? {
        var status = stat()
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var head = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &head, head.count)
        guard fstat(descriptor, &status) == 0, count > 12 else { return nil }
        return ShippedSound(file: path, format: format(ofHead: Array(head.prefix(count))), bytes: Int(status.st_size))
    }

    /// By the first bytes of the file.
    static func format(ofHead head: [UInt8]) -> String {
        func has(_ text: String, at offset: Int) -> Bool { head.dropFirst(offset).starts(with: Array(text.utf8)) }
        if has("RIFF", at: 0), has("WAVE", at: 8) { return "WAV" }
        if has("fLaC", at: 0) { return "FLAC" }
        if has("OggS", at: 0) { return has("OpusHead", at: 28) ? "Opus" : "Vorbis" }
        if has("ftyp", at: 4) { return "AAC" }
        if has("FORM", at: 0), has("AIFF", at: 8) { return "AIFF" }
        if has("MThd", at: 0) { return "MIDI" }
        if has("ID3", at: 0) || head.count > 1 && head[0] == 0xff && head[1] & 0xe6 == 0xe2 { return "MP3" }
        if head.count > 1, head[0] == 0xff, head[1] & 0xf6 == 0xf0 { return "AAC" }
        return "unknown"
    }

    static func judge(sounds: [ShippedSound]) -> Finding {
        if sounds.isEmpty { return Finding(.notApplicable, .noAudioFiles) }
        let long = sounds.filter { $0.bytes > 1 << 20 && $0.format != "AAC" && $0.format != "Opus" }
        let counts = Dictionary(grouping: sounds, by: \.format).map { "\($0.key): \($0.value.count)" }.sorted().map { Phrase.verbatim($0) }
        return long.isEmpty
            ? Finding(.kept, .soundsSmall, evidence: counts)
            : Finding(
                .warning, part: "format", .soundsLarge, evidence: counts + long.prefix(10).map { .verbatim("\($0.file): \($0.format)") })
    }
}
