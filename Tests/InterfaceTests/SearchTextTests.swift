import Testing
import Windows

@testable import Interface

@Suite struct SearchTextTests {
    @Test(
        "X-03: accents, case, width and the two kana are one",
        arguments: [
            ("resume", "Résumé"), ("RÉSUMÉ", "resume"), ("resume", "Re\u{301}sume\u{301}"), ("lodz", "Łódź"), ("strasse", "Straße"),
            ("ﬁle", "File"),
            ("ph\u{1B0}\u{1A1}ng", "PHƯƠNG"), ("viet", "Việt"), ("istanbul", "İstanbul"), ("oeuvre", "Œuvre"), ("ωσ", "ὭΣ"), ("и", "Й"),
            ("елка", "Ёлка"),
            ("web", "ＷＥＢ"), ("Ｗｅｂ　２", "web 2"), ("ひらがな", "ヒラガナ"), ("ひらがな", "ﾋﾗｶﾞﾅ"), ("ﾊﾟﾝ", "ぱん"), ("ハ\u{309A}ン", "パン"),
            ("ｺｰﾄﾞ", "コード"), ("soft", "so\u{AD}ft"), ("d'eau", "D’eau"),
        ])
    func folded(_ search: String, _ text: String) {
        #expect(SearchText(text) == SearchText(search))
    }

    @Test("X-03: other letters stay others", arguments: [("か", "が"), ("あ", "い"), ("web", "wob"), ("가", "나"), ("ㅂ", "각"), ("क", "कि")])
    func distinct(_ search: String, _ text: String) {
        #expect(SearchText(text) != SearchText(search))
    }

    @Test(
        "X-03: Hangul by its first consonants, and while a syllable is in the making",
        arguments: [
            ("ㄱ", "가위", true), ("ㄱ", "각", true), ("ㅅㅈ", "설정", true), ("설ㅈ", "설정", true), ("서", "설정", true), ("설저", "설정", true),
            ("고", "과일", true), ("각", "가구", true), ("갉", "갈기", true), ("ㄳ", "가수", true),
            ("설정", "\u{1109}\u{1165}\u{11AF}\u{110C}\u{1165}\u{11BC}", true),
            ("ㄲ", "가위", false), ("ㄱ", "나라", false), ("가나", "간나", false), ("ㅈㅅ", "설정", false), ("각아", "가가아", false), ("ㅁ", "감", false),
        ])
    func hangul(_ search: String, _ text: String, _ isFound: Bool) {
        #expect(SearchText(text).contains(SearchText(search)) == isFound)
    }

    @Test("X-03: the quick way through names of plain letters finds the same as folding does")
    func quick() {
        var generator = SystemRandomNumberGenerator()
        let letters: [Character] = ["a", "B", "b", "A", ".", "-", " ", "é", "가", "ㄱ", "ア"]
        func text(_ count: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: count)).map { _ in letters.randomElement(using: &generator)! })
        }
        for _ in 0..<4000 {
            let name = text(0...8), search = text(1...3)
            #expect(SearchText(search).isIn(name) == SearchText(name).contains(SearchText(search)), "\(search) in \(name)")
        }
    }

    @Test("X-03: the home screen finds what is typed without accents")
    func home() {
        var world = world(installed: [
            App(id: "cv", name: "Résumé", command: ["cv"]), App(id: "settings", name: "설정", command: ["settings"]),
            App(id: "memo", name: "メモ", keywords: ["ﾉｰﾄ"], command: ["memo"]),
        ])
        for (search, app) in [("resume", "cv"), ("ㅅㅈ", "settings"), ("めも", "memo"), ("ノート", "memo"), ("ＣＶ", "cv")] {
            world.act(.search(text: search))
            #expect(world.ids.filter { $0.hasPrefix("home/") } == ["home/\(app)"], "\(search)")
        }
        #expect(world.finish() == [])
    }

    @Test("X-03: an app starts in the folder of its entry")
    func folder() {
        var world = world(installed: [App(id: "game", name: "Game", command: ["game"], directory: "/opt/game")])
        world.act(.openApp(app: "game"))
        let folders = world.effects.compactMap { if case .program(.launch(_, _, let folder)) = $0 { folder } else { nil } }
        #expect(folders == ["/opt/game"])
    }
}
