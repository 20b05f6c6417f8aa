import Testing

@testable import mullion

@Suite struct ProgramWordsTests {
    @Test("The words of a command line as the kernel keeps them, also empty ones and those of several lines") func words() {
        func words(_ text: String) -> [String] { ProgramWords.words(in: Array(text.utf8)) }
        #expect(words("mullion\0run\0--once\0") == ["mullion", "run", "--once"])
        #expect(words("mullion\0\0a\nb c\0\0") == ["mullion", "", "a\nb c", ""])
        #expect(words("").isEmpty && words("mullion") == ["mullion"])
    }
}
