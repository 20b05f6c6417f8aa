import MessageBus

/// The feedback service of phones and tablets (feedbackd), if there is one: vibration and lights for an event of the
/// Sound Naming Specification.
extension AudioBus {
    /// Requests feedback for an event without waiting. `missing` is called with the bus error if no service provides
    /// it. The shell's own service feels nothing, so it is not asked.
    public func haptic(_ event: String, missing: @escaping (String) -> Void) {
        guard isConnected, !feedback.isServing else { return }
        call(
            FeedbackService.name, FeedbackService.path, FeedbackService.name, "TriggerFeedback", timeout: 2000,
            {
                $0.string("org.mullion.Shell")
                $0.string(event)
                // To be felt: the shell plays the sound.
                $0.table(["profile": .text("quiet")])
                // Use the event's own duration.
                $0.int32(-1)
            }
        ) { answer in
            if case .failure(let error) = answer { missing(error.text) }
        }
        onChange?()
    }
}
