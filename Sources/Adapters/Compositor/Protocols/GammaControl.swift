import CWlroots
import Status
import WaylandServer

/// The colours of the screen: the shell's own night light, and wlr-gamma-control for programs that set them.
///
/// The ramps of a program win as long as it keeps its control.
final class GammaControl {
    private let context: Protocols.Context
    private var gains = ColourGains()
    private var listeners: [Listener] = []

    init?(_ context: Protocols.Context) {
        self.context = context
        guard let manager = wlr_gamma_control_manager_v1_create(context.display) else { return nil }
        #if WLR18
            listeners = [
                Listener(manager.pointer(to: \.events.set_gamma)!) { [unowned self] data in
                    apply(data!.assumingMemoryBound(to: wlr_gamma_control_manager_v1_set_gamma_event.self).pointee)
                }
            ]
        #else
            // wlroots sets the ramps itself, and they come with the next frame.
            _ = manager
        #endif
    }

    /// Whether a screen can have other colours.
    static func isPossible(on output: OpaquePointer) -> Bool { wlr_output_get_gamma_size(mw_output_wlr(output)) > 1 }

    /// The factors for the colours of the screen, from now on.
    func show(_ gains: ColourGains, on output: OpaquePointer?) {
        self.gains = gains
        if let output { apply(to: output) }
    }

    /// The ends of the ramps of a virtual output.
    static func colours(of output: OpaquePointer) -> [UInt16] {
        var top: (UInt16, UInt16, UInt16) = (0, 0, 0)
        let isVirtual = withUnsafeMutablePointer(to: &top) {
            $0.withMemoryRebound(to: UInt16.self, capacity: 3) { mw_virtual_output_gamma(mw_output_wlr(output), $0) }
        }
        return isVirtual ? [top.0, top.1, top.2] : []
    }

    private func apply(to output: OpaquePointer) {
        let wlr = mw_output_wlr(output)!, size = wlr_output_get_gamma_size(wlr)
        guard size > 1 else { return }
        let ramps = [gains.red, gains.green, gains.blue].map { gain in
            (0..<size).map { UInt16(clamping: Int64((Double($0) / Double(size - 1) * gain * 65535).rounded())) }
        }
        #if WLR18
            var state = wlr_output_state()
            wlr_output_state_init(&state)
            defer { wlr_output_state_finish(&state) }
            guard wlr_output_state_set_gamma_lut(&state, size, ramps[0], ramps[1], ramps[2]) else { return }
            if !wlr_output_commit_state(wlr, &state) { context.log.warning("the screen does not take other colours") }
        #else
            // It is part of the next frame.
            wlr_output_set_gamma(wlr, size, ramps[0], ramps[1], ramps[2])
            wlr_output_schedule_frame(wlr)
        #endif
    }

    #if WLR18
        private func apply(_ event: wlr_gamma_control_manager_v1_set_gamma_event) {
            guard let control = event.control else {
                // The program let go.
                if let output = mw_output_of(context.server, event.output) { apply(to: output) }
                return
            }
            var state = wlr_output_state()
            wlr_output_state_init(&state)
            defer { wlr_output_state_finish(&state) }
            if !wlr_gamma_control_v1_apply(control, &state) || !wlr_output_commit_state(event.output, &state) {
                wlr_gamma_control_v1_send_failed_and_destroy(control)
            }
        }
    #endif
}
