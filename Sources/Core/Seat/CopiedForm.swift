/// One form of the same copied content that the shell keeps: plain text, a web page, a list of files, a picture.
public struct CopiedForm: Hashable, Codable, Sendable {
    /// The MIME type that the owner is asked for.
    public var type: String
    /// The MIME types under which the shell offers the same bytes. They are among those that the owner offered.
    public var offered: [String]
    /// A picture is never kept over a restart.
    public var isText: Bool
    /// The most bytes that are kept.
    public var most: Int
    /// How many bytes have arrived, all of them; nil: not yet.
    public var bytes: Int?

    public init(type: String, offered: [String], isText: Bool, most: Int, bytes: Int? = nil) {
        self.type = type
        self.offered = offered
        self.isText = isText
        self.most = most
        self.bytes = bytes
    }
}

/// The forms of copied content that the shell keeps when the app ends, as a table.
///
/// An app may have to work for each form that it is asked for: LibreOffice draws a picture of copied cells. So few forms are read, and a
/// picture only where there is no plain text.
public enum CopiedForms {
    /// The MIME type by which password managers mark secrets. The shell reads nothing that has this mark, whatever the mark says.
    public static let secretMark = "x-kde-passwordManagerHint"

    /// The types of the same text in UTF-8. The first one that the owner offers is read.
    public static let plain = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING"]
    /// In the order of preference.
    private static let pictures = ["image/png", "image/jpeg", "image/webp", "image/bmp"]
    /// Lists of copied files too, as file managers know them.
    private static let otherTexts: [(type: String, most: Int)] = [
        ("text/html", mostText), ("text/uri-list", 256 << 10), ("x-special/gnome-copied-files", 256 << 10),
    ]

    /// Bytes of a text: the longest novel has three times as many. Bytes of a picture: a screenshot of a 4K screen has 10 MiB.
    public static let mostText = 1 << 20, mostPicture = 16 << 20

    /// Whether a form that ended after so many bytes is all there. A killed owner ends it anywhere, but what fits into one atomic write.
    /// `isOwnerThere`: its connection is still open.
    public static func isWhole(bytes: Int, isOwnerThere: Bool) -> Bool { bytes > 0 && (isOwnerThere || bytes <= atomicWrite) }
    private static let atomicWrite = 4096

    /// The forms to read among the offered ones. Empty: nothing is kept.
    public static func plan(for types: [String]) -> [CopiedForm] {
        let types = Set(types)
        guard !types.contains(secretMark) else { return [] }
        let same = plain.filter(types.contains)
        var forms: [CopiedForm] = []
        if let type = same.first { forms.append(CopiedForm(type: type, offered: same, isText: true, most: mostText)) }
        for (type, most) in otherTexts where types.contains(type) {
            forms.append(CopiedForm(type: type, offered: [type], isText: true, most: most))
        }
        if same.isEmpty, let picture = pictures.first(where: types.contains) {
            forms.append(CopiedForm(type: picture, offered: [picture], isText: false, most: mostPicture))
        }
        return forms
    }
}
