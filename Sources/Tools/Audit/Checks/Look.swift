import Chrome
import Geometry
import Windows

extension Visit {
    private static let settings = "org.gnome.desktop.interface"

    /// Ends the check if apps cannot read this setting of the desktop.
    fileprivate func needSetting(_ key: String) throws {
        guard room.tool(["gsettings", "get", Self.settings, key])?.status == 0 else {
            throw Untold(.noSettings, part: "settings")
        }
    }

    /// - Parameter value: nil for the default.
    fileprivate func set(_ key: String, _ value: String?) {
        _ = room.tool(value.map { ["gsettings", "set", Self.settings, key, $0] } ?? ["gsettings", "reset", Self.settings, key])
    }
}

extension Check {
    static let dark = Check(
        "dark", rules: ["X-05"], weight: 3,
        title: Words("Follows the dark appearance", ko: "어두운 화면 모드를 따른다", ja: "ダークの外観に従う"),
        does: Words(
            "Switches to the dark appearance, and compares the brightness of the window.",
            ko: "어두운 화면 모드로 바꾸고 윈도우의 밝기를 비교한다.",
            ja: "ダークの外観に切り替え、ウインドウの明るさを比べる。"),
        counts: Words(
            "Warning: a bright window stays as bright. Could not tell: no settings service (gsettings) is installed.",
            ko: "주의: 밝은 윈도우가 밝은 채로 있다. 판단 불가: 설정 서비스(gsettings)가 설치되어 있지 않다.",
            ja: "注意: 明るいウインドウが明るいままである。判断できない: 設定サービス（gsettings）がインストールされていない。"),
        mend: Words(
            "Follow org.freedesktop.appearance color-scheme.", ko: "org.freedesktop.appearance color-scheme을 따르십시오.",
            ja: "org.freedesktop.appearanceのcolor-schemeに従います。")
    ) { visit in
        try visit.needSetting("color-scheme")
        let window = try visit.window()
        guard let bright = try visit.needPicture(of: window.id).meanColour() else { throw Untold(.noPicture) }
        // The settings that the shell writes on the session's own bus, which a room does not have.
        let settings = [("color-scheme", "prefer-dark"), ("gtk-theme", "Adwaita-dark")]
        for (key, value) in settings { visit.set(key, value) }
        try visit.client.perform(.darkAppearance(true))
        defer {
            try? visit.client.perform(.darkAppearance(false))
            for (key, _) in settings { visit.set(key, nil) }
            _ = try? visit.wait(0.8) { false }
        }
        try visit.wait(3, every: 0.4) {
            guard let now = visit.picture(of: window.id)?.meanColour() else { return true }
            return brightness(now) < brightness(bright) - 40
        }
        guard let dark = visit.picture(of: window.id)?.meanColour() else { return [Finding(.broken, part: "closed", .closedInDark)] }
        let finding = judge(bright: brightness(bright), dark: brightness(dark))
        return [
            finding.verdict == .kept
                ? finding
                : Finding(finding.verdict, part: finding.part, finding.why, evidence: finding.evidence, pictures: visit.keepPicture("dark"))
        ]
    }

    /// From 0 to 255.
    private static func brightness(_ colour: Picture.Pixel) -> Int { (Int(colour.red) * 3 + Int(colour.green) * 6 + Int(colour.blue)) / 10 }

    static func judge(bright: Int, dark: Int) -> Finding {
        let evidence = [Phrase.brightness(bright, dark: dark)]
        if bright < 90 { return Finding(.kept, .alwaysDark, evidence: evidence) }
        if dark < bright - 40 { return Finding(.kept, .becomesDarker, evidence: evidence) }
        return Finding(.warning, part: "bright", .staysBright, evidence: evidence)
    }

    static let largeText = Check(
        "large-text", rules: ["X-05"], weight: 4,
        title: Words("Follows larger text", ko: "큰 글자를 따른다", ja: "大きな文字に従う"),
        does: Words(
            "Sets the text scaling factor to 1.6, and compares the picture of the window.",
            ko: "글자 배율을 1.6으로 바꾸고 윈도우의 그림을 비교한다.",
            ja: "文字の拡大率を1.6にし、ウインドウの画像を比べる。"),
        counts: Words(
            "Broken: the window closes. Warning: nothing changes. Could not tell: no settings service, or the content moves by itself.",
            ko: "어김: 윈도우가 닫힌다. 주의: 아무것도 바뀌지 않는다. 판단 불가: 설정 서비스가 없거나, 내용이 저절로 움직인다.",
            ja: "破っている: ウインドウが閉じる。注意: 何も変わらない。判断できない: 設定サービスがないか、内容がひとりでに動く。"),
        mend: Words(
            "Measure text in the size that the desktop sets (text-scaling-factor).", ko: "데스크톱이 정한 글자 크기(text-scaling-factor)로 글자를 재십시오.",
            ja: "デスクトップが設定する文字サイズ（text-scaling-factor）で文字を測ります。")
    ) { visit in
        try visit.needSetting("text-scaling-factor")
        let window = try visit.window()
        let first = try visit.needPicture(of: window.id)
        Pause.sleep(0.8)
        let byItself = visit.picture(of: window.id).map { first.difference(from: $0, tolerance: 8).count } ?? 0
        visit.set("text-scaling-factor", "1.6")
        defer {
            visit.set("text-scaling-factor", nil)
            visit.settle(800)
        }
        let limit = max(byItself * 4, first.pixels.count / 1000)
        var between = 0
        try visit.wait(3, every: 0.4) {
            guard let now = visit.picture(of: window.id) else { return true }
            between = first.difference(from: now, tolerance: 8).count
            return between > limit
        }
        if try visit.state()[window.id] == nil { return [Finding(.broken, part: "closed", .closedWithLargeText)] }
        return [
            judge(
                largeText: SameEvidence(pixels: first.pixels.count, byItself: byItself, between: between),
                hasText: try visit.nodes().map(hasText) ?? true)
        ]
    }

    /// Whether words are in sight, and not only the title of a window.
    static func hasText(_ nodes: [Assistive.Node]) -> Bool {
        nodes.contains { node in
            let words =
                Assistive.Role.texts.contains(node.role)
                ? node.text ?? "" : node.isControl || node.role == Assistive.Role.label ? node.name : ""
            return node.has(.showing) && !words.allSatisfy(\.isWhitespace)
        }
    }

    /// - Parameter hasText: false if the app says that it shows no words.
    static func judge(largeText evidence: SameEvidence, hasText: Bool = true) -> Finding {
        let words = [Phrase.pixelsChanged(evidence.between, of: evidence.pixels, byThemselves: evidence.byItself)]
        if evidence.byItself > evidence.pixels / 20 { return Finding(.couldNotTell, part: "moves", .contentMoves, evidence: words) }
        if evidence.between > max(evidence.byItself * 4, evidence.pixels / 1000) {
            return Finding(.kept, .followsTextSize, evidence: words)
        }
        if !hasText { return Finding(.couldNotTell, part: "text", .showsNoText, evidence: words) }
        return Finding(.warning, part: "same", .ignoresTextSize, evidence: words)
    }
}
