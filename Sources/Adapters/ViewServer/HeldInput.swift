/// The keys and buttons that a viewer holds down: follows the messages from a viewer to the VNC server (RFC 6143), and knows at any time which
/// keys and buttons are down.
///
/// A viewer that is cut off sends no releases, and the VNC server keeps its devices. So the relay releases for it.
struct HeldInput {
    private enum Step {
        case version, security, clientInit, messages
        /// A message that this reader does not know. Everything passes unread from here.
        case unknown
    }

    private var step = Step.version
    /// The beginning of a message that is not complete.
    private var partial: [UInt8] = []
    /// Bytes of a long message that pass unread.
    private var passing: UInt64 = 0
    private var keys: [Held] = []
    private var buttons: UInt8 = 0
    /// The place of the pointer: x and y as the message has them.
    private var place: [UInt8] = [0, 0, 0, 0]

    private struct Held: Equatable {
        /// The key's symbol, and for messages of QEMU's extension its code.
        var symbol: [UInt8]
        var code: [UInt8]?
    }

    /// More keys than a person has fingers. A viewer that holds more is not believed.
    private static let mostKeys = 64

    /// Whether the connection can take whole messages now.
    private var isBetweenMessages: Bool { step == .messages && passing == 0 }

    /// Notes the input of the viewer. Returns the bytes for the server: all but the beginning of a message whose rest has not come.
    mutating func take(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var passed: [UInt8] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            if step == .unknown {
                passed += rest
                return passed
            }
            if passing > 0 {
                let count = Int(min(passing, UInt64(rest.count)))
                passed += rest.prefix(count)
                rest = rest.dropFirst(count)
                passing -= UInt64(count)
                continue
            }
            partial.append(rest.removeFirst())
            guard let length = headLength else {
                step = .unknown
                passed += partial
                partial = []
                continue
            }
            guard partial.count >= length else { continue }
            read()
            passed += partial
            partial.removeAll(keepingCapacity: true)
        }
        return passed
    }

    /// The bytes that tell the server that everything is up; empty if nothing is down, or if a message is cut in the middle.
    mutating func release() -> [UInt8] {
        guard isBetweenMessages else { return [] }
        partial = []
        var bytes: [UInt8] = []
        for key in keys.reversed() {
            if let code = key.code { bytes += [255, 0, 0, 0] + key.symbol + code } else { bytes += [4, 0, 0, 0] + key.symbol }
        }
        if buttons != 0 { bytes += [5, 0] + place }
        keys = []
        buttons = 0
        return bytes
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The length of the message that `partial` begins, without a text or list that follows it; nil if its type is unknown.
    private var headLength: Int? {
        switch step {
        case .version: return 12
        case .security, .clientInit: return 1
        case .unknown: return nil
        case .messages: break
        }
        switch partial[0] {
        case 0: return 20
        case 2: return 4
        case 3: return 10
        case 4: return 8
        case 5: return 6
        case 6: return 8
        case 150: return 10
        case 248: return 9
        case 250: return 4
        case 251: return 8
        case 255:
            if partial.count < 2 { return 2 }
            // QEMU's extension: a key with its code, or audio.
            return partial[1] == 0 ? 12 : partial[1] != 1 ? nil : partial.count < 4 ? 4 : number(partial[2..<4]) == 2 ? 10 : 4
        default: return nil
        }
    }

    /// Reads a complete head.
    private mutating func read() {
        switch step {
        case .version:
            let isOld = partial[..<11].elementsEqual("RFB 003.003".utf8)
            step = isOld ? .clientInit : partial[..<4].elementsEqual("RFB ".utf8) ? .security : .unknown
        // Only without a password the next byte is the viewer's first one.
        case .security: step = partial[0] == 1 ? .clientInit : .unknown
        case .clientInit: step = .messages
        case .messages: readMessage()
        case .unknown: break
        }
    }

    private mutating func readMessage() {
        switch partial[0] {
        case 2: passing = number(partial[2..<4]) * 4
        case 4: hold(Held(symbol: Array(partial[4..<8]), code: nil), isDown: partial[1] != 0)
        case 5:
            buttons = partial[1]
            place = Array(partial[2..<6])
        case 6:
            // A negative length is that of the extended clipboard.
            let length = Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: number(partial[4..<8]))))
            passing = length.magnitude
        case 248: passing = UInt64(partial[8])
        case 251: passing = UInt64(partial[6]) * 16
        case 255 where partial[1] == 0:
            hold(Held(symbol: Array(partial[4..<8]), code: Array(partial[8..<12])), isDown: number(partial[2..<4]) != 0)
        default: break
        }
    }

    private mutating func hold(_ key: Held, isDown: Bool) {
        keys.removeAll { $0 == key }
        if isDown, keys.count < Self.mostKeys { keys.append(key) }
    }
}
