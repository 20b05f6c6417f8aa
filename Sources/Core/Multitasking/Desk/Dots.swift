import Geometry
import OrderedCollections
import Stage
import Windows

/// The state that decides when the dots of windows are shown.
struct DotsWatch: Hashable, Codable, Sendable {
    /// The last arrangement for which the dots of all windows reappeared.
    var sight: Sight?
    /// Windows that were touched away from their dots, at most a second ago.
    var touched: OrderedSet<WindowID> = []
    /// Whether a timer runs that will turn dots from light to dark, or back.
    var isTurning = false

    /// The dots reappear when any of this changes.
    struct Sight: Hashable, Codable, Sendable {
        var content: Space.Content?
        var card: WindowID?
        var isCardHidden: Bool
        var isHome: Bool
        var isOverviewOpen: Bool
        /// The active window, or the window that the active dialog belongs to.
        var active: WindowID?
        var screen: Size?
        /// The window that fills the screen by its own request. nil: none does.
        var immersed: WindowID?
    }
}

/// When the dots at the top of a window are shown (W-07). They hide while a person types, and after a touch elsewhere in
/// the window, so that the titles below them can be read. They reappear where a person looks for them. Those of a window
/// that fills the screen by its own request show only there. Their hit target always stays.
extension Desk {
    /// A person typed, with keys or an input method.
    mutating func typedIntoApp(at now: Moment) {
        guard let focus = workspace.focus else { return }
        hideDots(of: workspace.root(of: focus), at: now)
    }

    /// The app got a touch or a press.
    mutating func touchedApp(_ window: WindowID, at now: Moment, _ turn: inout Turn) {
        let root = workspace.root(of: window)
        guard !isLocked, !stage.isGripHidden(root), workspace.pip?.window != root, !workspace.slideOver.stack.contains(root) else { return }
        guard dots.touched.append(root).inserted else { return }
        turn.send(.startTimer(.desk(.dotsTouch), at: now + measures.dotsPatience))
    }

    private mutating func hideDots(of root: WindowID, at now: Moment) {
        for id in stage.gripsHidden(byTypingIn: root, workspace) { stage.grips.hide(id, at: now, spring: spring) }
    }

    mutating func dotsTouchEnded(at now: Moment) {
        for root in dots.touched { hideDots(of: root, at: now) }
        dots.touched.removeAll()
    }

    /// A finger or the pointer is at this point; most points are not near any dots.
    mutating func comesNearDots(_ point: Point, at now: Moment) {
        for id in stage.hiddenGrips(near: point, workspace, at: now) { stage.grips.reveal(id, at: now, spring: spring) }
        guard let id = dots.sight?.immersed, !stage.isGripHidden(id), !interface.isPopoverOpen,
            !stage.isNearGrip(of: id, point, workspace, at: now)
        else { return }
        stage.grips.hide(id, at: now, spring: spring)
    }

    /// A window that fills the screen by its own request, such as a film or a game. Nothing covers it, so that its buffer can be
    /// scanned out, until a person looks for the way out of it: a raw client may draw none.
    private var immersed: WindowID? {
        guard workspace.idiom.dressing == .dots, let windows = workspace.currentSpace?.windows, windows.count == 1 else { return nil }
        return workspace.read(windows[0]) { $0.commit.wantsFullscreen } == true ? windows[0] : nil
    }

    /// Shows all dots again when the arrangement changes or another window becomes active.
    mutating func followArrangement(at now: Moment, _ turn: inout Turn) {
        let sight = DotsWatch.Sight(
            content: workspace.currentSpace?.content, card: workspace.slideOver.front, isCardHidden: workspace.slideOver.isHidden,
            isHome: workspace.showsHome, isOverviewOpen: interface.isOverviewOpen, active: workspace.focus.map { workspace.root(of: $0) },
            screen: workspace.screen?.size, immersed: immersed)
        guard dots.sight != sight else { return }
        dots.sight = sight
        if !dots.touched.isEmpty {
            dots.touched.removeAll()
            turn.send(.stopTimer(.desk(.dotsTouch)))
        }
        if !stage.grips.areAllSeen { stage.grips.revealAll(at: now, spring: spring) }
        if let immersed = sight.immersed { stage.grips.hide(immersed, at: now, spring: spring) }
    }

    // MARK: Light or dark

    mutating func dotsGround(of id: WindowID, _ brightness: Double, at now: Moment, _ turn: inout Turn) {
        guard workspace[id] != nil, stage.shown[id] != nil, brightness.isFinite else { return }
        stage.grips.note(brightness, under: id, at: now)
        turnDots(at: now, &turn)
    }

    /// The bar of a sheet is as light or dark as its app's picture below it (M-13).
    mutating func barGround(of id: WindowID, _ brightness: Double, at now: Moment, _ turn: inout Turn) {
        guard workspace[id] != nil, stage.shown[id] != nil, brightness.isFinite else { return }
        stage.bars.note(brightness, under: id, at: now)
        turnDots(at: now, &turn)
    }

    mutating func dotsTurnTimeOut(at now: Moment, _ turn: inout Turn) {
        dots.isTurning = false
        turnDots(at: now, &turn)
    }

    mutating func turnDots(at now: Moment, _ turn: inout Turn) {
        if let next = [stage.grips.turn(at: now), stage.bars.turn(at: now)].compactMap(\.self).min() {
            guard !self.dots.isTurning else { return }
            self.dots.isTurning = true
            turn.send(.startTimer(.desk(.dotsTurn), at: next))
        } else if self.dots.isTurning {
            self.dots.isTurning = false
            turn.send(.stopTimer(.desk(.dotsTurn)))
        }
    }
}
