/// Tokens with which an app may bring a window to the front (W-19).
public enum Activations {
    /// How long a press' serial counts as the user's intent, in nanoseconds.
    public static let serialLife: Int64 = 10_000_000_000
}
