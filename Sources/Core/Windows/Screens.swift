import Geometry

/// The screen on which the windows stand.
extension Workspace {
    /// The screen changed: rotation, resolution, a panel. Every window keeps its place and gets its new size.
    public mutating func setScreen(_ new: Screen?) {
        let old = screen
        screen = new
        screen?.shape(by: idiom)
        screen?.round = idiom.round?.inset
        if let new { fit(to: new.size) }
        guard let new else { return }
        if let old {
            // Other idioms may have a picture, too, for the same screen.
            for name in elsewhere.keys where (elsewhere[name]!.picture?.width ?? 0) > 0 {
                elsewhere[name]!.picture!.width *= new.shorterSide / max(1, old.shorterSide)
            }
        }
        guard let pip else { return }
        if pip.width == 0 {
            setPipShape(windows[pip.window]?.naturalSize ?? Size(pip.aspect, 1), on: new)
        } else if let old {
            arrangement.picture!.width *= new.shorterSide / max(1, old.shorterSide)
        }
    }

    /// Reduces the idiom for a screen of this size. Windows in Slide Over stay there, because the arrangement
    /// outlives the screen.
    mutating func fit(to size: Size) {
        let family = whole ?? idiom, fitted = family.fitted(to: size)
        guard fitted != idiom else { return }
        idiom = fitted
        whole = fitted == family ? nil : family
    }
}
