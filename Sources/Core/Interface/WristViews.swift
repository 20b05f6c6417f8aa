import Geometry
import Stage
import Windows

/// The screen of a device on a lowered wrist.
extension Views {
    /// The icon of the app in front, without its name or content.
    public func wristFace(paleness: Double) -> Canvas {
        var out = canvas()
        out.glass = nil
        out.fill("wrist/ground", .locked, screen.bounds)
        out.opacity = paleness
        guard let window = workspace.currentSpace?.windows.first, let app = workspace[window]?.app else { return out }
        let side = min(64, (screen.shorterSide / 4).rounded())
        out.icon("wrist", icon(of: app), Rect(center: room.center, size: Size(side, side)))
        return out
    }
}
