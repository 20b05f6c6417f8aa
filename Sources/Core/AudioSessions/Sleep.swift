/// The machine sleeps: nothing sounds or records, and what did goes on when it wakes.
extension AudioSessions {
    mutating func goToSleep(_ turn: inout Turn) {
        guard !isAsleep else { return }
        isAsleep = true
        for index in sessions.values.indices { loseToSleep(index, &turn) }
    }

    /// Also of what starts while the machine prepares: it is heard when the machine is awake again.
    mutating func loseToSleep(_ index: Int, fade: Double = Ramp.fadeOut, _ turn: inout Turn) {
        guard isAsleep, sessions.values[index].state == .active || sessions.values[index].state == .interrupted else { return }
        lose(index, Loss(cause: .sleep, kind: .automatic), fade: fade, &turn)
    }

    mutating func wakeUp(_ turn: inout Turn) {
        // Headphones may have been unplugged meanwhile: first the route, then what plays on it.
        route(.wakeFromSleep, &turn)
        guard isAsleep else { return }
        isAsleep = false
        let regained = sessions.values.indices.filter { take(.sleep, from: $0) }.map { sessions.values[$0].id }
        endIfRegained(regained, &turn)
    }
}
