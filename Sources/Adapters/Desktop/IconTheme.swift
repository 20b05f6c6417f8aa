import Glibc

/// An icon theme: the directories that `index.theme` describes, and their contents (Icon Theme Specification 0.13).
///
/// Directories are listed at the first lookup and cached. Confined to one thread.
final class IconTheme {
    struct Directory {
        enum Kind { case fixed, threshold, scalable }

        /// Relative to the theme's folder.
        var path: String
        /// In pixels: the size times the scale. So are the bounds.
        var size = 0
        var kind = Kind.threshold
        var smallest = 0
        var largest = 0
        var scale = 1
        var isForApps = false
    }

    private enum Format { case svg, png }

    /// The contents of one folder, as hashes of names without extension, because some themes have 100,000 files.
    private struct Listing {
        var path: String
        var svg: Set<UInt64> = []
        var png: Set<UInt64> = []
    }

    private static let mostDirectories = 4096

    let name: String
    /// The themes to search next.
    let parents: [String]
    let directories: [Directory]
    /// The folders of the theme, in order of precedence. It may be spread over several data folders.
    let roots: [String]
    /// The first path components of existing directories, per root.
    private let tops: [Set<String>]
    private var listings: [[Listing]?]
    /// Directories in order of preference for a size.
    private var orders: [Int: [(directory: Int, format: Format)]] = [:]

    /// - Parameter before: called with each folder of the theme before it is read, so that a watch misses nothing.
    /// - Returns: nil if no folder has such a theme.
    init?(name: String, bases: [String], before: (String) -> Void) {
        var roots: [String] = []
        var tops: [Set<String>] = []
        for base in bases {
            before("\(base)/\(name)")
            let names = FileNames.list("\(base)/\(name)")
            if names.isEmpty { continue }
            roots.append("\(base)/\(name)")
            tops.append(Set(names))
        }
        if let bytes = roots.lazy.compactMap({ KeyFile.bytes(of: $0 + "/index.theme") }).first {
            (directories, parents) = Self.read(bytes)
        } else if name == "hicolor", !roots.isEmpty {
            // Apps install icons there even without the theme's description.
            directories = Self.plainDirectories
            parents = []
        } else {
            return nil
        }
        self.name = name
        self.roots = roots
        self.tops = tops
        listings = Array(repeating: nil, count: directories.count)
    }

    /// Folders to watch for new icons of apps, existing or not. The theme's roots are already watched.
    var watchedFolders: [String] {
        var paths: Set<String> = []
        for directory in directories where directory.isForApps {
            let parts = directory.path.split(separator: "/")
            for (root, top) in zip(roots, tops) where top.contains(String(parts.first ?? "")) {
                // The path and each of its parents.
                for count in 1...max(parts.count, 1) {
                    paths.insert(root + "/" + parts.prefix(count).joined(separator: "/"))
                }
            }
        }
        return paths.sorted()
    }

    /// The best file, by the rules of `AppCatalogue.findIcon`.
    func find(_ icon: String, pixels: Int) -> String? {
        let hash = Self.hash(icon.utf8)
        let isSymbolic = icon.hasSuffix("-symbolic")
        for (directory, format) in order(for: pixels) {
            if !isSymbolic, directories[directory].path.hasPrefix("symbolic") { continue }
            for listing in listing(of: directory)
            where (format == .svg ? listing.svg : listing.png).contains(hash) {
                let path = "\(listing.path)/\(icon)" + (format == .svg ? ".svg" : ".png")
                if IconLookup.isPicture(path) { return path }
            }
        }
        return nil
    }

    // MARK: Order

    private func order(for pixels: Int) -> [(directory: Int, format: Format)] {
        if let known = orders[pixels] { return known }
        var ranked: [(rank: [Int], directory: Int, format: Format)] = []
        for (index, directory) in directories.enumerated() {
            let tie = [directory.isForApps ? 0 : 1, directory.scale, index]
            ranked.append((Self.rank(directory, .svg, pixels) + tie, index, .svg))
            ranked.append((Self.rank(directory, .png, pixels) + tie, index, .png))
        }
        ranked.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
        let order = ranked.map { (directory: $0.directory, format: $0.format) }
        if orders.count > 32 { orders = [:] }
        orders[pixels] = order
        return order
    }

