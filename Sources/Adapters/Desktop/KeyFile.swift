import Glibc

/// Parses freedesktop key files: desktop entries, icon themes, GTK settings.
enum KeyFile {
    /// Larger than any real file. Larger ones are not read.
    static let largestFile = 1 << 20

    enum Line {
        case group(String)
        /// Without surrounding blanks. The value is raw.
        case value(key: ArraySlice<UInt8>, ArraySlice<UInt8>)
    }

    /// Calls `each` for each group or value. Skips all other lines.
    static func read(_ bytes: [UInt8], each: (Line) -> Void) {
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = trimmed(rest[rest.startIndex..<end])
            rest = rest[end...].dropFirst()
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            if first == UInt8(ascii: "[") {
                let name = line.last == UInt8(ascii: "]") ? line.dropFirst().dropLast() : []
                each(.group(String(decoding: name, as: UTF8.self)))
            } else if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                each(.value(key: trimmed(line[..<equals]), trimmed(line[(equals + 1)...])))
            }
        }
    }

    /// The contents of a regular file of limited size; nil for anything else. Never blocks.
    static func bytes(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= largestFile else {
            return nil
        }
        let size = Int(status.st_size)
        // Only this initializer allows `read` to fill uninitialized memory.
        return [UInt8](unsafeUninitializedCapacity: max(size, 1)) { buffer, count in
            count = max(Glibc.read(file, buffer.baseAddress, size), 0)
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var start = bytes.startIndex
        var end = bytes.endIndex
        while start < end, isBlank(bytes[start]) { start += 1 }
        while end > start, isBlank(bytes[end - 1]) { end -= 1 }
        return bytes[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
