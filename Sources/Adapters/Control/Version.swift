/// Version numbers of the program.
public enum Mullion {
    public static let version = "0.1.0"
    /// The version of the protocol in `docs/control.md`. Incremented when a client of the previous version would
    /// misunderstand.
    public static let controlVersion = 1
}
