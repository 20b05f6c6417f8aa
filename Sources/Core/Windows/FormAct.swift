/// An act of a person on a page of rows.
public enum FormAct: Hashable, Codable, Sendable {
    /// Writes in a field; nil: leaves it.
    case write(FormField?)
    case clear(FormField)
    /// Writes the copied text into a field.
    case paste(FormField)
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
    /// The fields of a question: a password, the same again, and words that may be seen.
    case promptSecret = "prompt-secret", promptRepeated = "prompt-repeated", promptWords = "prompt-words"

    /// Its signs are dots, unless a person wants to see them.
    public var isSecret: Bool { self == .networkPassword || self == .promptSecret || self == .promptRepeated }

    /// Whether it stands in the alert of a question, and not on a page.
    public var isOfPrompt: Bool { self == .promptSecret || self == .promptRepeated || self == .promptWords }

    /// UTF-8 bytes.
    public static let longest = 256
}
