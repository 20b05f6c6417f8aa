import Desktop
import Foundation
import Glibc

/// A machine's folders in a temporary place: the person's own data, the system's, programs and settings.
final class Place {
    let root = NSTemporaryDirectory() + "mullion-apps-" + UUID().uuidString
    var more: [String: String] = [:]

    init() {
        try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    var environment: [String: String] {
        [
            "HOME": "\(root)/home", "XDG_DATA_HOME": "\(root)/own", "XDG_DATA_DIRS": "\(root)/system:\(root)/extra",
            "XDG_CONFIG_HOME": "\(root)/config", "PATH": "\(root)/bin", "LANG": "C",
        ].merging(more) { $1 }
    }

    func catalogue() -> AppCatalogue { AppCatalogue(environment: environment) }

    func path(_ path: String) -> String { "\(root)/\(path)" }

    func folder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: "\(root)/\(path)", withIntermediateDirectories: true)
    }

    func write(_ path: String, _ data: Data) throws {
        try folder((path as NSString).deletingLastPathComponent)
        try data.write(to: URL(filePath: "\(root)/\(path)"))
    }

    func write(_ path: String, _ text: String) throws { try write(path, Data(text.utf8)) }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: "\(root)/\(path)") }

    func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(root)/\(path)", withDestinationPath: target)
    }

    func program(_ name: String) throws {
        try write("bin/\(name)", "#!/bin/sh\n")
        chmod("\(root)/bin/\(name)", 0o755)
    }

    /// An entry below a data folder's `applications`; its program is the one called `tool` unless `more` names another.
    func app(_ path: String, _ name: String, exec: String = "tool", more: String = "") throws {
        try write(path + ".desktop", "[Desktop Entry]\nType=Application\nName=\(name)\nExec=\(exec)\n\(more)\n")
    }

    func icon(_ path: String) throws { try write(path, "picture") }

    /// A theme's description; each directory as `path:keys`, keys with semicolons between them.
    func theme(_ path: String, inherits: String = "", _ directories: [String]) throws {
        let parts = directories.map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        var text = "[Icon Theme]\nName=x\nInherits=\(inherits)\n"
        text += "Directories=\(parts.map { $0[0] }.joined(separator: ","))\n"
        for part in parts { text += "\n[\(part[0])]\n" + part[1].replacing(";", with: "\n") + "\n" }
        try write("\(path)/index.theme", text)
    }
}

extension AppCatalogue {
    /// How many folders the kernel watches for it.
    var watchedFolders: Int {
        let text = try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
        return (text ?? "").split(separator: "\n").count { $0.hasPrefix("inotify") }
    }

    /// Waits until the descriptor is readable as the event loop would, and takes what there is.
    func waitsForChange(_ milliseconds: Int32 = 2000) -> Bool {
        var descriptors = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptors, 1, milliseconds) > 0 else { return false }
        return drain()
    }
}