    /// Lower is better. From 48 pixels on, a scalable drawing wins. Below, an icon for the exact size wins.
    private static func rank(_ directory: Directory, _ format: Format, _ pixels: Int) -> [Int] {
        let isScalable = directory.kind == .scalable && (directory.smallest...directory.largest).contains(pixels)
        if format == .svg, isScalable { return [pixels >= 48 ? 0 : 2, 0] }
        var size = directory.size
        // A drawing counts as the nearest size that it is made for.
        if format == .svg, directory.kind == .scalable {
            size = pixels < directory.smallest ? directory.smallest : directory.largest
        }
        if size == pixels { return [1, 0] }
        return size > pixels ? [3, size - pixels] : [4, pixels - size]
    }

    // MARK: Listing

    private func listing(of directory: Int) -> [Listing] {
        if let known = listings[directory] { return known }
        let path = directories[directory].path
        let top = String(path.prefix { $0 != "/" })
        var found: [Listing] = []
        for (root, tops) in zip(roots, tops) where tops.contains(top) {
            if let listing = Self.list("\(root)/\(path)") { found.append(listing) }
        }
        listings[directory] = found
        return found
    }

    private static func list(_ path: String) -> Listing? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var listing = Listing(path: path)
        while let item = readdir(directory) {
            // Swift imports the C array as a tuple. Making a String for each would cost more than reading the folder.
            withUnsafeBytes(of: &item.pointee.d_name) { raw in
                let name = raw.prefix { $0 != 0 }
                guard name.count > 4 else { return }
                if name.suffix(4).elementsEqual(".svg".utf8) {
                    listing.svg.insert(hash(name.dropLast(4)))
                } else if name.suffix(4).elementsEqual(".png".utf8) {
                    listing.png.insert(hash(name.dropLast(4)))
                }
            }
        }
        return listing
    }

    /// FNV-1a. In case of a collision, the file does not exist.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }

    // MARK: index.theme

    private static func read(_ bytes: [UInt8]) -> (directories: [Directory], parents: [String]) {
        var groups: [String: [String: String]] = [:]
        var group = ""
        KeyFile.read(bytes) { line in
            switch line {
            case .group(let name): group = name
            case .value(let key, let value):
                let key = String(decoding: key, as: UTF8.self)
                groups[group, default: [:]][key] = String(decoding: value, as: UTF8.self)
            }
        }
        let main = groups["Icon Theme"] ?? [:]
        func list(_ key: String) -> [String] {
            (main[key] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
        }
        var directories: [Directory] = []
        var seen: Set<String> = []
        for path in (list("Directories") + list("ScaledDirectories")).prefix(mostDirectories) {
            guard let values = groups[path], !path.hasPrefix("/"), !path.split(separator: "/").contains(".."),
                seen.insert(path).inserted
            else { continue }
            func number(_ key: String) -> Int? { values[key].flatMap { Int($0) }.map { min(max($0, 1), 16_384) } }
            guard let size = number("Size") else { continue }
            let scale = min(number("Scale") ?? 1, 16)
            var directory = Directory(path: path, size: size * scale)
            directory.scale = scale
            switch values["Type"] {
            case "Fixed": directory.kind = .fixed
            case "Scalable": directory.kind = .scalable
            default: directory.kind = .threshold
            }
            directory.smallest = min(number("MinSize") ?? size, size) * scale
            directory.largest = max(number("MaxSize") ?? size, size) * scale
            directory.isForApps =
                values["Context"].map { $0 == "Applications" }
                ?? path.split(separator: "/").contains("apps")
            directories.append(directory)
        }
        return (directories, list("Inherits").filter(IconLookup.isThemeName))
    }

    private static var plainDirectories: [Directory] {
        [16, 22, 24, 32, 36, 48, 64, 72, 96, 128, 192, 256, 512].map {
            Directory(path: "\($0)x\($0)/apps", size: $0, isForApps: true)
        } + [Directory(path: "scalable/apps", size: 128, kind: .scalable, smallest: 1, largest: 1024, isForApps: true)]
    }
}
