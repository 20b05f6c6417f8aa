import Callers
import Chrome
import Testing

@testable import Shell

/// In which order files are painted, and whose pictures wait for whose (P-06).
@Suite struct PaintLineTests {
    private func file(_ name: String, _ kind: IconFile.Kind = .picture) -> IconFile { IconFile(kind, path: name, width: 8, height: 8) }

    @Test("a file that takes too long comes again after the others, and its second try makes way for each new one")
    func secondTry() {
        var line = PaintLine()
        var answers = [line.add(file("slow"))]
        line.isAtWork = true
        answers.append(line.add(file("a")))
        #expect(answers == [false, false] && line.patience == PaintLine.patienceOfPicture)
        let isAgain = line.isTooLong()
        #expect(isAgain && line.files == [file("a"), file("slow")])
        #expect(line.end() == file("a") && line.first == file("slow") && line.patience == PaintLine.secondPatience)
        line.isAtWork = true
        let makesWay = line.add(file("b"))
        #expect(makesWay && line.files == [file("b"), file("slow")] && line.patience == PaintLine.patienceOfPicture)
        // It keeps its second try, and asking for it again changes nothing.
        let asked = line.add(file("slow"))
        #expect(!asked && line.end() == file("b") && line.patience == PaintLine.secondPatience)
        line.isAtWork = true
        let third = line.isTooLong()
        #expect(!third && line.end() == file("slow") && line.first == nil && line.late.isEmpty)
    }

    @Test("icons come before artwork, artwork replaces artwork and gets one try, and late files come last")
    func order() {
        var line = PaintLine()
        for (name, kind) in [("one", .artwork), ("two", .artwork), ("icon", .icon), ("picture", .picture)] as [(String, IconFile.Kind)] {
            _ = line.add(file(name, kind))
        }
        #expect(line.files.map(\.path) == ["icon", "picture", "two"])
        line.isAtWork = true
        let isAgain = line.isTooLong()
        _ = line.add(file("late", .icon))
        #expect(isAgain && line.files.map(\.path) == ["picture", "late", "two", "icon"])
        for name in ["picture", "late"] { #expect(line.end().path == name) }
        line.isAtWork = true
        let again = line.isTooLong()
        #expect(!again)
        line.forget()
        #expect(line.first == nil)
    }

    @Test("P-06: of each owner one picture is made at a time, beside those of the others")
    func turns() {
        var turns = PictureTurns<String>()
        for number in 1...9 { turns.add("a\(number)", of: .app("a")) }
        turns.add("b1", of: .app("b"))
        func begun() -> [String] {
            var begun: [String] = []
            while let next = turns.next() { begun.append(next) }
            return begun
        }
        #expect(begun() == ["a1", "b1"])
        turns.add("c1", of: .app("c"))
        turns.add("b2", of: .app("b"))
        #expect(begun() == ["c1"])
        turns.ended(.app("b"))
        #expect(begun() == ["b2"])
        turns.ended(.app("a"))
        #expect(begun() == ["a2"] && Set(turns.present.values) == ["a2", "b2", "c1"])
        for number in 0..<40 { turns.add("x", of: .app("x\(number)")) }
        #expect(begun().count == PictureTurns<String>.most - 3)
    }
}
