import Control
import FoundationEssentials
import Glibc
import Journal

/// The kind of a passed file descriptor.
public enum PassedFile: Hashable, Sendable {
    /// Shared memory of this many bytes.
    case memory(Int)
    /// A valid keymap.
    case keymap
    case pipeToRead, pipeToWrite, null, folder, socket

    var word: String {
        switch self {
        case .memory(let size): "memory:\(size)"
        case .keymap: "keymap"
        case .pipeToRead: "read"
        case .pipeToWrite: "write"
        case .null: "null"
        case .folder: "folder"
        case .socket: "socket"
        }
    }

    init?(word: Substring) {
        switch word {
        case "keymap": self = .keymap
        case "read": self = .pipeToRead
        case "write": self = .pipeToWrite
        case "null": self = .null
        case "folder": self = .folder
        case "socket": self = .socket
        default:
            guard word.hasPrefix("memory:"), let size = Int(word.dropFirst(7)) else { return nil }
            self = .memory(size)
        }
    }

    static let keymapText = """
        xkb_keymap { xkb_keycodes { include "evdev" }; xkb_types { include "complete" };
        xkb_compat { include "complete" }; xkb_symbols { include "pc+us" }; };\u{0}
        """

    /// The prefix of all shared memory files.
    static let memoryPath = "/dev/shm/mullion-fuzz-"

    private static func openMemory() -> Int32 {
        var name = Array("\(memoryPath)XXXXXX".utf8CString)
        let fd = mkstemp(&name)
        if fd >= 0 { unlink(&name) }
        return fd
    }

    /// Opens a descriptor; -1 if there are none left.
    func open() -> Int32 {
        switch self {
        case .memory(let size):
            let fd = Self.openMemory()
            if fd >= 0 { ftruncate(fd, size) }
            return fd
        case .keymap:
            let fd = Self.openMemory()
            let text = Array(Self.keymapText.utf8)
            if fd >= 0 { write(fd, text, text.count) }
            return fd
        case .pipeToRead, .pipeToWrite:
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return -1 }
            close(ends[self == .pipeToRead ? 1 : 0])
            return ends[self == .pipeToRead ? 0 : 1]
        case .null: return Glibc.open("/dev/null", O_RDWR)
        case .folder: return Glibc.open("/", O_RDONLY)
        case .socket: return Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        }
    }
}

/// A number from the shell that has to be inserted into a message on replay.
public struct SerialReference: Hashable, Sendable {
    /// The byte offset in the message.
    public var offset: Int
    /// The object whose event contained it, and that event.
    public var object: UInt32
    public var event: UInt16
}

/// A step of the clients, which are numbered from 0.
public enum Step: Sendable {
    case connect(Int)
    /// Queues a whole message. `raw`: it is not meant to be valid.
    case message(Int, [UInt8], files: [PassedFile], serials: [SerialReference], raw: Bool)
    /// Sends the queue, or this many bytes of it.
    case flush(Int, Int?)
    /// Reads the pending events.
    case read(Int)
    /// Waits for the callback with this number, at most five seconds.
    case wait(Int, UInt32)
    /// Resizes the n-th memory that the client sent.
    case resize(Int, file: Int, size: Int)
    case close(Int)
    /// The client stops reading events.
    case deafen(Int)
    /// Waits this many milliseconds.
    case pause(Int)
    /// Begins a new session.
    case session(String)
    /// Waits for this event of this object, at most five seconds.
    case await(Int, object: UInt32, event: UInt16)
    /// Checks whether the screen is locked, if the player can ask the shell.
    case locked(Bool)
    /// Makes input, if the player can ask the shell for that.
    case input(InputRequest)

    public var client: Int? {
        switch self {
        case .connect(let n), .message(let n, _, _, _, _), .flush(let n, _), .read(let n), .wait(let n, _), .resize(let n, _, _),
            .close(let n), .deafen(let n), .await(let n, _, _):
            n
        case .pause, .session, .locked, .input: nil
        }
    }

    /// Whether it needs a shell that allows locking.
    public var isAboutLock: Bool { if case .locked = self { true } else { false } }

