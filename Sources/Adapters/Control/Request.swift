import Geometry
import Multitasking
import Windows

/// A request of a client of the control socket. `docs/control.md` describes its JSON form.
public enum ControlRequest: Hashable, Sendable {
    case get(Query)
    /// Something the user could do. Refused with the shell's own message if it is not possible.
    case act(Action)
    /// Input as if from a finger, mouse or keyboard.
    case input(InputRequest)
    case screenshot(ScreenshotRequest)
    /// Sends event lines of these topics between answers from now on. The request is never ended.
    case follow([Topic])
    case clock(ClockRequest)
    case wait(WaitRequest)
    /// A question for the person, in an alert of the shell. The answer is an `AskReport`, when the person has answered.
    case ask(AskRequest)
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
        /// `OrderReport`: the rooms, and the passes that run after an event.
        case order
        /// `[ViewReport]`: the shell's own controls that can be used now.
        case views
        /// `[App]`: all installed apps.
        case apps
        /// `SoundReport`: everything that can be heard.
        case audio
        /// `StatusReport`: the time, the battery and the connections.
        case status
        /// `TrayReport`: the items that apps keep in the tray, and the menu that is open.
        case tray
        /// `HomeOrder`: the home screen as a person arranged it, with all apps that are installed.
        case home
        /// `[SettingReport]`: every setting, with its value and what it can be.
        case settings
        /// The running apps, with the reasons why they run: `LifeReport`.
        case life
        /// Notifications and schedules: `NoticeReport`.
        case notifications
        /// `DescriptorReport`: the open descriptors of the shell, and their owners.
        case descriptors
        /// `ConfigurationReport`: the errors in the files that a person edits.
        case configuration
        /// `ViolationReport`: which laws do not hold. Refused by a shell that does not check itself (`mullion run --check-laws`).
        case violations
        /// The configures that a window got, one line each, oldest first (W-10).
        case configureLog(window: WindowID)
    }

    public enum Topic: String, Hashable, Codable, Sendable, CaseIterable {
        /// A `StateReport` after each change, except for the positions of moving things.
        case state
        /// Each event that the shell handles, in the format of recordings.
        case events
    }

    /// The field that holds the request.
    enum Verb: String, CaseIterable {
        case get, `do`, input, screenshot, follow, clock, wait, ask, reload, quit
    }
}

/// A picture of the output or of one window, as PNG.
public struct ScreenshotRequest: Hashable, Codable, Sendable {
    /// nil for the whole output.
    public var window: WindowID?
    /// The file to write, as an absolute path. nil returns the picture in the answer, in base64.
    public var path: String?

    public init(window: WindowID? = nil, path: String? = nil) {
        self.window = window
        self.path = path
    }
}

/// The shell's clock, for tests that must not depend on the speed of the machine.
public enum ClockRequest: Hashable, Codable, Sendable {
    /// Stands still except for `step`.
    case hand
    case real
    /// Advances the manual clock by milliseconds. Frames and timers that fall due run in order.
    case step(Double)
    /// Only reads the clock.
    case read
}

public struct WaitRequest: Hashable, Codable, Sendable {
    public var until: Condition
    /// Milliseconds of real time; 5000 by default.
    public var timeout: Double?

    public init(until: Condition, timeout: Double? = nil) {
        self.until = until
        self.timeout = timeout
    }

    public enum Condition: Hashable, Codable, Sendable {
        /// Nothing moves, no gesture is in progress, and every visible window has acked its configure.
        case idle
        /// A mapped window with exactly this app id, and with this text in its title. `after`: only windows with a
        /// higher number than this window.
        case window(appID: String? = nil, title: String? = nil, after: WindowID? = nil)
        /// The window is gone.
        case gone(window: WindowID)
        /// The audio output is known, or it is known that there is none: there is no sound server, or no output
        /// appeared in five seconds.
        case sound
    }

    /// In seconds.
    public var patience: Double { (timeout ?? 5000) / 1000 }
}

/// The reason why a request was refused.
public struct ControlError: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// A message for the user.
    public var what: String
    /// The invalid field of the request, for example `do.splitView.side`; nil if no field is to blame.
    public var `where`: String?

    public init(_ what: String, at place: String? = nil) {
        self.what = what
        self.where = place
    }

    public var description: String { self.where.map { "\($0): \(what)" } ?? what }
}
