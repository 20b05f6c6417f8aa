import Geometry
import MullionTesting
import Multitasking
import Notices
import Testing
import Windows

/// `Offers` covers every verb: who adds an action decides in `Action.need` what it belongs to, and adds it here.
@Suite("Every verb and what a kiosk offers") struct OffersTests {
    private static let one = WindowID(1), two = WindowID(2)

    /// The number of the case, without a default: a new action does not compile until it is among the samples.
    private static func number(_ action: Action) -> Int {
        switch action {
        case .fullScreen: 0
        case .splitView: 1
        case .slideOver: 2
        case .pictureInPicture: 3
        case .close: 4
        case .tile: 5
        case .toggleTile: 6
        case .minimize: 7
        case .hideApp: 8
        case .quitApp: 9
        case .switchApps: 10
        case .switchWindows: 11
        case .barMenu: 12
        case .chooseMenuItem: 13
        case .magnify: 14
        case .depth: 15
        case .depthStep: 16
        case .gaze: 17
        case .wrist: 18
        case .gazePress: 19
        case .surroundings: 20
        case .focus: 21
        case .focusNext: 22
        case .divider: 23
        case .dividerStep: 24
        case .swapSides: 25
        case .slideOverSide: 26
        case .slideOverHide: 27
        case .slideOverShow: 28
        case .slideOverToggle: 29
        case .slideOverNext: 30
        case .slideOverPrevious: 31
        case .pipCorner: 32
        case .pipWidth: 33
        case .pipStep: 34
        case .pipStash: 35
        case .pipShow: 36
        case .pipToggle: 37
        case .pipControls: 38
        case .pipSwap: 39
        case .nextSpace: 40
        case .newSpace: 41
        case .moveToSpace: 42
        case .putInSpace: 43
        case .previousSpace: 44
        case .showSpace: 45
        case .openWaiting: 46
        case .launch: 47
        case .openApp: 48
        case .newWindow: 49
        case .appAction: 50
        case .closeSpace: 51
        case .idiom: 52
        case .tabletMode: 53
        case .home: 54
        case .appSwitcher: 55
        case .dock: 56
        case .appShelf: 57
        case .appExpose: 58
        case .controls: 59
        case .appMenu: 60
        case .search: 61
        case .notifications: 62
        case .notice: 63
        case .controlCentre: 64
        case .keyHelp: 65
        case .dismiss: 66
        case .press: 67
        case .keyFocus: 68
        case .scroll: 69
        case .addToDock: 70
        case .removeFromDock: 71
        case .darkAppearance: 72
        case .reducedMotion: 73
        case .textSize: 74
        case .audio: 75
        case .controlPage: 76
        case .volumeView: 77
        case .adjust: 78
        case .playSound: 79
        case .keyClicks: 80
        case .cover: 81
        case .keepRunning: 82
        case .stopInBackground: 83
        case .endTask: 84
        case .endInhibitor: 85
        case .chooseView: 86
        case .dismissView: 87
        case .moreApps: 88
        case .endApp: 89
        case .openWithoutState: 90
        case .keyPointer: 91
        case .screenKeyboard: 92
        case .rotate: 93
        case .resizeScreen: 94
        case .quit: 95
        case .quitAnyway: 96
        case .bringWindowsBack: 97
        case .startClean: 98
        case .bannerLater: 99
        case .device: 100
        case .sensors: 101
        case .form: 102
        case .setting: 103
        case .resetSettings: 104
        case .choose: 105
        case .arrangeHome: 106
        case .markView: 107
        case .tray: 108
        case .forgetShortcuts: 109
        case .lockScreen: 110
        case .prompt: 111
        }
    }