    /// Its line in a file.
    public var line: String {
        switch self {
        case .connect(let n): return "connect \(n)"
        case .message(let n, let bytes, let files, let serials, let raw):
            var line = "\(raw ? "raw" : "send") \(n) \(bytes.isEmpty ? "-" : Self.hex(bytes))"
            for file in files { line += " \(file.word)" }
            for serial in serials { line += " serial:\(serial.offset):\(serial.object):\(serial.event)" }
            return line
        case .flush(let n, let count): return "flush \(n)" + (count.map { " \($0)" } ?? "")
        case .read(let n): return "read \(n)"
        case .wait(let n, let id): return "wait \(n) \(id)"
        case .resize(let n, let file, let size): return "resize \(n) \(file) \(size)"
        case .close(let n): return "close \(n)"
        case .deafen(let n): return "deafen \(n)"
        case .pause(let ms): return "pause \(ms)"
        case .session(let name): return "session \(name)"
        case .await(let n, let object, let event): return "await \(n) \(object) \(event)"
        case .locked(let locked): return "locked \(locked ? "yes" : "no")"
        case .input(let input): return "input \((try? JSON(encoding: input).text()) ?? "")"
        }
    }

    /// The step of a line; nil for an empty line or a comment.
    public init?(line: Substring) throws {
        let words = line.split(separator: " ")
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        func int(_ at: Int) throws -> Int {
            guard at < words.count, let value = Int(words[at]) else { throw TraceError(line: String(line)) }
            return value
        }
        switch first {
        case "connect": self = .connect(try int(1))
        case "flush": self = .flush(try int(1), words.count > 2 ? try int(2) : nil)
        case "read": self = .read(try int(1))
        case "wait": self = .wait(try int(1), UInt32(truncatingIfNeeded: try int(2)))
        case "resize": self = .resize(try int(1), file: try int(2), size: try int(3))
        case "close": self = .close(try int(1))
        case "deafen": self = .deafen(try int(1))
        case "pause": self = .pause(try int(1))
        case "session": self = .session(words.dropFirst().joined(separator: " "))
        case "await":
            self = .await(try int(1), object: UInt32(truncatingIfNeeded: try int(2)), event: UInt16(truncatingIfNeeded: try int(3)))
        case "locked": self = .locked(words.count > 1 && words[1] == "yes")
        case "input":
            guard let json = try? JSON(parsing: Array(line.dropFirst("input ".count).utf8)),
                let input = try? json.decoded(as: InputRequest.self)
            else { throw TraceError(line: String(line)) }
            self = .input(input)
        case "send", "raw":
            guard words.count >= 3, let bytes = Self.bytes(words[2]) else { throw TraceError(line: String(line)) }
            var files: [PassedFile] = []
            var serials: [SerialReference] = []
            for word in words.dropFirst(3) {
                let parts = word.split(separator: ":")
                if parts[0] == "serial", parts.count == 4, let offset = Int(parts[1]), let object = UInt32(parts[2]),
                    let event = UInt16(parts[3])
                {
                    serials.append(SerialReference(offset: offset, object: object, event: event))
                } else if let file = PassedFile(word: word) {
                    files.append(file)
                } else if !word.hasPrefix("#") {
                    throw TraceError(line: String(line))
                } else {
                    break
                }
            }
            self = .message(try int(1), bytes, files: files, serials: serials, raw: first == "raw")
        default: throw TraceError(line: String(line))
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    static func hex(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { out in
            for (i, byte) in bytes.enumerated() {
                out[i * 2] = digits[Int(byte >> 4)]
                out[i * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    static func bytes(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 where text != "-" {
            let value: UInt8
            switch digit {
            case 48...57: value = digit - 48
            case 97...102: value = digit - 87
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }
}

/// An invalid line of a trace.
public struct TraceError: Error, CustomStringConvertible {
    public var line: String
    public var description: String { "not a step: \(line.prefix(80))" }
}

/// A file of steps, one per line.
public enum Trace {
    public static func read(_ path: String) throws -> [Step] {
        guard let data = FileManager.default.contents(atPath: path) else { throw TraceError(line: "cannot read \(path)") }
        return try String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { try Step(line: $0) }
    }

    public static func write(_ steps: [Step], to path: String, comments: [String] = []) throws {
        let text = (comments.map { "# \($0)" } + steps.map(\.line)).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
