extension Idiom {
    /// A shared space of windows at depths (V-01 to V-07). Its rules exist but not its views, so it is not offered yet.
    public static let vision: Idiom = {
        var vision = Idiom(
            name: "vision", arrangement: .free, places: [.fullScreen], dressing: .bare, windowsOfApp: .several,
            capabilities: [.newWindows, .pinch], target: 60, edge: 0)
        vision.life.freezesHidden = false
        vision.sound.silencesAmbientOutOfSight = false
        vision.sound.ducksOutOfFocus = true
        vision.sound.closingWindowPauses = true
        return vision
    }()
}
