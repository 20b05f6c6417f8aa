import AudioSessions
import Testing

@Suite("Options of a session")
struct OptionsTests {
    @Test("every option has one name, and every name one option")
    func names() {
        #expect(Set(Options.names.map(\.name)).count == Options.names.count)
        #expect(Options.names.reduce(into: Options()) { $0.formUnion($1.option) }.rawValue == (1 << Options.names.count) - 1)
    }
}
