import CSystemd

/// Pixels in a message, valid as long as the message.
package struct BusPixels {
    package var width: Int, height: Int
    /// Bytes from one row to the next.
    package var stride: Int
    package var hasAlpha: Bool
    package var bitsPerSample: Int, channels: Int
    package var bytes: UnsafeRawBufferPointer

    package init(width: Int, height: Int, stride: Int, hasAlpha: Bool, bitsPerSample: Int, channels: Int, bytes: UnsafeRawBufferPointer) {
        self.width = width
        self.height = height
        self.stride = stride
        self.hasAlpha = hasAlpha
        self.bitsPerSample = bitsPerSample
        self.channels = channels
        self.bytes = bytes
    }
}

extension Incoming {
    /// The next value, if it is a dictionary of variants. Pixels, which may be megabytes, are handed over where they are.
    package func hints(_ limits: BusValue.Limits = .init(), pixels: (String, BusPixels) -> Void) -> [String: BusValue]? {
        guard sd_bus_message_enter_container(raw, Outgoing.Container.array.code, "{sv}") > 0 else { return nil }
        var table: [String: BusValue] = [:], count = 0
        while count < limits.entries, sd_bus_message_enter_container(raw, Outgoing.Container.entry.code, "sv") > 0 {
            count += 1
            guard let key = string() else { return nil }
            var type: CChar = 0
            var contents: UnsafePointer<CChar>?
            if sd_bus_message_peek_type(raw, &type, &contents) > 0, type == Outgoing.Container.variant.code, text(contents) == "(iiibiiay)"
            {
                guard sd_bus_message_enter_container(raw, type, "(iiibiiay)") > 0 else { return nil }
                if let image = structure("iiibiiay", { self.image() }) { pixels(key, image) }
                guard csd_leave(raw) >= 0 else { return nil }
            } else if let value = value(limits) {
                table[key] = value
            }
            guard csd_leave(raw) >= 0 else { return nil }
        }
        return csd_leave(raw) >= 0 ? table : nil
    }

    private func image() -> BusPixels? {
        guard let width = int32(), let height = int32(), let stride = int32(), let hasAlpha = bool(), let bits = int32(),
            let channels = int32(),
            let bytes = bytes()
        else { return nil }
        return BusPixels(
            width: Int(width), height: Int(height), stride: Int(stride), hasAlpha: hasAlpha, bitsPerSample: Int(bits),
            channels: Int(channels),
            bytes: bytes)
    }
}

extension Incoming {
    package func int64() -> Int64? {
        var value: Int64 = 0
        return sd_bus_message_read_basic(raw, 120, &value) > 0 ? value : nil
    }
}
