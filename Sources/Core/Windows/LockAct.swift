import Status

/// An act of a person on the lock screen of the shell.
public enum LockAct: Hashable, Codable, Sendable {
    /// Locks the session.
    case lock
    /// Shows the field for the password.
    case open
    /// Shows it, and once the session is open, the notification of this number.
    case openNotice(UInt32)
    /// Goes back to the clock.
    case close
    /// A key of the shell's own keys.
    case type(String)
    case erase
    case submit
    /// Shows the signs of the password, or hides them.
    case reveal
    /// The next key is a capital letter.
    case shift
    /// Other keys are shown.
    case keys(LockKeys)
    /// The next layout of keyboards, for the shell's own keys and for real keyboards.
    case nextLayout
    /// Opens an app over the lock screen, by its id.
    case over(String)
    /// Goes back from it.
    case back
    /// Shows the ways to end the machine's work.
    case ends
    case end(MachineEnd)
    /// An act on the greeter.
    case greet(GreetAct)
}

/// The shell's own keys on the lock screen.
public enum LockKeys: String, Hashable, Codable, Sendable, CaseIterable {
    /// Digits where there is room for nothing else; nothing beside a real keyboard; letters otherwise.
    case auto
    case digits
    case letters
    /// The signs beside the letters.
    case signs
    case none

    /// Those that a person or the configuration file can name.
    public static let chosen: [LockKeys] = [.auto, .digits, .letters, .none]
}

/// When the session is locked, and how it is unlocked.
public struct LockPreferences: Hashable, Codable, Sendable {
    /// The command of a locker; empty: the lock screen of the shell.
    public var command: [String] = []
    /// Seconds without use; 0: never.
    public var after = 0.0
    /// Before the machine sleeps, and when its lid is closed.
    public var onSleep = true
    public var keys = LockKeys.auto
    /// Whether the power button of the device makes the screen dark and locks. Otherwise it is the login manager's.
    public var powerButton = true
    /// Whether the login manager may unlock the session, as `loginctl unlock-session` asks it to. Every program of the person can.
    public var obeysUnlock = false
    /// The app for an emergency call, by its id; empty: none. It opens without unlocking.
    public var emergency = ""
    /// Other apps that open without unlocking, by their ids.
    public var apps: [String] = []

    public init() {}

    /// As many apps as have room beside the way in.
    public static let mostApps = 3

    /// A day at most.
    public static let delays = 0.0...1440.0

    /// The values that a person can choose one by one.
    public enum Part: Hashable, Codable, Sendable {
        /// Minutes.
        case after(Double)
        case onSleep(Bool)
        case keys(LockKeys)
        case powerButton(Bool)

        /// The name in scripts. Choices are kept by it, so it never changes.
        public var key: String {
            switch self {
            case .after: "lock-after"
            case .onSleep: "lock-on-sleep"
            case .keys: "lock-keys"
            case .powerButton: "lock-power-button"
            }
        }

        public var fixes: FixedSettings {
            switch self {
            case .after: .lockAfter
            case .onSleep: .lockOnSleep
            case .keys: .lockKeys
            case .powerButton: .lockPowerButton
            }
        }

        public var isPossible: Bool {
            switch self {
            case .after(let minutes): LockPreferences.delays.contains(minutes)
            case .onSleep, .powerButton: true
            case .keys(let keys): LockKeys.chosen.contains(keys)
            }
        }
    }

    public mutating func set(_ part: Part) {
        switch part {
        case .after(let minutes): after = minutes * 60
        case .onSleep(let isOn): onSleep = isOn
        case .powerButton(let isOn): powerButton = isOn
        case .keys(let keys): self.keys = keys
        }
    }
}
