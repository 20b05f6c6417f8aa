import Geometry

/// Plays input plans on the shell's clock; several at once, as hands do.
public struct InputPlayer {
    private struct Playing {
        var plan: InputPlan
        var start: Moment
        var next = 0
        var reply: ControlReply?
    }

    private var playing: [Playing] = []

    public init() {}

    public var isEmpty: Bool { playing.isEmpty }

    /// `reply` is answered when the last step has been taken.
    public mutating func add(_ plan: InputPlan, at now: Moment, reply: ControlReply?) {
        playing.append(Playing(plan: plan, start: now, reply: reply))
    }

    /// When the next step is due; nil if nothing is being played.
    public var deadline: Moment? {
        playing.compactMap { p in p.plan.steps.indices.contains(p.next) ? p.start + p.plan.steps[p.next].after : p.start }.min()
    }

    /// The earliest step that is due, and the moment it was due at; call until there is none.
    /// A plan that has ended is answered by the call after its last step, when that step has had its effect.
    public mutating func step(at now: Moment) -> (step: InputStep, due: Moment)? {
        for index in playing.indices.reversed() where playing[index].next >= playing[index].plan.steps.count {
            let reply = playing.remove(at: index).reply
            reply?.answer()
        }
        var best: (index: Int, due: Moment)?
        for (index, p) in playing.enumerated() {
            let due = p.start + p.plan.steps[p.next].after
            if due <= now, best.map({ due < $0.due }) ?? true { best = (index, due) }
        }
        guard let best else { return nil }
        let step = playing[best.index].plan.steps[playing[best.index].next].step
        playing[best.index].next += 1
        return (step, best.due)
    }
}
