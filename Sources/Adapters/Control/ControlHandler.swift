import Geometry
import Multitasking
import Stage
import Windows

/// What the control socket needs of the shell. What takes time is answered later, through the reply.
public protocol ControlHandler: AnyObject {
    var system: System { get }
    /// The shell's clock: real, or set by hand.
    var now: Moment { get }
    /// Nothing moves, no injected gesture goes on, every window has answered, and no frame is due.
    var isIdle: Bool { get }
    /// There is an output of sound, or none is to be waited for.
    var isSoundKnown: Bool { get }
    var version: VersionReport { get }
    var statistics: StatisticsReport { get }
    var descriptors: DescriptorReport { get }
    /// A text of the shell in the person's language.
    func string(_ text: Text) -> String

    /// One line for each configure sent, oldest first; nil if there is no such window.
    func configureLog(of window: WindowID) -> [String]?
    /// Answered with nothing, or refused in the shell's own words.
    func perform(_ action: Action, reply: ControlReply)
    /// Answered with nothing when the last step was taken.
    func inject(_ plan: InputPlan, reply: ControlReply)
    /// Answered with a `ScreenshotReport`.
    func screenshot(_ request: ScreenshotRequest, reply: ControlReply)
    /// Answered with a `ClockReport`; refused if there is no hand clock to step.
    func setClock(_ request: ClockRequest, reply: ControlReply)
    /// Answered with nothing, or refused with what is wrong with the configuration.
    func reload(reply: ControlReply)
    func quit()
}

/// Where the answer to one request goes. Exactly one is sent: if nobody answers, the client is told that.
public final class ControlReply {
    private var send: ((Result<any Encodable, ControlError>) -> Void)?
    /// Whether somebody is still there to hear it.
    var isAwaited: () -> Bool = { true }

    /// `send` is called once.
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
