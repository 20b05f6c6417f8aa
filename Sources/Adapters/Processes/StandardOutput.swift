import Glibc

/// Writes unbuffered bytes to standard output, for pictures and for lines that are read as they arrive.
public enum StandardOutput {
    /// The kernel's reason why nothing can be written.
    public struct Failure: Error, CustomStringConvertible {
        var number: Int32

        public var description: String { "standard output: \(String(cString: strerror(number)))" }
    }

    /// - Throws: `Failure` if the reader is gone, or the disk is full.
    public static func write(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress! + done, bytes.count - done) }
            if count > 0 {
                done += count
            } else if errno != EINTR {
                throw Failure(number: errno)
            }
        }
    }
}
