/// Addresses of buses.
package enum BusAddress {
    /// The address of the session bus, found as every D-Bus library does; nil if none can be reached without waiting.
    package static func session(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return usable(address) }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return nil }
        return unix(folder + "/bus")
    }

    /// The address of the system bus, found as every D-Bus library does; nil if the environment names one that cannot be
    /// reached without waiting.
    package static func system(_ environment: [String: String]) -> String? {
        if let address = environment["DBUS_SYSTEM_BUS_ADDRESS"], !address.isEmpty { return usable(address) }
        return unix("/var/run/dbus/system_bus_socket")
    }

    /// A socket's path as an address.
    package static func unix(_ path: String) -> String { "unix:path=" + escaped(path) }

    /// Keeps only Unix sockets. Other transports start programs or resolve hosts.
    package static func usable(_ address: String) -> String? {
        let usable = address.split(separator: ";").filter { $0.hasPrefix("unix:") }
        return usable.isEmpty ? nil : usable.joined(separator: ";")
    }

    private static func escaped(_ path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/.\\*".utf8)
        let digits = Array("0123456789abcdef")
        return path.utf8.reduce(into: "") { text, byte in
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }
}
