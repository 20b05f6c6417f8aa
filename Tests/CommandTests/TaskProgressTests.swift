import Testing

@testable import mullion

@Suite struct TaskProgressTests {
    @Test(arguments: [
        ("40%", 0.4), ("  7 % done", 0.07), ("99.5% of 12 MB", 0.995), ("100%\n", 1), ("0%", 0),
    ])
    func aPercentageAtTheBeginningIsProgress(_ line: String, _ share: Double) {
        #expect(TaskProgress(line: Array(line.utf8))?.share == share)
    }

    @Test(arguments: ["", "40", "about 40%", "101%", "-1%", "4 0%", "..%", "1.2.3%", "%", "123456789%"])
    func otherLinesAreNone(_ line: String) { #expect(TaskProgress(line: Array(line.utf8)) == nil) }
}
