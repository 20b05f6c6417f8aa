import Processes

/// The on-screen keyboard: squeekboard, which types through input-method and reserves space through layer-shell. It
/// is an ordinary program. The shell starts it, and restarts it if it exits.
final class OnScreenKeyboard {
    private(set) var process: Int32?
    private let start: () throws -> Int32
    /// Unexpected exits.
    private var failures = 0

    private static let patience = 3

    /// Throws if it cannot be started.
    init(start: @escaping () throws -> Int32) throws {
        self.start = start
        process = try start()
    }

    enum Ending {
        case another
        case restarted
        case gaveUp(String)
    }

    func ended(_ exit: ProcessExit) -> Ending {
        guard exit.pid == process else { return .another }
        process = nil
        failures += 1
        guard failures <= OnScreenKeyboard.patience else { return .gaveUp("the on-screen keyboard ended \(failures) times; it stays away") }
        do {
            process = try start()
            return .restarted
        } catch {
            return .gaveUp("the on-screen keyboard does not start again: \(error)")
        }
    }
}
