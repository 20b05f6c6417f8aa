import CWlroots
import Glibc
import Seat
import WaylandServer

/// Passes the events that clients get, and some of their requests, to the laws of the wire. Only shells that check themselves have one.
final class WireWatch {
    private var laws = WireLaws()
    private var logger: OpaquePointer?
    private var created: Listener?
    /// The number and the process of each connection.
    private var clients: [WaylandClient: (number: UInt64, process: Int32, gone: Listener)] = [:]
    private var lastNumber: UInt64 = 0
    /// Descriptions of messages have stable addresses.
    private var known: [Kind: Known] = [:]
    private let compositor: Unmanaged<Compositor>
    /// The violations since the start.
    private(set) var found: [String] = []
    /// More than this is one fault that repeats.
    private static let most = 50

    private struct Kind: Hashable {
        var message: UnsafePointer<wl_message>
        var isEvent: Bool
    }

    /// A kind of message; `interface` nil: no law looks at it.
    private struct Known {
        var interface: String?
        var name = ""
        var signature: [UInt8] = []
    }

    init(_ compositor: Compositor) {
        self.compositor = .passUnretained(compositor)
        created = Listener(clientsOf: compositor.display) { [unowned self] client in connected(client) }
        logger = wl_display_add_protocol_logger(
            compositor.display,
            { user, direction, message in
                guard let user, let message else { return }
                Unmanaged<WireWatch>.fromOpaque(user).takeUnretainedValue().heard(message, isEvent: direction == WL_PROTOCOL_LOGGER_EVENT)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { if let logger { wl_protocol_logger_destroy(logger) } }

    private func connected(_ client: WaylandClient) {
        // The shell's own client tests nothing.
        guard !compositor.takeUnretainedValue().isMakingOwnClient else { return }
        lastNumber += 1
        var process: pid_t = 0
        wl_client_get_credentials(client, &process, nil, nil)
        let number = lastNumber
        clients[client] = (
            number, process,
            Listener(destroying: client) { [unowned self] in
                laws.gone(number)
                clients[client] = nil
            }
        )
        laws.connected(number)
    }

    // MARK: Messages

    private func heard(_ raw: UnsafePointer<wl_protocol_logger_message>, isEvent: Bool) {
        guard let resource = raw.pointee.resource, let description = raw.pointee.message else { return }
        let kind = Kind(message: description, isEvent: isEvent), known = known[kind] ?? learn(kind, resource)
        guard let interface = known.interface, let client = wl_resource_get_client(resource), let number = clients[client]?.number else {
            return
        }
        let arguments = (0..<min(known.signature.count, Int(raw.pointee.arguments_count))).map { index in
            WireWatch.argument(raw.pointee.arguments[index], known.signature[index])
        }
        report(
            laws.heard(
                WireMessage(
                    client: number, object: wl_resource_get_id(resource), interface: interface,
                    version: Int(wl_resource_get_version(resource)),
                    name: known.name, isEvent: isEvent, arguments: arguments)))
    }

    private func learn(_ kind: Kind, _ resource: WaylandResource) -> Known {
        var new = Known()
        let interface = String(cString: wl_resource_get_class(resource)), name = String(cString: kind.message.pointee.name)
        if WireLaws.concerns(interface: interface, name: name, isEvent: kind.isEvent) {
            // A digit states a version, and a question mark an optional argument: neither is an argument.
            let letters = String(cString: kind.message.pointee.signature).utf8.filter { $0 >= UInt8(ascii: "a") }
            new = Known(interface: interface, name: name, signature: letters)
        }
        known[kind] = new
        return new
    }

    private static func argument(_ raw: wl_argument, _ letter: UInt8) -> WireMessage.Argument {
        switch letter {
        case UInt8(ascii: "i"), UInt8(ascii: "f"): return .number(Int64(raw.i))
        case UInt8(ascii: "u"): return .number(Int64(raw.u))
        case UInt8(ascii: "n"): return .new(raw.n)
        case UInt8(ascii: "o"):
            // On the server side, an object is the first member of its resource.
            return .object(raw.o.map { wl_resource_get_id(UnsafeMutableRawPointer($0).assumingMemoryBound(to: wl_resource.self)) })
        case UInt8(ascii: "a"):
            guard let array = raw.a?.pointee, let data = array.data else { return .numbers([]) }
            let words = UnsafeRawBufferPointer(start: data, count: array.size / 4 * 4)
            return .numbers(stride(from: 0, to: words.count, by: 4).map { words.loadUnaligned(fromByteOffset: $0, as: UInt32.self) })
        default: return .other
        }
    }

    private func report(_ violations: [WireViolation]) {
        for violation in violations where found.count < WireWatch.most {
            found.append(text(violation))
            compositor.takeUnretainedValue().log.error("\(text(violation))")
        }
    }

    private func text(_ violation: WireViolation) -> String {
        let process = clients.values.first { $0.number == violation.client }?.process ?? 0
        return "\(violation) (process \(process))"
    }

    /// The violations since the start. A missing end that was reported once stays: it would go with its client, and a reader that counts
    /// would take the next fault for an old one.
    var violations: [String] {
        report(laws.newMissingEnds())
        return found
    }

    /// The shell decides the size or the states of a window.
    func decides(_ window: OpaquePointer) {
        guard let base = mw_window_fields(window).pointee.toplevel?.pointee.base, let resource = base.pointee.resource,
            let client = wl_resource_get_client(resource), let number = clients[client]?.number
        else { return }
        laws.decided(wl_resource_get_id(resource), of: number)
    }

    // MARK: Held fingers, buttons and keys

    func finger(_ id: Int32, isDown: Bool) { if isDown { laws.held.fingers.insert(id) } else { laws.held.fingers.remove(id) } }
    func button(_ code: UInt32, isDown: Bool) { if isDown { laws.held.buttons.insert(code) } else { laws.held.buttons.remove(code) } }
    func key(_ code: UInt32, isDown: Bool) { if isDown { laws.held.keys.insert(code) } else { laws.held.keys.remove(code) } }
}

extension Compositor {
    /// The violations of P-05 since the start; nil: the shell does not check itself.
    public var wireViolations: [String]? { wire?.violations }
}
