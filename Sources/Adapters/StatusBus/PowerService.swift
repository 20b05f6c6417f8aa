import MessageBus
import Status

/// UPower's `DisplayDevice`: all batteries of the machine as one.
final class PowerService: StatusService {
    private unowned let bus: StatusBus
    var schedule = StatusSchedule()
    let kind = StatusServices.battery, name = "org.freedesktop.UPower"
    /// No desktop's daemon starts it before the first program asks.
    let starts = true

    private static let path = "/org/freedesktop/UPower/devices/DisplayDevice", interface = "org.freedesktop.UPower.Device"
    /// Each poll of UPower is a signal that `UpdateTime` changed, which is not shown.
    private static let shown: Set = [
        "IsPresent", "Type", "State", "Percentage", "TimeToEmpty", "TimeToFull", "WarningLevel",
    ]

    init(_ bus: StatusBus) { self.bus = bus }

    var rules: [String] { ["path='\(Self.path)',interface='\(StatusBus.properties)',member='PropertiesChanged'"] }

    func concerns(_ signal: Incoming) -> Bool { signal.path == Self.path && changes(signal, [Self.interface: Self.shown]) }

    func read() {
        bus.getAll(self, Self.path, Self.interface) { [unowned self] table in
            schedule.succeed()
            bus.onBattery(
                BatteryFacts(
                    isPresent: table["IsPresent"]?.flag ?? false, kind: table["Type"]?.integer ?? 0, state: table["State"]?.integer ?? 0,
                    percentage: table["Percentage"]?.number, toEmpty: table["TimeToEmpty"]?.integer ?? 0,
                    toFull: table["TimeToFull"]?.integer ?? 0, warning: table["WarningLevel"]?.integer ?? 0))
        }
    }

    func tellAbsent() { bus.onBattery(nil) }
}
