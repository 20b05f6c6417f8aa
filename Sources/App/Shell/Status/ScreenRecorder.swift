import Compositor
import Desktop
import Geometry
import Glibc
import Multitasking
import Processes

/// Films of the screen, by wf-recorder where it is installed: it finds an encoder, and ends the file well when it is interrupted.
final class ScreenRecorder {
    private unowned let shell: Shell
    private var process: Int32?
    private var wakes: EventSource?
    /// How many times it may still be woken. One that hangs stays as it is, and the tile asks it to end once more.
    private var wakesLeft = 0

    init(_ shell: Shell) { self.shell = shell }

    private static let program = "wf-recorder"

    /// Whether one can be made, and whether it is.
    func tell() {
        let isThere = Executable.find(Self.program, path: shell.environment["PATH"]) != nil
        shell.receive(.status(.recording(isThere || process != nil ? process != nil : nil)))
    }

    func record(_ isOn: Bool) {
        if !isOn {
            // The answer comes when the file is whole.
            guard let process else { return }
            shell.launcher.signal(process, SIGINT)
            wakesLeft = 25
            wakes = wakes ?? shell.compositor.timer { [unowned self] in wake() }
            wake()
            return
        }
        guard process == nil else { return }
        let folder = UserFolder.path("VIDEOS", or: "Videos", environment: shell.environment)
        guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            shell.receive(.status(.refused(.recorder, "\(folder): \(String(cString: strerror(errno)))")))
            return
        }
        do {
            let file = "\(folder)/\(UserFolder.stamp).mkv"
            process = try shell.launcher.launch(
                [Self.program, "-f", file], environment: shell.environment, log: shell.programLog,
                directory: shell.environment["HOME"])
            shell.log.notice("the screen is recorded to \(file)")
        } catch {
            shell.receive(.status(.refused(.recorder, "\(error)")))
        }
        tell()
    }

    /// The recorder waits for a frame before it ends, and a screen at rest has none.
    private func wake() {
        guard process != nil, wakesLeft > 0 else { return }
        wakesLeft -= 1
        shell.compositor.paintAgain()
        wakes?.arm(Compositor.now() + 0.2)
    }

    func ended(_ exit: ProcessExit) -> Bool {
        guard exit.pid == process else { return false }
        process = nil
        wakes?.cancel()
        wakes = nil
        if exit.reason != .exited(0) { shell.receive(.status(.refused(.recorder, "\(Self.program): \(exit.reason)"))) }
        tell()
        return true
    }
}
