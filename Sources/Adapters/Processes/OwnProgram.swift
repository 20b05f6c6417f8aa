import Glibc

/// The file of the program that runs in this process, and the programs that are installed beside it.
public enum OwnProgram {
    /// An absolute path. It leads to the new file if the program was replaced while this process ran.
    public static var path: String {
        var room = [UInt8](repeating: 0, count: 4096)
        let count = room.withUnsafeMutableBytes {
            readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return path(from: String(decoding: room[..<max(0, count)], as: UTF8.self))
    }

    /// The kernel marks a file that was replaced.
    static func path(from link: String) -> String {
        let mark = " (deleted)"
        return link.hasSuffix(mark) && access(link, F_OK) != 0 ? String(link.dropLast(mark.count)) : link
    }

    /// The program called `name` in the same folder, or nil if there is none.
    public static func companion(_ name: String) -> String? {
        let own = path
        guard let slash = own.lastIndex(of: "/") else { return nil }
        let program = "\(own[..<slash])/\(name)"
        return access(program, X_OK) == 0 ? program : nil
    }
}
