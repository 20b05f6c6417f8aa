import Glibc

extension Compositor {
    /// Whether the machine has a display card. This process may still lack permission to use it.
    public static var hasDisplayHardware: Bool {
        guard let folder = opendir("/dev/dri") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix("card") { return true }
        }
        return false
    }
}
