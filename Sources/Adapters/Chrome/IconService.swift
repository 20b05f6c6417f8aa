import Glibc

/// The process that draws icons and artwork for the shell: so no file of an app can hold up or end the shell, and the libraries for
/// images take no memory of it while nothing is drawn.
public enum IconService {
    /// The only argument of the program when it is this process.
    public static let word = "paint-icons"

    /// Draws what is asked for on standard input, in turn, until there is no more to read.
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
