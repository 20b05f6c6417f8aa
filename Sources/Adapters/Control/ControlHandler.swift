import Geometry
import Multitasking
import Stage
import Windows

/// The functions of the shell that the control socket needs. Slow requests are answered later through the reply.
public protocol ControlHandler: AnyObject {
    var system: System { get }
    /// The shell's clock: real or manual.
    var now: Moment { get }
    /// Nothing moves, no injected gesture is in progress, every window has acked its configure, and no frame is due.
    var isIdle: Bool { get }
    /// Whether there is an audio output, or the shell has stopped waiting for one.
    var isSoundKnown: Bool { get }
    var version: VersionReport { get }
    /// How apps are frozen, as the raw value of the means; nil if not at all.
    var freezingMeans: String? { get }
    var statistics: StatisticsReport { get }
    var descriptors: DescriptorReport { get }
    var configuration: ConfigurationReport { get }
    /// The laws that the shell breaks; nil: it does not check itself.
    var violations: ViolationReport? { get }
    /// A text of the shell in the user's language.
    func string(_ text: Text) -> String

    /// One line for each configure sent, oldest first; nil if there is no such window.
    func configureLog(of window: WindowID) -> [String]?
    /// Answers with an empty result, or refuses with the shell's own message.
    func perform(_ action: Action, reply: ControlReply)
    /// Answers with an empty result after the last step.
    func inject(_ plan: InputPlan, reply: ControlReply)
    /// Answers with a `ScreenshotReport`.
    func screenshot(_ request: ScreenshotRequest, reply: ControlReply)
    /// Answers with a `ClockReport`; refuses `step` without a manual clock.
    func setClock(_ request: ClockRequest, reply: ControlReply)
    /// Answers with an `AskReport` when the person has answered. `process`: the program that asks.
    func ask(_ request: AskRequest, from process: Int32, reply: ControlReply)
    /// Answers with an empty result, or refuses with the errors in the configuration.
    func reload(reply: ControlReply)
    /// Whether the shell began with a clock by hand.
    var beganByHand: Bool { get }
    /// The reason why the socket may not end the shell; nil: it may.
    var quitRefusal: String? { get }
    func quit()
}

extension ControlHandler {
    public func ask(_ request: AskRequest, from process: Int32, reply: ControlReply) { reply.refuse("no person can be asked here") }
    public var beganByHand: Bool { false }
    public var quitRefusal: String? { nil }
    public var violations: ViolationReport? { nil }
}

/// The answer to one request. Sends exactly one answer: an error if it is released without one.
public final class ControlReply {
    private var send: ((Result<any Encodable, ControlError>) -> Void)?
    /// Whether the client is still connected.
    var isAwaited: () -> Bool = { true }
    /// Called if the client goes before the answer to a question.
    public var whenGone: (() -> Void)?
    /// The process of the client; 0: unknown.
    var process: Int32 = 0

    /// - Parameter send: called once.
    public init(_ send: @escaping (Result<any Encodable, ControlError>) -> Void) { self.send = send }

    deinit { send?(.failure(ControlError("the shell gave no answer"))) }

    public func answer(_ value: some Encodable) { finish(.success(value)) }
    public func answer() { finish(.success(ControlLine.Done())) }
    public func refuse(_ error: ControlError) { finish(.failure(error)) }
    public func refuse(_ refusal: Refusal) { refuse(ControlError(refusal.reason)) }
    public func refuse(_ what: String, at place: String? = nil) { refuse(ControlError(what, at: place)) }

    private func finish(_ result: Result<any Encodable, ControlError>) {
        let send = send
        self.send = nil
        send?(result)
    }
}
