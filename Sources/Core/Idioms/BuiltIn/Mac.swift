extension Idiom {
    /// A desk: stacked windows of several apps, in the sizes that the apps choose (W-25). None is frozen for being behind.
    public static let mac: Idiom = {
        var mac = Idiom(
            name: "mac", arrangement: .free, places: [.fullScreen, .pictureInPicture], dressing: .titleBar, windowsOfApp: .several,
            capabilities: [.newWindows, .pinch])
        mac.device = .desktop
        mac.dialogs = .windows
        mac.switcher.shows = .windows
        mac.keys = IdiomKey.desk
        mac.home.dockStands = true
        mac.free.menuBar = 28
        mac.status.place = .menuBar
        mac.free.spaces = true
        mac.zones.threeFingers = .spaces
        mac.free.hotCorner = .topLeft
        mac.life.freezesHidden = false
        mac.sound.silencesAmbientOutOfSight = false
        mac.sound.notificationsMix = true
        return mac
    }()
}
