extension Pairing {
    /// Why BlueZ did not pair or connect a device, as far as a person can do something about it. BlueZ says it in one word of its own, such
    /// as `br-connection-page-timeout` (the list of its file src/error.h), or in the words of an error.
    public enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// It does not answer: it is off, or too far away.
        case away
        case refused
        /// One of the two has forgotten the other.
        case forgotten
        /// It offers nothing that this device has a use for.
        case useless
        /// Another connection is being made.
        case busy
        /// The adapter is off.
        case off
        /// The connection broke off.
        case broken

        /// nil: other words, which a person then reads as they are.
        public init?(_ words: String) {
            for bearer in ["br-connection-", "le-connection-"] where words.hasPrefix(bearer) {
                guard let reason = Reason.known[String(words.dropFirst(bearer.count))] else { return nil }
                self = reason
                return
            }
            guard let reason = Reason.words[words.lowercased()] else { return nil }
            self = reason
        }

        private static let known: [String: Reason] = [
            "page-timeout": .away, "timeout": .away, "refused": .refused, "aborted-by-remote": .refused, "abort-by-remote": .refused,
            "key-missing": .forgotten, "profile-unavailable": .useless, "not-supported": .useless, "busy": .busy,
            "concurrent-connection-limit": .busy, "already-connected": .busy, "adapter-not-powered": .off, "sdp-search": .broken,
            "create-socket": .broken, "bad-socket": .broken, "memory-allocation": .broken, "invalid-argument": .broken,
            "invalid-arguments": .broken, "aborted-by-local": .broken, "abort-by-local": .broken, "lmp-protocol-error": .broken,
            "link-layer-protocol-error": .broken, "gatt-browsing": .broken, "canceled": .broken, "unknown": .broken,
        ]

        /// Of pairing.
        private static let words: [String: Reason] = [
            "page timeout": .away, "host is down": .away, "authentication timeout": .away, "authentication rejected": .refused,
            "authentication failed": .forgotten, "authentication canceled": .broken, "operation already in progress": .busy,
            "software caused connection abort": .broken, "connection reset by peer": .broken, "connection refused": .refused,
        ]
    }
}
