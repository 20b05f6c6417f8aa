import Lifecycle
import Windows

extension Action {
    /// The wish that the action is, if it concerns another room than the screen.
    var wish: Wish? {
        switch self {
        case .gaze(let point): .gaze(.looked(at: point))
        case .wrist(let isRaised): .wrist(.moved(isRaised: isRaised))
        case .surroundings(let share): .gaze(.dim(share))
        case .tabletMode(let isOn): .hardware(.tabletMode(isOn))
        case .notice(let act): .notice(act)
        case .chooseView(let view, let choice): .chooseView(view, choice)
        case .dismissView(let view): .dismissView(view)
        case .forgetShortcuts(let app): .forgetShortcuts(app: app)
        case .markView(let view, let frame): .markView(view, frame)
        case .audio(let action): .sound(.action(action))
        case .device(let action): .device(action)
        case .tray(let act): .tray(act)
        case .form(let act): .form(act)
        case .lockScreen(let act): .lockScreen(act)
        case .prompt(let act): .prompt(act)
        case .choose(let choice): .prefer(choice)
        case .arrangeHome(let act): .arrangeHome(act)
        case .resetSettings(let key): .resetSettings(key)
        case .openApp(App.settings, _): .showPage(.settings)
        case .cover(let isClosed): .cover(isClosed)
        case .endTask(let number): .life(.endTask(TaskID(number)))
        case .endInhibitor(let number): .life(.endInhibitor(InhibitorID(number)))
        case .quit: .life(.logOut(isForced: false))
        case .quitAnyway: .life(.logOut(isForced: true))
        case .bringWindowsBack: .windowsAside(comeBack: true)
        case .startClean: .windowsAside(comeBack: false)
        default: nil
        }
    }
}
