import AudioSessions
import Geometry
import Interface
import Stage
import Windows

/// What the shell shows of sound, and the keys that stand for it.
extension System {
    func isForSound(_ action: Action) -> Bool { if case .audio = action { true } else { false } }

    /// A name as the sound naming specification has it; never a path.
    static func isSoundName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 128 && !name.hasPrefix("-")
            && name.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7a || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x5f }
    }

    /// The shell's own views follow what there is to hear.
    mutating func syncSound(at now: Moment, _ effects: inout [Effect]) {
        if let kind = audio.shownVolume {
            if !(interface.volume?.isOpen ?? false) || interface.volume?.content != kind {
                interface.volume.present(kind, at: now, spring: spring)
            }
        } else if interface.volume?.isOpen ?? false {
            let spring = self.spring
            interface.volume?.close(at: now, spring: spring)
        }
        syncVolumeView(at: now)
        count(at: now, &effects)
    }

    /// A place in an item moves on once a second while it is seen.
    private mutating func count(at now: Moment, _ effects: inout [Effect]) {
        let isPanelSeen = interface.isPanelOpen && interface.panel?.content == .controlCentre && interface.controlPage == .main
        let playing = isPanelSeen ? audio.summary.playing : nil
        let isSeen = playing?.status == .playing && playing?.info.duration != nil
        if isSeen, !lastSent.isCounting {
            effects.append(.startTimer(.playing, at: now + 1))
        } else if !isSeen, lastSent.isCounting {
            effects.append(.stopTimer(.playing))
        }
        lastSent.isCounting = isSeen
    }

    // MARK: The volume view

    /// An app may open it at its own window while that is the active one (law 1), and takes it away again.
    private mutating func syncVolumeView(at now: Moment) {
        if case .volume(let window) = interface.popover?.content, interface.isPopoverOpen, !workspace.isShown(window) {
            interface.close(.popover, at: now, spring: spring)
        }
        let wanted = audio.appOfVolumeView
        if lastSent.volumeViewOf != wanted {
            lastSent.volumeViewOf = wanted
            if let app = wanted {
                if !isLocked, !interface.isModal, let focus = workspace.focus, let window = workspace[focus], window.belongs(to: app) {
                    present(.volume(focus), at: now)
                }
            } else if isVolumeViewOpen {
                interface.close(.popover, at: now, spring: spring)
            }
        }
        // One wish opens it once.
        if lastSent.volumeViewOf != nil, !isVolumeViewOpen {
            lastSent.volumeViewOf = nil
            audio.volumeViewClosed()
        }
    }

    private var isVolumeViewOpen: Bool {
        if case .volume = interface.popover?.content { interface.isPopoverOpen } else { false }
    }

    mutating func toggleVolumeView(_ window: WindowID?, at now: Moment) throws(Refusal) {
        guard let id = window ?? workspace.focus else { throw Refusal("no window is active") }
        guard workspace.isShown(id) else { throw Refusal("\(id) is not shown") }
        if interface.isPopoverOpen, interface.popover?.content == .volume(id) {
            return interface.close(.popover, at: now, spring: spring)
        }
        closeViews(at: now)
        present(.volume(id), at: now)
    }
}
