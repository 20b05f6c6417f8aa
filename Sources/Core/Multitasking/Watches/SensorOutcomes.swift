import AudioSessions
import Geometry
import Status

/// The programs that hear, see, watch or locate a person: the room for them, from what the others know.
extension System {
    mutating func uses(_ sensor: SensorUse.Sensor, _ apps: [AudioApp], at now: Moment) {
        let workspace = screenful.workspace
        let users = apps.map { app in
            // In a sandbox, the name that its engine vouches for holds.
            SensorUse.User(
                SensorUse.Program(id: app.id, lineage: app.lineage, isSandboxed: app.isSandboxed),
                id: app.isSandboxed ? nil : workspace.window(of: app).map(\.app).flatMap { $0.isEmpty ? nil : $0 })
        }
        uses(sensor, by: users, at: now)
    }

    mutating func uses(_ sensor: SensorUse.Sensor, by users: [SensorUse.User], at now: Moment) {
        for outcome in sensors.handle(.uses(sensor, users), in: (), at: now) {
            switch outcome {
            case .changed:
                screenful.sight.device.sensors = sensors
                screenful.drawsAnew()
            }
        }
    }

    mutating func followSensors(at now: Moment) {
        let heard = screenful.heard.recorders, sharers = screenful.sight.sharers
        // With each event, so that it costs nothing where there is nothing.
        guard !heard.isEmpty || !sharers.isEmpty || sensors.isUsed([.microphone, .screen]) else { return }
        uses(.microphone, heard, at: now)
        let workspace = screenful.workspace
        uses(
            .screen,
            sharers.map { client in
                let window = workspace.windows.values.first { $0.facts.client == client }
                return AudioApp(id: window?.app ?? "", lineage: window?.facts.lineage ?? [], isSandboxed: false)
            }, at: now)
    }
}
