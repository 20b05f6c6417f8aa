import Geometry
import Seat
import Testing
import Windows

@Suite("Seat: the keyboard focus")
struct KeyboardTests {
    private let window = WindowID(7)

    private func launcher(_ keyboard: PanelFacts.Keyboard, _ layer: PanelFacts.Layer = .top, isMapped: Bool = true) -> PanelFacts {
        PanelFacts(layer: layer, size: Size(400, 300), keyboard: keyboard, isMapped: isMapped)
    }

    private func target(_ seat: Seat, isShell: Bool = false) -> KeyboardTarget {
        seat.keyboard(window: window, isShell: isShell)
    }

    @Test("a locker before all, then panels, X11's menus, the shell's views, the active window")
    func order() {
        var seat = Seat()
        #expect(seat.keyboard(window: nil, isShell: false) == .nobody)
        #expect(target(seat) == .window(window))
        #expect(target(seat, isShell: true) == .shell)
        seat.x11MenusWantKeys(true)
        #expect(target(seat, isShell: true) == .x11Menus)
        seat.panelChanged(PanelID(1), launcher(.always))
        #expect(target(seat, isShell: true) == .panel(PanelID(1)))
        _ = seat.handle(.asked(LockerID(1), isDark: true), canStart: false, at: .zero)
        #expect(target(seat, isShell: true) == .locker)
    }

    @Test("a launcher that comes up over the home screen gets the keys; a panel that wants none does not")
    func launcherOverHome() {
        var seat = Seat()
        seat.panelChanged(PanelID(1), launcher(.never))
        #expect(target(seat, isShell: true) == .shell)
        seat.panelChanged(PanelID(2), launcher(.onDemand))
        #expect(target(seat, isShell: true) == .panel(PanelID(2)))
        seat.panelGone(PanelID(2))
        #expect(target(seat, isShell: true) == .shell)
    }

    @Test("a panel that takes keys on demand has them until something else is pressed")
    func onDemand() {
        var seat = Seat()
        seat.panelChanged(PanelID(1), launcher(.onDemand))
        seat.pressed(nil)
        #expect(target(seat) == .window(window))
        seat.pressed(.panel(PanelID(1)))
        #expect(target(seat) == .panel(PanelID(1)))
        // Another commit of it changes nothing.
        seat.panelChanged(PanelID(1), launcher(.onDemand))
        #expect(target(seat) == .panel(PanelID(1)))
        seat.panelChanged(PanelID(1), launcher(.never))
        #expect(target(seat) == .window(window))
    }

    @Test("an exclusive panel keeps the keys; below windows it does not get them by itself")
    func exclusive() {
        var seat = Seat()
        seat.panelChanged(PanelID(1), launcher(.always))
        seat.pressed(nil)
        #expect(target(seat) == .panel(PanelID(1)))
        seat.panelChanged(PanelID(1), launcher(.always, isMapped: false))
        #expect(target(seat) == .window(window))
        seat.panelChanged(PanelID(2), launcher(.always, .bottom))
        #expect(target(seat) == .window(window))
        seat.pressed(.panel(PanelID(2)))
        #expect(target(seat) == .panel(PanelID(2)))
    }

    @Test("of several the topmost: of the highest layer the newest")
    func topmost() {
        var seat = Seat()
        seat.panelChanged(PanelID(1), launcher(.always, .overlay))
        seat.panelChanged(PanelID(2), launcher(.always, .overlay))
        seat.panelChanged(PanelID(3), launcher(.always, .top))
        #expect(target(seat) == .panel(PanelID(2)))
        // One that goes away and comes again is the newest.
        seat.panelChanged(PanelID(1), launcher(.always, .overlay, isMapped: false))
        seat.panelChanged(PanelID(1), launcher(.always, .overlay))
        #expect(target(seat) == .panel(PanelID(1)))
    }

    @Test("a panel of a screen that shows nothing gets nothing")
    func offScreen() {
        var seat = Seat()
        var facts = launcher(.always)
        facts.isOffScreen = true
        seat.panelChanged(PanelID(1), facts)
        seat.pressed(.panel(PanelID(1)))
        #expect(target(seat) == .window(window))
    }
}
