import Testing

@testable import Processes

@Suite("Restarts after a crash")
struct RestartRuleTests {
    @Test("at once at first, then after longer pauses, then without windows, and in the end not at all")
    func loop() {
        var rule = RestartRule()
        #expect(rule.crashed(at: 0) == .again(after: 0, isClean: false))
        #expect(rule.crashed(at: 1) == .again(after: 1, isClean: false))
        #expect(rule.crashed(at: 3) == .again(after: 2, isClean: true))
        #expect(rule.crashed(at: 6) == .again(after: 4, isClean: true))
        #expect(rule.crashed(at: 11) == .again(after: 8, isClean: true))
        #expect(rule.crashed(at: 20) == .giveUp)
    }

    @Test("crashes that are more than a minute apart are each the first")
    func apart() {
        var rule = RestartRule()
        for step in 0..<100 { #expect(rule.crashed(at: Double(step) * 61) == .again(after: 0, isClean: false)) }
    }
}
