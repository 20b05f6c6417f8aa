import Descriptors
import Glibc
import LinuxLibrary

/// The file in which the kernel reports how long programs wait for memory (PSI).
///
/// `MULLION_PRESSURE` in the environment names another file of the same form. It is only read, never written to, so tests can
/// simulate memory pressure.
public struct MemoryPressureFile: Sendable {
    /// How memory pressure is noticed.
    public enum Means: String, Sendable {
        /// The kernel wakes the shell.
        case triggers
        /// The shell reads the file while an app is frozen.
        case counters
        /// This kernel does not measure it.
        case nothing
    }

    /// The lines of the file.
    public enum Kind: String, Sendable {
        /// The time in which any program waits.
        case some
        /// The time in which all of them do.
        case full
    }

    public let path: String
    private let isKernels: Bool

    public init(environment: [String: String]) {
        let named = environment["MULLION_PRESSURE"] ?? ""
        isKernels = named.isEmpty
        path = isKernels ? "/proc/pressure/memory" : named
    }

    /// A file that polls as urgent when programs wait for this share of a period; closed where the kernel refuses it: ordinary
    /// users may use multiples of 2 seconds only, and no trigger at all before Linux 6.4.
    ///
    /// - Parameter period: in seconds.
    public func trigger(_ kind: Kind, share: Double, period: Double) -> Descriptor {
        guard isKernels else { return .none }
        let file = Descriptor(open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC), owner: "memory pressure")
        guard file.isOpen else { return .none }
        let text = "\(kind.rawValue) \(Int(share * period * 1e6)) \(Int(period * 1e6))"
        // The kernel wants the NUL as well.
        let isAccepted = text.withCString { write(file.number, $0, strlen($0) + 1) } > 0
        return isAccepted ? file : .none
    }

    /// Microseconds since the machine started; nil if the file cannot be read, or is of another form.
    public func totals() -> (some: UInt64, full: UInt64)? { readSmallFile(path).flatMap(Self.totals) }

    static func totals(in text: String) -> (some: UInt64, full: UInt64)? {
        var found: [String: UInt64] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let kind = words.first, let total = words.last(where: { $0.hasPrefix("total=") }) else { continue }
            found[String(kind)] = UInt64(total.dropFirst(6))
        }
        return found["some"].map { ($0, found["full"] ?? 0) }
    }

    /// Returns the means that a shell of this user would use. For `mullion doctor`.
    public func means(share: Double, period: Double) -> Means {
        if trigger(.full, share: share, period: period).isOpen { return .triggers }
        return totals() == nil ? .nothing : .counters
    }

    /// In words for a person.
    public func detail(_ means: Means) -> String {
        switch means {
        case .triggers: "the kernel tells of it by itself (\(path))"
        case .counters:
            isKernels ? "the kernel refuses triggers; \(path) is read while an app is frozen" : "\(path) is read while an app is frozen"
        case .nothing: "\(path) cannot be read"
        }
    }
}
