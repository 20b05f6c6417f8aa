import Geometry

/// A mismatch between how an app presents a modal window and what the window is (M-12, M-15). Reports name it for the app's
/// developer; nothing else follows from it.
public enum WindowNote: String, Hashable, Codable, Sendable, CaseIterable {
    /// A full-screen modal fills less than half of its window: a short task is a sheet.
    case smallFullScreen = "full-screen-small"
    /// A sheet plays video, or asks for the full screen: immersive content is full screen.
    case immersiveSheet = "sheet-immersive"
    /// A sheet cannot be as small as its window, so it is drawn smaller than its app drew it: complex work is full screen.
    case largeSheet = "sheet-large"
    /// A popover without an anchor is a sheet.
    case popoverWithoutAnchor = "popover-without-anchor"
    /// A modal window without a title.
    case untitled
}

extension Workspace {
    /// Faults in how a modal window is presented. `playsVideo`: whether its app plays video now.
    public func notes(of id: WindowID, playsVideo: Bool) -> [WindowNote] {
        guard let window = windows[id], window.isMapped, window.placeholder == nil, window.facts.modality ?? false,
            case .dialog = place(of: id),
            let frame = frames()[root(of: id)]
        else { return [] }
        var notes: [WindowNote] = []
        let size = window.contentSize, least = window.commit.minimum
        switch window.facts.hints?.presentation {
        case .fullScreen where !window.isAwaited && size.width * size.height < frame.width * frame.height * Workspace.smallShare:
            notes.append(.smallFullScreen)
        case .sheet, .popover, nil:
            // A prominent window shows an item, and may be anything.
            guard presentation(of: id) == .sheet, window.raisedOver == nil else { break }
            if window.facts.hints?.presentation == .popover, window.facts.hints?.anchor == nil { notes.append(.popoverWithoutAnchor) }
            if playsVideo || window.commit.wantsFullscreen { notes.append(.immersiveSheet) }
            if least.width > frame.width || least.height > frame.height { notes.append(.largeSheet) }
        default: break
        }
        if window.facts.title.isEmpty { notes.append(.untitled) }
        return notes
    }

    /// A full-screen modal that fills less than this share of its window is small.
    static let smallShare = 0.5
}
