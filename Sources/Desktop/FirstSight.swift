/// What is opened when nobody said what to open, so that the first sight is not an empty screen.
public enum FirstSight {
    /// Kinds of apps that look well side by side; of each kind the first that is there.
    private static let kinds: [[[String]]] = [
        [["gtk4-demo"], ["gtk3-demo"], ["gtk4-widget-factory"], ["firefox-esr"], ["firefox"], ["featherpad"]],
        [["foot"], ["kgx"], ["gnome-terminal"], ["konsole"], ["xfce4-terminal"], ["xterm"]],
        [["weston-flower"], ["gtk4-widget-factory"], ["xeyes"]],
    ]

    /// Chooses two or three commands.
    ///
    /// - Parameters:
    ///   - entries: installed apps, which fill the places that no well-known app takes.
    ///   - isInstalled: whether the search path has a program.
    public static func pick(_ entries: [DesktopEntry], isInstalled: (String) -> Bool) -> [[String]] {
        var picked: [[String]] = []
        for kind in kinds {
            if let command = kind.first(where: { isInstalled($0[0]) && !picked.contains($0) }) {
                picked.append(command)
            }
        }
        for entry in entries where picked.count < 2 {
            let isUsable = entry.isShown(in: []) && !entry.needsTerminal && isInstalled(entry.command[0])
                && (entry.tryExec.map(isInstalled) ?? true)
            if isUsable, !picked.contains(where: { $0[0] == entry.command[0] }) { picked.append(entry.command) }
        }
        return picked
    }
}
