import MessageBus
import Notices
import Testing

@testable import NoticeBus

@Suite struct AppNoticeTests {
    @Test(
        "X-03: only names that a bus can have are called",
        arguments: [
            ("org.example.App", true), ("a.b", true), ("org.example-x.App_1", true), ("", false), ("app", false), ("org..App", false),
            (".org.App", false), ("org.1App", false),
            ("org.example.", false), ("org.exämple.App", false), ("org.example.App\n", false),
            (String(repeating: "a.", count: 200) + "b", false),
        ])
    func names(name: String, isOne: Bool) { #expect(NoticeBus.isBusName(name) == isOne) }

    @Test("X-03: a body without markup keeps its signs; what turns the writing round is left out")
    func words() {
        #expect(NoticeText.words("a <b> & c\u{202e}d\n", 100) == "a <b> & cd")
        #expect(NoticeText.words(String(repeating: "x", count: 9000), 10) == "xxxxxxxxxx…")
    }
}
