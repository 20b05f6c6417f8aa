import Descriptors
import Glibc

/// The light of the built-in screen, as the kernel offers it in a folder such as /sys/class/backlight.
package struct Backlight: Equatable {
    package var name: String
    package var largest: UInt32
    private var folder: String

    /// The one that moves the light of the panel; nil: there is none. On machines with two, the one whose parent is the connector of the
    /// panel counts, then what the firmware knows, then the platform, then a graphics card.
    package init?(in folder: String) {
        let names = Self.entries(of: folder).sorted()
        var best: (rank: Int, light: Backlight)?
        for name in names.prefix(64) {
            let own = "\(folder)/\(name)"
            guard let largest = Self.number(in: "\(own)/max_brightness"), largest > 0 else { continue }
            let rank = Self.isAtPanel(own) ? 0 : ["firmware": 1, "platform": 2, "raw": 3][Self.text(in: "\(own)/type")] ?? 4
            if best.map({ rank < $0.rank }) ?? true { best = (rank, Backlight(name: name, largest: largest, folder: own)) }
        }
        guard let best else { return nil }
        self = best.light
    }

    private init(name: String, largest: UInt32, folder: String) {
        (self.name, self.largest, self.folder) = (name, largest, folder)
    }

    /// The least value at which the screen can still be read. Some go dark at 0.
    private var least: UInt32 { max(1, largest / 100) }

    /// From 0 to 1; nil: it cannot be read now.
    package var share: Double? {
        guard let value = Self.number(in: "\(folder)/brightness") else { return nil }
        guard largest > least else { return 1 }
        return max(0, min(1, (Double(value) - Double(least)) / Double(largest - least)))
    }

    package func value(for share: Double) -> UInt32 {
        least + UInt32(clamping: Int64((max(0, min(1, share)) * Double(largest - least)).rounded()))
    }

    private static func isAtPanel(_ folder: String) -> Bool {
        guard let parent = realpath("\(folder)/device", nil) else { return false }
        defer { free(parent) }
        return ["-eDP-", "-LVDS-", "-DSI-"].contains { String(cString: parent).contains($0) }
    }

    static func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func text(in path: String) -> String {
        let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), owner: "backlight")
        guard file.isOpen else { return "" }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file.number, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count].prefix { $0 != 10 }, as: UTF8.self) : ""
    }

    static func number(in path: String) -> UInt32? { UInt32(text(in: path)) }
}
