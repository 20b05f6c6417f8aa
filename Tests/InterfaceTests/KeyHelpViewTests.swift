import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("X-02: the list of keys says each key by a word, and shows a chord in its order")
struct KeyHelpViewTests {
    private func opened(size: Size = Size(1180, 820), mirrored: Bool = false, textScale: Double = 1) -> CoreWorld {
        let appearance = Appearance(textScale: textScale, isRightToLeft: mirrored)
        var world = world(["editor"], size: size, preferences: Preferences(appearance: appearance))
        world.act(.keyHelp)
        world.rest()
        return world
    }

    private func words(_ world: CoreWorld) -> [(text: Text, frame: Rect)] {
        world.system.items(at: world.now).compactMap { item in
            guard case .art(.text(let text, _, _, _, _), _) = item.kind else { return nil }
            return (text, item.frame)
        }
    }

    private func flat(_ text: Text) -> [Text] { if case .list(let parts, _) = text { parts.flatMap(flat) } else { [text] } }

    @Test("a screen reader hears words, not signs, and the words come in the order of pressing")
    func said() {
        let world = opened()
        let lines = world.controls.filter { $0.id.isPart(of: "keys") && $0.role == .label }.map { flat($0.name) }
        #expect(lines.count > 25)
        for line in lines {
            for case .verbatim(let word) in line { #expect(word.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " }, "\(line)") }
        }
        #expect(lines.contains([.message(.keySearch), .verbatim("Super"), .message(.keySpace)]))
        #expect(
            lines.contains([
                .message(.keyDivider), .verbatim("Super"), .message(.keyBracketLeft), .verbatim("Super"), .message(.keyBracketRight),
            ]))
        #expect(lines.contains([.message(.keyHelp), .verbatim("Super"), .message(.keySlash)]))
    }

    @Test("the space bar has a word, and signs stand between the keys of a chord and between two chords")
    func shown() {
        let texts = words(opened()).map(\.text)
        #expect(texts.contains(.message(.keySpace)) && !texts.contains(.verbatim("␣")))
        #expect(texts.count { $0 == .verbatim("+") } > 25 && texts.contains(.verbatim("/")) && texts.contains(.verbatim("–")))
    }

    @Test("X-04: a chord reads from left to right in a language that runs the other way", arguments: [Size(1180, 820), Size(480, 800)])
    func order(size: Size) throws {
        for mirrored in [false, true] {
            let world = opened(size: size, mirrored: mirrored), all = words(world)
            let panel = try #require(world.control("keys")).frame
            let line = try #require(world.controls.first { flat($0.name).first == .message(.keySlideOverSide) }).frame
            let shown = all.filter { line.insetBy(1).contains($0.frame.center) }
            #expect(panel.contains(line))
            let meaning = try #require(shown.first { $0.text == .message(.keySlideOverSide) }).frame
            let keys = shown.filter { $0.text != .message(.keySlideOverSide) }.sorted { $0.frame.minX < $1.frame.minX }
            #expect((meaning.center.x > keys[0].frame.center.x) == mirrored)
            if keys.count > 1 {
                #expect(keys.map(\.text) == ["Super", "+", "Shift", "+", "←", "/", "→"].map { .verbatim($0) })
            } else {
                let parts = flat(keys[0].text).compactMap { if case .verbatim(let word) = $0 { word } else { nil } }
                #expect(parts.joined() == (mirrored ? "\u{2066}Super + Shift + ← / →\u{2069}" : "Super + Shift + ← / →"))
            }
        }
    }
}

extension Rect {
    fileprivate func insetBy(_ margin: Double) -> Rect { inset(by: -margin) }
}
