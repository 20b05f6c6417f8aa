import Status

/// Text for users: a name from elsewhere, or one of the shell's own messages in the user's language.
public enum Text: Hashable, Codable, Sendable {
    case verbatim(String)
    /// A name beside others that begin alike: where it does not fit, its middle goes, because its end tells them apart (P-07).
    case similar(String)
    /// `arguments` replace `%1`, `%2` and so on in the catalogue's message.
    case message(Message, [String] = [])
    /// A message with details for screen readers: "Search, Super Space".
    case detailed(Message, String)
    /// A message about another one, which replaces `%1`: "Work Is On".
    case about(Message, Message)
    /// A day in the words of the language: "Monday, November 30".
    case date(CalendarDay)
    /// Texts with these signs between them: "Search, Super Space".
    case list([Text], String)
}
