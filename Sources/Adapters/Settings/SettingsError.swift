/// What is wrong in a settings file, where, and what would be right.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file as it was named to the parser.
    public var file: String
    /// From 1; 0 when the whole file is meant, as when it cannot be read.
    public var line: Int
    /// From 1, in characters; 0 when the whole file is meant.
    public var column: Int
    public var message: String

    public init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// In the form that editors jump to: `file:line:column: message`.
    public var description: String {
        line == 0 ? "\(file): \(message)" : "\(file):\(line):\(column): \(message)"
    }
}
