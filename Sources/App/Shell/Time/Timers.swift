import Compositor
import Control
import Geometry
import Multitasking

/// The timers of the core, the manual clock, and the timed steps of injected input.
final class Timers: Adapter {
    private unowned let shell: Shell
    private var deadlines: [TimerID: Moment] = [:]
    private var player = InputPlayer()
    private var alarm: EventSource?

    init(_ shell: Shell) { self.shell = shell }

    let carriesOut = [Effect.Kind.timer]

    func start() { alarm = shell.compositor.timer { [unowned self] in runDue() } }

    func stop() {
        alarm?.cancel()
        alarm = nil
    }

    func carryOut(_ effect: Effect, at moment: Moment) {
        guard case .timer(let effect) = effect else { return }
        switch effect {
        case .start(let timer, let moment): deadlines[timer] = moment
        case .stop(let timer): deadlines[timer] = nil
        }
        arm()
    }

    private var nextDeadline: Moment? {
        let timers = deadlines.values.min()
        guard let input = player.deadline else { return timers }
        return timers.map { min($0, input) } ?? input
    }

    /// Arms the loop's timer for the earliest deadline.
    private func arm() {
        guard let alarm else { return }
        alarm.arm(shell.clock.isHand ? nil : nextDeadline.map(shell.clock.real))
    }

    /// The most seconds of work per turn.
    private static let slice = 0.008

    /// Runs everything that is due, in the order of its time. In real time, stops after a time slice and continues in the next turn.
    ///
    /// A busy machine may leave the shell without a processor in the middle of an injected gesture. The steps and timers that became
    /// due meanwhile then happen one after the other as on an idle machine, each at its own moment. So the gesture stays the same.
    private func runDue() {
        let end = shell.clock.isHand ? nil : Compositor.now() + Self.slice
        while true {
            if let end, Compositor.now() > end { break }
            let now = shell.clock.now()
            let next = deadlines.min { $0.value < $1.value }
            if let (step, due) = player.step(at: next.map { min($0.value, now) } ?? now) {
                play(at: due, now) { shell.inject(step, at: $0) }
                continue
            }
            guard let (timer, moment) = next, moment <= now else { break }
            deadlines[timer] = nil
            if player.isEmpty { shell.receive(.timer(timer)) } else { play(at: moment, now) { shell.receive(.timer(timer), $0) } }
        }
        arm()
    }

    /// `body` gets the moment in the machine's clock, as a device would stamp it.
    private func play(at due: Moment, _ now: Moment, _ body: (Moment) -> Void) {
        let stamp = shell.clock.isHand ? now : shell.clock.real(due)
        shell.clock.own = stamp
        body(stamp)
        shell.clock.own = nil
    }

    // MARK: Injected input

    /// Whether no injected input is left.
    var isInputOver: Bool { player.isEmpty }

    func play(_ plan: InputPlan, reply: ControlReply) {
        player.add(plan, at: shell.clock.now(), reply: reply)
        runDue()
    }

    // MARK: The manual clock

    func useHandClock() {
        shell.clock.useHand()
        arm()
    }

    func useRealClock() {
        shell.clock.useReal()
        arm()
    }

    /// Advances the manual clock, and runs every frame and timer on the way.
    func step(milliseconds: Double) {
        let display = shell.adapter(Display.self)
        let end = shell.clock.now() + milliseconds / 1000
        let frameLength = 1.0 / 60
        var nextFrame = shell.clock.now() + frameLength
        while true {
            let target = min(end, min(nextFrame, nextDeadline ?? end))
            shell.clock.set(target)
            runDue()
            if target >= nextFrame {
                nextFrame = target + frameLength
                display.renderStep(at: target)
            }
            if target >= end { break }
        }
        display.endStep()
    }
}
