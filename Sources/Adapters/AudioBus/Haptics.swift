import MessageBus

/// The feedback service of phones and tablets (feedbackd), if there is one: vibration and lights for an event of the
/// Sound Naming Specification.
extension AudioBus {
    private static let feedback = "org.sigxcpu.Feedback"

    /// Requests feedback for an event without waiting. `missing` is called with the bus error if no service provides
    /// it.
    public func haptic(_ event: String, missing: @escaping (String) -> Void) {
        guard isConnected else { return }
        call(Self.feedback, "/org/sigxcpu/Feedback", Self.feedback, "TriggerFeedback", timeout: 2000, {
            $0.string("org.mullion.Shell")
            $0.string(event)
            $0.container(.array, "{sv}") { _ in }
            // Use the event's own duration.
            $0.int32(-1)
        }) { answer in
            if case .failure(let error) = answer { missing(error.text) }
        }
        onChange?()
    }
}
