import Glibc

/// The folder for sockets, which only this user may enter.
public struct RuntimeDirectory: Equatable, Sendable {
    public var path: String
    /// Warnings for the user about the choice.
    public var warnings: [String]

    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        public var message: String
        public var description: String { message }
    }

    /// Socket addresses hold 107 bytes. This leaves room for a name of 24.
    static let longestPath = 82

    /// Finds or creates the folder: `XDG_RUNTIME_DIR`, else `/run/user/UID`, else `/tmp/mullion-UID`. If another user
    /// created the latter first, it is `/tmp/mullion-UID-` plus six random characters.
    ///
    /// - Throws: `Failure` if the folder in `XDG_RUNTIME_DIR` is not private to this user (0700), or none can be
    ///   created.
    public static func resolve(
        environment: [String: String], user: UInt32 = getuid(), perUser: String = "/run/user", fallback: String = "/tmp"
    ) throws(Failure) -> RuntimeDirectory {
        if let named = environment["XDG_RUNTIME_DIR"], !named.isEmpty {
            guard named.hasPrefix("/") else {
                throw Failure(message: "XDG_RUNTIME_DIR is \"\(named)\", but must begin with /")
            }
            var warnings: [String] = []
            if make(named) { warnings.append("XDG_RUNTIME_DIR named \(named), which was not there; made it") }
            try check(named, user: user)
            return RuntimeDirectory(path: named, warnings: warnings)
        }
        var warnings: [String] = []
        func chosen(_ path: String) -> RuntimeDirectory {
            RuntimeDirectory(path: path, warnings: warnings + ["XDG_RUNTIME_DIR is not set; using \(path)"])
        }
        let standard = "\(perUser)/\(user)"
        if access(standard, F_OK) == 0 {
            do {
                try check(standard, user: user)
                if access(standard, W_OK) == 0 { return chosen(standard) }
            } catch {
                warnings.append(error.message)
            }
        }
        let own = "\(fallback)/mullion-\(user)"
        _ = make(own)
        do {
            try check(own, user: user)
            return chosen(own)
        } catch {
            warnings.append(error.message)
        }
        if let other = others(user: user, fallback: fallback).first { return chosen(other) }
        var template = Array("\(own)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(message: "\(warnings.joined(separator: "; ")); and no other one can be created in \(fallback): \(reason(errno))")
        }
        return chosen(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }

    /// The folders where a shell of this user may have put its sockets, as chosen by `resolve`, without folders that
    /// other users could have created.
    ///
    /// - Throws: `Failure` if the folder in `XDG_RUNTIME_DIR` is not private to this user.
    public static func candidates(
        environment: [String: String], user: UInt32 = getuid(), perUser: String = "/run/user", fallback: String = "/tmp"
    ) throws(Failure) -> [String] {
        if let named = environment["XDG_RUNTIME_DIR"], !named.isEmpty {
            if access(named, F_OK) == 0 { try check(named, user: user) }
            return [named]
        }
        return ["\(perUser)/\(user)", "\(fallback)/mullion-\(user)"].filter { isOwn($0, user: user) }
            + others(user: user, fallback: fallback)
    }

    /// Whether a folder belongs to this user, is private, and is not a link.
    public static func isOwn(_ path: String, user: UInt32 = getuid()) -> Bool { (try? check(path, user: user)) != nil }

    /// Folders beside `/tmp/mullion-UID` that earlier starts created.
    private static func others(user: UInt32, fallback: String) -> [String] {
        let prefix = "mullion-\(user)-"
        guard let folder = opendir(fallback) else { return [] }
        defer { closedir(folder) }
        var found: [String] = []
        while let item = readdir(folder) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(prefix), isOwn("\(fallback)/\(name)", user: user) { found.append("\(fallback)/\(name)") }
        }
        return found.sorted()
    }

    private static func make(_ path: String) -> Bool { mkdir(path, 0o700) == 0 }

    private static func check(_ path: String, user: UInt32) throws(Failure) {
        var status = stat()
        // The owner of a link can change its target at any time.
        guard lstat(path, &status) == 0 else {
            throw Failure(
                message: "the runtime directory \(path) cannot be used: \(reason(errno)); make it with mode 0700, or unset XDG_RUNTIME_DIR")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            throw Failure(message: "the runtime directory \(path) is \(isLink ? "a link and " : "")no directory")
        }
        guard status.st_uid == user else {
            throw Failure(
                message: "the runtime directory \(path) belongs to user \(status.st_uid), not to user \(user); "
                    + "set XDG_RUNTIME_DIR to a directory of your own")
        }
        let mode = status.st_mode & 0o1777
        guard mode & 0o1000 == 0 else {
            // A folder of all users, such as /tmp, which must stay one.
            throw Failure(
                message:
                    "the runtime directory \(path) is shared by all users; set XDG_RUNTIME_DIR to a directory of your own with mode 0700")
        }
        guard mode == 0o700 else {
            throw Failure(
                message: "the runtime directory \(path) has mode 0\(String(mode, radix: 8)), but must be yours alone (0700), "
                    + "because whoever enters it may use the session; run: chmod 700 \(path)")
        }
        guard path.utf8.count <= longestPath else {
            throw Failure(
                message: "the path of the runtime directory \(path) is longer than \(longestPath) bytes, "
                    + "too long for sockets in it")
        }
    }
}
