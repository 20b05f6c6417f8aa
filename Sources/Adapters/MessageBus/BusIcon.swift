import CSystemd
import Glibc

/// A picture or a sound in a message, as GIcon and the portals serialise it.
package enum BusIcon {
    /// Names of a theme, the best one first.
    case names([String])
    case bytes([UInt8])
    /// A file's URI.
    case file(String)
    case other
}

extension Incoming {
    /// Calls `body` for each entry of the next dictionary of variants, until it returns false. `body` reads the variant, or leaves it.
    /// Returns false if there is no such dictionary, or `body` or the message failed.
    package func fields(limit: Int = 64, _ body: (String) -> Bool) -> Bool {
        guard sd_bus_message_enter_container(raw, Outgoing.Container.array.code, "{sv}") > 0 else { return false }
        var count = 0
        while count < limit, sd_bus_message_enter_container(raw, Outgoing.Container.entry.code, "sv") > 0 {
            count += 1
            guard let key = string(), body(key), csd_leave(raw) >= 0 else { return false }
        }
        return csd_leave(raw) >= 0
    }

    /// The elements of the next array of dictionaries, each read by `body`, in a variant.
    package func dictionaries(limit: Int, _ body: () -> Bool) -> Bool {
        guard sd_bus_message_enter_container(raw, Outgoing.Container.variant.code, "aa{sv}") > 0,
            sd_bus_message_enter_container(raw, Outgoing.Container.array.code, "a{sv}") > 0
        else { return false }
        var count = 0
        while count < limit, sd_bus_message_at_end(raw, 0) == 0 {
            count += 1
            guard body() else { return false }
        }
        return csd_leave(raw) >= 0 && csd_leave(raw) >= 0
    }

    /// The next variant, which is an icon or a sound: a text, or a kind with a variant. nil if the message is broken.
    /// - Parameter most: bytes of a picture. A greater one is `.other`.
    package func icon(most: Int) -> BusIcon? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(raw, &type, &contents) > 0, type == Outgoing.Container.variant.code else { return nil }
        let inner = text(contents)
        guard inner == "s" || inner == "(sv)" else { return csd_skip(raw) >= 0 ? .other : nil }
        guard sd_bus_message_enter_container(raw, type, inner) > 0 else { return nil }
        var out = BusIcon.other
        if inner == "s" {
            guard let name = string() else { return nil }
            out = name.utf8.count > 1024 ? .other : name.contains("://") || name.hasPrefix("/") ? .file(name) : .names([name])
        } else {
            guard sd_bus_message_enter_container(raw, Outgoing.Container.structure.code, inner.dropped) > 0, let kind = string(),
                sd_bus_message_peek_type(raw, &type, &contents) > 0
            else { return nil }
            let value = text(contents)
            guard sd_bus_message_enter_container(raw, Outgoing.Container.variant.code, value) > 0 else { return nil }
            switch (kind, value) {
            case ("themed", "as"):
                guard let names = wholeArray(of: "s", limit: 16, { string() }) else { return nil }
                out = .names(names)
            case ("themed", "s"): out = string().map { .names([$0]) } ?? .other
            case ("bytes", "ay"):
                guard let all = bytes() else { return nil }
                if all.count <= most { out = .bytes(Array(all)) }
            case ("file", "s"): out = string().map { .file($0) } ?? .other
            case ("file-descriptor", "h"): out = sealed(most) ?? .other
            default: break
            }
            guard csd_leave(raw) >= 0, csd_leave(raw) >= 0 else { return nil }
        }
        return csd_leave(raw) >= 0 ? out : nil
    }

    /// The bytes of a file in memory, as `memfd_create` makes it. Reading any other file might wait.
    private func sealed(_ most: Int) -> BusIcon? {
        guard case .copy(let number) = file() else { return nil }
        defer { Glibc.close(number) }
        var state = stat()
        guard fcntl(number, 1034 /* F_GET_SEALS */) >= 0, fstat(number, &state) == 0, state.st_size > 0, state.st_size <= most else {
            return nil
        }
        let size = Int(state.st_size)
        let all = [UInt8](unsafeUninitializedCapacity: size) { room, count in
            count = max(0, pread(number, room.baseAddress!, size, 0))
        }
        return all.count == size ? .bytes(all) : nil
    }
}

extension String {
    /// The contents of a struct's signature.
    fileprivate var dropped: String { String(dropFirst().dropLast()) }
}
