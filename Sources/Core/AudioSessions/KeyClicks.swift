import Geometry

/// Key clicks of on-screen keyboards: which key is heard, and that no key is heard twice.
///
/// Some keyboards ask the feedback service on the session bus for every key, others ask no service. The shell hears the
/// requests of the first kind only while it serves them itself. It clicks for the second kind. A request may come before
/// or after the key that it is for, because both take different ways.
struct KeyClicks: Hashable, Codable, Sendable {
    /// Something that a program did.
    struct Deed: Hashable, Codable, Sendable {
        var program: Int32
        var at: Moment
    }

    /// The last click.
    var clickedAt: Moment?
    /// The last requests, one for each program, oldest first.
    var requests: [Deed] = []
    /// Keys that the shell clicked for, for which a request may still come, oldest first.
    var unasked: [Deed] = []
    /// Another program serves feedback, or would be started for it: the shell hears no requests.
    var isServedElsewhere = false

    /// Seconds from one click to the next: two thumbs are slower, and a key with a modifier is one key.
    static let pause = 0.03
    /// How long a program that asked counts as one that asks for every key.
    static let patience = 10.0
    /// How long after its key a request may come.
    static let delay = 0.25
    /// More keyboards are not in use at once.
    static let most = 8

    /// By the event naming specification of feedbackd.
    static let pressed: Set<String> = ["button-pressed", "key-pressed"]
    /// A key clicks when it goes down, and makes no second sound.
    static let released: Set<String> = ["button-released", "key-released"]
    /// The name of the click in a sound theme.
    static let sound = "button-pressed"

    /// Events that announce something, by the beginnings of their names. All others answer an act of the person.
    private static let announcements = ["alarm-", "battery-", "message-", "notification-", "phone-", "power-", "timeout-"]

    static func kind(of event: String) -> SystemSoundKind {
        announcements.contains { event.hasPrefix($0) } ? .alert : .feedback
    }

    /// Whether enough time has passed since the last click.
    func mayClick(at now: Moment) -> Bool { clickedAt.map { now - $0 >= Self.pause } ?? true }

    /// A finger typed a key on a keyboard of `program`. Returns whether it clicks.
    ///
    /// `asks`: whether the program can ask a feedback service.
    mutating func typed(by program: Int32, asks: Bool, at now: Moment) -> Bool {
        if isServedElsewhere { return !asks && click(at: now) }
        if requests.contains(where: { $0.program == program && now - $0.at < Self.patience }) { return false }
        guard click(at: now) else { return false }
        unasked.removeAll { now - $0.at >= Self.delay }
        unasked = unasked.suffix(Self.most - 1) + [Deed(program: program, at: now)]
        return true
    }

    /// A program asks for the click of a key. Returns whether it clicks.
    mutating func asked(by program: Int32, at now: Moment) -> Bool {
        requests =
            requests.filter { $0.program != program && now - $0.at < Self.patience }.suffix(Self.most - 1) + [
                Deed(program: program, at: now)
            ]
        guard let its = unasked.firstIndex(where: { $0.program == program && now - $0.at < Self.delay }) else { return click(at: now) }
        unasked.remove(at: its)
        return false
    }

    private mutating func click(at now: Moment) -> Bool {
        guard mayClick(at: now) else { return false }
        clickedAt = now
        return true
    }
}

extension AudioSessions {
    /// A finger typed a key on a keyboard of this program.
    mutating func keyTyped(_ program: Int32, asks: Bool, _ turn: inout Turn) {
        guard keyClicks.typed(by: program, asks: asks, at: turn.now) else { return }
        clickIfWanted(&turn)
    }

    /// A program asks the feedback service, which is the shell, for an event.
    mutating func feedbackAsked(_ event: String, _ program: Int32, _ turn: inout Turn) {
        if KeyClicks.released.contains(event) { return }
        guard KeyClicks.pressed.contains(event) else { return systemSound(event, KeyClicks.kind(of: event), &turn) }
        // The screen is locked: no on-screen keyboard has input.
        guard keyClicks.asked(by: program, at: turn.now), !isLocked else { return }
        clickIfWanted(&turn)
    }

    private mutating func clickIfWanted(_ turn: inout Turn) {
        // Without a sound server, no player is started for every key.
        if preferences.keyClicks, isServerRunning { systemSound(KeyClicks.sound, .feedback, &turn) }
    }
}
