import Geometry
import OrderedCollections
import Stage
import Windows

/// What decides when the dots of windows are seen.
struct DotsWatch: Hashable, Codable, Sendable {
    /// What the dots of all windows came back for last.
    var sight: Sight?
    /// Windows that were touched elsewhere than at their dots, a second ago at most.
    var touched: OrderedSet<WindowID> = []
    /// A timer will turn dots from light to dark, or back.
    var isTurning = false

    /// What dots come back for when it changes.
    struct Sight: Hashable, Codable, Sendable {
        var content: Space.Content?
        var card: WindowID?
        var isCardHidden: Bool
        var isHome: Bool
        var isOverviewOpen: Bool
        /// The active window, or the window that the active dialog belongs to.
        var active: WindowID?
        var screen: Size?
    }
}

/// When the dots at the top of a window are seen (W-07). They go while a person types, and after a touch elsewhere in the
/// window, so that titles under them can be read. They come back where a person looks for them. Their target stays.
extension Desk {
    /// By keys, or by what an input method writes.
    mutating func typedIntoApp(at now: Moment) {
        guard let focus = workspace.focus else { return }
        if stage.hideGrips(of: workspace.root(of: focus), workspace, at: now, spring: spring) { revision &+= 1 }
    }

    /// A touch or a press that the app gets.
    mutating func touchedApp(_ window: WindowID, at now: Moment, _ turn: inout Turn) {
        let root = workspace.root(of: window)
        guard !isLocked, !stage.grips.isHidden(root), workspace.pip?.window != root, !workspace.slideOver.stack.contains(root) else { return }
        guard dots.touched.append(root).inserted else { return }
        turn.send(.startTimer(.dotsTouch, at: now + measures.dotsPatience))
    }

    mutating func dotsTouchEnded(at now: Moment) {
        for root in dots.touched { _ = stage.hideGrips(of: root, workspace, at: now, spring: spring) }
        dots.touched.removeAll()
    }

    /// A finger or the pointer is at a point of the screen; most points are near no dots.
    mutating func comesNearDots(_ point: Point, at now: Moment) {
        for id in stage.hiddenGrips(near: point, workspace, at: now) where stage.grips.reveal(id, at: now, spring: spring) {
            revision &+= 1
        }
    }

    /// When the arrangement changes, or another window becomes active, all dots come back.
    mutating func followArrangement(at now: Moment, _ turn: inout Turn) {
        let sight = DotsWatch.Sight(
            content: workspace.currentSpace?.content, card: workspace.slideOver.front, isCardHidden: workspace.slideOver.isHidden,
            isHome: workspace.showsHome, isOverviewOpen: interface.isOverviewOpen, active: workspace.focus.map(workspace.root),
            screen: workspace.screen?.size)
        guard dots.sight != sight else { return }
        dots.sight = sight
        if !dots.touched.isEmpty {
            dots.touched.removeAll()
            turn.send(.stopTimer(.dotsTouch))
        }
        if !stage.grips.areAllSeen { stage.grips.revealAll(at: now, spring: spring) }
    }

    // MARK: Light or dark

    mutating func dotsGround(of id: WindowID, _ brightness: Double, at now: Moment, _ turn: inout Turn) {
        guard workspace[id] != nil, stage.shown[id] != nil, brightness.isFinite else { return }
        let isNew = stage.grips.note(brightness, under: id, at: now)
        if isNew { revision &+= 1 }
        turnDots(at: now, &turn)
    }

    mutating func dotsTurnTimeOut(at now: Moment, _ turn: inout Turn) {
        dots.isTurning = false
        turnDots(at: now, &turn)
    }

    mutating func turnDots(at now: Moment, _ turn: inout Turn) {
        let (isTurned, next) = stage.grips.turn(at: now)
        if isTurned { revision &+= 1 }
        if let next {
            guard !dots.isTurning else { return }
            dots.isTurning = true
            turn.send(.startTimer(.dotsTurn, at: next))
        } else if dots.isTurning {
            dots.isTurning = false
            turn.send(.stopTimer(.dotsTurn))
        }
    }
}
