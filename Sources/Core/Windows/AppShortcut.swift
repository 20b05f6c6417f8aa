/// A key with modifiers that means something to an app wherever the person is.
public struct AppShortcut: Hashable, Codable, Sendable {
    /// The app's name for it.
    public var id: String
    /// As in the configuration: "Super+y". Empty: the person does not want it.
    public var keys: String

    public init(id: String, keys: String) {
        self.id = id
        self.keys = keys
    }

    /// Of one app.
    public static let most = 32
    /// UTF-8 bytes.
    public static let mostID = 256, mostKeys = 64

    /// Whether it can be one, and no other has its name. Data from the disk may be anything.
    static func arePossible(_ shortcuts: [AppShortcut]) -> Bool {
        shortcuts.count <= 4 * most && Set(shortcuts.map(\.id)).count == shortcuts.count
            && shortcuts.allSatisfy { !$0.id.isEmpty && $0.id.utf8.count <= mostID && $0.keys.utf8.count <= mostKeys }
    }
}
