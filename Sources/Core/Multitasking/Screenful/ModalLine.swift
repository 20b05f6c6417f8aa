import Interface
import Modality
import Notices
import Windows

/// The views over a window, or over the screen, bottom to top: dialogs of apps, views for programs, banners and the shell's own alerts
/// are one line (M-08, decision 0151).
///
/// Each view has an owner, which knows what it says and when it ends: `Workspace` has the dialogs, `Modality` the views for programs,
/// `Alerts` and `Banners` those that wait for their turn. Their order, and which of them is live, is decided here and nowhere else.
struct ModalLine: Hashable {
    enum Host: Hashable {
        case window(WindowID)
        case screen
    }

    enum Entry: Hashable {
        /// A dialog of an app.
        case dialog(WindowID, ModalKind)
        /// A menu of an app that holds the input, of this window.
        case menu(WindowID)
        case view(ModalView)
        /// A window that waits (W-19).
        case banner(WindowID)
        case notice(NoticeID, NoticeForm)
        /// The shell's own.
        case alert(Interface.Popover)

        /// As what a new view finds it below itself (M-11).
        var kind: ModalKind? {
            switch self {
            case .dialog(_, let kind): kind
            case .menu: .popover
            case .view(let view): view.kind
            case .alert: .alert
            case .banner, .notice: nil
            }
        }

        /// Whether it has the keys, and keeps them from the views below. A banner leaves them to the app.
        var takesKeys: Bool {
            switch self {
            case .dialog, .view, .alert, .notice(_, .reply): true
            case .menu, .banner, .notice: false
            }
        }
    }

    enum NoticeForm: Hashable {
        case banner, expanded, reply
    }

    var entries: [Entry]

    /// The one that a person answers first.
    var live: Entry? { entries.last(where: \.takesKeys) }
}

extension Screenful {
    func line(over host: ModalLine.Host) -> ModalLine {
        switch host {
        case .window(let window):
            let root = workspace.root(of: window)
            let menus = workspace.popupOwners.filter { workspace.root(of: $0) == root && workspace[$0]!.popupGrab }
            // Dialogs first: whatever else comes, a popover or a menu is closed before it (M-11).
            return ModalLine(
                entries: (workspace.dialogs(of: root).filter { !workspace.isPopover($0) } + workspace.popovers(on: root)).map {
                    .dialog($0, kind(of: $0))
                }
                    + menus.map { .menu($0) } + modality.views(over: root).map { .view($0) })
        case .screen:
            var entries = modality.views(over: nil).map(ModalLine.Entry.view)
            if interface.isBannerOpen, let banner = interface.banner?.content { entries.append(.banner(banner.window)) }
            if interface.isNoticeOpen, let banner = interface.notices.banner?.content {
                entries.append(.notice(banner.notice.id, interface.isReplying ? .reply : banner.isExpanded ? .expanded : .banner))
            }
            if interface.isAlertOpen, let alert = interface.popover?.content { entries.append(.alert(alert)) }
            return ModalLine(entries: entries)
        }
    }

    /// The view that a person answers first: over the screen, else over the active window. Nothing while the session is locked.
    var liveEntry: ModalLine.Entry? {
        guard !isLocked else { return nil }
        return line(over: .screen).live ?? workspace.focus.flatMap { line(over: .window($0)).live }
    }

    /// Whether a view for a program has the keyboard. Every key asks, and almost always there is none.
    var hasActiveView: Bool { !modality.isEmpty && activeView != nil }

    /// The view for a program that has the keyboard.
    var activeView: ModalView? {
        guard !modality.isEmpty, case .view(let view)? = liveEntry else { return nil }
        return view
    }

    func lineViolations() -> [String] {
        var found: [String] = []
        if interface.isBannerOpen, interface.isNoticeOpen { found.append("two banners are at one place") }
        if interface.notices.draft != nil, !interface.isReplying { found.append("an answer without its banner") }
        return found
    }
}
