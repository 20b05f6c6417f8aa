import Glibc

/// noVNC's files, as installed by its package.
struct Pages {
    var folder: String

    private static let longest = 4 << 20
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon", "woff": "font/woff",
        "ttf": "font/ttf", "mp3": "audio/mpeg", "oga": "audio/ogg",
    ]

    /// The file at `path`, which `Door` has checked. nil if there is no such file.
    func file(_ path: String) -> (bytes: [UInt8], type: String)? {
        let file = open("\(folder)/\(path)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Pages.longest else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + done, $0.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            done += count
        }
        let ending = path.lastIndex(of: ".").map { String(path[path.index(after: $0)...]) } ?? ""
        return (bytes, Pages.types[ending] ?? "application/octet-stream")
    }
}
