import CWlroots
import Clocks
import Geometry
import Stage

/// The result of painting one of the shell's own pictures.
public enum Painted {
    /// ARGB, premultiplied, rows without padding.
    case picture([UInt32], width: Int, height: Int)
    /// The same, but opaque. `paint` writes that many pixels into the given memory, so that large pictures need not
    /// be copied.
    case opaque(width: Int, height: Int, paint: (UnsafeMutablePointer<UInt32>) -> Void)
    /// The picture is being painted elsewhere. A frame is requested once it is ready.
    case later
    case nothing
}

/// The compositor's cache of the shell's own pictures. Each is painted once per size, kept while in use, and freed
/// later.
final class Images {
    typealias Paint = (Art, Size, Double, _ isPatient: Bool) -> Painted

    private struct Key: Hashable {
        var art: Art
        var size: Size
        var scale: Double
    }

    private struct Entry {
        var image: OpaquePointer
        var bytes: Int
        /// The frame in which it was last drawn.
        var used: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var frame: UInt64 = 0
    /// Bytes of all pictures together.
    private(set) var bytes = 0
    private var deadline: Int64 = 0
    /// Something was not painted because the time for this frame was used up.
    private(set) var isBehind = false
    /// Something is being painted elsewhere.
    private(set) var isWaiting = false
    private var isPatient = false
    /// Each frame paints at least one, even where listing alone takes longer than the time for it.
    private var hasPainted = false
    var paint: Paint = { _, _, _, _ in .nothing }

    /// Nanoseconds per frame for painting. The rest is painted in the next frame.
    private static let budget: Int64 = 1_000_000

    /// Begins a frame. `patient` paints everything, however long that takes.
    func begin(patient: Bool) {
        frame += 1
        isBehind = false
        isWaiting = false
        isPatient = patient
        hasPainted = false
        deadline = patient ? .max : Clocks.threadNanoseconds + Images.budget
    }

    /// Whether the picture is already painted.
    func has(_ art: Art, _ size: Size, scale: Double) -> Bool { entries[Key(art: art, size: size, scale: scale)] != nil }

    func image(_ art: Art, _ size: Size, scale: Double, server: OpaquePointer) -> OpaquePointer? {
        let key = Key(art: art, size: size, scale: scale)
        if let place = entries.index(forKey: key) {
            entries.values[place].used = frame
            return entries.values[place].image
        }
        guard !hasPainted || Clocks.threadNanoseconds < deadline else {
            isBehind = true
            return nil
        }
        hasPainted = true
        let made: OpaquePointer?, width: Int, height: Int
        switch paint(art, size, scale, isPatient) {
        case .picture(let pixels, let itsWidth, let itsHeight):
            (width, height) = (itsWidth, itsHeight)
            made = pixels.withUnsafeBytes { room in
                // wlroots copies the pixels before the call returns.
                mw_image_create(
                    server, room.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(width), Int32(height), Int32(width * 4))
            }
        case .opaque(let itsWidth, let itsHeight, let paint):
            (width, height) = (itsWidth, itsHeight)
            var pixels: UnsafeMutablePointer<UInt32>?
            made = mw_image_create_opaque(server, Int32(width), Int32(height), &pixels)
            if let pixels { paint(pixels) }
        case .later:
            isWaiting = true
            return nil
        case .nothing: return nil
        }
        guard let image = made else { return nil }
        entries[key] = Entry(image: image, bytes: width * height * 4, used: frame)
        bytes += width * height * 4
        return image
    }

    /// Ends a frame.
    func end() { shrink(to: PictureMemory.spare, { _ in true }) { _ in false } }

    /// The pictures that are kept although they are not on the screen.
    private var lasting: Set<Key> {
        var last: [PictureMemory.Kind: (key: Key, used: UInt64)] = [:]
        for (key, entry) in entries {
            let kind = PictureMemory.Kind.of(key.art)
            if kind.lastStays, entry.used >= last[kind]?.used ?? 0 { last[kind] = (key, entry.used) }
        }
        return Set(last.values.map(\.key))
    }

    /// The screen rests.
    func rest() { shrink(to: PictureMemory.spareAtRest, { !$0.goesToFile }) { $0.isSlowToPaint } }

    /// Frees pictures that were not in the last frame, oldest first, until they fit into `spare`; those of `isLast` after all others.
    private func shrink(to spare: Int, _ counts: (PictureMemory.Kind) -> Bool, isLast: (PictureMemory.Kind) -> Bool) {
        var idle = 0
        for entry in entries.values where entry.used != frame { idle += entry.bytes }
        // Every frame comes here, and few go on.
        guard idle > spare else { return }
        let lasting = lasting
        let unused = entries.compactMap { key, value in
            let kind = PictureMemory.Kind.of(key.art)
            return value.used != frame && counts(kind) && !lasting.contains(key) ? (key: key, value: value, isLast: isLast(kind)) : nil
        }
        idle = unused.reduce(0) { $0 + $1.value.bytes }
        for (key, entry, _) in unused.sorted(by: { $0.isLast == $1.isLast ? $0.value.used < $1.value.used : $1.isLast }) {
            guard idle > spare else { break }
            mw_image_destroy(entry.image)
            entries[key] = nil
            idle -= entry.bytes
            bytes -= entry.bytes
        }
    }

    /// Bytes by the content of the pictures.
    var bytesByKind: [PictureMemory.Kind: Int] {
        entries.reduce(into: [:]) { $0[PictureMemory.Kind.of($1.key.art), default: 0] += $1.value.bytes }
    }

    /// Drops glass that shows an earlier screen.
    func forgetGrounds() {
        for (key, entry) in entries where key.art.opening != nil {
            mw_image_destroy(entry.image)
            bytes -= entry.bytes
            entries[key] = nil
        }
    }

    /// Drops all pictures, because the theme, the language or the icons changed.
    func forget() {
        for entry in entries.values { mw_image_destroy(entry.image) }
        entries.removeAll()
        bytes = 0
    }
}
