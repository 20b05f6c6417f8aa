import Geometry
import Stage
import Windows

/// The message of an empty screen while the app that the shell starts with is not there (law 12).
extension Views {
    func addStartNote(_ out: inout Canvas) {
        guard let note = interface.startNote else { return }
        let text: Text =
            switch (note.name.isEmpty, note.isAgain) {
            case (false, false): .message(.appStarts, [note.name])
            case (false, true): .message(.appStartsAgain, [note.name])
            case (true, false): .message(.unknownAppStarts)
            case (true, true): .message(.unknownAppStartsAgain)
            }
        let width = min(room.width - 48, scaled(560)), lines = 3
        let frame = Rect(
            (room.center.x - width / 2).rounded(), (room.center.y - line(.title) / 2).rounded(), width, line(.title) * Double(lines))
        let id = ControlID(.start, "again")
        out.text(id, text, .title, .onWallpaper, frame, .center, lines: lines)
        out.control(id, .label, text, frame, focusable: false)
    }
}
