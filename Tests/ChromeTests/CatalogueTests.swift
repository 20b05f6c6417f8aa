import Stage
import Testing

@testable import Chrome

@Suite struct CatalogueTests {
    private func arguments(_ template: String) -> [String] {
        template.indices.compactMap { index in
            let next = template.index(after: index)
            guard template[index] == "%", next < template.endIndex, template[next].isNumber else { return nil }
            return String(template[next])
        }.sorted()
    }

    @Test("X-04: every language has every message, with the same arguments, each once", arguments: Message.allCases)
    func complete(message: Message) {
        let wanted = arguments(Catalogue.template(message, .english))
        #expect(Set(wanted).count == wanted.count)
        for language in Language.allCases {
            for isOne in [false, true] {
                let template = Catalogue.template(message, language, isOne: isOne)
                #expect(!template.isEmpty)
                #expect(template.first?.isWhitespace == false && template.last?.isWhitespace == false)
                #expect(arguments(template) == wanted, "\(language): \(template)")
                #expect(template.count { $0 == "%" } == wanted.count, "\(language): \(template)")
            }
        }
    }

    @Test("X-04: no language shows another's words", arguments: Message.allCases)
    func ownWords(message: Message) {
        func has(_ template: String, _ ranges: ClosedRange<UInt32>...) -> Bool {
            template.unicodeScalars.contains { scalar in ranges.contains { $0.contains(scalar.value) } }
        }
        #expect(!has(Catalogue.template(message, .english), 0x3000...0x30ff, 0x4e00...0x9fff, 0xac00...0xd7a3))
        #expect(!has(Catalogue.template(message, .korean), 0x3040...0x30ff, 0x4e00...0x9fff))
        #expect(!has(Catalogue.template(message, .japanese), 0xac00...0xd7a3))
    }

    @Test("W-24: the word is window in every language", arguments: Message.allCases)
    func wordIsWindow(message: Message) {
        #expect(!Catalogue.template(message, .english).lowercased().contains("scene"))
        #expect(!Catalogue.template(message, .korean).contains("씬"))
        #expect(!Catalogue.template(message, .korean).contains("윈도우"))
        #expect(!Catalogue.template(message, .japanese).contains("シーン"))
        #expect(!Catalogue.template(message, .japanese).contains("ウィンドウ"))
        let isAboutWindows = Catalogue.template(message, .english).lowercased().contains("window")
        if isAboutWindows {
            #expect(Catalogue.template(message, .korean).contains("창"))
            #expect(Catalogue.template(message, .japanese).contains("ウインドウ"))
        }
    }

    @Test("X-04: the shell's English is American, as that of the platforms that it follows", arguments: Message.allCases)
    func spelling(message: Message) {
        let text = Catalogue.template(message, .english).lowercased()
        for british in ["colour", "aeroplane", "centre", "grey", "behaviour", "favourite", "recognis", "organis", "cancell", "licence"] {
            #expect(!text.contains(british), "\(text)")
        }
    }

    @Test("X-04: arguments are filled in once, whatever they hold")
    func arguments() {
        #expect(Catalogue.string(.page, ["2", "5"], .english) == "Page 2 of 5")
        #expect(Catalogue.string(.page, ["2", "5"], .korean) == "5페이지 중 2페이지")
        #expect(Catalogue.string(.pair, ["%2", "100 %"], .english) == "%2 and 100 %")
        #expect(Catalogue.string(.pair, ["A"], .english) == "A and ")
        #expect(Catalogue.string(.close, ["A"], .english) == "Close")
        #expect(Catalogue.string(.appWithBadge, ["Foot", "1"], .english) == "Foot, 1 window waiting")
        #expect(Catalogue.string(.appWithBadge, ["Foot", "21"], .english) == "Foot, 21 windows waiting")
        #expect(Catalogue.string(.appWithBadge, ["1", "3"], .english) == "1, 3 windows waiting")
    }

    @Test(
        "X-04: the shell speaks the first of a person's languages that it knows",
        arguments: [
            ([], Language.english), (["ko"], .korean), (["de", "ja", "ko"], .japanese), (["de"], .english), (["kok"], .english),
            (["en", "ko"], .english),
        ] as [([String], Language)])
    func language(languages: [String], language: Language) {
        #expect(Language(among: languages) == language)
    }
}
