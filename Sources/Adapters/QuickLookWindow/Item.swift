import CairoLibrary
import Geometry
import Glibc
import QuickLook
import QuickLookHelper

/// A picture of a page, or of a part of one, in the window's own memory.
final class Rendition {
    let surface: OpaquePointer
    /// The whole page in pixels of this picture.
    let whole: (width: Int, height: Int)
    /// The part of the page that the picture shows, in the same pixels.
    let part: (x: Int, y: Int, columns: Int, rows: Int)

    init?(_ pixels: UnsafeRawPointer, whole: (width: Int, height: Int), part: (x: Int, y: Int, columns: Int, rows: Int)) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(part.columns), Int32(part.rows)),
            let target = cairo_image_surface_get_data(surface)
        else { return nil }
        let stride = Int(cairo_image_surface_get_stride(surface))
        for row in 0..<part.rows { memcpy(target + row * stride, pixels + row * part.columns * 4, part.columns * 4) }
        cairo_surface_mark_dirty(surface)
        self.surface = surface
        self.whole = whole
        self.part = part
    }

    deinit { cairo_surface_destroy(surface) }
}

/// A file of the window, with its state, its helper, and its pictures.
final class Item {
    enum State {
        /// Its helper reads it.
        case opening
        case shown
        case media(isVideo: Bool)
        case failed(Trouble)
    }

    let name: String
    /// The path by which other programs find it. nil if it was handed over without a path.
    let path: String?
    let file: FileToShow?
    var canBeShared: Bool { path != nil || file != nil }
    private(set) var state: State
    /// Notes about the file, for the person.
    private(set) var notes: [Note] = []
    private(set) var sizes: [Size] = []
    /// Pictures of whole pages, by the pages' numbers.
    private(set) var pages: [Int: Rendition] = [:]
    /// The picture of the visible part, while the page is zoomed.
    private(set) var sharp: (page: Int, rendition: Rendition)?
    private(set) var helper: DecodingHelper?
    /// Its helper runs in bubblewrap. Otherwise only the filter of system calls confines it.
    private(set) var isIsolated = Sandbox.program != nil
    /// Helpers that ended after they had read the file.
    private var ends = 0
    private var wanted: Want?
    private var refused: Set<Int> = []
    private var laidOutFor = 0.0

    /// A note of a helper about a file that it has read.
    enum Note {
        /// Only this many mebibytes from the beginning are shown.
        case cut(Int)
        case utf16, latin1

        init?(_ word: String) {
            switch word {
            case "utf16": self = .utf16
            case "latin1": self = .latin1
            case let word where word.hasPrefix("cut"):
                guard let size = Int(word.dropFirst(3)) else { return nil }
                self = .cut(size)
            default: return nil
            }
        }
    }

    struct Want: Equatable {
        var page: Int
        var width: Int
        var height: Int
        var x = 0
        var y = 0
        var columns: Int
        var rows: Int
        var isSharp = false
    }

    init(_ given: Viewer.File) {
        do throws(Trouble) {
            switch given {
            case .path(let path):
                (name, self.path, label) = (FileToShow.name(of: path), path, path)
                file = try FileToShow.open(path)
            case .descriptor(let number, let name):
                (self.name, path, label) = (name, Self.place(of: number), name)
                file = try FileToShow.open(number, name: name)
            }
            state = file?.kind == .sound || file?.kind == .video ? .media(isVideo: file?.kind == .video) : .opening
        } catch {
            file = nil
            state = .failed(error)
        }
    }

