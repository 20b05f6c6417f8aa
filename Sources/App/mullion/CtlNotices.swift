import ArgumentParser
import Control
import Notices
import Windows

// Notifications: the list, and a person's acts on them.

struct CtlNotifications: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications", abstract: "The list of notifications, what is scheduled, and what apps may do, as JSON.")
    @OptionGroup var shell: ShellChoice
    @Flag(help: "Indented, for people.") var pretty = false

    func run() throws { print(try shell.connect().ask(.get(.notifications)).text(pretty: pretty)) }
}

struct CtlNotice: Acting {
    static let configuration = CommandConfiguration(
        commandName: "notice", abstract: "Use a notification, by its number in `mullion ctl notifications`.")
    enum What: String, ExpressibleByArgument, CaseIterable {
        case open, press, reply, dismiss, snooze, expand
        case copyUnsent = "copy-unsent"
        case clearAll = "clear-all"
        case clear, unfold
    }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "open, press, reply, dismiss, snooze, expand, copy-unsent, clear-all; clear or unfold with an app.") var what: What
    @Argument(help: "Its number, or the app.") var which: String?
    @Argument(help: "The key of the button, for press; the answer, for reply.") var button: String?

    var action: Action {
        get throws {
            switch what {
            case .clearAll: return .notice(.clearAll)
            case .clear: return .notice(.clear(group: try word()))
            case .unfold: return .notice(.unfold(group: try word()))
            case .open: return .notice(.open(try id()))
            case .dismiss: return .notice(.dismiss(try id()))
            case .snooze: return .notice(.snooze(try id()))
            case .expand: return .notice(.expand(try id()))
            case .copyUnsent: return .notice(.copyUnsent(try id()))
            case .reply:
                guard let button else { throw ValidationError("the answer is missing") }
                return .notice(.reply(notice: try id(), text: button))
            case .press:
                guard let button else { throw ValidationError("the key of a button is missing") }
                return .notice(.press(notice: try id(), button: button))
            }
        }
    }

    private func word() throws -> String {
        guard let which else { throw ValidationError("the app is missing") }
        return which
    }

    private func id() throws -> NoticeID {
        guard let number = which.flatMap({ UInt32($0) }) else { throw ValidationError("the number of a notification is missing") }
        return NoticeID(number)
    }
}

struct CtlQuiet: Acting {
    static let configuration = CommandConfiguration(commandName: "do-not-disturb", abstract: "Whether notifications disturb.")
    enum What: String, ExpressibleByArgument, CaseIterable { case on, off, toggle }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "on, off or toggle.") var what: What = .toggle
    var action: Action { .notice(.quiet(what == .toggle ? nil : what == .on)) }
}

struct CtlNotifying: Acting {
    static let configuration = CommandConfiguration(commandName: "notifying", abstract: "What the notifications of an app may do.")
    enum What: String, ExpressibleByArgument, CaseIterable {
        case show, sounds, badge
        case onLockScreen = "on-lock-screen"
    }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The app, as `mullion ctl apps` has it.") var app: String
    @Argument(help: "show, sounds, badge or on-lock-screen.") var what: What
    @Argument(help: "show: banners, quietly or off. on-lock-screen: content, count or nothing. Otherwise on or off.") var value: String

    var action: Action {
        get throws {
            let choice: NoticeChoice
            switch what {
            case .show: choice = .manner(try oneOf(NoticeManner.self))
            case .onLockScreen: choice = .onLock(try oneOf(NoticeOnLock.self))
            case .sounds: choice = .sounds(try isOn())
            case .badge: choice = .badge(try isOn())
            }
            return .notice(.choose(app: app, what: choice))
        }
    }

    private func oneOf<Value: RawRepresentable<String> & CaseIterable>(_ type: Value.Type) throws -> Value {
        guard let known = Value(rawValue: value) else {
            throw ValidationError("\(what.rawValue) is one of \(Value.allCases.map(\.rawValue).joined(separator: ", ")), not \(value)")
        }
        return known
    }

    private func isOn() throws -> Bool {
        guard value == "on" || value == "off" else { throw ValidationError("\(what.rawValue) is on or off, not \(value)") }
        return value == "on"
    }
}
