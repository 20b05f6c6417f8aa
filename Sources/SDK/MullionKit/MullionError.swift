import Glibc
import MessageBus

/// The reason why the shell does not do what an app asks for. Every part of MullionKit reports errors as this type.
public struct MullionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The class of an error, for code that reacts to it.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A value is out of range, too long, or not allowed here; the text says which.
        case badParameter
        /// The request exceeds a limit: too many of something, or too many requests in a second.
        case tooMany
        /// The data is larger than what the shell keeps or shows.
        case tooLarge
        /// Another part of this program uses the name.
        case nameInUse
        /// There is nothing of this name or number.
        case unknown
        /// The program does not belong to an app that has a window.
        case noApp
        /// The shell does not do it now, such as while the screen is locked.
        case refused
        /// A file cannot be opened; the text names the file and the reason.
        case cannotOpen
        /// The app may not use the category: alarms are for clocks, ringing is for phones.
        case missingEntitlement
        /// Another app has priority: the microphone during its call, or an alarm.
        case insufficientPriority
        /// The session may not interrupt what plays now.
        case cannotInterruptOthers
        /// The session may not record now: no input, in the background, or the cover is closed.
        case cannotStartRecording
        /// The session may not play now: in the background, or while it is interrupted.
        case cannotStartPlaying
        /// Sound still plays. The session is inactive anyway.
        case isBusy
        /// The request needs an active session, or a call.
        case notActive
        /// The session or connection was closed.
        case expiredSession
        /// There is no session bus, or no shell on it with this service.
        case unavailable
        /// The shell did not answer in time.
        case timedOut
        /// Another error; the text describes it.
        case failed
    }

    /// The class of this error.
    public var kind: Kind
    /// A message for the app's developer.
    public var text: String

    /// An error of a kind, with a message for the app's developer.
    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The kind and the text.
    public var description: String { "\(kind.rawValue): \(text)" }

    /// - Parameter service: completes "no shell that … is on the session bus".
    init(_ error: BusError, _ service: String) {
        // Each service of the shell names its own errors: org.mullion.Life1.Error.TooMany.
        if error.name.hasPrefix("org.mullion."), let name = error.name.split(separator: ".").last, error.name.hasSuffix(".Error.\(name)") {
            self.init(Kind(rawValue: name.prefix(1).lowercased() + name.dropFirst()) ?? .failed, error.text)
            return
        }
        let text = error.text.isEmpty ? error.name : error.text
        switch error.name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner": self = .absent(service)
        case "org.freedesktop.DBus.Error.Disconnected": self.init(.unavailable, text)
        // The bus also sends this error when the shell disconnects.
        case "org.freedesktop.DBus.Error.NoReply" where !error.text.contains("timed out"): self.init(.unavailable, text)
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout": self.init(.timedOut, text)
        case "org.freedesktop.DBus.Error.UnknownObject": self.init(.expiredSession, text)
        case "org.freedesktop.DBus.Error.InvalidArgs": self.init(.badParameter, text)
        case "org.freedesktop.DBus.Error.LimitsExceeded": self.init(.tooMany, text)
        default: self.init(.failed, text)
        }
    }

    /// - Parameter service: completes "no shell that … is on the session bus".
    static func absent(_ service: String) -> MullionError { MullionError(.unavailable, "no shell that \(service) is on the session bus") }

    static func unreachable(_ address: String) -> MullionError {
        MullionError(.unavailable, "the session bus cannot be reached: \(address)")
    }
}

enum SessionBus {
    /// The address of the session bus.
    /// - Parameter address: the one that the app named, if any.
    static func address(_ address: String?) throws(MullionError) -> String {
        var environment: [String: String] = [:]
        for name in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        guard let usable = address.flatMap(BusAddress.usable) ?? BusAddress.session(environment) else {
            throw MullionError(.unavailable, "there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set")
        }
        return usable
    }
}
