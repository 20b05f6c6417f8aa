import CWlroots
import Descriptors
import Glibc
import Seat
import WaylandServer

/// Keeps requests for the content of a selection or a drag while its owner has to run first (`Compositor.mustRunFirst`). A client, an X11
/// program or the shell makes them. If the owner takes the content back meanwhile, the reader gets nothing.
final class HeldPastes {
    private typealias Source = UnsafeMutableRawPointer

    private struct Held {
        var source: Source
        var isPrimary: Bool
        var owner: SelectionOwner
        var type: String
        var pipe: Pipe
    }

    private final class Pipe {
        var end: Descriptor
        init(_ number: Int32) { end = Descriptor(number, owner: "paste that waits for an app") }
    }

    /// A source of which the owner is known, until wlroots destroys it.
    fileprivate struct Known {
        unowned let keeper: HeldPastes
        var owner: SelectionOwner
        var gone: Listener
    }

    private unowned let compositor: Compositor
    private let server: OpaquePointer
    private var listeners: [Listener] = []
    /// The client whose request is being handled; nil: wlroots acts for X11.
    private var requester: Int32?
    private var forgetting: AfterTurn?
    /// Oldest first.
    private var held: [Held] = []

    /// All sources by their address. Used on the thread of the event loop alone.
    fileprivate nonisolated(unsafe) static var known: [UnsafeMutableRawPointer: Known] = [:]

    init(_ compositor: Compositor, _ server: OpaquePointer, _ seat: UnsafeMutablePointer<wlr_seat>) {
        self.compositor = compositor
        self.server = server
        forgetting = AfterTurn(mw_server_loop(server)) { [unowned self] in requester = nil }
        listeners = [
            Listener(seat.pointer(to: \.events.set_selection)!) { [unowned self] _ in
                guard let source = seat.pointee.selection_source, !OwnSelection.isOwn(source) else { return }
                note(source, source.pointer(to: \.events.destroy)!, selecting)
            },
            Listener(seat.pointer(to: \.events.set_primary_selection)!) { [unowned self] _ in
                guard let source = seat.pointee.primary_selection_source else { return }
                note(source, source.pointer(to: \.events.destroy)!, selecting)
            },
            Listener(seat.pointer(to: \.events.start_drag)!) { [unowned self] data in
                let drag = data!.assumingMemoryBound(to: wlr_drag.self)
                guard let source = drag.pointee.source, let client = drag.pointee.seat_client?.pointee.client else { return }
                note(source, source.pointer(to: \.events.destroy)!, .process(Clients.process(of: client)))
            },
        ]
    }

    func end() {
        listeners = []
        forgetting = nil
        held = []
        Self.known = Self.known.filter { $0.value.keeper !== self }
    }

    /// A client is about to set a selection.
    func requested(by client: WaylandClient?) {
        requester = client.map { Clients.process(of: $0) }
        forgetting?.ask()
    }

    /// A source of the request that is being handled becomes the primary selection later.
    func noteWaiting(_ source: UnsafeMutablePointer<wlr_primary_selection_source>) {
        note(source, source.pointer(to: \.events.destroy)!, selecting)
    }

    private var selecting: SelectionOwner { requester.map { .process($0) } ?? .x11 }

    private func note(_ source: Source, _ destroyed: UnsafeMutablePointer<wl_signal>, _ owner: SelectionOwner) {
        guard Self.known[source] == nil else { return }
        let gone = Listener(destroyed) { [unowned self] _ in forget(source) }
        Self.known[source] = Known(keeper: self, owner: owner, gone: gone)
    }

    /// The owner took it back, or something else was copied: the readers get the end of the file.
    private func forget(_ source: Source) {
        held.removeAll { $0.source == source }
        // The listener is at work just now.
        let gone = Self.known.removeValue(forKey: source)
        withExtendedLifetime(gone) {}
    }

    /// Whether it is kept, with the descriptor.
    fileprivate func keeps(_ source: UnsafeMutableRawPointer, isPrimary: Bool, _ owner: SelectionOwner, _ type: String, _ number: Int32)
        -> Bool
    {
        guard !mw_server_is_ending(server), compositor.mustRunFirst(owner) else { return false }
        let pipe = Pipe(number)
        if ClientLimits.mayHold(waiting: held.count) {
            held.append(Held(source: source, isPrimary: isPrimary, owner: owner, type: type, pipe: pipe))
        }
        compositor.protocols?.selectionOwners.wanted(from: owner)
        return true
    }

    /// Asks the owners that need not run first any more.
    func goOn() { handOver { [compositor] in !compositor.mustRunFirst($0.owner) } }

    /// A drop is finished: its source is asked now or never.
    fileprivate func finish(_ source: UnsafeMutableRawPointer) { handOver { $0.source == source } }

    private func handOver(_ isReady: (Held) -> Bool) {
        let ready = held.filter(isReady)
        guard !ready.isEmpty else { return }
        held.removeAll(where: isReady)
        // A locked session hands out nothing: the ends are closed with the last of them.
        guard !mw_lock_is_locked(server) else { return }
        for each in ready where Self.known[each.source] != nil {
            let kept = each.pipe.end.number, number = fcntl(kept, F_DUPFD_CLOEXEC, 0)
            // wlroots closes this one.
            if number >= 0 { each.type.withCString { mw_paste_goes(server, each.source, each.isPrimary, $0, kept, number) } }
        }
    }
}

/// `isPrimary`: the source is a `wlr_primary_selection_source`, otherwise a `wlr_data_source`.
@_cdecl("mw_paste_waits") func pasteWaits(
    _ source: UnsafeMutableRawPointer, _ isPrimary: Bool, _ type: UnsafePointer<CChar>, _ number: Int32
) -> Bool {
    guard let known = HeldPastes.known[source] else { return false }
    return known.keeper.keeps(source, isPrimary: isPrimary, known.owner, String(cString: type), number)
}

@_cdecl("mw_pastes_go") func pastesGo(_ source: UnsafeMutableRawPointer) { HeldPastes.known[source]?.keeper.finish(source) }

extension Compositor {
    /// Continues held pastes from owners that need not run first any more.
    public func handOver() { routing?.held?.goOn() }
}
