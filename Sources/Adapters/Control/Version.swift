/// Numbers that the program says of itself.
public enum Mullion {
    public static let version = "0.1.0"
    /// Of the protocol in `docs/control.md`; grows when a client of the version before would misunderstand.
    public static let controlVersion = 1
}
