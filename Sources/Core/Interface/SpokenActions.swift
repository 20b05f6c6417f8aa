import Stage
import Windows

/// An action that a screen reader offers for a control besides pressing it: the entries of the menu that a long press on an icon
/// opens, or of a window's controls.
public struct SpokenAction: Hashable, Sendable {
    /// Its name in the menu, such as "split-left". Unique for a control, and the same in every language.
    public var id: String
    public var name: Text
    public var action: Action
}

extension Views {
    /// The actions of a control besides its press, in the order of its menu.
    public func spokenActions(of control: ViewControl) -> [SpokenAction] {
        if case .appMenu(let app) = control.menu {
            return menuRows(of: app).compactMap { row in
                row.action.flatMap { $0 == control.press ? nil : SpokenAction(id: row.id, name: row.text, action: $0) }
            }
        }
        switch control.press {
        case .controls(let window?): return spokenChoices(for: [window])
        case .focus(let window) where control.role == .card: return spokenChoices(for: [window])
        case .openWaiting(let window?, _) where control.role == .card: return spokenChoices(for: [window])
        case .showSpace(let space): return spokenChoices(for: workspace.space(space)?.windows ?? [])
        case .pipControls: return spokenChoices(for: workspace.pip.map { [$0.window] } ?? [])
        default: return []
        }
    }

    /// The controls of windows (W-07). With several windows, each action names its window.
    private func spokenChoices(for windows: [WindowID]) -> [SpokenAction] {
        windows.flatMap { window in
            choices(for: window).filter { !$0.isChosen }.map { choice in
                let isAlone = windows.count == 1
                return SpokenAction(
                    id: isAlone ? choice.id : "\(choice.id)/\(window.raw)",
                    name: isAlone ? .message(choice.text) : .detailed(choice.text, workspace.appName(of: window)), action: choice.action)
            }
        }
    }
}
