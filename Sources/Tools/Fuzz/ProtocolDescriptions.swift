import FoundationEssentials
import Glibc

/// An argument of a request or event in the wire format.
public struct WireArgument: Sendable {
    public enum Kind: String, Sendable {
        case int, uint, fixed, string, object, array, fd
        case newID = "new_id"
    }

    public var name: String
    public var kind: Kind
    /// The interface of an object or new object; nil for any.
    public var interface: String?
    public var nullable: Bool
    /// The enum of its values: "enum" or "interface.enum".
    public var values: String?
}

/// A request or an event.
public struct WireMessage: Sendable {
    public var name: String
    public var opcode: UInt16
    public var since: UInt32
    public var isDestructor: Bool
    public var arguments: [WireArgument]
}

public struct WireInterface: Sendable {
    public var name: String
    public var version: UInt32
    public var requests: [WireMessage] = []
    public var events: [WireMessage] = []
    /// The values of its enums, by name.
    public var enums: [String: [UInt32]] = [:]

    /// The request with this name.
    public func request(_ name: String) -> WireMessage? { requests.first { $0.name == name } }
}

/// All interfaces in the protocol descriptions of this machine and of this project.
public struct ProtocolDescriptions: Sendable {
    public private(set) var interfaces: [String: WireInterface] = [:]

    public struct Missing: Error, CustomStringConvertible {
        public var description: String
    }

    public subscript(name: String) -> WireInterface? { interfaces[name] }

    /// Reads wayland.xml, wayland-protocols (both found by pkg-config) and the descriptions in `own`. The first
    /// description of an interface wins. Throws `Missing` if the required ones are not installed.
    public init(own: String) throws {
        var files: [String] = []
        for package in ["wayland-scanner", "wayland-protocols"] {
            if let folder = Self.packageFolder(package) { files += Self.descriptions(in: folder) }
        }
        for folder in [own, "/usr/share/wayland", "/usr/share/wayland-protocols"] { files += Self.descriptions(in: folder) }
        for file in files { read(file) }
        guard interfaces["wl_compositor"] != nil, interfaces["xdg_wm_base"] != nil else {
            throw Missing(description: "the protocol descriptions are missing: apt-get install libwayland-dev wayland-protocols")
        }
    }

    private static func packageFolder(_ package: String) -> String? {
        guard let pipe = popen("pkg-config --variable=pkgdatadir \(package) 2>/dev/null", "r") else { return nil }
        defer { pclose(pipe) }
        var line = [UInt8](repeating: 0, count: 4096)
        let count = fread(&line, 1, line.count, pipe)
        let text = String(decoding: line[..<count].prefix { $0 != 10 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    private static func descriptions(in folder: String) -> [String] {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return all.filter { $0.hasSuffix(".xml") }.sorted().map { "\(folder)/\($0)" }
    }

    // MARK: Reading

    private mutating func read(_ path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return }
        var current: WireInterface?
        var message: (WireMessage, isEvent: Bool)?
        var values: (String, [UInt32])?
        func number(_ text: String?) -> UInt32? {
            guard let text else { return nil }
            return text.hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
        }
        Self.eachTag(of: Array(data)) { tag, attributes, closes in
            if tag == "interface", let name = attributes["name"] {
                current = WireInterface(name: name, version: number(attributes["version"]) ?? 1)
            } else if tag == "request" || tag == "event", current != nil {
                let isEvent = tag == "event"
                let opcode = isEvent ? current!.events.count : current!.requests.count
                message = (
                    WireMessage(
                        name: attributes["name"] ?? "", opcode: UInt16(opcode), since: number(attributes["since"]) ?? 1,
                        isDestructor: attributes["type"] == "destructor", arguments: []), isEvent
                )
            } else if tag == "arg", let kind = WireArgument.Kind(rawValue: attributes["type"] ?? "") {
                message?.0.arguments.append(
                    WireArgument(
                        name: attributes["name"] ?? "", kind: kind, interface: attributes["interface"],
                        nullable: attributes["allow-null"] == "true", values: attributes["enum"]))
            } else if tag == "enum" {
                values = (attributes["name"] ?? "", [])
            } else if tag == "entry", let value = number(attributes["value"]) {
                values?.1.append(value)
            }
            guard closes || tag.hasPrefix("/") else { return }
            switch tag.hasPrefix("/") ? String(tag.dropFirst()) : tag {
            case "request", "event":
                if let (made, isEvent) = message {
                    if isEvent { current?.events.append(made) } else { current?.requests.append(made) }
                }
                message = nil
            case "enum":
                if let (name, all) = values { current?.enums[name] = all }
                values = nil
            case "interface":
                if let current, interfaces[current.name] == nil { interfaces[current.name] = current }
                current = nil
            default: break
            }
        }
    }

    /// Calls `body` with each tag, its attributes, and whether it is self-closing. Parses only as much XML as these
    /// files need.
    private static func eachTag(of bytes: [UInt8], _ body: (String, [String: String], Bool) -> Void) {
        var at = 0
        while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
            if bytes[start...].starts(with: "<!--".utf8) {
                at = start + 4
                while at < bytes.count, !bytes[at...].starts(with: "-->".utf8) { at += 1 }
                continue
            }
            var end = start + 1
            var quoted = false
            while end < bytes.count, quoted || bytes[end] != UInt8(ascii: ">") {
                if bytes[end] == UInt8(ascii: "\"") { quoted.toggle() }
                end += 1
            }
            guard end < bytes.count else { return }
            tag(String(decoding: bytes[start + 1..<end], as: UTF8.self), body)
            at = end + 1
        }
    }

    private static func tag(_ text: String, _ body: (String, [String: String], Bool) -> Void) {
        let closes = text.hasSuffix("/")
        var rest = Substring(closes ? String(text.dropLast()) : text)
        let name = rest.prefix { !$0.isWhitespace }
        rest = rest.dropFirst(name.count)
        var attributes: [String: String] = [:]
        while let equals = rest.firstIndex(of: "=") {
            let key = rest[..<equals].filter { !$0.isWhitespace }
            let opening = rest[rest.index(after: equals)...]
            guard let from = opening.firstIndex(of: "\"") else { break }
            let value = opening[opening.index(after: from)...].prefix { $0 != "\"" }
            attributes[key] = String(value)
            rest = rest[value.endIndex...].dropFirst()
        }
        body(String(name), attributes, closes)
    }
}
