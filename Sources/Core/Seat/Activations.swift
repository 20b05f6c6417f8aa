/// Tokens by which an app may bring a window forward (W-19).
public enum Activations {
    /// How long after a press its serial counts as a person's wish, in nanoseconds.
    public static let serialLife: Int64 = 10_000_000_000
}
