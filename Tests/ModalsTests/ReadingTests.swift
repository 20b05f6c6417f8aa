import Geometry
import Modals
import Testing

@Suite("X-03: what a person has read") struct ReadingTests {
    private func outcomes(_ steps: [(list: Bool, app: String?)]) -> [[Reading.Outcome]] {
        var reading = Reading()
        return steps.map { reading.handle(.settled, in: Reading.Context(isListOpen: $0.list, app: $0.app, process: 7), at: .zero) }
    }

    @Test("all are read when the list closes, once")
    func list() {
        #expect(outcomes([(true, nil), (true, nil), (false, nil), (false, nil)]) == [[.listOpened], [], [.listClosed], []])
    }

    @Test("those of an app are read when it comes to the front, and again after another app")
    func apps() {
        let mail = Reading.Outcome.reads(app: "mail", process: 7), chat = Reading.Outcome.reads(app: "chat", process: 7)
        #expect(outcomes([(false, "mail"), (false, "mail"), (false, "chat"), (false, "mail")]) == [[mail], [], [chat], [mail]])
        #expect(outcomes([(false, "mail"), (false, nil), (false, "mail")]) == [[mail], [], [mail]])
        #expect(outcomes([(false, ""), (true, "mail")]) == [[], [.listOpened, mail]])
    }
}
