/// The people who wrote or called. No notification service names a person: the title of a message, a call or a mail is the name (S-07).
extension Notices {
    /// The names in the list, the newest first, each once.
    public func people(most: Int) -> [String] {
        var names: [String] = [], known: Set<String> = []
        for notice in all.values.reversed() where notice.content.isFromPerson {
            guard known.insert(notice.content.title.lowercased()).inserted else { continue }
            names.append(notice.content.title)
            if names.count == most { break }
        }
        return names
    }
}

extension NoticeContent {
    /// Whether a person sent it, by the category of the specification.
    var isFromPerson: Bool {
        guard title.contains(where: { !$0.isWhitespace }) else { return false }
        return category.split(separator: ".", maxSplits: 1).first.map { ["im", "call", "email"].contains($0) } ?? false
    }
}
