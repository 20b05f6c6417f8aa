import Testing

@testable import NoticeBus

@Suite struct NoticeTextTests {
    @Test(
        "markup becomes words, and broken markup still shows its text",
        arguments: [
            ("plain", "plain"), ("<b>bold</b> and <i>it</i>", "bold and it"), ("a &amp; b &lt;c&gt;", "a & b <c>"), ("a & b", "a & b"),
            ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"), ("<b>never closed", "never closed"),
            ("<a href=\"https://x.org\">site</a>\nwords", "site\nwords"),
            ("<img src=\"/x.png\" alt=\"a cat\"/> here", "a cat here"), ("one<br>two", "one\ntwo"),
            ("<script>x</script>", "<script>x</script>"),
            ("&#x41;&#66;&#xFFFFFFFF;", "AB&#xFFFFFFFF;"), ("<", "<"), ("&", "&"), ("<b", "<b"), ("x<b", "x<b"),
            ("if a<b && c>d", "if a<b && c>d"), ("i<s or u>p", "i<s or u>p"), ("<br/>a<br />b", "a\nb"),
            ("<font color=red size='2'>x</font >", "x"),
            ("a<i = b>c", "a<i = b>c"), ("col\tcol\r\nnext\rlast", "col col\nnext\nlast"),
        ])
    func markup(text: String, words: String) { #expect(NoticeText.plain(text, 200) == words) }

    @Test("blank lines of a body take no line", arguments: ["a\n\nb", "a\n \n\n b", "<p>a</p>\n<br/>b"])
    func blankLines(text: String) {
        let words = NoticeText.plain(text, 200)
        #expect(words.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { $0.contains { $0.isLetter } }, "\(words)")
    }

    @Test("names cannot pretend to be others by turning the writing round")
    func order() {
        #expect(NoticeText.line("\u{202e}knab\u{202c} \u{2067}x\u{7}", 100) == "knab x")
        #expect(NoticeText.line("two\nlines", 100) == "two lines")
        #expect(NoticeText.line("a\tb\r\nc\u{2028}d\u{85}e", 100) == "a b c d e")
        // Languages that are written from right to left stay as they are.
        #expect(NoticeText.line("שלום", 100) == "שלום")
    }

    @Test("texts are cut, also those of one endless character")
    func cuts() {
        #expect(NoticeText.line(String(repeating: "a", count: 500), 10) == "aaaaaaaaaa…")
        #expect(NoticeText.line("a" + String(repeating: "\u{301}", count: 100_000), 10).utf8.count < 100)
        #expect(NoticeText.plain(String(repeating: "<b>", count: 100_000), 2048).count <= 2)
    }

    @Test("files by path and by URL, and nothing else")
    func files() {
        #expect(NoticeText.file("/tmp/x.png") == "/tmp/x.png")
        #expect(NoticeText.file("file:///tmp/a%20b.png") == "/tmp/a b.png")
        #expect(NoticeText.file("file://host/tmp/x.png") == "/tmp/x.png")
        #expect(NoticeText.file("https://x.org/x.png") == nil)
        #expect(NoticeText.file("file:///tmp/%00") == nil)
        #expect(NoticeText.file("mail-unread") == nil)
        #expect(NoticeText.path("https://x.org/x.png") == "")
    }
}
