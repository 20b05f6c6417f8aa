/// The buttons whose press the surface under the pointer got: it gets their releases, and no others (P-05).
///
/// A button may be held while the pointer comes to a surface: a drag ended early, or the window that was pressed is gone.
public struct ToldButtons: Hashable, Sendable {
    private var told: Set<UInt32> = []

    public init() {}

    /// Another surface has the pointer, or none.
    public mutating func focusChanged() { told = [] }

    /// - Parameter hasFocus: whether a client has the pointer.
    /// - Returns: whether to deliver the press or release.
    public mutating func delivers(_ button: UInt32, pressed: Bool, hasFocus: Bool) -> Bool {
        guard pressed else { return told.remove(button) != nil }
        if hasFocus { told.insert(button) }
        return true
    }
}
