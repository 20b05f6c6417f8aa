extension Idiom {
    /// A shared space of windows at depths, of which one is active (V-01 to V-07).
    public static let vision: Idiom = {
        var vision = Idiom(
            name: "vision", arrangement: .free, places: [.fullScreen], dressing: .barBelow, windowsOfApp: .several,
            capabilities: [.newWindows, .pinch], target: 60)
        vision.device = .headset
        vision.status.place = .controlCentre
        vision.dialogs = .windows
        vision.switcher.shows = .windows
        // Super+Up is for the Full Space there, which fills the area.
        vision.keys = IdiomKey.desk.filter { $0.action != "tile-whole" }
        vision.depth = DepthMeasures()
        vision.closing = .putsAway
        vision.free.radius = 20
        vision.homeLine = HomeLine()
        vision.life.freezesHidden = false
        vision.sound.silencesAmbientOutOfSight = false
        vision.sound.ducksOutOfFocus = true
        vision.sound.closingWindowPauses = true
        return vision
    }()
}
