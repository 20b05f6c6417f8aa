import CWlroots
import Geometry
import Multitasking
import WaylandServer

/// output-management and output-power-management: other programs configure the screen. A request becomes an event,
/// and the client gets the result.
final class Screens {
    private typealias Configuration = UnsafeMutablePointer<wlr_output_configuration_v1>

    private let context: Protocols.Context
    private unowned let compositor: Compositor
    private let manager: UnsafeMutablePointer<wlr_output_manager_v1>
    private var listeners: [Listener] = []
    /// Requests without an answer, by the number of their event.
    private var waiting: [UInt32: Configuration] = [:]
    private var last: UInt32 = 0

    init?(_ context: Protocols.Context, _ compositor: Compositor) {
        self.context = context
        self.compositor = compositor
        guard let manager = wlr_output_manager_v1_create(context.display),
            let power = wlr_output_power_manager_v1_create(context.display)
        else { return nil }
        self.manager = manager
        listeners = [
            Listener(manager.pointer(to: \.events.apply)!) { [unowned self] in ask($0, test: false) },
            Listener(manager.pointer(to: \.events.test)!) { [unowned self] in ask($0, test: true) },
            Listener(power.pointer(to: \.events.set_mode)!) { [unowned self] data in
                let event = data!.assumingMemoryBound(to: wlr_output_power_v1_set_mode_event.self).pointee
                guard let output = mw_output_of(context.server, event.output) else { return }
                self.compositor.setPower(output, event.mode == ZWLR_OUTPUT_POWER_V1_MODE_ON)
            },
        ]
    }

    deinit {
        for configuration in waiting.values { wlr_output_configuration_v1_destroy(configuration) }
    }

    /// A screen was added, removed or changed.
    func publish() {
        guard !context.isEnding, let configuration = wlr_output_configuration_v1_create() else { return }
        var next = mw_next_output(context.server, nil)
        while let output = next {
            guard let head = wlr_output_configuration_head_v1_create(configuration, mw_output_wlr(output)) else { break }
            // An output whose power is off is still part of the desktop.
            head.pointee.state.enabled = mw_output_is_announced(output)
            (head.pointee.state.x, head.pointee.state.y) = (0, 0)
            next = mw_next_output(context.server, output)
        }
        wlr_output_manager_v1_set_configuration(manager, configuration)
    }

    func answer(_ request: UInt32, _ isDone: Bool) {
        if let configuration = waiting.removeValue(forKey: request) { finish(configuration, isDone) }
    }

    private func ask(_ data: UnsafeMutableRawPointer?, test: Bool) {
        let configuration = data!.assumingMemoryBound(to: wlr_output_configuration_v1.self)
        guard compositor.output == mw_next_output(context.server, nil), let wish = read(configuration) else {
            return finish(configuration, false)
        }
        last &+= 1
        let request = last
        waiting[request] = configuration
        compositor.askScreen(request, wish, test: test)
    }

    private func finish(_ configuration: Configuration, _ isDone: Bool) {
        if isDone {
            wlr_output_configuration_v1_send_succeeded(configuration)
        } else {
            wlr_output_configuration_v1_send_failed(configuration)
        }
        wlr_output_configuration_v1_destroy(configuration)
    }

    /// Reads the wanted configuration. There is always one screen, at the origin, and it cannot be disabled.
    private func read(_ configuration: Configuration) -> ScreenWish? {
        guard let shown = mw_next_output(context.server, nil).flatMap({ mw_output_wlr($0) }) else { return nil }
        var wish: ScreenWish?
        var next = mw_next_head(configuration, nil)
        while let head = next {
            let state = head.pointee.state
            guard state.output == shown, state.enabled, state.x == 0, state.y == 0, Screens.keepsSync(state) else { return nil }
            let mode = state.mode?.pointee
            wish = ScreenWish(
                pixels: Size(Double(mode?.width ?? state.custom_mode.width), Double(mode?.height ?? state.custom_mode.height)),
                refresh: Int(mode?.refresh ?? state.custom_mode.refresh), scale: Double(state.scale),
                transform: Int(state.transform.rawValue))
            next = mw_next_head(configuration, head)
        }
        return wish
    }

    private static func keepsSync(_ state: wlr_output_head_v1_state) -> Bool {
        #if WLR18
            state.adaptive_sync_enabled == (state.output.pointee.adaptive_sync_status == WLR_OUTPUT_ADAPTIVE_SYNC_ENABLED)
        #else
            true
        #endif
    }
}
