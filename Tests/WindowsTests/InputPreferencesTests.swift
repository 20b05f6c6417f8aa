import Testing
import Windows

/// Keyboards and pointers, and the order of the control centre, as values.
@Suite("X-02: input as a person sets it") struct InputPreferencesTests {
    @Test(
        "layouts are read as XKB names them",
        arguments: [("us", 1), ("us,kr(kr104)", 2), ("de(neo_deu),us(dvorak-intl),fr,gr", 4)])
    func layouts(text: String, count: Int) throws {
        let list = try #require(KeyboardLayout.list(text))
        #expect(list.count == count && list.map(\.name).joined(separator: ",") == text)
    }

    @Test(
        "what is no list of layouts is none",
        arguments: [
            "", ",", "us,", "us,us", "us(", "us()", "us)x(", "us(a)b", "a,b,c,d,e", "us;rm", "../x", "ü", String(repeating: "a", count: 65),
        ])
    func wrong(text: String) {
        #expect(KeyboardLayout.list(text) == nil)
        #expect(!InputPreferences.Part.layouts(text).isPossible)
    }

    @Test("the order of tiles keeps the place of one that is missing, and a new one comes last")
    func order() {
        var order = ControlOrder().earlier("c", among: ["a", "b", "c"])
        #expect(order.arranged(["a", "b", "c"]) == ["a", "c", "b"])
        #expect(order.arranged(["a", "b"]) == ["a", "b"])
        #expect(order.arranged(["a", "b", "c", "d"]) == ["a", "c", "b", "d"])
        order = order.showing("b", false)
        #expect(order.hidden == ["b"] && order.showing("b", true).hidden.isEmpty)
        #expect(order.earlier("a", among: ["a", "b"]) == order, "it is the first")
    }

    @Test("random orders: nothing is lost and nothing comes twice")
    func randomOrders() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let all = (0..<8).map { "t\($0)" }
            var order = ControlOrder()
            for _ in 0..<20 {
                let present = all.filter { _ in Bool.random(using: &random) }
                guard let name = present.randomElement(using: &random) else { continue }
                order = Bool.random() ? order.earlier(name, among: present) : order.showing(name, Bool.random())
                #expect(order.isPossible)
                #expect(order.arranged(all).sorted() == all)
            }
        }
    }
}