    /// The path of an open file, if it leads there from here: a sandboxed app has other folders.
    private static func place(of number: Int32) -> String? {
        var room = [UInt8](repeating: 0, count: 4096)
        let count = room.withUnsafeMutableBytes {
            readlink("/proc/self/fd/\(number)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard count > 0, count < room.count else { return nil }
        let path = String(decoding: room[..<count], as: UTF8.self)
        var there = stat(), here = stat()
        guard stat(path, &there) == 0, fstat(number, &here) == 0, there.st_dev == here.st_dev, there.st_ino == here.st_ino else {
            return nil
        }
        return path
    }

    /// How messages on a terminal call it.
    let label: String

    var content: QuickLook.Content {
        switch state {
        case .opening: .waiting
        case .failed, .media: .notice
        case .shown:
            switch file?.kind {
            case .image: .picture(sizes.first ?? .zero)
            case .text: .text(sizes)
            default: .pages(sizes)
            }
        }
    }

    var isFailed: Bool { if case .failed = state { true } else { false } }

    /// Out of sight: keeps nothing.
    func rest() {
        helper = nil
        pages = [:]
        sharp = nil
        wanted = nil
        if case .shown = state { state = .opening }
    }

    // MARK: The helper

    /// Starts a helper if the file needs one and has none; asks it to lay the file out for this width.
    func wake(width: Double) {
        guard let file, !isFailed, file.kind != .sound, file.kind != .video else { return }
        if helper == nil {
            helper = DecodingHelper(file, isolated: isIsolated)
            if helper == nil, isIsolated {
                isIsolated = false
                helper = DecodingHelper(file, isolated: false)
            }
            if helper == nil { fail(Trouble(.costly, "cannot be read: there is no process or memory left")) }
            laidOutFor = 0
        }
        guard let helper, helper.isReady, !helper.isBusy else { return }
        if laidOutFor == 0 || (file.kind == .text && laidOutFor != width.rounded()) {
            laidOutFor = width.rounded()
            helper.open(file.kind, width: width)
        }
    }

    private func fail(_ trouble: Trouble) {
        state = .failed(trouble)
        helper = nil
        pages = [:]
        sharp = nil
        Viewer.say("\(label): \(trouble.reason)")
    }

    /// Takes an answer of the helper. Returns whether there was one.
    func receive() -> Bool {
        guard let helper, let answer = helper.receive() else { return false }
        switch answer {
        case .ready: break
        case .pages(let sizes, let note):
            // Another layout has other pages.
            if self.sizes != sizes {
                pages = [:]
                sharp = nil
            }
            self.sizes = sizes
            notes = note.split(separator: ",").compactMap { Note(String($0)) }
            state = .shown
        case .drawn(let columns, let rows):
            guard let want = wanted, want.columns == columns, want.rows == rows else { break }
            wanted = nil
            let rendition = Rendition(helper.memory, whole: (want.width, want.height), part: (want.x, want.y, columns, rows))
            if want.isSharp { sharp = rendition.map { (want.page, $0) } } else { pages[want.page] = rendition }
        case .failed(let trouble):
            if let want = wanted {
                refused.insert(want.page)
                wanted = nil
            } else {
                fail(trouble)
            }
        case .ended(let trouble):
            let page = wanted?.page
            wanted = nil
            if helper.mayGoWithoutIsolation, isIsolated {
                isIsolated = false
                self.helper = nil
            } else if let page, ends < 3 {
                // The other pages may be well.
                ends += 1
                refused.insert(page)
                self.helper = nil
            } else {
                fail(trouble)
            }
        }
        return true
    }

    func isRefused(_ page: Int) -> Bool { refused.contains(page) }

    /// Asks for a picture, if the helper is free and has not drawn it yet. Returns false if there is nothing to do.
    func ask(_ want: Want) -> Bool {
        guard let helper, !helper.isBusy, case .shown = state, laidOutFor != 0, !refused.contains(want.page) else { return false }
        let have = want.isSharp ? sharp.flatMap { $0.page == want.page ? $0.rendition : nil } : pages[want.page]
        if let have, have.whole == (want.width, want.height), have.part == (want.x, want.y, want.columns, want.rows) { return false }
        wanted = want
        helper.draw(
            page: want.page, width: want.width, height: want.height, x: want.x, y: want.y, columns: want.columns, rows: want.rows)
        return true
    }

    func forgetSharp() { sharp = nil }

    /// Keeps the pictures of these pages only.
    func keep(_ kept: ClosedRange<Int>) {
        for page in pages.keys where !kept.contains(page) { pages[page] = nil }
    }
}
