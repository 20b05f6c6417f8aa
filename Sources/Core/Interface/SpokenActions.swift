import Notices
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
        case .notice(.open(let id)): return spokenActions(of: id)
        case .tray(.open(let id)):
            return device.tray[id]?.facts.hasMenu ?? false
                ? [SpokenAction(id: "menu", name: .message(.menus), action: .tray(.menu(id)))] : []
        case .controls(let window?): return spokenChoices(for: [window])
        case .focus(let window) where control.role == .card: return spokenChoices(for: [window])
        case .openWaiting(let window?, _) where control.role == .card: return spokenChoices(for: [window])
        case .showSpace(let space): return spokenChoices(for: workspace.space(space)?.windows ?? [])
        case .pipControls: return spokenChoices(for: workspace.pip.map { [$0.window] } ?? [])
        default: return []
        }
    }

    /// The actions that a notification offers: its own buttons, then the shell's. Its banner shows them only once it is large.
    private func spokenActions(of id: NoticeID) -> [SpokenAction] {
        guard let notice = notices[id] else { return [] }
        let copy =
            notice.content.unsent == nil ? [] : [SpokenAction(id: "copy", name: .message(.fileCopy), action: .notice(.copyUnsent(id)))]
        let own = notice.content.buttons.enumerated().map { index, button in
            SpokenAction(
                id: "button/\(index)", name: buttonText(button, of: notice.content), action: .notice(.press(notice: id, button: button.key))
            )
        }
        let later = notice.content.isTransient ? [] : [SpokenAction(id: "later", name: .message(.later), action: .notice(.snooze(id)))]
        return copy + own + later + [SpokenAction(id: "clear", name: .message(.clear), action: .notice(.dismiss(id)))]
    }

    /// The controls of windows (W-07). With several windows, each action names its window.
    private func spokenChoices(for windows: [WindowID]) -> [SpokenAction] {
        windows.flatMap { window in
            choices(for: window).filter { !$0.isChosen }.map { choice in
                let isAlone = windows.count == 1
                return SpokenAction(
                    id: isAlone ? choice.id : "\(choice.id)/\(window.raw)",
                    name: isAlone ? .message(choice.text) : .detailed(choice.text, WindowNames(workspace).of(window)), action: choice.action
                )
            }
        }
    }
}
