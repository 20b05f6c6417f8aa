import Geometry
import Stage
import Windows

/// A list that scrolls in its panel, in points of the views. Its own coordinates: y is 0 at its top.
public struct ListPlan: Hashable, Sendable {
    public var panel: Rect
    /// Where rows are visible.
    public var window: Rect
    /// The height of all rows.
    public var length: Double

    /// How far it can be scrolled.
    public var reach: Double { max(0, length - window.height) }
}

extension Views {
    /// The list of the open panel; nil: it shows none that can be longer than it.
    public var listPlan: ListPlan? {
        guard interface.isPanelOpen, let panel = interface.panel?.content else { return nil }
        switch panel {
        case .notifications: return noticeListPlan
        case .controlCentre:
            if interface.controlPage == .main { return mainPlan.reach > 0 ? mainPlan : nil }
            return form(of: interface.controlPage).map { formPlan($0, width: panelWidth) }
        case .folder(let id): return folderPlan(id)
        }
    }

    /// How far to scroll the list so that a control is in sight; nil: it is no part of the list, or is in sight.
    public func listScroll(showing control: ViewControl) -> Double? {
        guard isInList(control.id), let plan = listPlan else { return nil }
        let target = interface.listScroll.target, window = onScreen(plan.window)
        if control.frame.minY < window.minY + 4 { return target - (window.minY + 8 - control.frame.minY) / growth }
        if control.frame.maxY > window.maxY - 4 { return target + (control.frame.maxY - window.maxY + 8) / growth }
        return nil
    }

    /// Whether a control scrolls with the list of the open panel.
    public func isInList(_ id: ControlID) -> Bool {
        switch id.area {
        case .notifications: interface.isNoticeListOpen && isRowOfNotices(id)
        case .controlCentre:
            interface.isControlCentreOpen && id.path != "back" && !id.path.isEmpty
                && (interface.controlPage == .main ? mainPlan.reach > 0 : form(of: interface.controlPage) != nil)
        case .folder: interface.openFolder != nil && id.path != "name" && !id.path.isEmpty
        default: false
        }
    }

    /// The action of the Return key in a field of the open page; nil: none yet.
    public var formSubmit: Action? {
        if interface.isPromptOpen { return promptSubmit }
        if let id = interface.openFolder, interface.form.writing == .folderName {
            return .arrangeHome(.rename(folder: id, to: interface.form.text(of: .folderName).text))
        }
        guard interface.isControlCentreOpen else { return nil }
        return form(of: interface.controlPage)?.submit
    }
}
