/// An act of a person on a page of rows.
public enum FormAct: Hashable, Codable, Sendable {
    /// Writes in a field; nil: leaves it.
    case write(FormField?)
    case clear(FormField)
    /// Shows the signs of a password, or hides them.
    case reveal
}

/// A field of a form in which a person writes.
public enum FormField: String, Hashable, Codable, Sendable, CaseIterable {
    case networkName = "network-name", networkPassword = "network-password", pairingCode = "pairing-code"
    /// The search over all settings.
    case settingsSearch = "settings-search"
    /// The name of the open folder of the home screen.
    case folderName = "folder-name"

    /// Its signs are dots, unless a person wants to see them.
    public var isSecret: Bool { self == .networkPassword }

    /// UTF-8 bytes.
    public static let longest = 256
}
