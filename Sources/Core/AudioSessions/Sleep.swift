/// Sleep of the machine: nothing sounds or records. Sessions that did resume when the machine wakes.
extension AudioSessions {
    mutating func goToSleep(_ turn: inout Turn) {
        guard !isAsleep else { return }
        isAsleep = true
        for index in sessions.values.indices { loseToSleep(index, &turn) }
    }

    /// Also interrupts sound that starts while the machine prepares to sleep: it becomes audible after waking.
    mutating func loseToSleep(_ index: Int, fade: Double = Ramp.fadeOut, _ turn: inout Turn) {
        guard isAsleep, sessions.values[index].state == .active || sessions.values[index].state == .interrupted else { return }
        lose(index, Loss(cause: .sleep, kind: .automatic), fade: fade, &turn)
    }

    mutating func wakeUp(_ turn: inout Turn) {
        // Headphones may have been unplugged in the meantime: update the route before anything resumes.
        route(.wakeFromSleep, &turn)
        guard isAsleep else { return }
        isAsleep = false
        let regained = sessions.values.indices.filter { take(.sleep, from: $0) }.map { sessions.values[$0].id }
        endIfRegained(regained, &turn)
    }
}
