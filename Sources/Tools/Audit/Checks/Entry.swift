import Desktop
import FoundationEssentials
import Glibc
import Windows

extension Check {
    static let entry = Check(
        "desktop-entry", rules: ["X-03"], weight: 4, needsWindow: false,
        title: Words("Has a desktop entry that names its windows", ko: "윈도우와 이어지는 데스크톱 항목이 있다", ja: "ウインドウに結び付くデスクトップエントリがある"),
        does: Words(
            "Reads the app's desktop entry, runs desktop-file-validate if it is installed, and compares the entry's id and StartupWMClass with the app id of the first window.",
            ko: "앱의 데스크톱 항목을 읽고, desktop-file-validate가 있으면 실행하며, 항목의 ID와 StartupWMClass를 첫 윈도우의 앱 ID와 비교한다.",
            ja: "アプリのデスクトップエントリを読み、desktop-file-validateがあれば実行し、エントリのidとStartupWMClassを最初のウインドウのapp idと比べる。"),
        counts: Words(
            "Broken: the entry is invalid. Warning: neither its id nor StartupWMClass is the app id of its windows, so that a shell cannot tell whose they are. "
                + "Not applicable: a plain command.",
            ko: "어김: 항목이 올바르지 않다. 주의: 항목의 ID도 StartupWMClass도 윈도우의 앱 ID와 달라, 셸이 누구의 윈도우인지 알 수 없다. 해당 없음: 단순한 명령이다.",
            ja: "破っている: エントリが無効である。注意: idもStartupWMClassもウインドウのapp idと異なり、シェルには誰のウインドウか分からない。該当なし: 単なるコマンドである。"),
        mend: Words(
            "Name the desktop file after the app id that the windows set, or set StartupWMClass to it.",
            ko: "데스크톱 파일 이름을 윈도우가 설정하는 앱 ID와 같게 하거나 StartupWMClass를 그 ID로 설정하십시오.",
            ja: "デスクトップファイル名をウインドウのapp idに合わせるか、StartupWMClassにそのidを設定します。")
    ) { visit in
        guard let entry = visit.subject.entry, let file = visit.subject.file else { return [Finding(.notApplicable, .commandHasNoEntry)] }
        if !visit.start.wasTried { try visit.launch() }
        // A picture of the start may come first, which belongs to no app.
        try visit.wait(20, every: 0.1) {
            let windows = try visit.windows()
            return !visit.isStarted || !windows.isEmpty && windows.allSatisfy { !$0.appID.isEmpty }
        }
        let messages = visit.room.tool(["desktop-file-validate", "--no-hints", "--no-warn-deprecated", file]).map { tool in
            // Validators older than the entry's specification do not know its newer keys.
            tool.output.split(separator: "\n").filter { $0.contains(": error:") && !$0.contains("\"SingleMainWindow\"") }.map { line in
                line.hasPrefix("\(file): ") ? String(line.dropFirst(file.count + 2)) : String(line)
            }
        }
        return [judge(entry, errors: messages, appIDs: try visit.windows().filter { $0.parent == nil }.map(\.appID))]
    }

    /// - Parameter errors: of desktop-file-validate; nil if it is not installed.
    static func judge(_ entry: DesktopEntry, errors: [String]?, appIDs: [String]) -> Finding {
        if let errors, !errors.isEmpty { return Finding(.broken, part: "valid", .invalidEntry, evidence: errors.map { .verbatim($0) }) }
        let names = [entry.id, entry.windowClass].compactMap { $0?.lowercased() }
        let strays = Set(appIDs.filter { id in !names.contains { $0 == id.lowercased() } }).sorted()
        let evidence =
            [Phrase.entry(id: entry.id, windowClass: entry.windowClass)]
            + (errors == nil ? [.noEntryValidator] : [])
        if !strays.isEmpty {
            return Finding(.warning, part: "app-id", .foreignAppID, evidence: evidence + strays.map { .appID($0) })
        }
        if appIDs.isEmpty { return Finding(.couldNotTell, .noAppID, evidence: evidence) }
        return Finding(.kept, .entryNamesWindows, evidence: evidence)
    }

