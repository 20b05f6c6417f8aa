import Multitasking
import Windows

/// Says when everything that was connected at the start is known. The compositor reports each device and the output.
final class HardwareReport: Adapter {
    private unowned let shell: Shell

    init(_ shell: Shell) { self.shell = shell }

    func allStarted() { shell.receive(.hardware(.known)) }
}
