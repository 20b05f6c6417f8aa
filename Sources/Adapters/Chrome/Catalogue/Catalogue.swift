import Stage

/// The texts of the shell in each of its languages.
enum Catalogue {
    /// A message with its arguments in place of `%1`, `%2` and so on. Placeholders without an argument are removed.
    static func string(_ message: Message, _ arguments: [String], _ language: Language) -> String {
        fill(template(message, language, isOne: arguments.last == "1"), arguments)
    }

    /// - Parameter isOne: for messages that count: the last argument is 1.
    static func template(_ message: Message, _ language: Language, isOne: Bool = false) -> String {
        switch language {
        case .english: english(message, isOne: isOne)
        case .korean: korean(message)
        case .japanese: japanese(message)
        }
    }

    /// Replaces in a single pass, so that a percent sign in an argument stays as it is.
    private static func fill(_ template: String, _ arguments: [String]) -> String {
        var result = "", rest = template[...]
        while let sign = rest.firstIndex(of: "%") {
            result += rest[..<sign]
            rest = rest[rest.index(after: sign)...]
            guard let number = rest.first?.wholeNumberValue, (1...9).contains(number) else {
                result += "%"
                continue
            }
            rest = rest.dropFirst()
            if number <= arguments.count { result += arguments[number - 1] }
        }
        return result + rest
    }
}

extension Language {
    /// A message in this language: for programs of the shell with windows of their own.
    public func words(_ message: Message, _ arguments: String...) -> String { Catalogue.string(message, arguments, self) }
}