    static let icon = Check(
        "icon", rules: ["X-03"], weight: 3, needsWindow: false,
        title: Words("Has an icon of its own", ko: "고유한 아이콘이 있다", ja: "固有のアイコンがある"),
        does: Words(
            "Looks up the entry's icon at 48, 64 and 128 pixels in the icon theme.",
            ko: "항목의 아이콘을 아이콘 테마에서 48, 64, 128픽셀로 찾는다.",
            ja: "エントリのアイコンを、アイコンテーマから48、64、128ピクセルで探す。"),
        counts: Words(
            "Broken: no icon is named or found. Warning: the largest file is smaller than 64 pixels.",
            ko: "어김: 아이콘이 지정되지 않았거나 찾을 수 없다. 주의: 가장 큰 파일이 64픽셀보다 작다.",
            ja: "破っている: アイコンの指定がないか、見つからない。注意: 最大のファイルが64ピクセルより小さい。"),
        mend: Words(
            "Install a scalable icon, or one of 128 pixels, in hicolor under the name in the desktop entry.",
            ko: "크기 조절이 되는 아이콘이나 128픽셀 아이콘을 데스크톱 항목의 이름으로 hicolor에 설치하십시오.",
            ja: "拡大縮小できるアイコンか128ピクセルのものを、デスクトップエントリの名前でhicolorにインストールします。")
    ) { visit in
        guard let entry = visit.subject.entry else { return [Finding(.notApplicable, .commandHasNoIcon)] }
        guard let icon = entry.icon, !icon.isEmpty else { return [Finding(.broken, part: "named", .entryNamesNoIcon)] }
        let catalogue = AppCatalogue(environment: visit.room.environment)
        guard let file = catalogue.findIcon(icon, 128) else {
            return [Finding(.broken, part: "found", .iconMissing, evidence: [.verbatim("Icon=\(icon)")])]
        }
        return [judge(iconFile: file)]
    }

    static func judge(iconFile file: String) -> Finding {
        // Folders of themes say the size: …/48x48/apps/….png
        let side = file.split(separator: "/").lazy.compactMap { part -> Int? in
            let sides = part.split(separator: "x")
            return sides.count == 2 ? Int(sides[0]) : nil
        }.first
        if file.hasSuffix(".png"), let side, side < 64 {
            return Finding(.warning, part: "size", .iconTooSmall, evidence: [.verbatim(file)])
        }
        return Finding(.kept, .iconInstalled, evidence: [.verbatim(file)])
    }

    static let appStream = Check(
        "appstream", rules: ["X-03"], weight: 1, isQuick: false, needsWindow: false,
        title: Words("Describes itself for software centres", ko: "소프트웨어 센터를 위한 설명이 있다", ja: "ソフトウェアセンター向けの説明がある"),
        does: Words(
            "Looks for AppStream metadata of the app, and validates it with appstreamcli if that is installed, without network.",
            ko: "앱의 AppStream 메타데이터를 찾고, appstreamcli가 있으면 네트워크 없이 검증한다.",
            ja: "アプリのAppStreamメタデータを探し、appstreamcliがあればネットワークなしで検証する。"),
        counts: Words(
            "Warning: there is none, or it has errors.",
            ko: "주의: 메타데이터가 없거나 오류가 있다.",
            ja: "注意: メタデータがないか、エラーがある。"),
        mend: Words(
            "Install a metainfo file in share/metainfo that launches the desktop id.",
            ko: "데스크톱 ID를 실행 대상으로 하는 metainfo 파일을 share/metainfo에 설치하십시오.",
            ja: "デスクトップidを起動対象とするmetainfoファイルをshare/metainfoにインストールします。")
    ) { visit in
        guard let entry = visit.subject.entry else { return [Finding(.notApplicable, .commandHasNoMetadata)] }
        guard let file = metadata(of: entry.id, folders: DesktopEntries.folders(environment: visit.room.environment)) else {
            return [Finding(.warning, part: "missing", .noMetadata)]
        }
        guard let tool = visit.room.tool(["appstreamcli", "validate", "--no-net", "--no-color", file]) else {
            return [Finding(.kept, .hasMetadata, evidence: [.verbatim(file), .noMetadataValidator])]
        }
        let errors = tool.output.split(separator: "\n").filter { $0.hasPrefix("E:") }.map(String.init)
        return [
            errors.isEmpty
                ? Finding(.kept, .hasMetadata, evidence: [.verbatim(file)])
                : Finding(.warning, part: "valid", .invalidMetadata, evidence: errors.map { .verbatim($0) })
        ]
    }

    /// The metainfo file that is named after the app, or names it as its launchable.
    static func metadata(of id: String, folders: [String]) -> String? {
        for folder in folders.flatMap({ ["\($0)/metainfo", "\($0)/appdata"] }) {
            for suffix in ["metainfo.xml", "appdata.xml"] {
                for name in ["\(id).\(suffix)", "\(id).desktop.\(suffix)"] where access("\(folder)/\(name)", R_OK) == 0 {
                    return "\(folder)/\(name)"
                }
            }
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() where name.hasSuffix(".xml") {
                guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)"), data.count < 4 << 20 else { continue }
                let text = String(decoding: data, as: UTF8.self)
                if text.contains(">\(id).desktop<") { return "\(folder)/\(name)" }
            }
        }
        return nil
    }
}
