import Modality
import Notices
import Windows

/// The views over a window, or over the screen, bottom to top: dialogs of apps, views for programs, banners and the shell's own alerts
/// are one line (M-08, decision 0151).
///
/// Each view has an owner, which knows what it says and when it ends: `Workspace` has the dialogs, `Modality` the views for programs,
/// `Alerts` and `Banners` those that wait for their turn. Their order, and which of them is live, is decided here and nowhere else.
public struct ModalLine: Hashable {
    public enum Host: Hashable {
        case window(WindowID)
        case screen
    }

    public enum Entry: Hashable {
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
        public var kind: ModalKind? {
            switch self {
            case .dialog(_, let kind): kind
            case .menu: .popover
            case .view(let view): view.kind
            case .alert: .alert
            case .banner, .notice: nil
            }
        }

        /// Whether it has the keys, and keeps them from the views below. A banner leaves them to the app.
        public var takesKeys: Bool {
            switch self {
            case .dialog, .view, .alert, .notice(_, .reply): true
            case .menu, .banner, .notice: false
            }
        }
    }

    public enum NoticeForm: Hashable {
        case banner, expanded, reply
    }

    public var entries: [Entry]

    /// The one that a person answers first.
    public var live: Entry? { entries.last(where: \.takesKeys) }
}

extension Interface {
    /// The line over a window, or over the screen.
    public func line(over host: ModalLine.Host, _ workspace: Workspace, _ modality: Modality) -> ModalLine {
        switch host {
        case .window(let window):
            let root = workspace.root(of: window)
            let menus = workspace.popupOwners.filter { workspace.root(of: $0) == root && workspace[$0]!.popupGrab }
            // Dialogs first: whatever else comes, a popover or a menu is closed before it (M-11).
            let dialogs = workspace.dialogs(of: root).filter { !workspace.isPopover($0) } + workspace.popovers(on: root)
            return ModalLine(
                entries: dialogs.map { .dialog($0, workspace.kind(of: $0)) } + menus.map { .menu($0) }
                    + modality.views(over: root).map { .view($0) })
        case .screen:
            var entries = modality.views(over: nil).map(ModalLine.Entry.view)
            if isBannerOpen, let banner = banner?.content { entries.append(.banner(banner.window)) }
            if isNoticeOpen, let banner = notices.banner?.content {
                entries.append(.notice(banner.notice.id, isReplying ? .reply : banner.isExpanded ? .expanded : .banner))
            }
            if isAlertOpen, let alert = popover?.content { entries.append(.alert(alert)) }
            return ModalLine(entries: entries)
        }
    }

    public func lineViolations() -> [String] {
        var found: [String] = []
        if isBannerOpen, isNoticeOpen { found.append("two banners are at one place") }
        if notices.draft != nil, !isReplying { found.append("an answer without its banner") }
        return found
    }
}

extension Workspace {
    /// The kind of a dialog of an app among modal views.
    public func kind(of dialog: WindowID) -> ModalKind {
        switch presentation(of: dialog) {
        case .fullScreen: .fullScreen
        case .popover: .popover
        case .sheet, .currentContext, nil: .sheet
        }
    }
}
