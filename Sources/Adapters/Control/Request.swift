import Geometry
import Multitasking
import Windows

/// What a client of the control socket asks for. Written as JSON in `docs/control.md`.
public enum ControlRequest: Hashable, Sendable {
    case get(Query)
    /// Something a person could do; refused with the shell's own words if it cannot be.
    case act(Action)
    /// As if a finger, mouse or keyboard had done it.
    case input(InputRequest)
    case screenshot(ScreenshotRequest)
    /// From now on event lines of these topics come in between answers; none ends it.
    case follow([Topic])
    case clock(ClockRequest)
    case wait(WaitRequest)
    /// Reads the configuration again.
    case reload
    case quit

    public enum Query: Hashable, Codable, Sendable {
        /// `StateReport`
        case state
        /// The `windows` of the state.
        case windows
        /// `VersionReport`
        case version
        /// `StatisticsReport`
        case statistics
        /// `[KeyBinding]`
        case keys
        /// `[ViewReport]`: the shell's own controls that can be operated now.
        case views
        /// `[App]`: everything that is installed.
        case apps
        /// `SoundReport`: what there is to hear.
        case audio
        /// `DescriptorReport`: what the shell's process has open, and who owns it.
        case descriptors
        /// What a window was told, one line each, oldest first (W-10).
        case configureLog(window: WindowID)
    }

    public enum Topic: String, Hashable, Codable, Sendable, CaseIterable {
        /// The `StateReport` each time that something in it but the places of moving things has changed.
        case state
        /// Each event that the shell handles, as a recording has it.
        case events
    }

    /// The name of the field that holds the request.
    enum Verb: String, CaseIterable {
        case get, `do`, input, screenshot, follow, clock, wait, reload, quit
    }
}

/// A picture of the output or of one window, as PNG.
public struct ScreenshotRequest: Hashable, Codable, Sendable {
    /// nil: the whole output.
    public var window: WindowID?
    /// The file to write, absolute; nil: the picture comes in the answer, in base64.
    public var path: String?

    public init(window: WindowID? = nil, path: String? = nil) {
        self.window = window
        self.path = path
    }
}

/// The shell's clock: for tests that must not depend on how fast the machine is.
public enum ClockRequest: Hashable, Codable, Sendable {
    /// Stands still but for `step`.
    case hand
    case real
    /// Moves the hand clock on by milliseconds; frames and timers that fall due happen in order.
    case step(Double)
    /// Changes nothing.
    case read
}

public struct WaitRequest: Hashable, Codable, Sendable {
    public var until: Condition
    /// Milliseconds of real time; 5000 if left out.
    public var timeout: Double?

    public init(until: Condition, timeout: Double? = nil) {
        self.until = until
        self.timeout = timeout
    }

    public enum Condition: Hashable, Codable, Sendable {
        /// Nothing moves, no gesture goes on, and every window that is seen has answered what it was told.
        case idle
        /// A mapped window with exactly this app id and with this text in its title. `after`: with a higher number
        /// than this window.
        case window(appID: String? = nil, title: String? = nil, after: WindowID? = nil)
        /// The window is not there any more.
        case gone(window: WindowID)
        /// It is known where sound goes, or that it goes nowhere: there is no sound server, or none of its outputs came in
        /// five seconds.
        case sound
    }

    /// Seconds.
    public var patience: Double { (timeout ?? 5000) / 1000 }
}

/// Why a request was not granted.
public struct ControlError: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// In a person's words.
    public var what: String
    /// The field of the request that is wrong, as `do.splitView.side`; nil if it is not about one.
    public var `where`: String?

    public init(_ what: String, at place: String? = nil) {
        self.what = what
        self.where = place
    }

    public var description: String { self.where.map { "\($0): \(what)" } ?? what }
}
