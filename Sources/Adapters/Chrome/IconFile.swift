/// An image of an app that another process decodes and scales to a given size.
public struct IconFile: Hashable, Sendable {
    public enum Kind: String, Sendable {
        /// A file, fitted into the middle.
        case icon
        /// Artwork of the playing item: a file or data URL that covers the whole size.
        case artwork
        /// A picture of a notification: a file that covers the whole size.
        case picture
        /// A picture for the wallpaper: a file that covers the whole size.
        case wallpaper
    }

    public enum Outcome: Sendable {
        case picture(Picture)
        /// The image exceeds a limit, for this reason.
        case refused(String)
        /// The file cannot be read or is not an image.
        case nothing
    }

    public var kind: Kind
    /// For artwork, its URL.
    public var path: String
    public var width: Int
    public var height: Int

    public init(_ kind: Kind = .icon, path: String, width: Int, height: Int) {
        self.kind = kind
        self.path = path
        self.width = width
        self.height = height
    }

    public var outcome: Outcome {
        let image =
            switch kind {
            case .icon: ImageFile(path: path, limits: .icon)
            case .artwork: ArtworkPainter.file(path)
            case .picture: ImageFile(path: path, limits: .picture)
            case .wallpaper: ImageFile(path: path, limits: .wallpaper)
            }
        guard let image else { return .nothing }
        if let reason = image.refusal { return .refused(reason) }
        var picture = Picture(width: width, height: height)
        return image.draw(into: &picture, fit: kind == .icon ? .inside : .cover) ? .picture(picture) : .nothing
    }

    /// nil if the file cannot be read, is not an image, or exceeds a limit.
    public var picture: Picture? {
        guard case .picture(let picture) = outcome else { return nil }
        return picture
    }

    /// A short name for log messages, because a data URL is long.
    public var name: String { path.utf8.count <= 200 ? path : "\(path.prefix(60))…" }

    // MARK: Protocol between the shell and the painting process

    /// Kind, width, height and path, each followed by a zero byte.
    public var request: [UInt8] { Array("\(kind.rawValue)\0\(width)\0\(height)\0\(path)\0".utf8) }

    /// Takes a request from the front of the buffer. Returns nil if it is incomplete.
    init?(taking bytes: inout [UInt8]) {
        var ends: [Int] = []
        while ends.count < 4 {
            guard let end = bytes[((ends.last ?? -1) + 1)...].firstIndex(of: 0) else { return nil }
            ends.append(end)
        }
        func text(_ from: Int, _ to: Int) -> String { String(decoding: bytes[from..<to], as: UTF8.self) }
        kind = Kind(rawValue: text(0, ends[0])) ?? .icon
        width = min(max(Int(text(ends[0] + 1, ends[1])) ?? 0, 1), IconFile.most)
        height = min(max(Int(text(ends[1] + 1, ends[2])) ?? 0, 1), IconFile.most)
        path = text(ends[2] + 1, ends[3])
        bytes.removeFirst(ends[3] + 1)
    }

    /// The largest side in pixels.
    static let most = 4096

    /// The length in bytes of an answer with a picture.
    private var pictureLength: Int { 1 + width * height * 4 }

    /// An answer is 1 and the pixels, or 0, a length and that many bytes of the reason.
    static func refusal(_ reason: String) -> [UInt8] {
        let text = Array(reason.utf8.prefix(255))
        return [0, UInt8(text.count)] + text
    }

    /// Parses an answer. Returns nil if it is incomplete.
    public func answer(_ bytes: [UInt8]) -> Result<Outcome, UnknownAnswer>? {
        guard let first = bytes.first else { return nil }
        guard first == 1 else {
            guard first == 0 else { return .failure(UnknownAnswer()) }
            guard bytes.count >= 2, bytes.count >= 2 + Int(bytes[1]) else { return nil }
            guard bytes.count == 2 + Int(bytes[1]) else { return .failure(UnknownAnswer()) }
            return .success(bytes.count == 2 ? .nothing : .refused(String(decoding: bytes[2...], as: UTF8.self)))
        }
        guard bytes.count >= pictureLength else { return nil }
        guard bytes.count == pictureLength else { return .failure(UnknownAnswer()) }
        return .success(
            .picture(
                bytes.withUnsafeBytes {
                    Picture(width: width, height: height, stride: width * 4, bytes: $0.baseAddress! + 1)
                }))
    }

    /// The answer is too long or begins with an unknown byte.
    public struct UnknownAnswer: Error, Sendable {}
}
