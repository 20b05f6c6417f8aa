import Testing

@testable import QuickLookHelper

/// W-18: the kind of a file by its first bytes. A text may begin with, or mention, what marks another format.
@Suite struct KindTests {
    private func kind(_ text: String) -> FileToShow.Kind? { FileToShow.kind(of: Array(text.utf8)[...]) }

    @Test(
        "texts are texts, whatever word they begin with",
        arguments: [
            "FORM follows function.", "ID3 tags hold the title.", "FLV is old.", "GIF8 is half a mark.", "OggS and fLaC", "MThd", "icns",
            "8BPS",
            "P1 is the first priority.", "P3 and P4 come later.", "A PDF begins with %PDF-1.4, as everybody knows.",
        ])
    func words(text: String) { #expect(kind(text) == .text) }

    @Test("UTF-16 with a byte order mark is text, in both orders")
    func marks() {
        #expect(FileToShow.kind(of: [0xff, 0xfe, 0x41, 0, 0x42, 0]) == .text)
        #expect(FileToShow.kind(of: [0xfe, 0xff, 0, 0x41, 0, 0x42]) == .text)
    }

    @Test(
        "what really has the format is known",
        arguments: [
            ("P1\n# a comment\n2 2\n1 0 0 1\n", FileToShow.Kind.image), ("P6 640 480 255\n", .image), ("P7\nWIDTH 2\n", .image),
            ("FORM\0\0\0\u{10}AIFF", .sound), ("ID3\u{3}\0\0\0", .sound), ("OggS\0\u{2}", .sound), ("MThd\0\0\0\u{6}", .sound),
            ("FLV\u{1}\u{5}\0\0\0\u{9}", .video), ("GIF89a\u{1}\0\u{1}\0", .image), ("%PDF-1.4\n1 0 obj\n", .pdf),
            ("junk\n%PDF-1.4\n1 0 obj\n", .pdf),
        ])
    func formats(text: String, expected: FileToShow.Kind) { #expect(kind(text) == expected) }
}
