import ArgumentParser
import Multitasking
import Windows

// Commands for a desk with free windows (W-25).

struct CtlHide: Acting {
    static let configuration = CommandConfiguration(
        commandName: "hide", abstract: "Hide all windows of an app until one is asked for, where windows are stacked freely.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The app, as `mullion ctl apps` names it; by default the active one.") var app: String?
    var action: Action { .hideApp(app: app) }
}

struct CtlQuitApp: Acting {
    static let configuration = CommandConfiguration(commandName: "quit-app", abstract: "Close all windows of an app.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The app, as `mullion ctl apps` names it; by default the active one.") var app: String?
    var action: Action { .quitApp(app: app) }
}

struct CtlSwitch: Acting {
    static let configuration = CommandConfiguration(
        commandName: "switch", abstract: "Step through the open apps, or the windows of the active one, where windows are stacked freely.",
        discussion: "The first step opens the switcher. Return, or Super when it is released, chooses.")
    enum What: String, ExpressibleByArgument, CaseIterable { case apps, windows }
    @OptionGroup var shell: ShellChoice
    @Argument(help: "apps or windows.") var what = What.apps
    @Flag(help: "To the previous one.") var back = false
    var action: Action { what == .apps ? .switchApps(back ? -1 : 1) : .switchWindows(back ? -1 : 1) }
}

struct CtlMenuBar: Acting {
    static let configuration = CommandConfiguration(
        commandName: "menu-bar", abstract: "Open a menu of the menu bar.",
        discussion: "`mullion ctl views` names its menus: menu-bar/app, menu-bar/windows.")
    @OptionGroup var shell: ShellChoice
    @Argument(help: "The menu, such as app or windows; by default the first.") var name: String?
    var action: Action { .barMenu(name) }
}
