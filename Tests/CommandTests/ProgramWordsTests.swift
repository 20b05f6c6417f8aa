import Glibc
import Testing

@testable import Processes

@Suite struct ProgramWordsTests {
    @Test("A program that was replaced while it runs is found where the new one lies") func replaced() {
        #expect(OwnProgram.path(from: "/nowhere/mullion (deleted)") == "/nowhere/mullion")
        #expect(OwnProgram.path(from: "/nowhere/mullion") == "/nowhere/mullion")
        #expect(access(OwnProgram.path, X_OK) == 0 && OwnProgram.companion("no-such-program") == nil)
    }

    @Test("The words of a command line as the kernel keeps them, also empty ones and those of several lines") func words() {
        func words(_ text: String) -> [String] { ProgramWords.words(in: Array(text.utf8)) }
        #expect(words("mullion\0run\0--once\0") == ["mullion", "run", "--once"])
        #expect(words("mullion\0\0a\nb c\0\0") == ["mullion", "", "a\nb c", ""])
        #expect(words("").isEmpty && words("mullion") == ["mullion"])
    }
}
