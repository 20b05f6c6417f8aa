import Glibc

/// The folder for sockets, which nobody else may write to.
public struct RuntimeDirectory: Equatable, Sendable {
    public var path: String
    /// What a person should know about the choice.
    public var warnings: [String]

    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        public var message: String
        public var description: String { message }
    }

    /// Socket addresses hold 107 bytes; this leaves room for a name of 24.
    static let longestPath = 82

    /// Finds the folder, or makes one: `XDG_RUNTIME_DIR`, else `/run/user/UID`, else `/tmp/mullion-UID`.
    ///
    /// - Throws: `Failure` when the folder belongs to another, others may write to it, or it cannot be made.
    public static func resolve(
        environment: [String: String], user: UInt32 = getuid(), perUser: String = "/run/user", fallback: String = "/tmp"
    ) throws(Failure) -> RuntimeDirectory {
        if let named = environment["XDG_RUNTIME_DIR"], !named.isEmpty {
            guard named.hasPrefix("/") else {
                throw Failure(message: "XDG_RUNTIME_DIR is \"\(named)\", but has to begin with /")
            }
            var warnings: [String] = []
            if make(named) { warnings.append("XDG_RUNTIME_DIR named \(named), which was not there; made it") }
            try check(named, user: user, followLinks: true)
            return RuntimeDirectory(path: named, warnings: warnings)
        }
        let standard = "\(perUser)/\(user)"
        if (try? check(standard, user: user, followLinks: true)) != nil, access(standard, W_OK) == 0 {
            return RuntimeDirectory(path: standard, warnings: ["XDG_RUNTIME_DIR is not set; using \(standard)"])
        }
        let own = "\(fallback)/mullion-\(user)"
        _ = make(own)
        // Anybody may put a link into /tmp, so that only a true folder will do.
        try check(own, user: user, followLinks: false)
        return RuntimeDirectory(path: own, warnings: ["XDG_RUNTIME_DIR is not set; using \(own)"])
    }

    private static func make(_ path: String) -> Bool { mkdir(path, 0o700) == 0 }

    private static func check(_ path: String, user: UInt32, followLinks: Bool) throws(Failure) {
        var status = stat()
        guard (followLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
            throw Failure(message: "the runtime directory \(path) cannot be used: \(reason(errno))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw Failure(message: "the runtime directory \(path) is no directory")
        }
        guard status.st_uid == user else {
            throw Failure(message: "the runtime directory \(path) belongs to user \(status.st_uid), not to user \(user); "
                + "set XDG_RUNTIME_DIR to a directory of your own")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw Failure(message: "others may write to the runtime directory \(path); run: chmod 700 \(path)")
        }
        guard path.utf8.count <= longestPath else {
            throw Failure(message: "the path of the runtime directory \(path) is longer than \(longestPath) bytes, "
                + "too long for sockets in it")
        }
    }
}
