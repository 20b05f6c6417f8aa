import Journal

extension AuditReport {
    /// One JSON object with sorted keys, described in docs/audit.md.
    public func json() throws -> String { try JSON(encoding: self).text(pretty: true) + "\n" }

    public init(json: some Collection<UInt8>) throws { self = try JSON(parsing: json).decoded() }
}
