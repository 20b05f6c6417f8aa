import CairoLibrary
import Geometry
import Glibc
import PixbufLibrary

/// A PDF, read by poppler. The library is loaded here, when it is needed: the shell, which is the same program, must
/// not have it, and works without it.
final class PDFDocument: Document {
    static let mostBytes = 512 << 20

    let sizes: [Size]
    private let library: Poppler
    private let document: OpaquePointer

    init() throws(Trouble) {
        guard let library = Poppler() else {
            throw Trouble(.library, "needs the library poppler-glib (package libpoppler-glib8), which is not installed")
        }
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0, status.st_size > 0 else { throw Trouble(.unreadable, "cannot be read") }
        guard status.st_size <= Self.mostBytes else {
            throw Trouble(.large, "has \(status.st_size >> 20) MiB, and PDFs may have \(Self.mostBytes >> 20)")
        }
        let length = Int(status.st_size)
        // Pages are read when they are drawn. A file that gets shorter meanwhile ends this process, which is made for that.
        guard let bytes = mmap(nil, length, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0), bytes != MAP_FAILED else {
            throw Trouble(.unreadable, "cannot be read")
        }
        let wrapped = g_bytes_new_static(bytes, gsize(length))
        defer { g_bytes_unref(wrapped) }
        var error: UnsafeMutablePointer<GError>?
        guard let document = library.read(wrapped, nil, &error) else {
            // POPPLER_ERROR_ENCRYPTED
            if error?.pointee.code == 1 { throw Trouble(.locked, "is protected by a password") }
            throw Trouble(.broken, "is a broken or incomplete PDF")
        }
        self.library = library
        self.document = document
        let count = library.count(document)
        guard count > 0 else { throw Trouble(.broken, "is a PDF without pages, or a broken one") }
        sizes = (0..<min(Int(count), QuickLookHelper.mostPages)).map { number in
            var width = 0.0, height = 0.0
            if let page = library.page(document, Int32(number)) {
                library.size(page, &width, &height)
                g_object_unref(UnsafeMutableRawPointer(page))
            }
            func sane(_ side: Double) -> Double { side.isFinite ? min(max(side, 8), 20_000) : 600 }
            return Size(sane(width), sane(height))
        }
    }

    func draw(_ part: Part, into memory: UnsafeMutableRawPointer) throws(Trouble) {
        guard let page = library.page(document, Int32(part.page)) else { throw Trouble(.broken, "has a broken page") }
        defer { g_object_unref(UnsafeMutableRawPointer(page)) }
        paint(part, into: memory) { library.render(page, $0) }
    }
}

/// The few functions of poppler-glib that are used.
private struct Poppler {
    typealias Read =
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?) -> OpaquePointer?
    typealias Count = @convention(c) (OpaquePointer) -> Int32
    typealias Page = @convention(c) (OpaquePointer, Int32) -> OpaquePointer?
    typealias PageSize = @convention(c) (OpaquePointer, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>) -> Void
    typealias Render = @convention(c) (OpaquePointer, OpaquePointer) -> Void

    let read: Read
    let count: Count
    let page: Page
    let size: PageSize
    let render: Render

    init?() {
        guard let library = dlopen("libpoppler-glib.so.8", RTLD_NOW | RTLD_LOCAL) else { return nil }
        func function<T>(_ name: String, _ type: T.Type) -> T? { dlsym(library, name).map { unsafeBitCast($0, to: type) } }
        guard let read = function("poppler_document_new_from_bytes", Read.self),
            let count = function("poppler_document_get_n_pages", Count.self),
            let page = function("poppler_document_get_page", Page.self),
            let size = function("poppler_page_get_size", PageSize.self),
            let render = function("poppler_page_render", Render.self)
        else { return nil }
        (self.read, self.count, self.page, self.size, self.render) = (read, count, page, size, render)
    }
}
