import CWlroots
import Geometry
import Seat
import WaylandServer

/// Watches who takes pictures of the screen, and reports those who share it (`ScreenCaptures`).
final class CaptureWatch {
    private unowned let compositor: Compositor
    private var captures = ScreenCaptures()
    private var programs: [UInt64: Tally] = [:]
    /// The clients of the shell's own remote view. A client that is gone cannot be asked.
    private var own: Set<UInt64> = []
    private var isPictured = false
    private var timer: Timer!

    init?(_ compositor: Compositor, _ loop: OpaquePointer) {
        self.compositor = compositor
        guard let timer = Timer(loop, { [unowned self] in look() }) else { return nil }
        self.timer = timer
    }

    func asked(by client: WaylandClient, _ tally: Tally, output: UInt64) {
        let id = mw_client_identity(client), isNew = programs.isEmpty
        if programs[id] == nil, tally.process == compositor.ownViewer { own.insert(id) }
        programs[id] = tally
        if let change = captures.asked(id, output: output, at: Compositor.now()) {
            report(change, process: Clients.process(of: client))
        }
        if !isPictured, !own.contains(id) { tell(true) }
        if isNew { wait() }
    }

    private func wait() { timer.arm(in: Int64(clamping: ScreenCaptures.pause * 1_000_000_000)) }

    private func look() {
        let changes = captures.look(at: Compositor.now()) { [programs] in programs[$0]?.waitsForPicture ?? false }
        for change in changes {
            if case .begins(let id) = change { report(change, process: programs[id]?.process ?? 0) } else { report(change, process: 0) }
        }
        if isPictured, !captures.isWatching(except: own.contains) { tell(false) }
        if captures.isWatching { wait() } else { (programs, own) = ([:], []) }
    }

    /// Before the picture is taken: what must not be in it goes first.
    private func tell(_ isPictured: Bool) {
        self.isPictured = isPictured
        compositor.emit(.capture(.pictures(isPictured)))
    }

    private func report(_ change: ScreenCaptures.Change, process: Int32) {
        switch change {
        case .begins(let client):
            compositor.emit(.capture(.begins(client: client, isOwnView: process != 0 && process == compositor.ownViewer)))
        case .ends(let client): compositor.emit(.capture(.ends(client: client)))
        }
    }
}

/// The three requests for a picture: `frame`, `overlay_cursor`, `output`.
@_cdecl("mw_captures") func captures(_ requests: OpaquePointer, _ request: UnsafePointer<wl_protocol_logger_message>) {
    guard let client = wl_resource_get_client(request.pointee.resource), let tally = Tally.of(client), request.pointee.arguments_count > 2,
        let output = request.pointee.arguments[2].o
    else { return }
    Compositor.of(mw_requests_server(requests)).captures?.asked(by: client, tally, output: UInt64(UInt(bitPattern: output)))
}
