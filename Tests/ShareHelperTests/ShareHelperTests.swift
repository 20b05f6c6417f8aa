import Foundation
import Testing

@testable import ShareHelper

/// What the process that copies shared files does with names and kinds (M-05).
@Suite struct ShareHelperTests {
    @Test("Names that are taken get a number before their ending, and never grow too long")
    func names() {
        #expect(Array(Copying.names(for: "a.txt").prefix(3)) == ["a.txt", "a (1).txt", "a (2).txt"])
        #expect(Array(Copying.names(for: ".profile").prefix(2)) == [".profile", ".profile (1)"])
        #expect(Array(Copying.names(for: "plain").prefix(2)) == ["plain", "plain (1)"])
        let long = String(repeating: "가", count: 83) + ".txt"
        for name in Copying.names(for: long).prefix(120) { #expect(name.utf8.count <= 255 && name.hasSuffix(".txt")) }
        #expect(Set(Copying.names(for: long).prefix(120)).count == 120)
    }

    @Test("A kind comes with its other names and with what it is one of, nearest first")
    func kinds() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mime-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder.appending(path: "mime"), withIntermediateDirectories: true)
        try "text/x-python application/x-executable\nx/a x/b\nx/b x/a\nbroken\n".write(
            to: folder.appending(path: "mime/subclasses"), atomically: true, encoding: .utf8)
        try "application/x-python text/x-python\n".write(to: folder.appending(path: "mime/aliases"), atomically: true, encoding: .utf8)
        let types = MimeTypes(folders: [folder.path(percentEncoded: false)])
        #expect(types.chain(from: "text/x-python") == ["text/x-python", "application/x-python", "application/x-executable", "text/plain"])
        #expect(types.chain(from: "text/x-new") == ["text/x-new", "text/plain"])
        #expect(types.chain(from: "x/a") == ["x/a", "x/b"])
        #expect(types.chain(from: "image/png") == ["image/png"])
    }
}
