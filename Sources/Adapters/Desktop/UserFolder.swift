import Glibc

/// The folders of a person for pictures, videos and so on, as xdg-user-dirs keeps them.
public enum UserFolder {
    /// - Parameters:
    ///   - name: as in `user-dirs.dirs`: "VIDEOS" for XDG_VIDEOS_DIR.
    ///   - other: the folder in the home folder if the file says none.
    public static func path(_ name: String, or other: String, environment: [String: String]) -> String {
        let home = environment["HOME"] ?? "/", config = environment["XDG_CONFIG_HOME"] ?? "\(home)/.config"
        var found: String?
        KeyFile.read(KeyFile.bytes(of: "\(config)/user-dirs.dirs") ?? []) { line in
            guard case .value(let key, let value) = line, String(decoding: key, as: UTF8.self) == "XDG_\(name)_DIR" else { return }
            var text = String(decoding: value, as: UTF8.self)
            if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 { text = String(text.dropFirst().dropLast()) }
            if text == "$HOME" || text.hasPrefix("$HOME/") { text = home + text.dropFirst("$HOME".count) }
            // The home folder itself means that there is none.
            if text.hasPrefix("/"), text != home, text != home + "/" { found = text }
        }
        return found ?? "\(home)/\(other)"
    }

    /// The local time to the second, as part of a file's name.
    public static var stamp: String {
        var seconds = time(nil), local = tm()
        localtime_r(&seconds, &local)
        var room = [CChar](repeating: 0, count: 64)
        strftime(&room, room.count, "%Y-%m-%d %H-%M-%S", &local)
        return String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
