import Chrome
import Control
import FoundationEssentials
import Windows

/// Pictures of the screen and of windows. Where no frame was drawn since the last one, that one is still good: making
/// and reading pictures is most of the tour's cost.
final class Pictures {
    enum Subject: Hashable {
        case output
        case window(WindowID)

        var window: WindowID? {
            if case .window(let id) = self { id } else { nil }
        }
    }

    private struct Taken {
        /// Counted by the shell when it was taken.
        var frames: UInt64
        var file: String
        var picture: Picture
    }

    private let folder: String
    private var taken: [Subject: Taken] = [:]

    init(folder: String) { self.folder = folder }

    /// `keeping`: a file that shall hold it, too.
    func take(_ subject: Subject, _ client: ControlClient, keeping file: String? = nil) throws -> Picture {
        let frames = try client.ask(.get(.statistics), for: StatisticsReport.self).framesDrawn
        if let last = taken[subject], last.frames == frames {
            if let file { try FileManager.default.copyItem(atPath: last.file, toPath: file) }
            return last.picture
        }
        let place = file ?? "\(folder)/look-\(subject.window?.raw ?? 0).png"
        try client.ask(.screenshot(ScreenshotRequest(window: subject.window, path: place)))
        let picture = try PNG.read(place)
        taken[subject] = Taken(frames: frames, file: place, picture: picture)
        return picture
    }
}
