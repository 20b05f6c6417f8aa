extension Idiom {
    /// A watch: one app at a time and no multitasking. The dock holds the favourites, the app switcher the recent apps (S-11).
    public static let watch: Idiom = {
        var watch = Idiom(name: "watch", arrangement: .single, places: [.fullScreen], dressing: .bare, windowsOfApp: .one)
        watch.device = .watch
        watch.homeLine = HomeLine()
        watch.status.place = .switcher
        watch.zoomsBelow = 1
        watch.home = HomeMeasures(columns: 3, columnsAside: 3, columnWidth: 68, dockPlaces: 4)
        watch.home.icon = 52
        watch.home.dockIcon = 40
        watch.home.margin = 8
        watch.home.hasSearch = false
        // Cards as large as the screen allows.
        watch.switcher.rows = 1
        watch.wrist = WristRules()
        watch.sound.clipsNeedFocus = true
        watch.sound.longFormNeedsRoute = true
        watch.sound.hasHaptics = true
        return watch
    }()

    /// The same on a round screen.
    public static let roundWatch: Idiom = {
        var watch = Idiom.watch
        watch.name = "round-watch"
        watch.device = .roundWatch
        watch.round = RoundMeasures()
        watch.home.margin = 0
        return watch
    }()
}
