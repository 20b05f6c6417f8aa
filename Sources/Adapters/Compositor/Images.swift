import CWlroots
import Geometry
import Glibc
import Stage

/// What came of painting one of the shell's own pictures.
public enum Painted {
    /// ARGB, premultiplied, in rows without gaps.
    case picture([UInt32], width: Int, height: Int)
    /// The same, opaque, written by `paint` into memory for so many pixels: large ones need not be copied.
    case opaque(width: Int, height: Int, paint: (UnsafeMutablePointer<UInt32>) -> Void)
    /// It is being painted elsewhere; a frame is asked for when it is there.
    case later
    case nothing
}

/// The shell's own pictures as the compositor has them: painted once for each size, kept while they are used, given
/// back when they are not.
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
        /// The frame that it was drawn in last.
        var used: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var frame: UInt64 = 0
    /// Of all pictures together.
    private(set) var bytes = 0
    private var deadline: UInt64 = 0
    /// Something was not painted because the frame's time was up.
    private(set) var isBehind = false
    /// Something is being painted elsewhere.
    private(set) var isWaiting = false
    private var isPatient = false
    var paint: Paint = { _, _, _, _ in .nothing }

    /// Bytes that pictures out of sight may keep.
    private static let spare = 12 << 20
    /// Nanoseconds of a frame that painting may take; what is left over comes with the next.
    private static let budget: UInt64 = 1_000_000

    /// A frame begins. `patient`: everything is painted, however long it takes.
    func begin(patient: Bool) {
        frame += 1
        isBehind = false
        isWaiting = false
        isPatient = patient
        deadline = patient ? .max : Images.time + Images.budget
    }

    /// It is painted already.
    func has(_ art: Art, _ size: Size, scale: Double) -> Bool { entries[Key(art: art, size: size, scale: scale)] != nil }

    func image(_ art: Art, _ size: Size, scale: Double, server: OpaquePointer) -> OpaquePointer? {
        let key = Key(art: art, size: size, scale: scale)
        if let place = entries.index(forKey: key) {
            entries.values[place].used = frame
            return entries.values[place].image
        }
        guard Images.time < deadline else {
            isBehind = true
            return nil
        }
        let made: OpaquePointer?, width: Int, height: Int
        switch paint(art, size, scale, isPatient) {
        case .picture(let pixels, let itsWidth, let itsHeight):
            (width, height) = (itsWidth, itsHeight)
            made = pixels.withUnsafeBytes { room in
                // The pixels are copied before the call returns.
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

    /// The frame is drawn: pictures that nothing shows are given back, the oldest first, beyond what may be spared.
    func end() {
        var idle = 0
        for entry in entries.values where entry.used != frame { idle += entry.bytes }
        guard idle > Images.spare else { return }
        for (key, entry) in entries.filter({ $0.value.used != frame }).sorted(by: { $0.value.used < $1.value.used }) {
            guard idle > Images.spare else { break }
            mw_image_destroy(entry.image)
            entries[key] = nil
            idle -= entry.bytes
            bytes -= entry.bytes
        }
    }

    /// Everything is painted anew: the theme, the language or the icons changed.
    func forget() {
        for entry in entries.values { mw_image_destroy(entry.image) }
        entries.removeAll()
        bytes = 0
    }

    private static var time: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
