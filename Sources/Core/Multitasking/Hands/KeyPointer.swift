import Geometry
import Interface
import OrderedCollections
import Seat
import Stage
import Windows

/// The pointer that arrow keys move in apps that know no keys. It becomes faster while it moves; pushed against an edge it scrolls.
struct KeyPointer: Hashable, Codable, Sendable {
    var point: Point
    /// The arrow keys that are down, by their codes.
    var held: OrderedDictionary<UInt32, Side> = [:]
    /// When it began to move, and its last step.
    var began: Moment
    var last: Moment
    /// The key that holds the button down.
    var press: UInt32?

    /// Seconds between two steps.
    static let pace = 1.0 / 60

    var way: Vector {
        var way = Vector.zero
        for side in held.values {
            switch side {
            case .left: way.dx -= 1
            case .right: way.dx += 1
            case .top: way.dy -= 1
            case .bottom: way.dy += 1
            }
        }
        return way.dx != 0 && way.dy != 0 ? way * 0.5.squareRoot() : way
    }
}

extension Hands {
    mutating func toggleKeyPointer(_ wanted: Bool?, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) throws(Refusal) {
        let isOut = remote.pointer != nil
        guard wanted ?? !isOut != isOut else { return }
        guard !isOut else { return putPointerAway(&screenful, &turn) }
        guard let screen = screenful.workspace.screen, screenful.workspace.focus != nil, !screenful.takesKeys else {
            throw Refusal("no app has the keys")
        }
        let start = pointer.wasOver ? pointer.point : screen.bounds.center
        remote.pointer = KeyPointer(point: start, began: now, last: now)
        turn.send(.client(.movePointer(start)))
        rest(screenful, at: now, &turn)
    }

    mutating func putPointerAway(_ screenful: inout Screenful, _ turn: inout Turn) {
        guard let out = remote.pointer else { return }
        if out.press != nil { turn.send(.client(.pressPointer(Hands.leftButton, pressed: false))) }
        remote.pointer = nil
        turn.send(.stopTimer(.hands(.keyPointer)))
        turn.send(.client(.hidePointer))
    }

    /// Arrows move the pointer, OK presses its button. Returns whether the key was for it.
    mutating func pointerKey(_ key: Key, for keyboard: KeyboardTarget, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn)
        -> Bool
    {
        guard remote.pointer != nil else { return false }
        guard case .window = keyboard, !screenful.takesKeys else { return false }
        switch key.symbol {
        case .leftArrow: push(.left, key, screenful, at: now, &turn)
        case .rightArrow: push(.right, key, screenful, at: now, &turn)
        case .upArrow: push(.top, key, screenful, at: now, &turn)
        case .downArrow: push(.bottom, key, screenful, at: now, &turn)
        case .enter, .keypadEnter:
            guard remote.pointer!.press == nil else { break }
            remote.pointer!.press = key.code
            turn.send(.client(.pressPointer(Hands.leftButton, pressed: true)))
        default: return false
        }
        return true
    }

    private mutating func push(_ side: Side, _ key: Key, _ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        if remote.pointer!.held.isEmpty {
            remote.pointer!.began = now
            // A tap of the key is a step, too.
            remote.pointer!.last = now + -KeyPointer.pace
            turn.send(.startTimer(.hands(.keyPointer), at: now))
        }
        remote.pointer!.held[key.code] = side
    }

    mutating func releasePointerKey(_ key: Key, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard remote.pointer != nil else { return }
        if remote.pointer!.press == key.code {
            remote.pointer!.press = nil
            turn.send(.client(.pressPointer(Hands.leftButton, pressed: false)))
        }
        guard remote.pointer!.held.removeValue(forKey: key.code) != nil, remote.pointer!.held.isEmpty else { return }
        rest(screenful, at: now, &turn)
    }

    /// Leaves the pointer where it is, and puts it away after a while without use.
    private mutating func rest(_ screenful: Screenful, at now: Moment, _ turn: inout Turn) {
        turn.send(.startTimer(.hands(.keyPointer), at: now + screenful.workspace.idiom.remote.pointerPatience))
    }

    /// Moves the pointer a step, or puts it away if it is unused.
    mutating func stepPointer(for keyboard: KeyboardTarget, _ screenful: inout Screenful, at now: Moment, _ turn: inout Turn) {
        guard let out = remote.pointer, let screen = screenful.workspace.screen else { return }
        let rules = screenful.workspace.idiom.remote
        // A key whose release got lost moves it no longer than that.
        guard case .window = keyboard, !screenful.takesKeys, !out.held.isEmpty, now - out.began < rules.pointerPatience else {
            return putPointerAway(&screenful, &turn)
        }
        let seconds = min(now - out.last, 0.1)
        let share = min(1, (now - out.began) / rules.pointerRamp)
        let way = out.way, length = (rules.pointerSpeed + (rules.pointerFastest - rules.pointerSpeed) * share * share) * seconds
        let wanted = out.point + way * length
        let point = Point(max(0, min(screen.size.width - 1, wanted.x)), max(0, min(screen.size.height - 1, wanted.y)))
        remote.pointer!.point = point
        remote.pointer!.last = now
        if point != out.point { turn.send(.client(.movePointer(point))) }
        let scroll = rules.pointerScroll * seconds
        if point.y == out.point.y, way.dy != 0, wanted.y != point.y {
            turn.send(.client(.scrollPointer(isHorizontal: false, way.dy * scroll)))
        }
        if point.x == out.point.x, way.dx != 0, wanted.x != point.x {
            turn.send(.client(.scrollPointer(isHorizontal: true, way.dx * scroll)))
        }
        turn.send(.startTimer(.hands(.keyPointer), at: now + KeyPointer.pace))
    }
}
