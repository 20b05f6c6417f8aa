import Seat
import Testing

@Suite("Keymaps that clients bring")
struct KeymapTextTests {
    private func refusal(_ text: String) -> String? { KeymapText.refusal(of: Array(text.utf8)) }

    @Test(
        "what keymaps have passes",
        arguments: [
            "xkb_keymap { xkb_keycodes { include \"evdev+aliases(qwerty)\" }; xkb_symbols { include \"pc+us(intl)+inet(evdev)\" }; };",
            "xkb_keycodes \"x\" { minimum = 8; maximum = 255; <ESC> = 9; <AE01> = 65535; };",
            "xkb_types { type \"ONE_LEVEL\" { modifiers = none; map[Shift] = Level2; map[Control] = 64; level_name[Level1] = \"Any\"; }; };",
            "xkb_symbols { key <A> { [ a, A ] }; }; // a \" in a comment\n# and \"another",
            "xkb_compat { indicator \"Caps\" { modifiers = Lock + Shift - Control; }; };",
            "x = \"a \\\\ b\"; y = 99999999999999999999999;",
            "include \"sub-folder/file\"", "", "\r\n",
        ])
    func passes(text: String) { #expect(refusal(text) == nil) }

    @Test(
        "what no keymap needs is refused with a reason",
        arguments: [
            ("include \"/etc/passwd\"", "outside"), ("include \"../x\"", "outside"), ("augment \"%H/x\"", "outside"),
            ("INCLUDE \"a+/b\"", "outside"),
            ("override \"a\\x\"", "outside"), ("replace \"a//b\"", "outside"),
            ("x = \"a \\\" b\";", "quote"), ("a\rb", "carriage return"), ("a\r", "carriage return"),
            ("<A> = 65536;", "keycode"), ("<A> = 0x10000;", "keycode"), ("<A> = 99999999999999999999999;", "keycode"),
            ("map[Shift] = 65;", "level is larger"), ("level_name[65] = \"x\";", "level is larger"),
            ("LevelName[0x41] = \"x\";", "level is larger"),
            ("map[Shift] = 1+1;", "more than a number"), ("map[Shift] = ~1;", "more than a number"),
        ])
    func refused(text: String, word: String) throws { #expect(try #require(refusal(text)).contains(word)) }

    @Test("each limit holds at its number and not one beyond")
    func limits() throws {
        #expect(refusal("include \"" + repeatElement("a", count: 64).joined(separator: "+") + "\"") == nil)
        #expect(try #require(refusal("include \"" + repeatElement("a", count: 65).joined(separator: "|") + "\"")).contains("64 files"))
        #expect(refusal("x = 1" + String(repeating: "+1", count: 256) + "; y = 1" + String(repeating: "*1", count: 256)) == nil)
        #expect(try #require(refusal("x = 1" + String(repeating: "+1", count: 257))).contains("256 operators"))
        #expect(refusal(String(repeating: "[a]", count: 32768)) == nil)
        #expect(try #require(refusal(String(repeating: "[a]", count: 32769))).contains("32768 lists"))
    }

    @Test("a longer word that begins with an include keyword is harmless, and nothing after a NUL is read")
    func words() {
        #expect(refusal("included \"/etc/passwd\"") == nil)
        #expect(refusal("a\0include \"/etc/passwd\"") == nil)
        #expect(refusal("include x \"/etc/passwd\"") == nil)
    }
}
