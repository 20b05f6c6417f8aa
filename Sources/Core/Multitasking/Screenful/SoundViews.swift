import AudioSessions
import Geometry
import Interface
import Stage
import Windows

/// The views of sound: a changed level, and the volume view at a window.
extension Screenful {
    mutating func showVolume(at now: Moment) {
        interface.showVolume(heard.shownVolume, at: now, spring: spring)
        if case .volume(let window) = interface.popover?.content, interface.isPopoverOpen, !workspace.isShown(window) {
            interface.close(.popover, at: now, spring: spring)
        }
    }

    // MARK: The volume view

    /// Opens the volume view for an app that asked for it, at its window, if that is the active one.
    mutating func openVolumeView(of app: AudioApp, at now: Moment) {
        guard !isLocked, !interface.isModal, let focus = workspace.focus, let window = workspace[focus], window.belongs(to: app)
        else { return }
        interface.present(.volume(focus), at: now, spring: spring)
    }

    mutating func toggleVolumeView(_ window: WindowID?, at now: Moment) throws(Refusal) {
        guard let id = window ?? workspace.focus else { throw Refusal("no window is active") }
        guard workspace.isShown(id) else { throw Refusal("\(id) is not shown") }
        if interface.isPopoverOpen, interface.popover?.content == .volume(id) {
            return interface.close(.popover, at: now, spring: spring)
        }
        closeViews(at: now)
        interface.present(.volume(id), at: now, spring: spring)
    }

    // MARK: The choice of an output

    /// Long-form audio waits for it.
    mutating func showOutputs(at now: Moment) {
        guard !isWristDown, !(interface.isPanelOpen && interface.controlPage == .outputs) else { return }
        toggleControlPage(.outputs, at: now)
    }
}
