/// Chooses windows by what they say of themselves; `*` stands for any run of characters.
public struct WindowPattern: Hashable, Codable, Sendable {
    /// Pattern for the app id; nil accepts every app.
    public var appID: String?
    /// Pattern for the title; nil accepts every title.
    public var title: String?

    public init(appID: String? = nil, title: String? = nil) {
        self.appID = appID
        self.title = title
    }

    /// Whether both patterns accept the window. Capital letters matter, as they do in app ids.
    public func matches(appID: String, title: String) -> Bool {
        (self.appID.map { Self.matches($0, appID) } ?? true) && (self.title.map { Self.matches($0, title) } ?? true)
    }

    /// Walks both texts once, going back to the last `*` when a character does not fit.
    static func matches(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern)
        let text = Array(text)
        var p = 0
        var t = 0
        var star: (pattern: Int, text: Int)?
        while t < text.count {
            if p < pattern.count, pattern[p] == "*" {
                star = (p, t)
                p += 1
            } else if p < pattern.count, pattern[p] == text[t] {
                p += 1
                t += 1
            } else if let last = star {
                p = last.pattern + 1
                t = last.text + 1
                star = (last.pattern, t)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == "*" }
    }
}
