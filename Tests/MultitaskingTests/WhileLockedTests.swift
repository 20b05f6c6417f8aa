import AudioSessions
import Foundation
import Geometry
import Interface
import Lifecycle
import MullionTesting
import Multitasking
import Notices
import Seat
import Testing
import Windows

/// One table says what a locked session does. These tests walk all of it.
@Suite("what a locked session does")
struct WhileLockedTests {
    /// One of every action, some with several forms.
    private static let actions: [Action] =
        ActionNames.all.map(\.action) + [
            .tile(window: nil, to: .left), .toggleTile(window: nil, to: .left), .minimize(), .hideApp(), .quitApp(), .switchApps(1),
            .switchWindows(1), .barMenu(),
            .chooseMenuItem(window: WindowID(1), item: 1), .magnify(by: .larger), .depth(to: 1), .depthStep(1), .gaze(at: Point(1, 1)),
            .wrist(raised: true), .gazePress,
            .surroundings(), .focus(window: WindowID(1)), .divider(fraction: 0.5), .pipWidth(300), .moveToSpace(1),
            .putInSpace(window: WindowID(1), nil),
            .showSpace(SpaceID(1)), .launch(command: ["a"]), .openApp(app: "a"), .appAction(app: "a", action: "b"), .closeSpace(SpaceID(1)),
            .idiom("mac"),
            .tabletMode(on: true), .appMenu(app: "a"), .notice(.dismiss(NoticeID(1))), .notice(.snooze(NoticeID(1))),
            .notice(.open(NoticeID(1))), .notice(.clearAll),
            .notice(.quiet(nil)), .press(view: "dock/a"), .keyFocus(view: "dock/a"), .scroll(1), .addToDock(app: "a"),
            .removeFromDock(app: "a"), .darkAppearance(true),
            .reducedMotion(true), .textSize(1.5), .audio(.mute(nil)), .audio(.volumeStep(1)), .audio(.silence(nil)), .controlPage(.main),
            .adjust(view: "a", to: 0.5),
            .playSound("bell"), .cover(closed: true), .keepRunning(app: "a"), .stopInBackground(app: "a"), .endTask(1), .endInhibitor(1),
            .chooseView(1, 0), .dismissView(1), .markView(1, Rect(0, 0, 9, 9)),
            .moreApps(1), .endApp(window: WindowID(1)), .openWithoutState(app: "a"), .rotate(1), .resizeScreen(scale: 2),
            .resizeScreen(size: Size(800, 600)), .device(.aeroplane(true)), .device(.network(.join("a"))), .device(.drive(.open("a"))),
            .device(.drive(.eject("a"))), .device(.location(.allow(app: "a", true))), .sensors, .form(.reveal), .prompt(.cancel),
            .setting(key: "appearance", value: "dark"), .resetSettings(), .choose(.accent(.red)), .arrangeHome(.reset), .tray(.open(1)),
            .forgetShortcuts(app: "a"), .lockScreen(.open), .lockScreen(.type("a")), .quit,
            .quitAnyway, .bringWindowsBack, .startClean,
        ]

    private static func name(_ value: some Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }

