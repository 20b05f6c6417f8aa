import CWlroots
import Seat
import WaylandServer

/// Sets the primary selection at the pace of `SelectionPace`. A source that another one replaces before its turn is cancelled.
final class PrimarySelection {
    private struct Waiting {
        /// nil: the selection is cleared.
        var source: UnsafeMutablePointer<wlr_primary_selection_source>?
        var serial: UInt32
        var gone: Listener?
    }

    private let seat: UnsafeMutablePointer<wlr_seat>
    private unowned let held: HeldPastes
    private var pace = SelectionPace()
    private var waiting: Waiting?
    private var timer: Timer?

    init(_ server: OpaquePointer, _ seat: UnsafeMutablePointer<wlr_seat>, _ held: HeldPastes) {
        self.seat = seat
        self.held = held
        timer = Timer(mw_server_loop(server)) { [unowned self] in setNow() }
    }

    func end() {
        timer = nil
        waiting = nil
    }

    func set(_ source: UnsafeMutablePointer<wlr_primary_selection_source>?, serial: UInt32) {
        dropWaiting(for: source)
        waiting = Waiting(source: source, serial: serial)
        let wait = pace.wait(at: mw_now())
        guard wait > 0, let timer else { return setNow() }
        if let source {
            held.noteWaiting(source)
            // Its client takes it back: there is no selection then.
            waiting!.gone = Listener(source.pointer(to: \.events.destroy)!) { [unowned self] _ in
                let before = waiting
                waiting = Waiting(serial: serial)
                withExtendedLifetime(before) {}
            }
        }
        timer.arm(in: wait)
    }

    private func setNow() {
        guard let next = waiting else { return }
        waiting = nil
        pace.set(at: mw_now())
        wlr_seat_set_primary_selection(seat, next.source, next.serial)
    }

    private func dropWaiting(for next: UnsafeMutablePointer<wlr_primary_selection_source>?) {
        guard let before = waiting else { return }
        waiting = nil
        if let source = before.source, source != next { wlr_primary_selection_source_destroy(source) }
    }
}
