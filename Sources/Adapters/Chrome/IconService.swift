import Glibc

/// The process that paints icons and artwork for the shell. A broken file of an app cannot block or crash the shell,
/// and the image libraries use no memory while nothing is painted.
public enum IconService {
    /// The program's only argument when it runs as this process.
    public static let word = "paint-icons"

    /// Answers the requests on standard input in order, until end of file.
    public static func serve() {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65536)
        while true {
            while let file = IconFile(taking: &bytes) {
                guard answer(file.outcome) else { return }
            }
            let count = read(STDIN_FILENO, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes += room[..<count]
        }
    }

    private static func answer(_ outcome: IconFile.Outcome) -> Bool {
        switch outcome {
        case .picture(let picture): write([1]) && picture.pixels.withUnsafeBytes { write($0) }
        case .refused(let reason): write(IconFile.refusal(reason))
        case .nothing: write(IconFile.refusal(""))
        }
    }

    private static func write(_ bytes: some Collection<UInt8>) -> Bool {
        let all = Array(bytes)
        var done = 0
        while done < all.count {
            let count = all.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress! + done, all.count - done) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }
}
