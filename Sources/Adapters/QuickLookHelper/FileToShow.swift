import Descriptors
import Glibc

/// A file that a person wants to see. It is opened once, so that all its readers see the same file.
public final class FileToShow {
    public enum Kind: String, Sendable {
        case image, pdf, text
        /// Played by another program.
        case sound, video
    }

    public let name: String
    /// Its path, as far as this process knows. nil if another program handed it over.
    public let path: String?
    public let kind: Kind
    public let file: Descriptor

    /// A path's last part.
    public static func name(of path: String) -> String {
        let parts = path.split(separator: "/")
        return parts.last.map(String.init) ?? path
    }

    private init(name: String, path: String?, kind: Kind, file: consuming Descriptor) {
        self.name = name
        self.path = path
        self.kind = kind
        self.file = file
    }

    /// Opens a regular file, without waiting, and finds its type by its first bytes. Nothing is decoded.
    public static func open(_ path: String) throws(Trouble) -> FileToShow {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw Trouble(.missing, "is no path") }
        // O_PATH opens neither pipe nor device: that could block, or do something.
        let place = Descriptor(Glibc.open(path, 0o10000000 | O_CLOEXEC), owner: "file to show")
        guard place.isOpen else { throw trouble(errno) }
        return try open(place.number, name: name(of: path), path: path)
    }

    /// The same for a file that another program opened. The descriptor stays the caller's.
    public static func open(_ number: Int32, name: String) throws(Trouble) -> FileToShow {
        try open(number, name: name, path: nil)
    }

    /// Opens the descriptor's file again, read-only: the helper must not write to it even if the program that passed it may.
    private static func open(_ number: Int32, name: String, path: String?) throws(Trouble) -> FileToShow {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw trouble(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Trouble(.folder, "is a folder")
        default: throw Trouble(.special, "is not a regular file")
        }
        guard status.st_size > 0 else { throw Trouble(.empty, "is empty") }
        let file = Descriptor(Glibc.open("/proc/self/fd/\(number)", O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY), owner: "file to show")
        guard file.isOpen else { throw trouble(errno) }
        var head = [UInt8](repeating: 0, count: 4096)
        let count = pread(file.number, &head, head.count, 0)
        guard count > 0 else { throw count < 0 ? trouble(errno) : Trouble(.empty, "is empty") }
        guard let kind = kind(of: head[..<count]) else { throw Trouble(.unknown, "is of a kind that quick look does not know") }
        return FileToShow(name: name, path: path, kind: kind, file: file)
    }

    private static func trouble(_ error: Int32) -> Trouble {
        switch error {
        case ENOENT, ENOTDIR: Trouble(.missing, "no such file")
        case EACCES, EPERM: Trouble(.forbidden, "may not be read")
        default: Trouble(.unreadable, "cannot be read: \(words(error))")
        }
    }

    private static func words(_ error: Int32) -> String {
        let text = String(cString: strerror(error))
        return (text.first.map { $0.lowercased() } ?? "") + text.dropFirst()
    }

    // MARK: The kind, by the first bytes

    static func kind(of head: ArraySlice<UInt8>) -> Kind? {
        let bytes = Array(head)
        func begins(_ text: StaticString, at offset: Int = 0) -> Bool {
            let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            return bytes.count >= offset + wanted.count && bytes[offset..<(offset + wanted.count)].elementsEqual(wanted)
        }
        func has(_ values: UInt8...) -> Bool { bytes.starts(with: values) }

        /// The same for marks that are also words: a file of such a format has a zero byte soon, a text has none.
        let hasZero = bytes.contains(0)
        func isMarked(_ text: StaticString) -> Bool { hasZero && begins(text) }

        // UTF-16 with a byte order mark. An unused kind of MPEG (layer I with a check sum) begins with the same bytes.
        if has(0xff, 0xfe) || has(0xfe, 0xff) { return .text }
        // Some programs write a few bytes before the mark. A text may mention it.
        if begins("%PDF-")
            || (contains(" obj", bytes)
                && (0..<min(1024, bytes.count)).contains { bytes[$0] == UInt8(ascii: "%") && begins("%PDF-", at: $0) })
        {
            return .pdf
        }
        if has(0x89, 0x50, 0x4e, 0x47) || has(0xff, 0xd8, 0xff) || isMarked("GIF8") || has(0x49, 0x49, 0x2a, 0) || has(0x4d, 0x4d, 0, 0x2a)
            || has(0, 0, 1, 0) || has(0, 0, 2, 0) || has(0xff, 0x0a) || begins("JXL ", at: 4) || isMarked("8BPS") || isMarked("icns")
            || (begins("RIFF") && begins("WEBP", at: 8)) || (begins("BM") && bytes.count > 26 && bytes[6...9].allSatisfy { $0 == 0 })
            || begins("/* XPM")
            || isPortableAnymap(bytes)
        {
            return .image
        }
        if begins("ftyp", at: 4) {
            if begins("avi", at: 8) || begins("hei", at: 8) || begins("mif1", at: 8) || begins("msf1", at: 8) { return .image }
            return begins("M4A", at: 8) || begins("M4B", at: 8) ? .sound : .video
        }
        if isMarked("ID3") || isMarked("fLaC") || isMarked("OggS") || isMarked("MThd") || (begins("FORM") && begins("AIF", at: 8))
            || (begins("RIFF") && begins("WAVE", at: 8))
            || begins("#!AMR") || (bytes.count > 1 && bytes[0] == 0xff && bytes[1] & 0xe0 == 0xe0 && bytes[1] & 0x06 != 0)
        {
            // Ogg holds both.
            return begins("OggS") && contains("theora", bytes) ? .video : .sound
        }
        if has(0x1a, 0x45, 0xdf, 0xa3) || (begins("RIFF") && begins("AVI ", at: 8)) || has(0, 0, 1, 0xba) || has(0, 0, 1, 0xb3)
            || isMarked("FLV") || has(0x30, 0x26, 0xb2, 0x75)
            || (bytes.count > 376 && bytes[0] == 0x47 && bytes[188] == 0x47 && bytes[376] == 0x47)
            || begins("moov", at: 4) || begins("mdat", at: 4)
        {
            return .video
        }
        // No byte that no text has.
        guard !hasZero else { return nil }
        let odd = bytes.count { $0 < 0x20 && ![7, 8, 9, 10, 12, 13, 27].contains($0) }
        guard odd * 20 <= bytes.count else { return nil }
        if contains("<svg", bytes), has(UInt8(ascii: "<")) || has(0xef, 0xbb, 0xbf) { return .image }
        return .text
    }

    /// PBM, PGM, PPM (P1 to P6): after the mark come width and height, or a comment. PAM (P7): a line of its own.
    private static func isPortableAnymap(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 3, bytes[0] == UInt8(ascii: "P"), (0x31...0x37).contains(bytes[1]), [9, 10, 13, 32].contains(bytes[2]) else {
            return false
        }
        if bytes[1] == 0x37 { return bytes[2] == 10 }
        let words = bytes[3...].prefix(64).split { [9, 10, 13, 32].contains($0) }
        if words.first?.first == UInt8(ascii: "#") { return true }
        return words.count > 1 && words.prefix(2).allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) } }
    }

    private static func contains(_ word: StaticString, _ bytes: [UInt8]) -> Bool {
        let wanted = Array(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains {
            bytes[$0] == wanted[0] && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }
}
