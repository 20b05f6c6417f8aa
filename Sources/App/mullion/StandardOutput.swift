import Glibc

/// Writes unbuffered bytes to standard output, for pictures and for lines that are read as they arrive.
enum StandardOutput {
    /// Throws if the reader is gone.
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
