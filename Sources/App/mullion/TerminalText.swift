extension String {
    /// For a terminal: what an app calls itself or what it plays can neither move the cursor nor break a line.
    var onOneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }))
    }
}
