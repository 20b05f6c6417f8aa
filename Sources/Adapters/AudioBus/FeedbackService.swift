import AudioSessions
import Callers
import Geometry
import MessageBus

/// `org.sigxcpu.Feedback`, the feedback service of phones and tablets, where feedbackd is not installed. Keyboards ask it for
/// a click with every key, by libfeedback.
///
/// If feedbackd runs, or the bus would start it, it keeps the name.
final class FeedbackService {
    static let name = "org.sigxcpu.Feedback"
    static let path = "/org/sigxcpu/Feedback"

    private unowned let bus: AudioBus
    /// Whether the shell owns the name.
    private(set) var isServing = false
    /// Whether the bus can start another service.
    private var isActivatable = false
    private var isReportedElsewhere = false
    private var lastID: UInt32 = 0
    private var toldProfile = "full"

    init(_ bus: AudioBus) { self.bus = bus }

    // MARK: The name

    func export(on bus: BusConnection) {
        bus.export(
            Self.name, below: Self.path,
            [
                .method("TriggerFeedback", takes: "ssa{sv}i", gives: "u"), .method("EndFeedback", takes: "u"),
                .signal("FeedbackEnded", "uu"), .told("Profile", "s"),
            ])
    }

    func start() {
        bus.link.watchOwner(of: Self.name)
        bus.callBus("ListActivatableNames", "") { [unowned self] answer in
            if case .success(let list) = answer {
                isActivatable = list.array(of: "s", limit: 100_000) { list.string() }?.contains(Self.name) ?? false
            }
            if isActivatable { report(isElsewhere: true) } else { requestName() }
        }
    }

    private func requestName() {
        // A feedbackd that is started manually takes it.
        bus.link.own(Self.name, .lent, note: bus.onNote) { [unowned self] isOwn in
            guard let isOwn else { return }
            if isOwn { serves(true) } else { report(isElsewhere: true) }
        }
    }

    func ownerChanged(_ owner: String) {
        if owner == bus.connection?.name { return serves(true) }
        serves(false)
        report(isElsewhere: !owner.isEmpty || isActivatable)
        if owner.isEmpty, !isActivatable { requestName() }
    }

    private func serves(_ isServing: Bool) {
        self.isServing = isServing
        if isServing { report(isElsewhere: false) }
    }

    private func report(isElsewhere: Bool) {
        guard isElsewhere != isReportedElsewhere else { return }
        isReportedElsewhere = isElsewhere
        bus.report(.feedbackServedElsewhere(isElsewhere))
    }

    func forgetAll() {
        serves(false)
        isActivatable = false
        report(isElsewhere: false)
    }

    // MARK: Calls

    func method(_ call: Incoming) -> Int32 {
        switch call.member {
        case "TriggerFeedback": return trigger(call)
        // Sounds are short, and end by themselves.
        case "EndFeedback": return call.reply { _ in }
        default: return -95
        }
    }

    private func trigger(_ call: Incoming) -> Int32 {
        guard let app = call.string(), let event = call.string(), let hints = call.table(), !app.isEmpty, Self.isName(event) else {
            return call.refuse("InvalidArgs", "an app, the name of an event, hints and a number are expected")
        }
        let isHeard = Self.isHeard(event, profile: hints["profile"]?.text), held = call.keep()
        bus.callers.identify(call.sender) { [unowned self] caller in
            guard let caller, bus.takes(.feedback, caller.owner) else {
                _ = held.call.refuse(
                    "LimitsExceeded", "more than \(Int(clamping: Rate.feedback.pace.perSecond)) events in a second: slow down")
                return
            }
            lastID = lastID == .max ? 1 : lastID + 1
            let id = lastID
            _ = held.call.reply { $0.uint32(id) }
            bus.connection?.emit(Self.path, Self.name, "FeedbackEnded", to: held.call.sender) {
                $0.uint32(id)
                $0.uint32(isHeard ? Self.natural : Self.notFound)
            }
            if isHeard { bus.report(.feedbackAsked(event, by: caller.process)) }
        }
        return 1
    }

    /// The reasons for the end of feedback: it ended as a whole, or there was none.
    private static let natural: UInt32 = 0, notFound = UInt32.max

    /// `quiet` asks to be felt rather than heard. A device on which the shell serves feedback has no motor that it knows, so a key that
    /// keyboards mark so is heard.
    static func isHeard(_ event: String, profile: String?) -> Bool {
        switch profile {
        case "silent": false
        case "quiet": event == "button-pressed" || event == "key-pressed"
        default: true
        }
    }

    static func isName(_ event: String) -> Bool {
        (1...64).contains(event.utf8.count)
            && event.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F
            }
    }

    // MARK: The profile

    private func profile(_ summary: AudioSummary) -> String { summary.isSilenced ? "quiet" : "full" }

    func get(_ value: inout Outgoing) { value.string(profile(bus.summary())) }

    /// libfeedback keeps the profile, and hears when it changes.
    func show(_ summary: AudioSummary) {
        let profile = profile(summary)
        guard isServing, profile != toldProfile else { return }
        toldProfile = profile
        bus.connection?.emit(Self.path, "org.freedesktop.DBus.Properties", "PropertiesChanged") {
            $0.string(Self.name)
            $0.table(["Profile": .text(profile)])
            $0.texts([])
        }
    }
}