    /// The cases that a file declares in an enumeration.
    private static func cases(of type: String, in path: String) throws -> Set<String> {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Core/\(path)").standardizedFileURL
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "public enum \(type):")), end = try #require(text[start.upperBound...].range(of: "\n}\n"))
        var found: Set<String> = []
        for line in text[start.upperBound..<end.lowerBound].split(separator: "\n") {
            let words = line.trimmingCharacters(in: .whitespaces)
            guard let names = words.hasPrefix("case ") ? words.dropFirst(5) : words.hasPrefix("indirect case ") ? words.dropFirst(14) : nil
            else { continue }
            found.insert(String(names.prefix { $0.isLetter || $0.isNumber }))
        }
        return found
    }

    private func locked() -> System {
        var system = System(idiom: .pad)
        _ = system.handle(.screenChanged(Screen(size: Size(1180, 820), scale: 1)), at: .zero)
        _ = system.handle(.windowCreated(WindowID(1), WindowFacts(appID: "a", client: 1)), at: .zero)
        _ = system.handle(.windowMapped(WindowID(1), WindowCommit(size: Size(400, 300))), at: .zero)
        _ = system.handle(.lock(.asked(LockerID(1), isDark: true)), at: .zero)
        return system
    }

    @Test("every action has its place in the table, and is refused with the same words or carried out")
    func everyAction() throws {
        let known = try Self.cases(of: "Action", in: "Windows/Action.swift")
        #expect(
            known.count > 90 && known.subtracting(Self.actions.map(Self.name)).isEmpty,
            "not walked: \(known.subtracting(Self.actions.map(Self.name)))")
        for action in Self.actions {
            var system = locked()
            let before = system
            let effects = system.handle(.action(action), at: .zero)
            switch WhileLocked.deed(of: action) {
            case .done: #expect(!effects.refusals.contains(WhileLocked.refusal), "\(action)")
            case .refused, .onCard:
                #expect(effects == [.refuse(Refusal(WhileLocked.refusal))], "\(action): \(effects)")
                #expect(
                    system.workspace == before.workspace && system.preferences == before.preferences
                        && system.interface == before.interface, "\(action)")
            }
            #expect(system.isLocked && system.violations() == [], "\(action)")
            #expect(system.items(at: .zero).allSatisfy { $0.key.window == nil }, "\(action)")
        }
    }

    @Test("idiom, look, size and rotation wait for the person; switches and sensors of the device do not")
    func choicesWait() {
        for action: Action in [
            .idiom("mac"), .darkAppearance(true), .reducedMotion(true), .textSize(1.5), .rotate(1), .resizeScreen(scale: 2),
        ] {
            var system = locked()
            #expect(system.handle(.action(action), at: .zero) == [.refuse(Refusal(WhileLocked.refusal))], "\(action)")
            for event: LockEvent in [.unlocked(LockerID(1)), .gone(LockerID(1))] { _ = system.handle(.lock(event), at: .zero) }
            #expect(!system.handle(.action(action), at: .zero).refusals.contains(WhileLocked.refusal), "\(action)")
        }
        var system = locked()
        _ = system.handle(.screenChanged(Screen(size: Size(820, 1180), scale: 2)), at: .zero)
        #expect(system.workspace.screen?.size == Size(820, 1180))
        let wish = ScreenWish(pixels: Size(800, 600), refresh: 0, scale: 1, transform: 1)
        #expect(system.handle(.screenAsked(1, wish, test: false), at: .zero).contains(.answerScreen(1, wish, test: false)))
    }

    @Test("an event that is the locker's changes nothing, and every event has its place in the table")
    func everyEvent() throws {
        let deaf: [Event] = [
            .touchDown(0, at: Point(5, 5)), .touchMotion(0, at: Point(9, 9)), .touchUp(0), .touchCancel(0), .touchFrame,
            .pointerMotion(at: Point(5, 5)),
            .pointerButton(0x110, pressed: true), .pointerAxis(PointerAxis(isHorizontal: false, source: 0, value: 15, discrete: 120)),
            .pointerFrame,
            .key(code: 30, symbol: 97, pressed: true, modifiers: []), .typed("a"), .erased(1), .typedIntoApp, .bellRung(nil, client: 1),
            .programTyped(client: 1, process: 1, asks: false), .windowAsked(WindowID(1), .close),
        ]
        for event in deaf {
            var system = locked()
            let before = system
            #expect(WhileLocked.isDeaf(to: event) && system.handle(event, at: .zero).isEmpty && system == before, "\(event)")
        }
        // The table is a switch without a default: the compiler knows a case that is missing. What is the locker's is named here a second time.
        let names = Set(deaf.map(Self.name)).subtracting(["windowAsked"])
        let input = try Self.cases(of: "Event", in: "Multitasking/Event.swift").filter {
            $0.hasPrefix("touch") || $0.hasPrefix("pointer") || $0.hasPrefix("typed")
        }
        #expect(input.subtracting(names).isEmpty)
    }
}
