import Geometry
import Interface
import Stage
import Windows

/// One picture beside one window: they change places (W-26).
extension Screenful {
    mutating func swapPicture(at now: Moment) throws(Refusal) {
        guard let picture = workspace.pip?.window else { throw Refusal("no window is in Picture in Picture") }
        // Behind the home screen is the window that was in front.
        guard let space = workspace.current.flatMap(workspace.space), case .full(let front) = space.content else {
            throw Refusal("no window is in front of which the picture could change places")
        }
        try workspace.move(picture, to: .fullScreen)
        try workspace.move(front, to: .pictureInPicture)
        closeViews(at: now)
        closePipControls(at: now)
    }
}
