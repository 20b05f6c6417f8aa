import CWlroots
import WaylandServer

/// presentation-time: tells apps when their content was shown, using the backend's timestamps. wlroots' helper
/// answers only after a commit. This one also answers an app that asks without drawing anything new, and never claims
/// zero-copy for composited content. Feedback for hidden content is answered once it is shown or newer content
/// replaces it.
final class Presentation {
    typealias Output = UnsafeMutablePointer<wlr_output>

    private let presentation: UnsafeMutablePointer<wlr_presentation>
    private var outputs: [Output: Shown] = [:]

    init?(_ context: Protocols.Context) {
        guard let presentation = wlr_presentation_create(context.display, mw_server_backend(context.server)) else { return nil }
        self.presentation = presentation
    }

    /// Records that the next frame shows a surface in its current state.
    /// - Returns: true if a client waits for feedback.
    func sampled(_ surface: Surface, on output: Output) -> Bool {
        #if WLR18
            let asked = wlr_presentation_surface_sampled(surface)
        #else
            let asked = wlr_presentation_surface_sampled(presentation, surface)
        #endif
        guard let asked else { return false }
        shown(on: output).waiting.append(Feedback(raw: asked, surface: surface))
        return true
    }

    /// A frame was submitted to the screen.
    /// - Parameters:
    ///   - scanned: the surface whose buffer is scanned out directly, if any.
    ///   - sequence: the frame's sequence number.
    func committed(_ output: Output, scanned: Surface?, sequence: UInt32) {
        outputs[output]?.commit(scanned, sequence)
    }

    private func shown(on output: Output) -> Shown {
        if let known = outputs[output] { return known }
        let shown = Shown(output) { [unowned self] in outputs[output] = nil }
        outputs[output] = shown
        return shown
    }

    /// A client's request for feedback on a surface.
    private struct Feedback {
        let raw: UnsafeMutablePointer<wlr_presentation_feedback>
        /// Only compared. It may be gone.
        let surface: Surface
        /// The frame that shows it; nil until there is one.
        var sequence: UInt32?
        var isScannedOut = false

        /// - Parameter event: nil if the content was never shown.
        func answer(_ event: UnsafePointer<wlr_output_event_present>?) {
            if let event, event.pointee.presented {
                var presented = wlr_presentation_event()
                wlr_presentation_event_from_output(&presented, event)
                if !isScannedOut { presented.flags &= ~WP_PRESENTATION_FEEDBACK_KIND_ZERO_COPY.rawValue }
                wlr_presentation_feedback_send_presented(raw, &presented)
            }
            wlr_presentation_feedback_destroy(raw) // discards unanswered requests
        }
    }

    /// The requests for feedback on one screen.
    private final class Shown {
        var waiting: [Feedback] = []
        private var listeners: [Listener] = []

        init(_ output: Output, gone: @escaping () -> Void) {
            listeners = [
                Listener(output.pointer(to: \.events.present)!) { [unowned self] event in
                    presented(event!.assumingMemoryBound(to: wlr_output_event_present.self))
                },
                Listener(output.pointer(to: \.events.destroy)!) { _ in gone() },
            ]
        }

        func commit(_ scanned: Surface?, _ sequence: UInt32) {
            for index in waiting.indices where waiting[index].sequence == nil {
                waiting[index].sequence = sequence
                waiting[index].isScannedOut = waiting[index].surface == scanned
            }
        }

        private func presented(_ event: UnsafePointer<wlr_output_event_present>) {
            let now = event.pointee.commit_seq
            let all = waiting
            // Sequences wrap around.
            func isDone(_ feedback: Feedback) -> Bool { feedback.sequence.map { Int32(bitPattern: now &- $0) >= 0 } ?? false }
            waiting = all.filter { !isDone($0) }
            // The screen showed a later frame instead, so this content was never shown.
            for feedback in all where isDone(feedback) { feedback.answer(feedback.sequence == now ? event : nil) }
        }

        deinit {
            for feedback in waiting { feedback.answer(nil) }
        }
    }
}
