/// An icon's file, to be drawn in the middle of so many pixels.
public struct IconFile: Hashable, Sendable {
    public var path: String
    public var width: Int
    public var height: Int

    public init(path: String, width: Int, height: Int) {
        self.path = path
        self.width = width
        self.height = height
    }

    /// Nil if the file cannot be read, is no image, or is more than an icon may be.
    public var picture: Picture? {
        var picture = Picture(width: width, height: height)
        guard let file = ImageFile(path: path, limits: .icon), file.draw(into: &picture, fit: .inside) else { return nil }
        return picture
    }

    // MARK: Between the shell and the process that draws icons

    /// Width, height, path, each ended by a zero byte.
    public var request: [UInt8] { Array("\(width)\0\(height)\0\(path)\0".utf8) }

    /// Takes a request from the front of what was read; nil while there is no whole one.
    init?(taking bytes: inout [UInt8]) {
        var ends: [Int] = []
        for (index, byte) in bytes.enumerated() where byte == 0 && ends.count < 3 { ends.append(index) }
        guard ends.count == 3 else { return nil }
        func text(_ from: Int, _ to: Int) -> String { String(decoding: bytes[from..<to], as: UTF8.self) }
        width = min(max(Int(text(0, ends[0])) ?? 0, 1), IconFile.most)
        height = min(max(Int(text(ends[0] + 1, ends[1])) ?? 0, 1), IconFile.most)
        path = text(ends[1] + 1, ends[2])
        bytes.removeFirst(ends[2] + 1)
    }

    /// Pixels of a side.
    static let most = 4096

    /// Bytes of the answer: 1 and the pixels, or 0 alone.
    public var answerLength: Int { 1 + width * height * 4 }
}
