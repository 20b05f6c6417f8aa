extension Idiom {
    /// A television: one app, a picture beside it, and sound only from apps that a person started (W-26, A-23). A person sits three
    /// metres away and holds a remote control, so text has 29 points and controls have 66, a control always has the focus, and the
    /// views keep clear of the edges that some screens cut off.
    public static let tv: Idiom = {
        var tv = Idiom(
            name: "tv", arrangement: .single, places: [.fullScreen, .pictureInPicture], dressing: .bare, windowsOfApp: .one, target: 66,
            edge: 0)
        tv.device = .television
        tv.status.place = .controlCentre
        tv.sound.silencesAlerts = true
        tv.views.growth = 1.5
        tv.views.text = 1.29
        tv.views.marginSide = 80
        tv.views.marginTop = 60
        tv.views.focusRing = 4
        tv.views.alwaysFocuses = true
        tv.picture.margin = 60
        tv.remote.isOn = true
        tv.rest.dimsAfter = 300
        return tv
    }()
}
