import Geometry
import Windows

/// The idioms of `share/idioms` as values, for tests of the core, which reads no files. `IdiomFileTests` compares them with the files.
extension Idiom {
    public static let kiosk: Idiom = {
        var kiosk = Idiom.closed(named: "kiosk")
        (kiosk.title, kiosk.device) = ("", .kiosk)
        return kiosk
    }()

    public static let car: Idiom = {
        var car = Idiom.pad
        car.name = "car"
        car.device = .car
        car.places = [.fullScreen, .splitView]
        car.dressing = .bare
        car.windowsOfApp = .one
        car.capabilities = []
        car.target = 76
        car.homeLine = nil
        car.smallScreen = nil
        car.home.dockIcon = 64
        car.split.snaps = [0.62]
        car.split.fixed = true
        car.sound.pausesAttentionMedia = false
        car.sound.notificationsMix = false
        car.life.grace = 60
        return car
    }()

    /// The idioms of this build and of `share/idioms`.
    public static let allAndPlaces = all + [kiosk, car]
}
