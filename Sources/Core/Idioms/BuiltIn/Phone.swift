extension Idiom {
    /// A phone: one window at a time, and a call or a film as a picture beside it (S-01, S-10).
    public static let phone: Idiom = {
        var phone = Idiom(
            name: "phone", arrangement: .single, places: [.fullScreen, .pictureInPicture], dressing: .bare, windowsOfApp: .several)
        phone.device = .phone
        phone.homeLine = HomeLine()
        phone.status.place = .bar
        phone.home = HomeMeasures(columns: 4, columnsAside: 8, columnWidth: 74, dockPlaces: 4)
        phone.keepsInSight = true
        phone.sheetsFillWidth = true
        // 44 points of an app become 26.
        phone.leastScale = 0.6
        phone.switcher.rows = 1
        phone.switcher.lastUsedLast = true
        phone.sound.pausesAttentionMedia = true
        phone.sound.keysActOnRinger = true
        phone.sound.hasHaptics = true
        return phone
    }()
}
