/// Everything that one app runs: its own process and its descendants. The shell freezes them as a whole.
///
/// The number is that of the head: the process that the shell launched, or else the client's own.
public struct AppProcess: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var head: Int32

    public init(_ head: Int32) { self.head = head }

    public static func < (a: AppProcess, b: AppProcess) -> Bool { a.head < b.head }

    public var description: String { "process \(head)" }

    /// Finds the app that a new window belongs to.
    ///
    /// All descendants of a launched process belong to that launch, so a wrapper script and the program that it runs are
    /// one app. A program that a person started from another app's window, such as a terminal, is an app of its own.
    ///
    /// - Parameters:
    ///   - lineage: the client's process and its ancestors, nearest first.
    ///   - launches: processes that the shell launched.
    ///   - clients: processes that have windows.
    /// - Returns: nil if the client's process is unknown.
    public static func of(lineage: [Int32], launches: Set<Int32>, clients: Set<Int32>) -> AppProcess? {
        guard let client = lineage.first, client > 0 else { return nil }
        for process in lineage {
            if process != client, clients.contains(process) { return AppProcess(client) }
            if launches.contains(process) { return AppProcess(process) }
        }
        return AppProcess(client)
    }
}

/// A job that a person started and that continues without them (S-06), by the number that its app got for it.
public struct TaskID: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    public var raw: UInt64

    public init(_ raw: UInt64) { self.raw = raw }

    public static func < (a: TaskID, b: TaskID) -> Bool { a.raw < b.raw }

    public var description: String { "task \(raw)" }
}
