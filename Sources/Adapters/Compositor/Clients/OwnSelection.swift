import CWlroots
import Descriptors
import Glibc
import WaylandServer

/// A selection that no client owns: content copied in the shell itself, or in an app that has ended. It is sent in steps
/// that never wait for who pastes.
final class OwnSelection {
    /// One kind of the same content: "text/plain".
    struct Form {
        var type: String
        var bytes: [UInt8]
    }

    /// Whether wlroots' source is the shell's.
    static func isOwn(_ source: UnsafeMutablePointer<wlr_data_source>) -> Bool { OwnSource.all[source] != nil }

    private unowned let compositor: Compositor
    private let server: OpaquePointer
    private let seat: UnsafeMutablePointer<wlr_seat>
    /// The pastes in progress, oldest first.
    private var pastes: [Paste] = []

    /// More pastes at once end the oldest.
    private static let mostPastes = 16

    init(_ compositor: Compositor, _ server: OpaquePointer, _ seat: UnsafeMutablePointer<wlr_seat>) {
        self.compositor = compositor
        self.server = server
        self.seat = seat
    }

    func set(_ forms: [Form]) {
        let source = OwnSource.make(forms) { [weak self] bytes, pipe in self?.send(bytes, to: pipe) }
        wlr_seat_set_selection(seat, source, wl_display_next_serial(mw_server_display(server)))
    }

    private func send(_ bytes: [UInt8], to pipe: consuming Descriptor) {
        let paste = Paste(bytes, pipe)
        guard !paste.isDone() else { return }
        if pastes.count >= Self.mostPastes { pastes.removeFirst().end() }
        pastes.append(paste)
        paste.source = compositor.watch(fd: paste.pipe.number, read: false, write: true) { [weak self, weak paste] _ in
            guard let self, let paste, paste.isDone() else { return }
            paste.end()
            pastes.removeAll { $0 === paste }
        }
    }

    func end() {
        for paste in pastes { paste.end() }
        pastes = []
    }

    /// A client's pipe, and the bytes that it still has to get.
    private final class Paste {
        private let bytes: [UInt8]
        private var sent = 0
        var pipe: Descriptor
        var source: EventSource?

        init(_ bytes: [UInt8], _ pipe: consuming Descriptor) {
            self.bytes = bytes
            self.pipe = pipe
        }

        /// Writes as many bytes as fit.
        func isDone() -> Bool {
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { write(pipe.number, $0.baseAddress! + sent, bytes.count - sent) }
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN { return false }
                // The client went away.
                guard count > 0 else { return true }
                sent += count
            }
            return true
        }

        func end() {
            source?.cancel()
            source = nil
            pipe.close()
        }
    }
}

/// wlroots' data source, with the content that it hands out.
private final class OwnSource {
    private let forms: [OwnSelection.Form]
    private let send: ([UInt8], consuming Descriptor) -> Void

    private init(_ forms: [OwnSelection.Form], _ send: @escaping ([UInt8], consuming Descriptor) -> Void) {
        self.forms = forms
        self.send = send
    }

    /// All that wlroots has not destroyed, by their address. Used on the thread of the event loop alone.
    fileprivate nonisolated(unsafe) static var all: [UnsafeMutablePointer<wlr_data_source>: OwnSource] = [:]

    /// wlroots keeps a pointer to it. It is written once and lives as long as the process.
    private nonisolated(unsafe) static let table: UnsafePointer<wlr_data_source_impl> = {
        let table = UnsafeMutablePointer<wlr_data_source_impl>.allocate(capacity: 1)
        var calls = wlr_data_source_impl()
        calls.send = { source, type, number in
            let asked = Descriptor(number, owner: "paste of what the shell copied")
            guard let own = OwnSource.all[source!], let type,
                let form = own.forms.first(where: { $0.type == String(cString: type) })
            else { return }
            // O_NONBLOCK belongs to the open file, which the client shares and could change. A socket cannot be opened anew, and
            // gets nothing.
            let pipe = Descriptor(
                open("/proc/self/fd/\(asked.number)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), owner: "paste of what the shell copied"
            )
            guard pipe.isOpen else { return }
            own.send(form.bytes, pipe)
        }
        calls.destroy = { source in
            OwnSource.all[source!] = nil
            source!.deallocate()
        }
        table.initialize(to: calls)
        return UnsafePointer(table)
    }()

    static func make(_ forms: [OwnSelection.Form], _ send: @escaping ([UInt8], consuming Descriptor) -> Void) -> UnsafeMutablePointer<
        wlr_data_source
    > {
        let source = UnsafeMutablePointer<wlr_data_source>.allocate(capacity: 1)
        source.initialize(to: wlr_data_source())
        wlr_data_source_init(source, table)
        all[source] = OwnSource(forms, send)
        for form in forms {
            // wlroots frees the names.
            let place = wl_array_add(source.pointer(to: \.mime_types)!, MemoryLayout<UnsafeMutablePointer<CChar>?>.size)
            place?.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self).pointee = strdup(form.type)
        }
        return source
    }
}

extension Compositor {
    /// Puts something on the clipboard, in one or more forms, as a person's action in the shell.
    public func copy(_ forms: [(type: String, bytes: [UInt8])]) {
        routing?.copied?.copy(forms.map { OwnSelection.Form(type: $0.type, bytes: $0.bytes) })
    }
}
