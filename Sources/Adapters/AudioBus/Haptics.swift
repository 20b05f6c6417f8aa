import MessageBus

/// The feedback service of phones and tablets (feedbackd), where there is one: vibration and lights for an event of the
/// sound and event naming.
extension AudioBus {
    private static let feedback = "org.sigxcpu.Feedback"

    /// Asks for the feedback to an event, and waits for nothing. `missing` is called with what the bus said when nobody
    /// does it.
    public func haptic(_ event: String, missing: @escaping (String) -> Void) {
        guard isConnected else { return }
        call(Self.feedback, "/org/sigxcpu/Feedback", Self.feedback, "TriggerFeedback", timeout: 2000, {
            $0.string("org.mullion.Shell")
            $0.string(event)
            $0.container(.array, "{sv}") { _ in }
            // As long as the event's own feedback takes.
            $0.int32(-1)
        }) { answer in
            if case .failure(let error) = answer { missing(error.text) }
        }
        onChange?()
    }
}
