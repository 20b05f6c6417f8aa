import ArgumentParser
import Foundation
import Testing

@testable import mullion
@testable import mullion_lab

/// What the documents tell people to type has to be there.
@Suite("Commands in the documents") struct DocumentTests {
    static let tree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/../.."

    static let documents: [(file: String, text: String)] = {
        let docs = (try? FileManager.default.contentsOfDirectory(atPath: tree + "/docs")) ?? []
        let files = ["README.md", "Examples/README.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
        return files.map { ($0, (try? String(contentsOfFile: "\(tree)/\($0)", encoding: .utf8)) ?? "") }
    }()

    // ---- how a command is looked for ----

    /// Follows names of commands as far as they go; what is left are arguments.
    static func command(_ words: [String]) -> (type: any ParsableCommand.Type, left: [String])? {
        var type = root(words)
        var left = words[...]
        while let word = left.first {
            let below = type.configuration.subcommands + type.configuration.groupedSubcommands.flatMap(\.subcommands)
            guard let next = below.first(where: { $0.configuration.commandName == word }) else { break }
            type = next
            left = left.dropFirst()
        }
        return left.count == words.count ? nil : (type, Array(left))
    }

    /// Something for each of the words that documents put where a person puts an own one.
    static let stand = [
        "APP": "foot", "ID": "3", "\"$id\"": "3", "SIDE": "left", "SHARE": "0.4", "CORNER": "top-left", "PLACE": "slide", "TEXT": "text",
        "COMMAND...": "foot", "N": "1", "WxH": "1000x700", "S": "10", "NAME": "name", "FILE": "file", "FOLDER": "folder",
        "ENTRY": "1", "VIEW": "3", "X": "10", "Y": "10", "WIDTH": "10", "HEIGHT": "10",
    ]

    static func words(_ text: String) -> [String] {
        text.replacingOccurrences(of: "'", with: "").split(whereSeparator: \.isWhitespace).map { stand[String($0)] ?? String($0) }
    }

    /// `full [ID]` is `full` and `full ID`; `mute [on\|off]` is three.
    static func variants(_ text: String) -> [String] {
        guard let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]") else { return [text] }
        let choices = text[text.index(after: open)..<close].split(separator: "|").map(String.init)
        return ([""] + choices).flatMap { variants(text[..<open] + $0 + text[text.index(after: close)...]) }
    }

    /// The program that reads a command's options.
    static func root(_ words: [String]) -> any ParsableCommand.Type {
        let isOfLab = Lab.configuration.subcommands.contains { $0.configuration.commandName == words.first }
        return isOfLab ? Lab.self : MullionCommand.self
    }

    static func isUnderstood(_ words: [String]) -> Bool { (try? root(words).parseAsRoot(words)) != nil }

    // ---- what is looked at ----

    @Test("every command named in a text or an example is there, and takes what is written after it")
    func named() {
        var count = 0
        for (file, text) in Self.documents {
            var found: [String] = []
            for (index, part) in text.components(separatedBy: "```").enumerated() {
                if index.isMultiple(of: 2) {
                    let line = part.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    found += line.matches(of: #/`mullion ([a-z][^`]*)`/#).map { String($0.1) }
                } else {
                    for line in part.split(separator: "\n") {
                        let code = line.prefix { $0 != "#" }
                        found += code.matches(of: #/(?:^|\(|&& )mullion ([a-z][^|&)]*)/#).map { String($0.1) }
                    }
                }
            }
            for text in found where text != "paint-icons" { // the program's own word, for no person
                let words = Self.words(text)
                count += 1
                guard let (type, left) = Self.command(words) else {
                    Issue.record("\(file): mullion \(text)")
                    continue
                }
                // Alone a name may stand for the command or the option, whatever that needs.
                let isOption = left.count == 1 && left[0].hasPrefix("--") && Self.root(words).helpMessage(for: type).contains(left[0] + " ")
                #expect(left.isEmpty || isOption || Self.isUnderstood(words), "\(file): mullion \(text) (\(type))")
            }
        }
        #expect(count > 50)
    }

    @Test("every form in the tables of keys and of actions is understood")
    func tables() throws {
        var count = 0
        for (file, start, column, prefix) in [
            ("docs/keys.md", "| function", 5, ["ctl"]), ("docs/control.md", "| action", 2, ["ctl"]),
            ("docs/control.md", "| `{\"do\":{\"audio\":", 2, ["ctl", "audio"]),
        ] {
            let text = try #require(Self.documents.first { $0.file == file }).text
            var isInside = false
            for line in text.components(separatedBy: "\n") {
                if line.hasPrefix(start) { isInside = true } else if !line.hasPrefix("|") { isInside = false }
                guard isInside, !line.hasPrefix(start), !line.hasPrefix("| ---") else { continue }
                let cells = line.replacingOccurrences(of: "\\|", with: "\u{1}").components(separatedBy: "|")
                let cell = cells[column].replacingOccurrences(of: "\u{1}", with: "|")
                var first: [String]?
                for form in cell.matches(of: #/`([^`]+)`/#).map({ String($0.1) }) where !form.contains("…") {
                    for variant in Self.variants(form) {
                        count += 1
                        let words = Self.words(variant)
                        // `slide-over hide`, `show`: the later ones leave out what the first one begins with.
                        let begin = first ?? []
                        let whole = [prefix + words] + begin.indices.reversed().map { prefix + begin[...$0] + words }
                        #expect(whole.contains(where: Self.isUnderstood), "\(file): \(variant) in \(cell)")
                        if first == nil { first = words }
                    }
                }
            }
        }
        #expect(count > 150)
    }

    @Test("every target of make and every script named is there")
    func targets() throws {
        let makefile = try String(contentsOfFile: Self.tree + "/Makefile", encoding: .utf8)
        let targets = Set(makefile.matches(of: #/(?m)^([a-z-]+):/#).map { String($0.1) })
        var count = 0
        for (file, text) in Self.documents {
            for name in text.matches(of: #/(?m)(?:`|^|^ {4})make ([a-z-]+)/#).map({ String($0.1) }) {
                count += 1
                #expect(targets.contains(name), "\(file): make \(name)")
            }
            for name in text.matches(of: #/scripts/([a-z0-9-]+)/#).map({ String($0.1) }) {
                count += 1
                #expect(FileManager.default.fileExists(atPath: "\(Self.tree)/scripts/\(name)"), "\(file): scripts/\(name)")
            }
        }
        #expect(count > 30)
    }
}
