/// Text that X11 programs say.
enum X11Text {
    /// What is no UTF-8 is Latin-1, as X11's older texts are: other clients may be ended by what is neither.
    ///
    /// - Parameter most: bytes that the text may have in the end.
    /// - Returns: nil if it is UTF-8 already.
    static func repaired(_ bytes: UnsafeBufferPointer<UInt8>, most: Int) -> [UInt8]? {
        guard !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var text: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty, text.count + 4 < most {
            let count = character(rest)
            if count == 0 {
                let byte = rest.removeFirst()
                text += [0xc0 | byte >> 6, 0x80 | byte & 0x3f]
            } else {
                text += rest.prefix(count)
                rest.removeFirst(count)
            }
        }
        return text
    }

    /// How many bytes of UTF-8 the character has that begins there; 0 if none does.
    private static func character(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        for count in 1...min(4, bytes.count) where String(validating: bytes.prefix(count), as: UTF8.self) != nil { return count }
        return 0
    }
}
