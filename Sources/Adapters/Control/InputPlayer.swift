import Geometry

/// Plays input plans on the shell's clock. Several plans may play at once.
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

    /// - Parameter reply: answered after the last step.
    public mutating func add(_ plan: InputPlan, at now: Moment, reply: ControlReply?) {
        playing.append(Playing(plan: plan, start: now, reply: reply))
    }

    /// When the next step is due; nil if no plan is playing.
    public var deadline: Moment? {
        playing.compactMap { p in p.plan.steps.indices.contains(p.next) ? p.start + p.plan.steps[p.next].after : p.start }.min()
    }

    /// Returns the earliest step that is due, and its due time. Call until it returns nil. A plan is answered by the
    /// call after its last step, so that the step has taken effect by then.
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
