extension Idiom {
    /// A television: one app, a picture beside it, and sound only from what a person started (W-26, A-23). Its rules exist
    /// but not its views, so it is not offered yet.
    public static let tv: Idiom = {
        var tv = Idiom(
            name: "tv", arrangement: .single, places: [.fullScreen, .pictureInPicture], dressing: .bare, windowsOfApp: .one, target: 66, edge: 0)
        tv.sound.silencesAlerts = true
        return tv
    }()
}
