import Glibc

/// Bytes to standard output at once, for pictures and for lines that somebody reads as they come.
enum StandardOutput {
    /// Throws if nobody takes them any more.
    static func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress! + done, bytes.count - done) }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw Failure("standard output: \(String(cString: strerror(errno)))")
            }
        }
    }
}
