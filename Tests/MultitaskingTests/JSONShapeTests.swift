import AudioSessions
import Foundation
import Geometry
import Interface
import Multitasking
import Seat
import Stage
import Testing
import Windows

/// These lines are what recordings hold and what `docs/control.md` describes: a change here breaks people's scripts.
@Suite("X-06: how events and actions are written")
struct JSONShapeTests {
    private func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func check<T: Codable & Equatable>(_ value: T, _ text: String, _ location: SourceLocation = #_sourceLocation) throws {
        #expect(try line(value) == text, sourceLocation: location)
        #expect(try JSONDecoder().decode(T.self, from: Data(text.utf8)) == value, sourceLocation: location)
    }

    private let id = WindowID(3)

    @Test("actions")
    func actions() throws {
        try check(Action.fullScreen(), #"{"fullScreen":{}}"#)
        try check(Action.fullScreen(window: id), #"{"fullScreen":{"window":3}}"#)
        try check(Action.splitView(side: .left), #"{"splitView":{"side":"left"}}"#)
        try check(Action.splitView(window: id, side: .bottom), #"{"splitView":{"side":"bottom","window":3}}"#)
        try check(Action.slideOver(window: id), #"{"slideOver":{"window":3}}"#)
        try check(Action.pictureInPicture(), #"{"pictureInPicture":{}}"#)
        try check(Action.close(window: id), #"{"close":{"window":3}}"#)
        try check(Action.focus(window: id), #"{"focus":{"window":3}}"#)
        try check(Action.focusNext, #"{"focusNext":{}}"#)
        try check(Action.divider(fraction: 0.25), #"{"divider":{"fraction":0.25}}"#)
        try check(Action.divider(fraction: 0.25, exact: true), #"{"divider":{"exact":true,"fraction":0.25}}"#)
        try check(Action.dividerStep(-1), #"{"dividerStep":{"_0":-1}}"#)
        try check(Action.prompt(.cancel), #"{"prompt":{"_0":{"cancel":{}}}}"#)
        try check(Action.prompt(.identity(1)), #"{"prompt":{"_0":{"identity":{"_0":1}}}}"#)
        try check(Action.swapSides, #"{"swapSides":{}}"#)
        try check(Action.slideOverSide(.right), #"{"slideOverSide":{"_0":"right"}}"#)
        try check(Action.slideOverHide, #"{"slideOverHide":{}}"#)
        try check(Action.slideOverShow, #"{"slideOverShow":{}}"#)
        try check(Action.slideOverToggle, #"{"slideOverToggle":{}}"#)
        try check(Action.slideOverNext, #"{"slideOverNext":{}}"#)
        try check(Action.slideOverPrevious, #"{"slideOverPrevious":{}}"#)
        try check(Action.pipCorner(.topLeft), #"{"pipCorner":{"_0":"topLeft"}}"#)
        try check(Action.pipWidth(400), #"{"pipWidth":{"_0":400}}"#)
        try check(Action.pipStep(1), #"{"pipStep":{"_0":1}}"#)
        try check(Action.pipStash(.left), #"{"pipStash":{"_0":"left"}}"#)
        try check(Action.pipStash(), #"{"pipStash":{}}"#)
        try check(Action.pipShow, #"{"pipShow":{}}"#)
        try check(Action.pipToggle, #"{"pipToggle":{}}"#)
        try check(Action.nextSpace, #"{"nextSpace":{}}"#)
        try check(Action.previousSpace, #"{"previousSpace":{}}"#)
        try check(Action.showSpace(SpaceID(2)), #"{"showSpace":{"_0":2}}"#)
        try check(Action.openWaiting(), #"{"openWaiting":{}}"#)
        try check(
            Action.openWaiting(window: id, to: .splitView(.left)),
            #"{"openWaiting":{"to":{"splitView":{"_0":"left"}},"window":3}}"#)
        try check(Action.launch(command: ["foot", "-e", "top"]), #"{"launch":{"command":["foot","-e","top"]}}"#)
        try check(Action.launch(command: ["foot"], to: .slideOver), #"{"launch":{"command":["foot"],"to":{"slideOver":{}}}}"#)
        try check(Action.openApp(app: "foot"), #"{"openApp":{"app":"foot"}}"#)
        try check(Action.openApp(app: "foot", to: .splitView(.left)), #"{"openApp":{"app":"foot","to":{"splitView":{"_0":"left"}}}}"#)
        try check(Action.newWindow(), #"{"newWindow":{}}"#)
        try check(Action.newWindow(app: "foot", to: .slideOver), #"{"newWindow":{"app":"foot","to":{"slideOver":{}}}}"#)
        try check(Action.appAction(app: "foot", action: "new-window"), #"{"appAction":{"action":"new-window","app":"foot"}}"#)
        try check(Action.closeSpace(SpaceID(2)), #"{"closeSpace":{"_0":2}}"#)
        try check(Action.home, #"{"home":{}}"#)
        try check(Action.appSwitcher, #"{"appSwitcher":{}}"#)
        try check(Action.dock, #"{"dock":{}}"#)
        try check(Action.appShelf(), #"{"appShelf":{}}"#)
        try check(Action.appShelf(app: "foot"), #"{"appShelf":{"app":"foot"}}"#)
        try check(Action.appExpose(app: "foot"), #"{"appExpose":{"app":"foot"}}"#)
        try check(Action.controls(window: id), #"{"controls":{"window":3}}"#)
        try check(Action.appMenu(app: "foot"), #"{"appMenu":{"app":"foot"}}"#)
        try check(Action.search(), #"{"search":{}}"#)
        try check(Action.search(text: "ab"), #"{"search":{"text":"ab"}}"#)
        try check(Action.notifications, #"{"notifications":{}}"#)
        try check(Action.controlCentre, #"{"controlCentre":{}}"#)
        try check(Action.keyHelp, #"{"keyHelp":{}}"#)
        try check(Action.dismiss, #"{"dismiss":{}}"#)
        try check(Action.press(view: "dock/foot"), #"{"press":{"view":"dock/foot"}}"#)
        try check(Action.scroll(-1), #"{"scroll":{"_0":-1}}"#)
        try check(Action.addToDock(app: "foot"), #"{"addToDock":{"app":"foot"}}"#)
        try check(Action.removeFromDock(app: "foot"), #"{"removeFromDock":{"app":"foot"}}"#)
        try check(Action.darkAppearance(true), #"{"darkAppearance":{"_0":true}}"#)
        try check(Action.reducedMotion(true), #"{"reducedMotion":{"_0":true}}"#)
        try check(Action.textSize(1.5), #"{"textSize":{"_0":1.5}}"#)
        try check(Action.rotate(1), #"{"rotate":{"_0":1}}"#)
        try check(Action.resizeScreen(size: Size(820, 1180)), #"{"resizeScreen":{"size":[820,1180]}}"#)
        try check(Action.resizeScreen(scale: 2), #"{"resizeScreen":{"scale":2}}"#)
        try check(Action.quit, #"{"quit":{}}"#)
    }

    @Test("events of input")
    func input() throws {
        try check(Event.touchDown(1, at: Point(10, 20.5)), #"{"touchDown":{"_0":1,"at":[10,20.5]}}"#)
        try check(Event.touchMotion(1, at: Point(11, 20)), #"{"touchMotion":{"_0":1,"at":[11,20]}}"#)
        try check(Event.touchUp(1), #"{"touchUp":{"_0":1}}"#)
        try check(Event.touchCancel(1), #"{"touchCancel":{"_0":1}}"#)
        try check(Event.touchFrame, #"{"touchFrame":{}}"#)
        try check(Event.pointerMotion(at: Point(1, 2)), #"{"pointerMotion":{"at":[1,2]}}"#)
        try check(Event.pointerButton(272, pressed: true), #"{"pointerButton":{"_0":272,"pressed":true}}"#)
        try check(
            Event.pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 15, discrete: 120)),
            #"{"pointerAxis":{"_0":{"discrete":120,"isHorizontal":false,"source":0,"value":15}}}"#)
        try check(Event.pointerFrame, #"{"pointerFrame":{}}"#)
        try check(
            Event.key(code: 30, symbol: 97, pressed: true, modifiers: [.super, .shift]),
            #"{"key":{"code":30,"modifiers":65,"pressed":true,"symbol":97}}"#)
        try check(
            Event.key(code: 30, symbol: 97, pressed: true, modifiers: [], text: "a"),
            #"{"key":{"code":30,"modifiers":0,"pressed":true,"symbol":97,"text":"a"}}"#)
        try check(Event.action(.focusNext), #"{"action":{"_0":{"focusNext":{}}}}"#)
        try check(Event.timer(.system(.dividerPatience)), #"{"timer":{"_0":"system.dividerPatience"}}"#)
        try check(Event.timer(.system(.layoutPatience)), #"{"timer":{"_0":"system.layoutPatience"}}"#)
    }

    @Test("events of windows and screens")
    func windows() throws {
        try check(
            Event.screenChanged(Screen(size: Size(1180, 820), scale: 2)),
            #"{"screenChanged":{"_0":{"reserved":[0,0,0,0],"scale":2,"size":[1180,820]}}}"#)
        try check(Event.screenRemoved, #"{"screenRemoved":{}}"#)
        try check(
            Event.panelChanged(PanelID(4), PanelFacts(layer: .top, anchors: [.top], size: Size(0, 32), zone: 32)),
            #"{"panelChanged":{"_0":4,"_1":{"anchors":1,"client":0,"isMapped":true,"isOffScreen":false,"keyboard":0,"layer":2,"margins":[0,0,0,0],"size":[0,32],"zone":32}}}"#
        )
        try check(Event.panelGone(PanelID(4)), #"{"panelGone":{"_0":4}}"#)
        try check(
            Event.touchDown(1, at: Point(5, 6), over: .panel(PanelID(4))), #"{"touchDown":{"_0":1,"at":[5,6],"over":{"panel":{"_0":4}}}}"#)
        try check(Event.pointerMotion(at: Point(5, 6), over: .x11Menu), #"{"pointerMotion":{"at":[5,6],"over":{"x11Menu":{}}}}"#)
        try check(Event.x11MenusWantKeys(true), #"{"x11MenusWantKeys":{"_0":true}}"#)
        try check(
            Event.windowCreated(id, WindowFacts(appID: "foot", title: "~", lineage: [7, 1], client: 2)),
            #"{"windowCreated":{"_0":3,"_1":{"appID":"foot","client":2,"isX11":false,"lineage":[7,1],"title":"~"}}}"#)
        try check(
            Event.windowCommitted(id, WindowCommit(size: Size(585, 820), answered: 4)),
            #"{"windowCommitted":{"_0":3,"_1":{"answered":4,"maximum":[0,0],"minimum":[0,0],"size":[585,820],"wantsFullscreen":false}}}"#)
        try check(Event.windowAsked(id, .move(by: 2)), #"{"windowAsked":{"_0":3,"_1":{"move":{"by":2}}}}"#)
        try check(Event.windowAsked(id, .move()), #"{"windowAsked":{"_0":3,"_1":{"move":{}}}}"#)
        try check(Event.windowAsked(id, .fullscreen(true)), #"{"windowAsked":{"_0":3,"_1":{"fullscreen":{"_0":true}}}}"#)
        try check(Event.windowUnmapped(id), #"{"windowUnmapped":{"_0":3}}"#)
        try check(Event.windowDestroyed(id), #"{"windowDestroyed":{"_0":3}}"#)
        try check(Event.windowPlaced(id, at: Point(1, 2)), #"{"windowPlaced":{"_0":3,"at":[1,2]}}"#)
        try check(
            Event.popupsChanged(id, boxes: [Rect(1, 2, 3, 4)], grab: true),
            #"{"popupsChanged":{"_0":3,"boxes":[[1,2,3,4]],"grab":true}}"#)
        try check(Event.bellRung(id, client: 2), #"{"bellRung":{"_0":3,"client":2}}"#)
        try check(Event.bellRung(nil, client: 2), #"{"bellRung":{"client":2}}"#)
        try check(Event.programTyped(client: 2, process: 7, asks: true), #"{"programTyped":{"asks":true,"client":2,"process":7}}"#)
        try check(
            Event.activationAsked(id, hasRecentSerial: false, launch: LaunchID(5)),
            #"{"activationAsked":{"_0":3,"hasRecentSerial":false,"launch":5}}"#)
        try check(Event.launched(LaunchID(5), process: 99), #"{"launched":{"_0":5,"process":99}}"#)
        try check(Event.launchFailed(LaunchID(5), reason: "none"), #"{"launchFailed":{"_0":5,"reason":"none"}}"#)
        try check(Event.launchEnded(LaunchID(5)), #"{"launchEnded":{"_0":5}}"#)
        try check(Event.launchEnded(LaunchID(5), status: 3), #"{"launchEnded":{"_0":5,"status":3}}"#)
        try check(Event.launchEnded(LaunchID(5), signal: 11), #"{"launchEnded":{"_0":5,"signal":11}}"#)
        try check(Event.typed("ab"), #"{"typed":{"_0":"ab"}}"#)
        try check(Event.erased(2), #"{"erased":{"_0":2}}"#)
        try check(Event.typedIntoApp, #"{"typedIntoApp":{}}"#)
        try check(Event.dotsGround(id, brightness: 0.5), #"{"dotsGround":{"_0":3,"brightness":0.5}}"#)
        try check(
            Event.appsChanged([App(id: "foot", name: "Foot", icon: "foot", command: ["foot"])]),
            #"{"appsChanged":{"_0":[{"actions":[],"command":["foot"],"icon":"foot","id":"foot","isSingleWindow":false,"keywords":[],"mimeTypes":[],"name":"Foot","takesFiles":false}]}}"#
        )
        for timer in TimerID.allCases { try check(Event.timer(timer), #"{"timer":{"_0":"\#(timer.rawValue)"}}"#) }
    }

    @Test("preferences, with a chord as a person writes it")
    func preferences() throws {
        let preferences = Preferences(
            newWindows: .always, pictureInPicture: [PictureInPictureRule(appID: "VLC", title: "")], reducedMotion: true,
            keys: [KeyBinding("Super+Shift+bracketleft", .dividerStep(-1))],
            appearance: Appearance(isDark: true, textScale: 1.5, dock: ["foot"]))
        try check(
            Event.configured(preferences),
            #"{"configured":{"_0":{"animationSpeed":1,"appearance":{"accent":"blue","darkWallpaper":"","direction":"","dock":["foot"],"increasedContrast":false,"isDark":true,"isRightToLeft":false,"language":"","reducesTransparency":false,"#
                + #""textScale":1.5,"wallpaper":""},"audio":{"alarmApps":["org.gnome.clocks","org.kde.kclock"],"keyClicks":true,"ringerApps":["org.gnome.Calls"],"rules":[]},"controls":{"hidden":[],"order":[]},"fixed":0,"fixedApps":[],"fixedLines":{},"idiom":{"unset":{}},"idiomRules":[{"idiom":"phone","smallScreen":true},{"idiom":"pad","tabletMode":true},{"idiom":"mac","tabletMode":false},"#
                + #"{"idiom":"mac","keyboard":true}],"input":{"layouts":"","naturalScrolling":true,"pointerSpeed":0,"repeatDelay":600,"repeatRate":25,"tapToClick":true},"keys":[{"action":{"dividerStep":{"_0":-1}},"chord":"Super+Shift+bracketleft"}],"life":{"freezes":true,"kept":[]},"location":{},"lock":{"after":0,"apps":[],"command":[],"emergency":"","keys":"auto","obeysUnlock":false,"onSleep":true,"powerButton":true},"locksRotation":false,"#
                + #""newWindows":"always","nightLight":{"from":22,"isScheduled":false,"to":7,"warmth":0.5},"ownDefaults":[],"pictureInPicture":[{"appID":"vlc","title":""}],"prompts":[],"reducedMotion":true,"shortcuts":{},"showsStatus":true,"startApps":[]}}}"#
        )
    }

    @Test(
        "choices are on the disk in this shape, which the next version reads",
        arguments: [
            (Choice.darkAppearance(true), #"{"darkAppearance":{"_0":true}}"#), (.textSize(1.5), #"{"textSize":{"_0":1.5}}"#),
            (.dock(["foot"]), #"{"dock":{"_0":["foot"]}}"#),
            (.keepRunning(app: "foot", true), #"{"keepRunning":{"_1":true,"app":"foot"}}"#),
            (.idiom("mac", settled: "pad"), #"{"idiom":{"_0":"mac","settled":"pad"}}"#), (.rotation(1), #"{"rotation":{"_0":1}}"#),
            (
                .home(HomeOrder([.app("foot"), .folder(.init(id: 1, name: "Games", apps: ["a", "b"]))], hidden: ["c"])),
                #"{"home":{"_0":{"entries":["foot",{"apps":["a","b"],"folder":"Games","id":1}],"hidden":["c"]}}}"#
            ), (.rotationLock(true), #"{"rotationLock":{"_0":true}}"#),
            (.increasedContrast(true), #"{"increasedContrast":{"_0":true}}"#),
            (.reducedTransparency(true), #"{"reducedTransparency":{"_0":true}}"#),
            (.animationSpeed(1.5), #"{"animationSpeed":{"_0":1.5}}"#), (.accent(.green), #"{"accent":{"_0":"green"}}"#),
            (.location(app: "a", true), #"{"location":{"_1":true,"app":"a"}}"#),
            (
                .screenWallpaper(screen: "DP-1", isDark: true, "#112233"),
                ##"{"screenWallpaper":{"_2":"#112233","isDark":true,"screen":"DP-1"}}"##
            ),
            (.wallpaper("/a.png"), #"{"wallpaper":{"_0":"/a.png"}}"#), (.language("ko"), #"{"language":{"_0":"ko"}}"#),
            (.direction("right-to-left"), #"{"direction":{"_0":"right-to-left"}}"#), (.statusBar(false), #"{"statusBar":{"_0":false}}"#),
            (.audio(.level(PortID("a"), 0.5, isMuted: false)), #"{"audio":{"_0":{"level":{"_0":"a","_1":0.5,"isMuted":false}}}}"#),
            (
                .shortcuts(app: "a", [AppShortcut(id: "talk", keys: "Super+y")]),
                #"{"shortcuts":{"_1":[{"id":"talk","keys":"Super+y"}],"app":"a"}}"#
            ),
            (.audio(.volume(.ringer, 0.5)), #"{"audio":{"_0":{"volume":{"_0":"ringer","_1":0.5}}}}"#),
        ])
    func choices(choice: Choice, text: String) throws { try check(choice, text) }

    @Test(
        "what cannot be is refused with a reason",
        arguments: [
            (#"{"touchDown":{"_0":1,"at":[10]}}"#, "expected 2 numbers, found 1"),
            (#"{"screenChanged":{"_0":{"size":[1,2,3],"scale":1,"reserved":[0,0,0,0]}}}"#, "expected 2 numbers, found 3"),
            (
                #"{"configured":{"_0":{"keys":[{"chord":"Hyper+q","action":{"quit":{}}}],"newWindows":"asked","pictureInPicture":[],"reducedMotion":false,"animationSpeed":1}}}"#,
                "\"Hyper+q\" names no key"
            ),
        ])
    func refusals(text: String, reason: String) {
        do {
            _ = try JSONDecoder().decode(Event.self, from: Data(text.utf8))
            Issue.record("it was taken")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(context.debugDescription == reason)
        } catch {
            Issue.record("\(error)")
        }
    }
}

@Suite("Chords")
struct ChordTests {
    @Test("every standard key is written as it is read")
    func roundTrip() {
        for binding in KeyBinding.standard { #expect(KeyChord(parsing: binding.chord.description) == binding.chord) }
        #expect(Set(KeyBinding.standard.map(\.chord)).count == KeyBinding.standard.count, "no chord does two things")
    }

    @Test("every key of Latin-1 and every named one is written as it is read")
    func allKeys() {
        let symbols =
            Array(0x20...0xff as ClosedRange<UInt32>).filter { $0 < 0x7f || $0 > 0xa0 } + [0xff09, 0xff51, 0xffff, 0xffbe, 0xffc9]
        for symbol in symbols where !(0x41...0x5a).contains(symbol) && !(0xc0...0xde).contains(symbol) {
            let chord = KeyChord(modifiers: [.super, .control, .alt, .shift], symbol: KeySymbol(rawValue: symbol))
            #expect(KeyChord(parsing: chord.description) == chord, "\(chord)")
        }
    }

    @Test(
        "names are read in any case and order, letters as the key itself",
        arguments: [
            "super+shift+left", "SHIFT+Super+LEFT", "Logo+Shift+Left",
        ])
    func spelling(text: String) {
        #expect(KeyChord(parsing: text) == "Super+Shift+Left")
        #expect(KeyChord(parsing: "Ctrl+Q") == KeyChord(modifiers: .control, symbol: 0x71))
        #expect(KeyChord(parsing: "F12") == KeyChord(modifiers: [], symbol: 0xffc9))
    }

    @Test("what names no key is refused", arguments: ["", "Super", "Super+", "Super+a+b", "Hyper+a", "Super++", "Ctrl+한", "Super+Lefty"])
    func nonsense(text: String) {
        #expect(KeyChord(parsing: text) == nil)
    }
}
