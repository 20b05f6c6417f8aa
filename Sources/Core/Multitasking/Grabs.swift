import Geometry
import Stage
import Windows

/// Gestures that the shell owns: how they begin, follow the finger and end.
extension System {
    mutating func begin(_ hit: Hit, contact: Int32, at now: Moment, _ effects: inout [Effect]) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let screen = workspace.screen else { return }
        let way = contacts[index].trace.translation
        // What comes under the finger later catches up the way that it took to know; the divider goes on from here.
        let behind = way == .zero ? nil : catching
        if case .divider = hit { contacts[index].trace.restart() }
        let trace = contacts[index].trace
        switch hit {
        case .divider:
            guard let bar = stage.dividerBar(workspace, at: now) else { return }
            catchDivider(bar, screen, at: now)
            guard (try? workspace.beginDividerDrag()) != nil else { return }
            grab = .divider(contact: contact, offset: bar.center - trace.start)
            settle(at: now, &effects)
        case .cardTop(let window), .window(let window, .cardTop):
            guard let start = stage.take(window, at: now, catching: behind) else { return }
            grab = .card(contact: contact, window: window, start: start)
        case .cardBottom(let window), .window(let window, .cardBottom):
            guard let start = stage.take(window, at: now, catching: behind) else { return }
            grab = .flip(contact: contact, window: window, start: start)
        case .slideOverHandle:
            guard let window = workspace.slideOver.front, let start = stage.take(window, at: now, catching: behind) else { return }
            grab = .reveal(contact: contact, window: window, start: start)
        case .picture(let window):
            guard let start = stage.take(window, at: now, catching: behind) else { return }
            grab = .picture(contact: contact, window: window, start: start)
        case .pipTab:
            guard let window = workspace.pip?.window, let start = stage.take(window, at: now, catching: behind) else { return }
            grab = .revealPip(contact: contact, window: window, start: start)
        case .window(let window, .grip):
            beginLift(window, contact: contact, trace: trace, screen, at: now)
        case .window(_, .bottom):
            beginAtBottom(contact, way, at: now, &effects)
        case .window(_, .top), .edge(.top):
            let isTrailing = preferences.appearance.isRightToLeft
                ? trace.start.x < screen.size.width / 3 : trace.start.x > screen.size.width * 2 / 3
            grab = .pull(contact: contact, panel: isTrailing ? .controlCentre : .notifications)
        case .window(_, nil), .background: break
        case .view, .home, .overview, .panel, .outside, .edge: beginOnInterface(hit, way, contact: contact, at: now, &effects)
        }
        revision &+= 1
    }

    /// A divider that is still on its way stays under the finger: both windows are told the sizes that they are drawn with.
    private mutating func catchDivider(_ bar: Rect, _ screen: Screen, at now: Moment) {
        guard let split = workspace.currentSpace?.split, isInFlight(.divider(over: nil), at: now) else { return }
        try? workspace.setDivider(workspace.dividerFraction(at: bar.center, axis: split.axis(on: screen.size), on: screen))
        stage.stop([split.first, split.second], workspace, at: now, spring: catching)
    }

    /// What a finger would take here is still on its way: then it takes it at once, where it is drawn.
    func isInFlight(_ hit: Hit, at now: Moment) -> Bool {
        switch hit {
        case .divider:
            guard let split = workspace.currentSpace?.split else { return false }
            return stage.isInFlight(split.first, at: now) || stage.isInFlight(split.second, at: now)
        case .picture(let id), .window(let id, .cardTop), .window(let id, .cardBottom), .cardTop(let id), .cardBottom(let id):
            return stage.isInFlight(id, at: now)
        default: return false
        }
    }

    /// By it comes under the finger what was taken later than the finger came down.
    var catching: Spring {
        guard !preferences.reducedMotion else { return .instant }
        return Spring(response: 0.2 / preferences.animationSpeed, damping: 1)
    }

    /// A window is taken by its grip, by its own title bar, or by Super and a drag.
    mutating func beginLift(_ window: WindowID, contact: Int32, trace: Trace, _ screen: Screen, at now: Moment) {
        let window = workspace.root(of: window)
        guard let frame = stage.frame(of: window, at: now) else { return }
        let scale = min(1, 0.45 * min(screen.size.width / frame.width, screen.size.height / frame.height))
        let anchor = Rect(0, 0, 1, 1).map(trace.start, from: frame)
        grab = .lift(contact: contact, window: window, size: frame.size * scale, anchor: anchor, target: nil)
        _ = stage.take(window, at: now, catching: lifting)
    }

    /// By it a window becomes small in the hand.
    private var lifting: Spring { preferences.reducedMotion ? .instant : Spring(response: 0.16, damping: 1) }

    /// The app of a picture has a handle of its own. A picture keeps its shape, so whichever edge it is, the corner that is
    /// farthest from the finger stays where it is.
    mutating func beginStretch(_ window: WindowID, contact: Int32, at now: Moment) {
        guard let index = contacts.firstIndex(where: { $0.id == contact }), let start = stage.take(window, at: now) else { return }
        contacts[index].trace.restart()
        let point = contacts[index].trace.point
        let fixed = Point(point.x < start.center.x ? 1 : 0, point.y < start.center.y ? 1 : 0)
        grab = .stretch(contact: contact, window: window, start: start, fixed: fixed, way: point - start.map(fixed, from: Rect(0, 0, 1, 1)))
        revision &+= 1
    }

    /// How much larger the picture is than it was, with the finger at a point.
    private func stretched(_ start: Rect, _ fixed: Point, _ way: Vector, _ point: Point) -> Double {
        let now = point - start.map(fixed, from: Rect(0, 0, 1, 1))
        return max(0, (now.dx * way.dx + now.dy * way.dy) / max(1, way.dx * way.dx + way.dy * way.dy))
    }

    mutating func beginPinch(_ first: Int32, _ second: Int32, _ window: WindowID, at now: Moment, _ effects: inout [Effect]) {
        guard let a = contacts.firstIndex(where: { $0.id == first }), let b = contacts.first(where: { $0.id == second }),
            let start = stage.take(window, at: now)
        else { return }
        contacts[a].owner = .shell
        grab = .pinch(first: first, second: second, window: window, start: start, Pinch(contacts[a].trace.point, b.trace.point))
        revision &+= 1
    }

    // MARK: Following

    mutating func follow(_ grab: Grab, at now: Moment, _ effects: inout [Effect]) {
        guard let trace = contacts.first(where: { $0.id == grab.contacts[0] })?.trace, let screen = workspace.screen else { return }
        revision &+= 1
        switch grab {
        case .divider(_, let offset):
            guard let split = workspace.currentSpace?.split else { return }
            let wanted = workspace.dividerFraction(at: trace.point + offset, axis: split.axis(on: screen.size), on: screen)
            stepDivider(wanted: wanted, at: now, &effects)
        case .card(let contact, let window, let start):
            let t = trace.translation
            if t.dy > 90, abs(t.dy) > abs(t.dx) * 0.8 {
                // Pulled out of the stack: now it may go anywhere (W-17).
                let size = start.size * min(1, 0.45 * screen.size.height / max(1, start.height))
                let anchor = Rect(0, 0, 1, 1).map(trace.start, from: workspace.cardAround(start))
                self.grab = .lift(contact: contact, window: window, size: size, anchor: anchor, target: nil)
                _ = stage.take(window, at: now, catching: lifting)
                return follow(self.grab!, at: now, &effects)
            }
            stage.hold(window, at: start.offset(by: Vector(t.dx, max(0, t.dy) * 0.3)), now: now)
        case .flip(_, let window, let start):
            flip(window, from: start, by: trace.translation.dx, at: now)
        case .reveal(_, let window, let start):
            let home = workspace.cardContent(workspace.slideOverCard(on: screen, side: workspace.slideOver.side, isHidden: false))
            let reach = home.x - start.x
            // The card's edge comes with the finger; the gap behind the screen's edge is not felt.
            let gap = abs(reach) - home.width
            let pulled = reach > 0 ? trace.translation.dx : -trace.translation.dx
            let moved = rubberBand(pulled <= 0 ? 0 : pulled + gap, low: 0, high: abs(reach), give: 0.15)
            stage.hold(window, at: start.offset(by: Vector(reach > 0 ? moved : -moved, 0)), now: now)
        case .picture(_, let window, let start):
            stage.hold(window, at: start.offset(by: trace.translation), now: now)
        case .stretch(_, let window, let start, let fixed, let way):
            let limits = pipLimits(screen)
            let width = start.width * stretched(start, fixed, way, trace.point)
            let size = start.size * (rubberBand(width, low: limits.smallest, high: limits.largest) / max(1, start.width))
            let corner = start.map(fixed, from: Rect(0, 0, 1, 1))
            let frame = Rect(corner.x - fixed.x * size.width, corner.y - fixed.y * size.height, size.width, size.height)
            stage.hold(window, at: frame, now: now)
        case .pinch(let first, let second, let window, let start, let pinch):
            guard let a = contacts.first(where: { $0.id == first }), let b = contacts.first(where: { $0.id == second }) else { return }
            let scale = pinch.scale(a.trace.point, b.trace.point)
            let limits = pipLimits(screen)
            let width = rubberBand(start.width * scale, low: limits.smallest, high: limits.largest)
            let k = width / max(1, start.width)
            let anchor = Rect(0, 0, 1, 1).map(pinch.startCenter, from: start)
            let center = pinch.center(a.trace.point, b.trace.point)
            let size = start.size * k
            let frame = Rect(center.x - anchor.x * size.width, center.y - anchor.y * size.height, size.width, size.height)
            stage.hold(window, at: frame, now: now)
        case .revealPip(_, let window, let start):
            guard let pip = workspace.pip else { return }
            var home = pip
            home.stashed = nil
            let reach = workspace.pipFrame(home, on: screen).x - start.x
            let pulled = reach > 0 ? trace.translation.dx : -trace.translation.dx
            let moved = pulled <= 0 ? 0 : min(abs(reach), pulled + abs(reach) - start.width)
            stage.hold(window, at: start.offset(by: Vector(reach > 0 ? moved : -moved, 0)), now: now)
        case .lift(let contact, let window, let size, let anchor, let old):
            guard trace.farthest > workspace.idiom.slop else { return }
            takeFromClients(&effects)
            let p = trace.point
            let frame = Rect(p.x - anchor.x * size.width, p.y - anchor.y * size.height, size.width, size.height)
            stage.hold(window, at: frame, now: now)
            // Near where it was taken it goes back, but for an edge that it came back to from elsewhere.
            var target: DropTarget? = dropTarget(p, window, screen)
            if trace.translation.length <= 60 {
                if case .split = target, trace.farthest > 60 {} else { target = nil }
            }
            if target != old {
                self.grab = .lift(contact: contact, window: window, size: size, anchor: anchor, target: target)
                stage.showPreview(target.flatMap { previewFrame($0, window, screen) }, at: now, spring: spring)
            }
        case .pan(_, let start):
            let dx = start + trace.translation.dx
            push(by: dx, at: now)
        case .view, .homePan, .overviewPan, .carry, .icon, .swipe, .slide, .pull: followOnInterface(grab, trace, at: now, &effects)
        }
    }

    private func pipLimits(_ screen: Screen) -> (smallest: Double, largest: Double) {
        let side = min(screen.size.width, screen.size.height)
        return (side * workspace.idiom.pipSmallest, side * workspace.idiom.pipLargest)
    }

    /// Pushes the space in front along the edge. `step`: the neighbour that it goes to; until that is known, the one that is
    /// seen comes along.
    func neighbours(_ dx: Double, _ step: Int?) -> [(space: Space, side: Double)] {
        let count = workspace.spaces.count
        guard count > 1, let index = workspace.spaces.firstIndex(where: { $0.id == workspace.current }) else { return [] }
        var found = [(space: workspace.spaces[(index + (dx < 0 ? 1 : count - 1)) % count], side: dx < 0 ? 1.0 : -1)]
        // Of two spaces the other one is on one side alone: where it is seen.
        if let step, count > 2, (step > 0) != (dx < 0) {
            found.append((workspace.spaces[(index + step + count) % count], Double(step)))
        }
        return found
    }

    mutating func push(by dx: Double, to step: Int? = nil, at now: Moment) {
        let found = neighbours(dx, step)
        // It leaves to the other side than the one from where the next one comes.
        let exit = step.flatMap { step in found.last.map { found.count > 1 || $0.side == Double(step) ? -Double(step) : Double(step) } }
        stage.pan(workspace, neighbours: found, by: dx, exit: exit ?? (dx < 0 ? -1 : 1), at: now)
    }

    // MARK: Dropping a lifted window

    func dropTarget(_ p: Point, _ window: WindowID, _ screen: Screen) -> DropTarget? {
        let room = screen.usable
        let idiom = workspace.idiom
        let edge = max(64, room.width * 0.08)
        let corner = max(150, min(room.width, room.height) * 0.2)
        if idiom.hasPictureInPicture, p.y > room.maxY - corner, p.x < room.minX + corner || p.x > room.maxX - corner,
            p.y > room.maxY - edge || (p.x > room.minX + edge && p.x < room.maxX - edge)
        {
            return .picture(Corner(top: false, left: p.x < room.center.x))
        }
        if idiom.hasSplitView, workspace.splitPartner(for: window) != nil || isInSplit(window) {
            if p.x < room.minX + edge { return .split(.left) }
            if p.x > room.maxX - edge { return .split(.right) }
            if !screen.size.isLandscape {
                if p.y < room.minY + edge { return .split(.top) }
                if p.y > room.maxY - edge { return .split(.bottom) }
            }
        }
        if idiom.hasSlideOver {
            if p.x < room.minX + room.width * 0.26 { return .slideOver(.left) }
            if p.x > room.maxX - room.width * 0.26 { return .slideOver(.right) }
        }
        return .fullScreen
    }

    private func isInSplit(_ window: WindowID) -> Bool {
        if case .split = workspace.place(of: window) { true } else { false }
    }

    /// `window`: nil for an app that has none yet.
    func previewFrame(_ target: DropTarget, _ window: WindowID?, _ screen: Screen) -> Rect? {
        let window = window ?? WindowID(0)
        switch target {
        case .fullScreen: return screen.usable.inset(by: 12)
        case .split(let side):
            let pair = workspace.splitFrames(
                Split(first: window, second: window, portraitAxis: side.axis), fraction: 0.5, on: screen)
            return (side.isFirst ? pair.first : pair.second).inset(by: 8)
        case .slideOver(let side): return workspace.slideOverCard(on: screen, side: side, isHidden: false)
        case .picture(let corner):
            var picture = PictureInPicture(
                window: window, corner: corner, width: min(screen.size.width, screen.size.height) * workspace.idiom.pipFirst,
                aspect: 16.0 / 9)
            if let pip = workspace.pip, pip.window == window { picture = pip; picture.corner = corner }
            return workspace.pipFrame(picture, on: screen)
        }
    }

    private mutating func drop(_ window: WindowID, on target: DropTarget, at now: Moment) throws(Refusal) {
        switch target {
        case .fullScreen: try workspace.move(window, to: .fullScreen)
        case .split(let side): try workspace.move(window, to: .splitView(side))
        case .slideOver(let side):
            try workspace.move(window, to: .slideOver)
            try workspace.setSlideOverSide(side)
        case .picture(let corner):
            try workspace.move(window, to: .pictureInPicture)
            try workspace.setPipCorner(corner)
        }
    }

    // MARK: Ending

    /// Every grab has its end: the finger went up, or something took it away (law 4).
    mutating func endGrab(at now: Moment, _ effects: inout [Effect]) {
        guard let grab = letGo(at: now, &effects), let trace = contacts.first(where: { $0.id == grab.contacts[0] })?.trace
        else { return }
        let velocity = trace.velocity(at: now)
        if let screen = workspace.screen {
            finish(grab, trace, velocity, screen, at: now, &effects)
        } else {
            workspace.endDividerDrag()
        }
        stage.letGoOfSpaces(at: now)
        settle(at: now, &effects, thrown: grab.windows.first)
    }

    /// Whatever was held goes back to where it belongs; the caller settles it there.
    mutating func cancelGrab(at now: Moment, _ effects: inout [Effect]) {
        guard let grab = letGo(at: now, &effects) else { return }
        workspace.cancelDividerDrag()
        stage.endComing(at: now)
        stage.letGoOfSpaces(at: now)
        cancelOnInterface(grab, at: now, &effects)
    }

    mutating func letGo(at now: Moment, _ effects: inout [Effect]) -> Grab? {
        guard let grab else { return nil }
        self.grab = nil
        for index in contacts.indices where grab.contacts.contains(contacts[index].id) { contacts[index].owner = .nobody }
        for window in grab.windows { stage.letGo(window, at: now) }
        if case .divider = grab, let split = workspace.currentSpace?.split {
            for window in [split.first, split.second] { stage.letGo(window, at: now) }
        }
        stage.showPreview(nil, at: now, spring: spring)
        if workspace.dividerDrag?.sent != nil { effects.append(.stopTimer(.dividerPatience)) }
        return grab
    }

    private mutating func finish(
        _ grab: Grab, _ trace: Trace, _ velocity: Vector, _ screen: Screen, at now: Moment, _ effects: inout [Effect]
    ) {
        let room = screen.usable
        switch grab {
        case .divider(_, let offset):
            workspace.endDividerDrag()
            guard let split = workspace.currentSpace?.split else { return }
            let axis = split.axis(on: screen.size)
            let speed = axis == .horizontal ? velocity.dx : velocity.dy
            let length = axis == .horizontal ? room.width : room.height
            let here = workspace.dividerFraction(at: trace.point + offset, axis: axis, on: screen)
            // A throw carries on, but no further than to the next resting place or two.
            let carried = max(-0.35, min(0.35, projectedDistance(velocity: speed) / max(1, length)))
            try? workspace.dropDivider(max(0, min(1, here + carried)))
        case .card(_, let window, _):
            if trace.farthest <= workspace.idiom.slop, !contacts.contains(where: { $0.id == grab.contacts[0] && $0.hasCaught }) {
                return openControls(of: window, at: now)
            }
            guard let frame = stage.frame(of: window, at: now) else { return }
            let middle = frame.center.x + projectedDistance(velocity: velocity.dx)
            let outside = workspace.slideOver.side == .right ? middle > room.maxX - frame.width * 0.25 : middle < room.minX + frame.width * 0.25
            if outside {
                try? workspace.setSlideOverHidden(true)
            } else {
                try? workspace.setSlideOverSide(middle < room.center.x ? .left : .right)
            }
        case .flip:
            let way = trace.translation.dx + projectedDistance(velocity: velocity.dx)
            guard case .flip(_, let window, let start) = grab else { return }
            if abs(way) > 60, abs(trace.translation.dx) > workspace.idiom.slop, workspace.slideOver.stack.count > 1 {
                // A throw the other way brings the card from the other end.
                if (way < 0) != (trace.translation.dx < 0) { flip(window, from: start, by: way < 0 ? -1 : 1, at: now) }
                stage.flipped(window, by: way, at: now)
                try? workspace.flipSlideOver(forward: way < 0)
            } else {
                stage.endComing(at: now)
            }
        case .reveal:
            let t = trace.translation
            let inward = workspace.slideOver.side == .right ? -t.dx : t.dx
            if inward > 24 || t.length < workspace.idiom.slop { try? workspace.setSlideOverHidden(false) }
        case .picture(_, let window, _):
            if trace.farthest <= workspace.idiom.slop {
                try? togglePipControls(at: now)
                return
            }
            guard let frame = stage.frame(of: window, at: now) else { return }
            let middle = frame.center + Vector(projectedDistance(velocity: velocity.dx), projectedDistance(velocity: velocity.dy))
            let isTop = middle.y < room.center.y
            // Pushed out by the finger itself; a throw alone stops at the corner.
            let outside = max(room.minX - frame.minX, frame.maxX - room.maxX) / max(1, frame.width)
            let isLeft = frame.minX < room.minX
            let isOutward = isLeft ? velocity.dx < -200 : velocity.dx > 200
            if outside > 0.5 || (outside > 0.15 && isOutward) {
                try? workspace.setPipCorner(Corner(top: isTop, left: isLeft))
                try? workspace.setPipStashed(isLeft ? .left : .right)
            } else {
                try? workspace.setPipCorner(Corner(top: isTop, left: middle.x < room.center.x))
            }
        case .stretch(_, _, let start, let fixed, let way):
            try? workspace.setPipWidth(max(1, start.width * stretched(start, fixed, way, trace.point)))
        case .pinch(let first, let second, let window, let start, let pinch):
            guard let a = contacts.first(where: { $0.id == first }), let b = contacts.first(where: { $0.id == second }),
                let frame = stage.frame(of: window, at: now)
            else { return }
            let width = start.width * pinch.scale(a.trace.point, b.trace.point)
            if width > pipLimits(screen).largest * 1.25 {
                // Spread until it fills the screen.
                try? workspace.move(window, to: .fullScreen)
            } else {
                try? workspace.setPipWidth(width)
                try? workspace.setPipCorner(Corner(top: frame.center.y < room.center.y, left: frame.center.x < room.center.x))
            }
        case .revealPip:
            guard let side = workspace.pip?.stashed else { return }
            let t = trace.translation
            if (side == .right ? -t.dx : t.dx) > 24 || t.length < workspace.idiom.slop { try? workspace.setPipStashed(nil) }
        case .lift(_, let window, _, _, let target):
            // It stayed a tap: the controls (W-07), of the dialog itself if it was on its dots (W-13).
            if trace.farthest <= workspace.idiom.slop {
                let tapped = contacts.first { $0.id == grab.contacts[0] }?.hit.window
                return openControls(of: tapped ?? window, at: now)
            }
            if let target { try? drop(window, on: target, at: now) }
        case .pan(_, let start):
            // From the space that the last swipe went to, whether or not that has arrived.
            let t = trace.translation.dx, way = t + projectedDistance(velocity: velocity.dx)
            guard abs(way) > room.width * 0.25, way * t > 0 else { return }
            let step = way < 0 ? 1 : -1
            push(by: start + t, to: step, at: now)
            try? workspace.showNeighbour(step)
        case .view, .homePan, .overviewPan, .carry, .icon, .swipe, .slide, .pull:
            endOnInterface(grab, trace, velocity, screen, at: now, &effects)
        }
    }

    // MARK: The divider's live resize

    mutating func stepDivider(wanted: Double? = nil, at now: Moment, _ effects: inout [Effect]) {
        guard workspace.dividerDrag != nil, let split = workspace.currentSpace?.split else { return }
        while true {
            switch workspace.stepDividerDrag(wanted: wanted, at: now) {
            case .wait: return
            case .told(let deadline):
                workspace.hold([split.first, split.second])
                effects.append(.hold(split.first))
                effects.append(.hold(split.second))
                effects.append(.startTimer(.dividerPatience, at: deadline))
                settle(at: now, &effects)
                // Nobody to wait for: both are shown at once.
            case .shown:
                // An answer may free the next step at once.
                releaseHeld(&effects)
                effects.append(.stopTimer(.dividerPatience))
                stage.snap([split.first, split.second], workspace, at: now)
                revision &+= 1
            }
        }
    }
}
