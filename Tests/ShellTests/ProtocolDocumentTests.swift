import Control
import Foundation
import MullionTesting
import Seat
import Settings
import Testing

extension RunningShell {
    /// Users read `docs/protocols.md` to know whether their app will run: it must list every global, and no other.
    @Suite(.serialized) struct ProtocolDocumentTests {
        private struct Row {
            var name: String
            /// By column: on wlroots 0.15, on 0.18; nil: not available.
            var versions: [Int?]
            var isPrivileged: Bool
        }

        /// Rows of the table: | `name` | 0.15 | 0.18 | by | privilege | why |
        private func rows() throws -> [Row] {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            let text = try String(contentsOf: root.appending(path: "docs/protocols.md"), encoding: .utf8)
            return try text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                try #require(cells.count == 6, "\(line)")
                return Row(
                    name: cells[0].trimmingCharacters(in: ["`"]), versions: [Int(cells[1]), Int(cells[2])],
                    isPrivileged: cells[4] != "")
            }
        }

        @Test func namesEveryGlobalInItsVersion() throws {
            // The table includes what a configuration can enable.
            try ShellUnderTest.with(config: "launch = []\n[privileges]\npicture-in-picture = \"everyone\"\n") { shell in
                let rows = try rows()
                let version = try shell.client.ask(.get(.version), for: VersionReport.self).wlroots
                let column = version.hasPrefix("0.18") ? 1 : 0
                let offered = try #require(try shell.script("sandbox.py", "globals").globals)
                var told: [String: Int] = [:]
                for row in rows {
                    #expect(told[row.name] == nil, "\(row.name) is there twice")
                    if let version = row.versions[column] { told[row.name] = version }
                    #expect(row.versions.contains { $0 != nil }, "\(row.name) is in neither")
                }
                for (name, version) in offered { #expect(told[name] == version, "\(name) \(version) is offered") }
                for (name, version) in told { #expect(offered[name] == version, "\(name) \(version) is documented") }
            }
        }

        @Test func saysWhatIsPrivileged() throws {
            let rows = try rows()
            #expect(Set(rows.filter(\.isPrivileged).map(\.name)) == Set(Privilege.allCases.flatMap(\.globals)))
        }
    }
}
