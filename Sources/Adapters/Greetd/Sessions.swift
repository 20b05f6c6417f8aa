import Desktop
import Locking
import Processes

/// The sessions that a person can choose at the login.
public enum Sessions {
    /// - Parameters:
    ///   - own: the command of Mullion's own session, where no file names a session.
    ///   - fault: called with the file of each entry that is left out, and why.
    public static func all(environment: [String: String], own: [String], fault: (String, String) -> Void) -> [GreeterSession] {
        let path = environment["PATH"]
        var out: [GreeterSession] = []
        for entry in LoginSessions.all(environment: environment, fault: fault) {
            if let wanted = entry.entry.tryExec, Executable.find(wanted, path: path) == nil { continue }
            guard let program = entry.entry.command.first, Executable.find(program, path: path) != nil else {
                fault(entry.path, "there is no program \(entry.entry.command.first ?? "")")
                continue
            }
            out.append(
                GreeterSession(
                    id: entry.entry.id, title: entry.entry.name, command: entry.entry.command, desktops: entry.entry.desktopNames))
        }
        return out.isEmpty ? [GreeterSession(id: "mullion", title: "Mullion", command: own, desktops: ["Mullion"])] : out
    }
}
