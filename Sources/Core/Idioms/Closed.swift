extension Idiom {
    /// Offers nothing but the programs with which the session starts. It stands for an idiom of which only the name can be had: that
    /// may have been a kiosk, and must not become an open desktop.
    public static func closed(named name: String) -> Idiom {
        var idiom = phone
        (idiom.name, idiom.title) = (name, name)
        idiom.places = [.fullScreen]
        idiom.windowsOfApp = .one
        idiom.offers = []
        idiom.edge = 0
        idiom.homeLine = nil
        idiom.status.place = .none
        idiom.home.fillsEmptyScreen = false
        idiom.life.startsAgain = true
        idiom.life.freezesHidden = false
        return idiom
    }
}
