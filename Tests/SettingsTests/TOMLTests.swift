import Testing

@testable import Settings

/// TOML 1.0, as far as settings use it.
@Suite struct TOMLTests {
    private func table(_ text: String) -> TOML? { try? TOMLDocument(text).root }

    @Test func valuesOfEveryKind() {
        #expect(
            table("a = 'x'\nb = -5\nc = +2.5e-1\nd = true\ne = [1, [false], {}]\nf = { g.h = 1, g.i = 2 }\n")
                == .table([
                    "a": .text("x"), "b": .integer(-5), "c": .number(0.25), "d": .flag(true),
                    "e": .array([.integer(1), .array([.flag(false)]), .table([:])]),
                    "f": .table(["g": .table(["h": .integer(1), "i": .integer(2)])]),
                ]))
    }

    @Test func tablesGrowFromHeadersAndDots() {
        #expect(
            table("a.b = 1\na.\"c d\" = 2\n[x.y]\nz = 3\n[x]\nw = 4\n[[l]]\n[[l]]\nm = 5\n[l.n]\no = 6\n")
                == .table([
                    "a": .table(["b": .integer(1), "c d": .integer(2)]),
                    "x": .table(["y": .table(["z": .integer(3)]), "w": .integer(4)]),
                    "l": .array([.table([:]), .table(["m": .integer(5), "n": .table(["o": .integer(6)])])]),
                ]))
    }

    @Test(arguments: [
        (#""a\tb\\\"\u0041\U0001F600""#, "a\tb\\\"A\u{1f600}"),
        (#"'a\tb'"#, #"a\tb"#),
        ("\"\"", ""), ("''", ""),
        ("\"\"\"\na\n  b\"\"\"", "a\n  b"),
        ("\"\"\"a \\\n\n   b\"\"\"", "a b"),
        ("\"\"\"a\\  \n b\"\"\"", "ab"),
        ("\"\"\"\"a\"\"b\"\"\"\"\"", "\"a\"\"b\"\""),
        ("'''\r\nx'y''z'''", "x'y''z"),
        ("\"\"\"\"\"\"", ""),
    ])
    func texts(written: String, meant: String) {
        #expect(table("a = \(written)") == .table(["a": .text(meant)]))
    }

    @Test(arguments: [
        "a = 1\na = 2", "a = 1\na.b = 2", "a.b = 1\na.b.c = 2", "a.b = 1\n[a]", "[a]\n[a]", "[a.b]\n[a]\nb.c = 1",
        "a = {}\na.b = 1", "a = { b = 1 }\n[a.c]", "a = [1]\n[[a]]", "[[a]]\n[a]", "[a]\n[[a]]", "a = { b = 1, b = 2 }",
        "a = \"\\x\"", "a = \"\\u12\"", "a = \"\\ud800\"", "a = \"\\U00110000\"", "a = \"\\u+041\"", "a = \"b\nc\"", "a = \"\\\n\"",
        "a = 99999999999999999999", "a = 1.", "a = .5", "a = 0x", "a = 0xg", "a = -0x1", "a = 0o8", "a = 0b2", "a = 0X1",
        "a = 0xffffffffffffffff", "a = _1", "a = 1_", "a = 1__0", "a = 0x_1", "a = 1_.5", "a = 1979-05-27", "a = inf", "a = nan",
        "\"\"\"a\"\"\" = 1", "a = 'b", "a = '''b''", "a = \"\"\"b\\\"\"\"", "a b = 1", "a. = 1", ".a = 1", "[a", "[]", "[[a]",
        "a = [1", "a = {", "a = { b = 1", "a = 1 b = 2", "a =",
    ])
    func whatIsNoTOMLIsRefused(text: String) {
        #expect(table(text) == nil)
    }

    @Test(arguments: [("1_000", 1000), ("0xDEAD_beef", 0xdead_beef), ("0o17", 15), ("0b1010", 10), ("0x0", 0), ("-1_0", -10)])
    func integers(written: String, meant: Int) { #expect(table("a = \(written)") == .table(["a": .integer(meant)])) }

    @Test func numbersMayHaveUnderscores() {
        #expect(table("a = 224_617.445_991e1_0") == .table(["a": .number(224_617.445_991e10)]))
    }

    @Test(
        "a control character is refused and named with its place",
        arguments: [
            ("a = 1\n# \u{1}", 2, 3, "U+0001"), ("a = \"x\u{0}\"", 1, 7, "U+0000"), ("a = '\u{7f}'", 1, 6, "U+007F"),
            ("a = \"\"\"\nx\u{1f}\"\"\"", 2, 2, "U+001F"), ("a = '''\nx\u{b}'''", 2, 2, "U+000B"), ("a = 1 # x\ry", 1, 10, "U+000D"),
            ("a = 1\r", 1, 6, "U+000D"), ("a = '''x\ry'''", 1, 9, "U+000D"),
        ])
    func controlCharacters(text: String, line: Int, column: Int, name: String) {
        let error = #expect(throws: TOMLDocument.Malformed.self) { try TOMLDocument(text) }
        #expect(error?.position == TOMLDocument.Position(line: line, column: column))
        #expect(error?.message.contains(name) == true)
    }

    @Test func tabsAndBothEndsOfLinesStandAnywhere() {
        #expect(table("\ta\t=\t'x\ty'\t#\tz\r\n\r\nb = 1\n") == .table(["a": .text("x\ty"), "b": .integer(1)]))
    }

    @Test func longNamesAreNoWayIntoTheStack() {
        #expect(table(Array(repeating: "a", count: 20_000).joined(separator: ".") + " = 1") == nil)
        #expect(table("[" + Array(repeating: "a", count: 20_000).joined(separator: ".") + "]") == nil)
        #expect(table("a = " + String(repeating: "{a=", count: 20_000)) == nil)
    }
}
