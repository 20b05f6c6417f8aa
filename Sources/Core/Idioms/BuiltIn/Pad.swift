extension Idiom {
    /// A tablet: Split View, Slide Over and Picture in Picture (W-01 to W-06).
    public static let pad: Idiom = {
        var pad = Idiom(
            name: "pad", arrangement: .pad, places: .all, dressing: .dots, windowsOfApp: .several,
            capabilities: [.newWindows, .pinch])
        pad.homeLine = HomeLine()
        pad.status.place = .bar
        pad.smallScreen = SmallScreen()
        pad.sound.pausesAttentionMedia = true
        pad.sound.hasHaptics = true
        return pad
    }()
}
