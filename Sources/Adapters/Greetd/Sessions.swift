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
        let found = LoginSessions.all(environment: environment, fault: fault)
        let server = Executable.find("startx", path: path), start = Executable.find(xsession, path: nil)
        var out: [GreeterSession] = []
        for entry in found {
            if let wanted = entry.entry.tryExec, Executable.find(wanted, path: path) == nil { continue }
            guard let program = entry.entry.command.first, Executable.find(program, path: path) != nil else {
                fault(entry.path, "there is no program \(entry.entry.command.first ?? "")")
                continue
            }
            var session = GreeterSession(
                id: entry.entry.id, title: entry.entry.name, command: entry.entry.command, desktops: entry.entry.desktopNames)
            if entry.isX11 {
                guard let server else {
                    fault(entry.path, "there is no startx, which starts the server of an X11 session (package xinit)")
                    continue
                }
                session.type = .x11
                session.command = x11(session.command, server: server, start: start)
                let isAmbiguous = found.contains { !$0.isX11 && $0.entry.name == session.title }
                if isAmbiguous { session.title += " (X11)" }
            }
            out.append(session)
        }
        return out.isEmpty ? [GreeterSession(id: "mullion", title: "Mullion", command: own, desktops: ["Mullion"])] : out
    }

    /// Debian's own start of an X11 session: a person's variables, the agents and the user's services.
    private static let xsession = "/etc/X11/Xsession"

    /// `startx` splits each word at its spaces, and `Xsession` takes one word alone.
    private static func x11(_ command: [String], server: String, start: String?) -> [String] {
        if let start, command.count == 1, !command[0].contains(" ") { return [server, start] + command }
        return [server, "/usr/bin/env"] + command
    }
}
