import CairoLibrary
import Geometry
import Glibc

/// The process that reads one file for quick look and draws its pages. The window's process never decodes anything: a
/// broken or hostile file can at most end this one.
///
/// It has the file as its standard input, a socket as its standard output, and shared memory as descriptor 3. Requests
/// and answers are short texts, one in a packet; pictures and sizes are in the memory.
public enum QuickLookHelper {
    /// The program's first argument when it runs as this process.
    public static let word = "draw-file"

    static let memoryNumber: Int32 = 3
    /// The size of the shared memory. A picture of 16 million pixels fits.
    static let memoryBytes = 64 << 20
    static let mostPages = 20_000

    public static func serve() -> Never {
        guard
            let memory = mmap(nil, memoryBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memoryNumber, 0), memory != MAP_FAILED
        else { _exit(96) }
        Confinement.begin()
        answer("ready")
        var document: (any Document)?
        var room = [UInt8](repeating: 0, count: 256)
        while true {
            let count = read(STDOUT_FILENO, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { _exit(0) }
            let words = String(decoding: room[..<count], as: UTF8.self).split(separator: " ").map(String.init)
            do throws(Trouble) {
                switch words.first {
                case "open" where words.count == 3:
                    if document == nil {
                        document = try open(words[1])
                    }
                    document?.fit(width: Double(words[2]) ?? 600)
                    let sizes = document?.sizes.prefix(mostPages) ?? []
                    for (index, size) in sizes.enumerated() {
                        memory.storeBytes(of: size.width, toByteOffset: index * 16, as: Double.self)
                        memory.storeBytes(of: size.height, toByteOffset: index * 16 + 8, as: Double.self)
                    }
                    answer("pages \(sizes.count) \(document?.note ?? "")")
                case "draw" where words.count == 8:
                    guard let document else { throw Trouble(.unreadable, "is not open") }
                    let numbers = words.dropFirst().compactMap { Int($0) }
                    guard numbers.count == 7 else { throw Trouble(.unreadable, "was asked for in words that are none") }
                    let part = Part(
                        page: numbers[0], width: numbers[1], height: numbers[2], x: numbers[3], y: numbers[4],
                        columns: numbers[5], rows: numbers[6])
                    guard part.isPossible, document.sizes.indices.contains(part.page) else {
                        throw Trouble(.unreadable, "has no such page")
                    }
                    memset(memory, 0, part.columns * part.rows * 4)
                    try document.draw(part, into: memory)
                    answer("drawn \(part.columns) \(part.rows)")
                default:
                    throw Trouble(.unreadable, "was asked for in words that are none")
                }
            } catch {
                answer("error \(error.kind.rawValue) \(error.reason)")
            }
        }
    }

    private static func open(_ kind: String) throws(Trouble) -> any Document {
        switch kind {
        case "image": try ImageDocument()
        case "pdf": try PDFDocument()
        case "text": try TextDocument()
        default: throw Trouble(.unreadable, "was asked for in words that are none")
        }
    }

    private static func answer(_ text: String) {
        let bytes = Array(text.utf8.prefix(500))
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { _exit(95) }
    }
}

/// A part of a page: the page drawn `width` by `height` pixels large, and of those the ones from `x`, `y`.
struct Part {
    var page: Int
    var width: Int
    var height: Int
    var x: Int
    var y: Int
    var columns: Int
    var rows: Int

    static let largest = 200_000

    var isPossible: Bool {
        page >= 0 && (1...Self.largest).contains(width) && (1...Self.largest).contains(height) && x >= 0 && y >= 0
            && (1...16384).contains(columns) && (1...16384).contains(rows) && x + columns <= width && y + rows <= height
            && columns * rows * 4 <= QuickLookHelper.memoryBytes
    }
}

/// A file that has been read.
protocol Document: AnyObject {
    /// The sizes of its pages in points, for the width of the last `fit`.
    var sizes: [Size] { get }
    /// A note for the person, as words between commas: `cut` and a number of mebibytes, `utf16`, `latin1`.
    var note: String { get }
    /// Lays it out for a width in points, if it has none of its own.
    func fit(width: Double)
    /// Draws pixels of 32 bits without padding into memory that is zero.
    func draw(_ part: Part, into memory: UnsafeMutableRawPointer) throws(Trouble)
}

extension Document {
    var note: String { "" }
    func fit(width: Double) {}

    /// Draws a white page with Cairo, in units of its own size.
    func paint(_ part: Part, into memory: UnsafeMutableRawPointer, _ body: (OpaquePointer) -> Void) {
        let surface = cairo_image_surface_create_for_data(
            memory.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(part.columns), Int32(part.rows),
            Int32(part.columns * 4))
        let context = cairo_create(surface)!
        cairo_set_source_rgb(context, 1, 1, 1)
        cairo_paint(context)
        cairo_translate(context, -Double(part.x), -Double(part.y))
        let size = sizes[part.page]
        cairo_scale(context, Double(part.width) / size.width, Double(part.height) / size.height)
        body(context)
        cairo_destroy(context)
        cairo_surface_finish(surface)
        cairo_surface_destroy(surface)
    }
}

/// The file on standard input, up to `limit` bytes, and how long it really is.
func readFile(limit: Int) throws(Trouble) -> (bytes: [UInt8], length: Int) {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { throw Trouble(.unreadable, "cannot be read") }
    let size = min(Int(status.st_size), limit)
    var failed = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { room, count in
        while count < size {
            let more = pread(STDIN_FILENO, room.baseAddress! + count, size - count, off_t(count))
            if more < 0, errno == EINTR { continue }
            failed = more < 0
            if more <= 0 { break }
            count += more
        }
    }
    if failed { throw Trouble(.unreadable, "cannot be read") }
    return (bytes, Int(status.st_size))
}
