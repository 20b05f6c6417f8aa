extension WindowFacts {
    /// Whether the title says that the document has unsaved changes, as editors and toolkits say it: a star or a dot before the name
    /// (GTK editors, GIMP, Visual Studio Code), or a star behind it (Qt, KDE).
    ///
    /// A title proves nothing, so it only adds a line to what a person reads.
    public var saysUnsaved: Bool {
        guard let first = title.first(where: { $0 != " " }) else { return false }
        return "*\u{25cf}\u{2022}".contains(first) || title.hasSuffix("*")
            || ["* - ", "* \u{2013} ", "* \u{2014} "].contains { title.contains($0) }
    }
}
