import Windows

/// The words of an Exec value, read as GLib reads them: field codes are replaced within quotes, too. In double quotes the
/// replacement is quoted for a shell that reads the word (`sh -c "exec app %u"`). After `-c` this also holds in single quotes, where
/// GLib would let the shell run a file's name.
///
/// Single quotes and backslashes outside of quotes are not in the specification, but real files contain them, so they have the same
/// meaning as in a shell. Like GLib, it reads no word from quotes that do not match.
struct ExecLine {
    private enum Quotes { case none, single, double }

    /// Without files.
    private(set) var words: [String] = []
    /// The first field code for files or addresses.
    private(set) var place: FilePlace?

    private var word: String.UnicodeScalarView?
    private var quotes = Quotes.none
    /// Whether `place` is within the word that is being read.
    private var isWithin = false
    private var code: (isMany: Bool, takesAddresses: Bool, before: String.UnicodeScalarView, isQuoted: Bool)?

    /// - Parameters:
    ///   - name: of the app, for `%c`.
    ///   - icon: for `%i`.
    ///   - path: of the desktop entry, for `%k`.
    init(_ exec: String, name: String, icon: String?, path: String?) {
        var scalars = DesktopEntryReader.unescaped(exec).unicodeScalars[...]
        var isWhole = true
        while isWhole, let scalar = scalars.popFirst() {
            switch (scalar, quotes) {
            case ("%", _):
                if let code = scalars.popFirst() { expand(code, name: name, icon: icon, path: path) } else { put(scalar) }
            case ("\"", .none), ("\"", .double): toggle(.double)
            case ("'", .none), ("'", .single): toggle(.single)
            case ("\\", .none):
                if let next = scalars.popFirst() { put(next) } else { isWhole = false }
            case ("\\", .double):
                // Before anything else it stands for itself.
                if let next = scalars.first, "$`\"\\\n".unicodeScalars.contains(next) {
                    put(scalars.removeFirst())
                } else {
                    put(scalar)
                }
            case (" ", .none), ("\t", .none), ("\n", .none): finishWord()
            default: put(scalar)
            }
        }
        finishWord()
        if quotes != .none || !isWhole { (words, place) = ([], nil) }
    }

    private mutating func toggle(_ kind: Quotes) {
        quotes = quotes == kind ? .none : kind
        word = word ?? .init()
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        if word == nil { word = .init() }
        word?.append(scalar)
    }

    private mutating func put(_ text: String) {
        for scalar in (quotes == .double ? App.quoted(text) : text).unicodeScalars { put(scalar) }
    }

    private mutating func expand(_ field: Unicode.Scalar, name: String, icon: String?, path: String?) {
        switch field {
        case "%": put(field)
        case "c": put(name)
        case "k": if let path { put(path) }
        case "i":
            guard let icon else { return }
            for scalar in "--icon".unicodeScalars { put(scalar) }
            if quotes == .none { finishWord() } else { put(" " as Unicode.Scalar) }
            put(icon)
        case "f", "F", "u", "U":
            guard place == nil, code == nil else { return }
            // A shell that got a name unquoted would run commands in it.
            let isScript = quotes == .single && words.last == "-c"
            code = (field == "F" || field == "U", field == "u" || field == "U", word ?? .init(), quotes == .double || isScript)
            isWithin = word != nil || quotes != .none
        default: break
        }
    }

    private mutating func finishWord() {
        if let code {
            place = FilePlace(index: words.count, isMany: code.isMany, takesAddresses: code.takesAddresses)
            if let word, isWithin || !word.isEmpty {
                let after = String(String.UnicodeScalarView(word.dropFirst(code.before.count)))
                place?.within = .init(before: String(code.before), after: after, isQuoted: code.isQuoted)
            }
        }
        code = nil
        if let word { words.append(String(word)) }
        word = nil
    }
}
