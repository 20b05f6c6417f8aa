import ArgumentParser
import Multitasking
import Notices
import Settings
import Windows

struct CtlFocusMode: Acting {
    static let configuration = CommandConfiguration(
        commandName: "focus-mode", abstract: "Make, change or delete a focus of your own. `mullion ctl focus NAME` begins one.")
    enum What: String, ExpressibleByArgument, CaseIterable {
        case new, show, allow, refuse, allowPerson = "allow-person", refusePerson = "refuse-person", times, urgent, delete
    }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "new, show, allow or refuse (an app), allow-person or refuse-person, times, urgent or delete.") var what: What
    @Argument(help: "The focus: \(FocusName.allCases.map(\.rawValue).joined(separator: ", ")).") var name: String
    @Argument(help: "The app; the person's name; a time such as \"mon-fri 09:00-17:00\", or off; on or off for urgent.") var value: String?

    var action: Action {
        get throws {
            switch what {
            case .new:
                guard let known = FocusName(rawValue: name) else {
                    throw ValidationError("a focus is one of \(FocusName.allCases.map(\.rawValue).joined(separator: ", ")), not \(name)")
                }
                return .notice(.newFocus(known))
            case .show: return .notice(.editFocus(name))
            case .delete: return .notice(.deleteFocus(name))
            case .allow: return .notice(.setFocus(focus: name, what: .app(id: try given("an app"), comes: true)))
            case .refuse: return .notice(.setFocus(focus: name, what: .app(id: try given("an app"), comes: false)))
            case .allowPerson: return .notice(.setFocus(focus: name, what: .person(name: try given("a name"), comes: true)))
            case .refusePerson: return .notice(.setFocus(focus: name, what: .person(name: try given("a name"), comes: false)))
            case .urgent:
                let word = try given("on or off")
                guard word == "on" || word == "off" else { throw ValidationError("urgent is on or off, not \(word)") }
                return .notice(.setFocus(focus: name, what: .urgent(word == "on")))
            case .times:
                let word = try given("a time")
                guard word != "off" else { return .notice(.setFocus(focus: name, what: .time(nil))) }
                guard let time = FocusWords.time(word) else {
                    throw ValidationError("a time is such as \"mon-fri 09:00-17:00\", not \(word)")
                }
                return .notice(.setFocus(focus: name, what: .time(time)))
            }
        }
    }

    private func given(_ what: String) throws -> String {
        guard let value else { throw ValidationError("\(what) is missing") }
        return value
    }
}
