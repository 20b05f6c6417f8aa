import Glibc

/// The words of this program's command line, with its name first.
///
/// Swift finds them beside the environment's first place in memory. A preloaded library that adds a variable moves the environment,
/// and then there seem to be none. The kernel always knows them.
public enum ProgramWords {
    public static let all: [String] = {
        guard let file = fopen("/proc/self/cmdline", "re") else { return CommandLine.arguments }
        defer { fclose(file) }
        var bytes: [UInt8] = [], part = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part.prefix(count) }
        let words = Self.words(in: bytes)
        return words.isEmpty ? CommandLine.arguments : words
    }()

    /// Each word ends with a zero.
    static func words(in bytes: [UInt8]) -> [String] {
        var words = bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
        if words.last?.isEmpty == true { words.removeLast() }
        return words
    }
}
