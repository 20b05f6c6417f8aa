import FoundationEssentials
import Journal

/// Findings that are known and do not fail an audit, each with its reason and the date when it was entered.
///
///     {"mullionAuditBaseline": 1, "known": [{"finding": "foot/pad/killed/text", "reason": "…", "date": "2025-11-27"}]}
public struct Baseline: Hashable, Sendable {
    public struct Entry: Hashable, Codable, Sendable {
        /// The fingerprint of a finding.
        public var finding: String
        public var reason: String
        /// The date in the form 2025-11-27.
        public var date: String

        public init(finding: String, reason: String, date: String) {
            self.finding = finding
            self.reason = reason
            self.date = date
        }
    }

    public struct Failure: Error, Hashable, CustomStringConvertible {
        public var description: String
    }

    private struct File: Codable {
        var mullionAuditBaseline: Int
        var known: [Entry]
    }

    public var entries: [Entry]

    public init(_ entries: [Entry] = []) { self.entries = entries }

    /// Throws if the text is no baseline, or an entry lacks its reason or a date.
    public init(text: some Collection<UInt8>) throws(Failure) {
        let file: File
        do {
            file = try JSON(parsing: text).decoded()
        } catch DecodingError.keyNotFound(let key, let context) {
            // The number is that of an entry.
            let entry = context.codingPath.compactMap(\.intValue).last.map { "entry \($0 + 1) of " } ?? ""
            throw Failure(description: "\(entry)the baseline has no \"\(key.stringValue)\"")
        } catch {
            throw Failure(description: "the baseline is not valid: \(error)")
        }
        guard file.mullionAuditBaseline == 1 else {
            throw Failure(description: "the baseline has version \(file.mullionAuditBaseline); this audit reads version 1")
        }
        var seen: Set<String> = []
        for entry in file.known {
            guard !entry.reason.allSatisfy(\.isWhitespace) else {
                throw Failure(description: "the baseline gives no reason for \(entry.finding)")
            }
            guard Self.isDate(entry.date) else {
                throw Failure(description: "the baseline's date for \(entry.finding) is \"\(entry.date)\", and not one as 2025-11-27")
            }
            guard seen.insert(entry.finding).inserted else { throw Failure(description: "the baseline has \(entry.finding) twice") }
        }
        entries = file.known
    }

    static func isDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.count) == [4, 2, 2], text.utf8.count == 10 else { return false }
        guard parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }), let month = Int(parts[1]), let day = Int(parts[2]) else {
            return false
        }
        return 1...12 ~= month && 1...31 ~= day
    }

    /// Entries that could have matched a check that ran on these apps, but match no finding.
    public func stale(apps: [AppReport], idiom: String, checks: [String]) -> [Entry] {
        entries.filter { entry in
            apps.contains { app in
                app.trouble == nil && checks.contains { entry.finding.hasPrefix("\(app.app)/\(idiom)/\($0)/") }
                    && !app.findings.contains { $0.known == entry }
            }
        }
    }
}
