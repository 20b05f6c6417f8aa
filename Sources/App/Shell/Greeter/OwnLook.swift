import Descriptors
import FoundationEssentials
import Glibc
import Interface
import Locking
import Logging
import Multitasking
import Settings
import Windows

/// Leaves the look of this shell where a greeter finds it, if an administrator has made the folder for that (docs/greeter.md).
final class OwnLook: Adapter {
    private unowned let shell: Shell
    private let worker = Worker<String>(owner: "look for the greeter")
    private var folder: String?
    private var last: Preferences?

    init(_ shell: Shell) { self.shell = shell }

    func start() {
        let path = LookFile.folder(environment: shell.environment)
        var state = stat()
        guard shell.options.greetd == nil, stat(path, &state) == 0, state.st_mode & S_IFMT == S_IFDIR, access(path, W_OK | X_OK) == 0 else {
            return
        }
        folder = path
    }

    func cameToRest() {
        guard let folder, shell.isSetUp, shell.system.preferences != last else { return }
        let preferences = shell.system.preferences
        last = preferences
        let parts = parts(preferences), user = getuid()
        for reason in worker.outcomes() { shell.log.warning("the greeter does not get the look of this shell: \(reason)") }
        worker.add { LookFile.write(parts, in: folder, for: user) }
    }

    private func parts(_ preferences: Preferences) -> [Choice] {
        let look = preferences.appearance, theme = shell.store.settings.theme(look, environment: shell.environment)
        var out: [Choice] = [
            .darkAppearance(look.isDark), .reducedMotion(preferences.reducedMotion), .textSize(look.textScale),
            .increasedContrast(look.increasedContrast), .reducedTransparency(look.reducesTransparency), .accent(look.accent),
            .language(theme.language.rawValue), .direction(look.isRightToLeft ? "right-to-left" : "left-to-right"),
        ]
        if !preferences.input.layouts.isEmpty { out.append(.input(.layouts(preferences.input.layouts))) }
        switch shell.store.settings.wallpaper(look) {
        case .standard: out.append(.wallpaper("standard"))
        case .colour(let colour): out.append(.wallpaper(colour.text))
        case .picture(let path): out.append(.wallpaper(path))
        }
        return out.filter(GreeterLook.takes)
    }

    func stop() { if folder != nil { worker.finish() } }
}

extension Colour {
    /// `#rrggbb`.
    fileprivate var text: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The file with the look of one person: a part a line, as JSON. A part that another version does not understand is left out.
enum LookFile {
    private static let longest = 1 << 16
    /// Names the folder, for tests.
    private static let variable = "MULLION_LOOKS"

    static func folder(environment: [String: String]) -> String { environment[variable] ?? "/var/lib/mullion-greeter/looks" }

    /// Returns why it was not written.
    static func write(_ parts: [Choice], in folder: String, for user: uid_t) -> String? {
        let encoder = JSONEncoder(), lines = parts.compactMap { try? encoder.encode($0) }
        let bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        // Everyone may write in this folder: a name that cannot be guessed, and then over the old file.
        let part = "\(folder)/.\(user)-\(UInt64.random(in: 0 ... .max))"
        let file = Descriptor(open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644), owner: "look for the greeter")
        guard file.isOpen else { return String(cString: strerror(errno)) }
        // Whatever the umask.
        guard fchmod(file.number, 0o644) == 0, Glibc.write(file.number, bytes, bytes.count) == bytes.count,
            rename(part, "\(folder)/\(user).json") == 0
        else {
            let reason = String(cString: strerror(errno))
            unlink(part)
            return reason
        }
        return nil
    }

    /// The parts that a greeter takes over. The file may be of anybody, so it counts only as a small plain file of the person.
    static func read(of user: uid_t, in folder: String) -> (parts: [Choice], fault: String?) {
        let path = "\(folder)/\(user).json"
        let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY), owner: "look of a person")
        guard file.isOpen else { return ([], errno == ENOENT ? nil : "\(path): \(String(cString: strerror(errno)))") }
        var state = stat()
        guard fstat(file.number, &state) == 0, state.st_mode & S_IFMT == S_IFREG, state.st_uid == user, state.st_nlink == 1,
            state.st_size <= longest
        else { return ([], "\(path) is ignored: it is no small plain file of that person") }
        var bytes = [UInt8](repeating: 0, count: Int(state.st_size))
        let count = max(0, Glibc.read(file.number, &bytes, bytes.count))
        let parts = bytes.prefix(count).split(separator: UInt8(ascii: "\n")).prefix(64).compactMap {
            try? JSONDecoder().decode(Choice.self, from: Data($0))
        }
        return (Array(parts.filter(GreeterLook.takes).prefix(GreeterLook.most)), nil)
    }
}
