import CWlroots
import Status
import WaylandServer

/// The colours of the screen: the shell's own night light, and wlr-gamma-control for programs that set them.
///
/// The ramps of a program win as long as it keeps its control.
final class GammaControl {
    private let context: Protocols.Context
    private let manager: UnsafeMutablePointer<wlr_gamma_control_manager_v1>
    private var gains = ColourGains()
    private var listeners: [Listener] = []
    /// Of the output whose ramps are followed.
    private var followed: (output: OpaquePointer, listeners: [Listener])?
    /// The next ramps are the shell's own.
    private var areOwn = false

    init?(_ context: Protocols.Context) {
        self.context = context
        guard let manager = wlr_gamma_control_manager_v1_create(context.display) else { return nil }
        self.manager = manager
        #if WLR18
            listeners = [
                Listener(manager.pointer(to: \.events.set_gamma)!) { [unowned self] data in
                    apply(data!.assumingMemoryBound(to: wlr_gamma_control_manager_v1_set_gamma_event.self).pointee)
                }
            ]
        #endif
    }

    /// No program has the ramps.
    private var isFree: Bool { wl_list_empty(manager.pointer(to: \.controls)!) != 0 }

    /// Whether a screen can have other colours.
    static func isPossible(on output: OpaquePointer) -> Bool { wlr_output_get_gamma_size(mw_output_wlr(output)) > 1 }

    /// The factors for the colours of the screen, from now on.
    func show(_ gains: ColourGains, on output: OpaquePointer?) {
        self.gains = gains
        guard let output else { return }
        #if !WLR18
            follow(output)
        #endif
        if isFree { apply(to: output) }
    }

    #if !WLR18
        /// wlroots sets a program's ramps with the next frame, and plain ones once the program lets go, without a word to the shell.
        private func follow(_ output: OpaquePointer) {
            guard followed?.output != output else { return }
            let wlr = mw_output_wlr(output)!
            followed = (
                output,
                [
                    Listener(wlr.pointer(to: \.events.commit)!) { [unowned self] data in
                        let event = data!.assumingMemoryBound(to: wlr_output_event_commit.self).pointee
                        guard event.committed & WLR_OUTPUT_STATE_GAMMA_LUT.rawValue != 0 else { return }
                        if areOwn {
                            areOwn = false
                        } else if isFree, gains != ColourGains() {
                            apply(to: output)
                        }
                    },
                    Listener(wlr.pointer(to: \.events.destroy)!) { [unowned self] _ in followed = nil },
                ]
            )
        }
    #endif

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
            areOwn = true
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
