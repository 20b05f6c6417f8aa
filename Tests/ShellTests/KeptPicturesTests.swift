import Foundation
import Testing

@testable import Shell

@Suite struct KeptPicturesTests {
    private func room() throws -> String {
        let path = NSTemporaryDirectory() + "pictures-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    /// A person sets the clock a year ahead, or back: files are a year old, or of the next one.
    @Test("W-20: a new picture stays whatever the clock says, and one that nobody needs goes", arguments: [-31_536_000.0, 0, 31_536_000])
    func clock(_ seconds: Double) throws {
        let room = try room()
        defer { try? FileManager.default.removeItem(atPath: room) }
        var pictures = try KeptPictures(folder: "\(room)/pictures")
        let fresh = pictures.new(), known = pictures.new(), used = pictures.new()
        for path in [fresh, known, used] {
            try Data([1]).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: seconds)], ofItemAtPath: path)
        }
        func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }
        pictures.isKnown(name(known))
        pictures.isKnown(name(used))
        KeptPictures.removeAll(in: pictures.folder, but: pictures.needed([name(used)]))
        let left = try FileManager.default.contentsOfDirectory(atPath: pictures.folder)
        #expect(Set(left) == [name(fresh), name(used)])
        pictures.isKnown(name(fresh))
        KeptPictures.removeAll(in: pictures.folder, but: pictures.needed([]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: pictures.folder).isEmpty)
    }
}
