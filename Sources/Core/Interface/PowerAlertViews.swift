import Geometry
import Stage
import Status
import Windows

/// An alert about the power of the device.
public enum PowerAlert: Hashable, Codable, Sendable {
    case lowBattery
    /// Programs do not want the machine to end its work now.
    case heldUp(MachineEnd)
    /// Updates were prepared, and a restart installs them.
    case updatesReady
}

/// The alerts about the power of the device.
extension Views {
    func addPowerAlert(_ canvas: inout Canvas, _ alert: PowerAlert) {
        switch alert {
        case .lowBattery: addLowBattery(&canvas)
        case .heldUp(let end): addHeldUp(&canvas, end)
        case .updatesReady: addUpdatesReady(&canvas)
        }
    }

    /// The battery runs low.
    private func addLowBattery(_ canvas: inout Canvas) {
        let battery = status.battery, percent = "\(battery?.percent ?? 0)%"
        let message: Message =
            switch battery?.need ?? .none {
            case .none, .low: .lowBatteryMessage
            case .critical: .criticalBatteryMessage
            case .action: .emptyBatteryMessage
            }
        var buttons = [AlertButton(id: ControlID(.powerAlert, "close"), text: .ok, action: .dismiss)]
        if let profiles = status.profiles, profiles.all.contains("power-saver"), profiles.active != "power-saver" {
            buttons.append(
                AlertButton(id: ControlID(.powerAlert, "save"), text: .powerSaver, action: .device(.powerProfile("power-saver"))))
        }
        addQuestion(
            &canvas, .powerAlert, .message(.batteryLow), titleLines: 1, .message(message, [percent]), lines: alertLines(3), buttons)
    }

    /// Programs do not want the machine to end its work now.
    private func addHeldUp(_ canvas: inout Canvas, _ end: MachineEnd) {
        let holders = status.blockers(of: end), anyway = end.anyway
        let title = Text.message(.heldUp, [holders.first?.name ?? ""])
        let message = Text.verbatim(holders.map { $0.reason.isEmpty ? $0.name : "\($0.name): \($0.reason)" }.joined(separator: "\n"))
        addQuestion(
            &canvas, .powerAlert, title, titleLines: titleLines(title, atMost: alertLines(2)), message, lines: alertLines(4),
            [
                AlertButton(id: ControlID(.powerAlert, "cancel"), text: .cancel, action: .dismiss),
                AlertButton(id: ControlID(.powerAlert, "anyway"), text: anyway, action: .device(.endAnyway(end)), isDestructive: true),
            ])
    }

    /// Updates were prepared, and a restart installs them.
    private func addUpdatesReady(_ canvas: inout Canvas) {
        addQuestion(
            &canvas, .powerAlert, .message(.updatesReady), titleLines: 1, .message(.updatesReadyMessage), lines: alertLines(2),
            [
                AlertButton(id: ControlID(.powerAlert, "later"), text: .notNow, action: .dismiss),
                AlertButton(id: ControlID(.powerAlert, "restart"), text: .updateAndRestart, action: .device(.end(.update))),
            ])
    }
}

extension MachineEnd {
    /// The button that ends it whatever objects.
    var anyway: Message {
        switch self {
        case .turnOff: .turnOffAnyway
        case .restart, .update: .restartAnyway
        case .suspend: .suspendAnyway
        }
    }
}
