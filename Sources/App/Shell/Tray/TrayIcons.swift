import Chrome
import Compositor
import Descriptors
import Glibc
import Processes

/// The pictures of items of the tray, as files in a folder of the shell's own. Apps delete and replace their own files at any time, so
/// the shell copies a picture as soon as it hears of it.
final class TrayIcons {
    /// Where a picture of an item is to be found.
    struct Source: Hashable {
        /// Files, the best one first.
        var files: [String] = []
        var pixels: TrayWords.Pixels?
    }

    private struct Outcome: Sendable {
        var key: String
        var serial: Int
        var path: String?
    }

    private let folder: String
    private let worker = Worker<Outcome>(owner: "icons of the tray")
    private var watch: EventSource?
    private var serial = 0
    private var last: [String: (serial: Int, source: Source, path: String?, done: (String?) -> Void)] = [:]
    /// The file that each item showed before. A view may still be painting it.
    private var before: [String: String] = [:]

    /// Bytes of a file.
    private static let most = 1 << 20

    init(_ compositor: Compositor, folder: String) {
        self.folder = folder
        watch = compositor.watch(fd: worker.descriptor) { [unowned self] _ in drain() }
        worker.add {
            for name in FolderNames.list(folder) where name.hasPrefix("icon-") { unlink("\(folder)/\(name)") }
            return nil
        }
    }

    /// Keeps a picture. `done` gets where it is, now or later; nil: there is none. It is not called if another one follows before.
    func keep(_ source: Source, of key: String, done: @escaping (String?) -> Void) {
        if let last = last[key], last.source == source {
            self.last[key]!.done = done
            if last.serial == 0 { done(last.path) }
            return
        }
        serial += 1
        last[key] = (serial, source, last[key]?.path, done)
        let folder = folder, number = serial, path = "\(folder)/icon-\(getpid())-\(serial)"
        worker.add {
            mkdir(folder, 0o700)
            for file in source.files {
                guard let bytes = Self.bytes(of: file), let ending = Self.ending(of: bytes) else { continue }
                if (try? PrivateFile.write(bytes, to: path + ending)) != nil {
                    return Outcome(key: key, serial: number, path: path + ending)
                }
            }
            guard let pixels = source.pixels else { return Outcome(key: key, serial: number, path: nil) }
            let isWritten =
                (try? PNG.write(
                    pixels: pixels.shellPixels, width: pixels.width, height: pixels.height, stride: 4 * pixels.width, to: path + ".png"))
                != nil
            return Outcome(key: key, serial: number, path: isWritten ? path + ".png" : nil)
        }
    }

    func forget(_ key: String) { remove([last.removeValue(forKey: key)?.path, before.removeValue(forKey: key)]) }

    func finish() {
        worker.finish()
        watch?.cancel()
        watch = nil
    }

    private func drain() {
        for outcome in worker.outcomes() {
            guard let job = last[outcome.key], job.serial == outcome.serial else {
                remove([outcome.path])
                continue
            }
            // 0: there is no job any more.
            last[outcome.key]!.serial = 0
            last[outcome.key]!.path = outcome.path
            remove([before[outcome.key]])
            before[outcome.key] = job.path
            job.done(outcome.path)
        }
    }

    private func remove(_ paths: [String?]) {
        let own = paths.compactMap(\.self)
        guard !own.isEmpty else { return }
        worker.add {
            for path in own { unlink(path) }
            return nil
        }
    }

    /// The files in which an icon of this name may be, below a folder that an app names.
    static func files(_ name: String, below theme: String) -> [String] {
        guard !name.isEmpty, !name.contains("/"), name != "..", name.utf8.count <= 255, theme.hasPrefix("/"), theme.utf8.count <= 1024
        else {
            return []
        }
        let isFile = name.hasSuffix(".png") || name.hasSuffix(".svg")
        func both(_ folder: String) -> [String] { isFile ? ["\(folder)/\(name)"] : ["\(folder)/\(name).svg", "\(folder)/\(name).png"] }
        let sizes = ["scalable", "64x64", "48x48", "128x128", "256x256", "32x32", "24x24", "22x22", "16x16"]
        return both(theme) + sizes.flatMap { size in ["apps", "status", "panel"].flatMap { both("\(theme)/hicolor/\(size)/\($0)") } }
    }

    /// A regular file of a reasonable size.
    private static func bytes(of path: String) -> [UInt8]? {
        let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), owner: "icon of the tray")
        var state = stat()
        guard file.isOpen, fstat(file.number, &state) == 0, state.st_mode & S_IFMT == S_IFREG, (1...most).contains(Int(state.st_size))
        else {
            return nil
        }
        let size = Int(state.st_size), number = file.number
        let all = [UInt8](unsafeUninitializedCapacity: size) { room, count in count = max(0, read(number, room.baseAddress!, size)) }
        return all.count == size ? all : nil
    }

    /// By its content: an app may name it as it likes. Another process decodes it, within limits.
    private static func ending(of bytes: [UInt8]) -> String? {
        bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) ? ".png" : bytes.first == UInt8(ascii: "<") ? ".svg" : nil
    }
}

/// The names in a folder.
enum FolderNames {
    static func list(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < 4096, let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
                })
        }
        return names
    }
}
