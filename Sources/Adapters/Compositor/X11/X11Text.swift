/// Text that X11 programs provide.
enum X11Text {
    /// Repairs text that is not UTF-8, reading it as Latin-1, the encoding of older X11 texts. Invalid text could
    /// disconnect other clients.
    ///
    /// - Parameter most: maximum length of the result, in bytes.
    /// - Returns: nil if the text is already UTF-8.
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

    /// The length in bytes of the UTF-8 character at the start; 0 if there is none.
    private static func character(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        for count in 1...min(4, bytes.count) where String(validating: bytes.prefix(count), as: UTF8.self) != nil { return count }
        return 0
    }
}
