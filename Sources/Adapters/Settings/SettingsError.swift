/// An error in a settings file: the fault, its place, and its correction.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file as named by the caller.
    public var file: String
    /// From 1; 0 for the whole file, for example if it cannot be read.
    public var line: Int
    /// From 1, in characters; 0 for the whole file.
    public var column: Int
    public var message: String

    public init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// In the format that editors understand: `file:line:column: message`.
    public var description: String {
        line == 0 ? "\(file): \(message)" : "\(file):\(line):\(column): \(message)"
    }
}
