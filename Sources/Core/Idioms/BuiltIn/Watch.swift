extension Idiom {
    /// A watch: one app at a time and no multitasking. The dock holds the favourites, the app switcher the recent apps (S-11).
    /// Its rules exist but not its views, so it is not offered yet.
    public static let watch: Idiom = {
        var watch = Idiom(name: "watch", arrangement: .single, places: [.fullScreen], dressing: .bare, windowsOfApp: .one)
        watch.homeLine = HomeLine()
        watch.sound.clipsNeedFocus = true
        watch.sound.hasHaptics = true
        return watch
    }()
}
