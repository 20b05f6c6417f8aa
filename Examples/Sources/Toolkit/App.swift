import CToolkit
import Glibc

/// The program: one window, one loop.
public enum App {
    /// Runs until its window is closed. `make` builds the window, when there is a display, and gives what has to live as
    /// long as the program. Gives the exit status.
    public static func run(id: String, _ make: @escaping () -> AnyObject) -> Int32 {
        var kept: AnyObject?
        let status = ct_run(id, callVoid, Held<Void> { kept = make() }.pointer())
        withExtendedLifetime(kept) {}
        return status
    }

    public static func quit() { ct_quit() }

    /// Calls again and again until the program ends.
    public static func every(seconds: Double, _ body: @escaping () -> Void) {
        ct_every(UInt32(seconds * 1000), callVoid, Held<Void>(body).pointer())
    }

    /// Runs a program, and tells its exit status when it has ended. False: it could not be started.
    @discardableResult
    public static func spawn(_ arguments: [String], _ ended: @escaping (Int32) -> Void = { _ in }) -> Bool {
        var pointers: [UnsafePointer<CChar>?] = arguments.map { UnsafePointer(strdup($0)) }
        pointers.append(nil)
        defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
        return ct_spawn(pointers, callValue, Held<Double> { ended(Int32($0)) }.pointer())
    }

    /// Calls with each line that comes on the standard input: so the example apps can be driven without their window.
    public static func onLine(_ body: @escaping ([String]) -> Void) {
        _ = fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK)
        var pending: [UInt8] = []
        var source: UInt32 = 0
        let reader = Held<Void> {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else {
                if count == 0 || errno != EAGAIN { ct_cancel(source) }
                return
            }
            pending += buffer[..<count]
            while let end = pending.firstIndex(of: 10) {
                let words = String(decoding: pending[..<end], as: UTF8.self).split(separator: " ").map(String.init)
                pending.removeSubrange(...end)
                if !words.isEmpty { body(words) }
            }
        }
        source = ct_watch(STDIN_FILENO, true, false, callVoid, reader.pointer())
    }

    /// One line of what happened, on the standard output.
    public static func say(_ text: String) {
        // Not through a buffer: whoever listens wants to know now.
        let line = Array("\(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
