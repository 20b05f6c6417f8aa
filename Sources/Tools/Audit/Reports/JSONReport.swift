import Journal

extension AuditReport {
    /// One JSON object with sorted keys, described in docs/audit.md.
    public func json() throws -> String { try JSON(encoding: self).text(pretty: true) + "\n" }
}