    private static let samples: [Action] =
        [
            .fullScreen(), .fullScreen(window: two), .splitView(side: .left), .splitView(window: two, side: .right), .slideOver(),
            .slideOver(window: two),
            .pictureInPicture(), .pictureInPicture(window: two), .close(), .close(window: one), .tile(to: .left),
            .tile(window: two, to: .whole),
            .toggleTile(to: .whole), .minimize(), .hideApp(), .quitApp(), .quitApp(app: "page"), .switchApps(1), .switchWindows(1),
            .barMenu(),
            .chooseMenuItem(window: one, item: 1), .magnify(by: .larger), .depth(to: 100), .depthStep(1), .gaze(at: Point(1, 1)),
            .wrist(raised: false), .gazePress,
            .surroundings(1), .focus(window: two), .focusNext, .divider(fraction: 0.5), .dividerStep(1), .swapSides, .slideOverSide(.left),
            .slideOverHide,
            .slideOverShow, .slideOverToggle, .slideOverNext, .slideOverPrevious, .pipCorner(.topLeft), .pipWidth(200), .pipStep(1),
            .pipStash(), .pipShow,
            .pipToggle, .pipControls, .pipSwap, .nextSpace, .newSpace, .moveToSpace(1), .putInSpace(window: one, nil), .previousSpace,
            .showSpace(SpaceID(1)),
            .showSpace(SpaceID(2)), .openWaiting(), .openWaiting(window: two), .launch(command: ["foot"]), .openApp(app: "clock"),
            .newWindow(),
            .appAction(app: "editor", action: "new-window"), .closeSpace(SpaceID(1)), .idiom("pad"), .tabletMode(on: true),
            .tabletMode(on: nil), .home, .appSwitcher,
            .dock, .appShelf(), .appExpose(), .controls(), .appMenu(app: "page"), .search(text: "a"), .notifications, .controlCentre,
            .keyHelp, .dismiss,
            .press(view: ControlID(.home, "editor")), .keyFocus(view: ControlID(.home, "editor")), .scroll(1), .addToDock(app: "editor"),
            .removeFromDock(app: "editor"), .darkAppearance(true), .reducedMotion(true), .textSize(2), .audio(.volumeStep(1)),
            .controlPage(.idioms), .volumeView(),
            .adjust(view: ControlID(.volumeView, "1"), to: 1), .playSound("bell"), .keyClicks(true), .cover(closed: true),
            .keepRunning(app: "page", true),
            .stopInBackground(app: "page"), .endTask(1), .endInhibitor(1), .forgetShortcuts(app: "page"), .chooseView(1, 0),
            .dismissView(1),
            .markView(1, Rect(0, 0, 9, 9)), .moreApps(1),
            .endApp(window: one),
            .openWithoutState(app: "page"), .keyPointer(shown: true), .screenKeyboard(shown: true), .rotate(1), .resizeScreen(scale: 2),
            .quit, .quitAnyway,
            .bringWindowsBack, .startClean, .bannerLater, .device(.brightness(0.5)), .sensors, .form(.write(nil)), .prompt(.answer),
            .setting(key: "appearance", value: "dark"), .resetSettings(), .choose(.accent(.red)), .arrangeHome(.reset), .tray(.open(1)),
            .lockScreen(.lock),
        ]
        + [
            .open(NoticeID(1)), .press(notice: NoticeID(1), button: "a"), .reply(notice: NoticeID(1), text: "a"), .leaveReply,
            .dismiss(NoticeID(1)),
            .snooze(NoticeID(1)), .expand(NoticeID(1)), .clear(group: "page"), .clearAll, .unfold(group: "page"), .quiet(true), .focus(nil),
            .moreFocusApps,
            .choose(app: "page", what: .sounds(false)), .settings(group: nil),
        ].map(Action.notice)

    private func world() -> CoreWorld {
        var world = CoreWorld(idiom: .kiosk)
        world.send(.idiomsKnown([.pad, .kiosk]))
        CoreOp.apps(6).apply(to: &world)
        world.send(.beginsWith(["page"]))
        world.send(.launched(LaunchID(1), process: 100))
        for raw in 1...2 as ClosedRange<UInt32> {
            // The second is another program's.
            world.create(
                raw,
                WindowFacts(
                    appID: raw == 1 ? "page" : "mailer", title: "", lineage: raw == 1 ? [100, 1] : [300, 100, 1], client: UInt64(raw)))
            world.send(.activationAsked(WindowID(raw), hasRecentSerial: true, launch: nil))
            world.map(raw)
        }
        world.rest()
        return world
    }

    @Test("every action is among the samples") func all() {
        let known = Set(Self.samples.map(Self.number))
        #expect((0...111).filter { !known.contains($0) } == [])
    }

    @Test("what a kiosk does not refuse changes neither the app in front, the screen nor the idiom, and opens nothing; keys' actions, too")
    func kiosk() {
        for action in Self.samples + ActionNames.all.map(\.action) {
            var world = world()
            let screen = world.workspace.screen
            let effects = world.act(action)
            let refusal = effects.compactMap { if case .session(.refuse(let refusal)) = $0 { refusal.reason } else { nil } }.first
            if let need = action.need {
                #expect(refusal?.contains("does not offer") == true, "\(action) needs \(need), and \(refusal ?? "is done")")
            }
            world.wait(700)
            #expect(world.workspace.shownRoots == [Self.one] && world.workspace.focus == Self.one && !world.workspace.isHome, "\(action)")
            #expect(
                world.interface.openNames == [] && world.workspace.idiom.name == "kiosk" && world.workspace.screen == screen, "\(action)")
            let left = world.effects.contains { effect in
                switch effect {
                case .client(.close), .client(.configureScreen), .session(.quit), .life(.endByForce): true
                case .program(.launch(let id, _, _)): id != LaunchID(1)
                default: false
                }
            }
            #expect(!left, "\(action)")
            #expect(world.problems == [], "\(action)")
        }
    }

    @Test("an idiom that offers everything refuses no action for want of an offer")
    func pad() {
        for action in Self.samples {
            var world = CoreWorld()
            world.open(1)
            let refusal = world.act(action).compactMap { if case .session(.refuse(let refusal)) = $0 { refusal.reason } else { nil } }.first
            #expect(refusal?.contains("does not offer") != true, "\(action)")
        }
    }
}
