import Geometry
import Glibc

/// One action of an input device.
public enum InputStep: Hashable, Sendable {
    case touchDown(Int32, Point)
    case touchMotion(Int32, Point)
    case touchUp(Int32)
    case touchCancel(Int32)
    case pointerMotion(Point)
    case pointerButton(UInt32, pressed: Bool)
    case pointerAxis(Double, horizontal: Bool)
    case key(UInt32, pressed: Bool)
    case pen(Point, pressure: Double, tiltX: Double, tiltY: Double)
    case penButton(UInt32, pressed: Bool)
    case penAway
    case touchpad(
        InputRequest.TouchpadGesture, InputRequest.TouchpadPhase, fingers: UInt32, by: Point, scale: Double, rotation: Double)
}

/// A gesture as a timed sequence of input steps.
public struct InputPlan: Hashable, Sendable {
    public struct Step: Hashable, Sendable {
        /// Seconds since the beginning. Steps are sorted by it.
        public var after: Double
        public var step: InputStep

        public init(after: Double, step: InputStep) {
            self.after = after
            self.step = step
        }
    }

    public private(set) var steps: [Step] = []

    /// Seconds from the first step to the last.
    public var duration: Double { steps.last?.after ?? 0 }

    /// Seconds between two positions of a moving finger, as on a fast touch screen.
    static let interval = 0.008
    /// Seconds between pressing and releasing a key.
    static let stroke = 0.004
    /// The longest duration of a gesture in seconds. It limits the wait after a mistyped number.
    static let longest = 120.0
    /// The longest chord, in bytes of its key names.
    static let longestChord = 256
    /// The most points on a drag's path. Each step searches them.
    static let mostPlaces = 256
    /// The greatest coordinate or distance in points. No screen is larger.
    static let farthest = 1_000_000.0

    private mutating func add(_ step: InputStep, after: Double) { steps.append(Step(after: after, step: step)) }

    /// Throws an error that names the invalid field.
    public init(_ request: InputRequest) throws(ControlError) {
        try InputPlan.check(request)
        switch request {
        case .touchDown(let touch, let at): add(.touchDown(touch ?? 0, at), after: 0)
        case .touchMotion(let touch, let at): add(.touchMotion(touch ?? 0, at), after: 0)
        case .touchUp(let touch): add(.touchUp(touch ?? 0), after: 0)
        case .touchCancel(let touch): add(.touchCancel(touch ?? 0), after: 0)
        case .pointerMotion(let at): add(.pointerMotion(at), after: 0)
        case .pointerButton(let button, let pressed):
            add(.pointerButton((button ?? .left).code, pressed: pressed), after: 0)
        case .pointerAxis(let value, let horizontal): add(.pointerAxis(value, horizontal: horizontal ?? false), after: 0)
        case .key(let key, let pressed): add(.key(key.code, pressed: pressed), after: 0)
        case .pen(let at, let pressure, let tiltX, let tiltY):
            guard (0...1).contains(pressure ?? 0) else { throw ControlError("must be between 0 and 1", at: "input.pen.pressure") }
            add(.pen(at, pressure: pressure ?? 0, tiltX: tiltX ?? 0, tiltY: tiltY ?? 0), after: 0)
        case .penButton(let button, let pressed): add(.penButton(button.code, pressed: pressed), after: 0)
        case .penAway: add(.penAway, after: 0)
        case .touchpad(let gesture, let phase, let fingers, let by, let scale, let rotation):
            add(
                .touchpad(gesture, phase, fingers: fingers ?? 3, by: by ?? Point(0, 0), scale: scale ?? 1, rotation: rotation ?? 0),
                after: 0)
        case .press(let keys):
            guard keys.utf8.count <= InputPlan.longestChord else {
                throw ControlError("must be at most \(InputPlan.longestChord) bytes", at: "input.press.keys")
            }
            guard let codes = Keyboard.chord(keys) else {
                throw ControlError("\"\(keys)\" contains an unknown key", at: "input.press.keys")
            }
            press(codes)
        case .type(let text): try type(text)
        case .tap(let at, let hold, let touch):
            let touch = touch ?? 0
            add(.touchDown(touch, at), after: 0)
            add(.touchUp(touch), after: try InputPlan.seconds(hold, or: 50, "input.tap.hold"))
        case .click(let at, let button):
            add(.pointerMotion(at), after: 0)
            add(.pointerButton((button ?? .left).code, pressed: true), after: 0)
            add(.pointerButton((button ?? .left).code, pressed: false), after: 0.05)
        case .drag(let from, let to, let via, let duration, let hold, let rest, let touch, let pointer, let isDown, let staysDown):
            guard (via ?? []).count <= InputPlan.mostPlaces else {
                throw ControlError("must be at most \(InputPlan.mostPlaces) places", at: "input.drag.via")
            }
            try drag(
                [from] + (via ?? []) + [to], duration: InputPlan.seconds(duration, or: 300, "input.drag.duration"),
                hold: InputPlan.seconds(hold, or: 0, "input.drag.hold"),
                rest: InputPlan.seconds(rest, or: 0, "input.drag.rest"), touch: touch ?? 0, pointer: pointer ?? false,
                isDown: isDown ?? false,
                staysDown: staysDown ?? false)
        case .pinch(let center, let from, let to, let duration, let angle, let rest, let touch):
            for (value, name) in [(from, "from"), (to, "to")] where !(value >= 0) {
                throw ControlError("a distance must not be negative", at: "input.pinch.\(name)")
            }
            try pinch(
                center, from: from, to: to, angle: angle ?? 0, touch: touch ?? 0,
                duration: InputPlan.seconds(duration, or: 300, "input.pinch.duration"),
                rest: InputPlan.seconds(rest, or: 0, "input.pinch.rest"))
        }
    }

    /// Throws for the first number that no device would send.
    private static func check(_ request: InputRequest) throws(ControlError) {
        func within(_ limit: Double, _ place: String, _ values: Double?...) throws(ControlError) {
            for case let value? in values where !((-limit...limit).contains(value)) {
                throw ControlError("must be between \(Int(clamping: -limit)) and \(Int(clamping: limit))", at: "input.\(place)")
            }
        }
        func near(_ point: Point, _ place: String) throws(ControlError) { try within(farthest, place, point.x, point.y) }
        switch request {
        case .touchDown(_, let at): try near(at, "touchDown.at")
        case .touchMotion(_, let at): try near(at, "touchMotion.at")
        case .pointerMotion(let at): try near(at, "pointerMotion.at")
        case .pointerAxis(let value, _): try within(farthest, "pointerAxis.value", value)
        case .pen(let at, _, let tiltX, let tiltY):
            try near(at, "pen.at")
            try within(90, "pen.tiltX", tiltX)
            try within(90, "pen.tiltY", tiltY)
        case .touchpad(_, _, _, let by, let scale, let rotation):
            try within(farthest, "touchpad.by", by?.x, by?.y)
            try within(farthest, "touchpad.scale", scale)
            try within(farthest, "touchpad.rotation", rotation)
        case .tap(let at, _, _): try near(at, "tap.at")
        case .click(let at, _): try near(at, "click.at")
        case .drag(let from, let to, let via, _, _, _, _, _, _, _):
            try near(from, "drag.from")
            try near(to, "drag.to")
            for (index, point) in (via ?? []).prefix(mostPlaces).enumerated() { try near(point, "drag.via[\(index)]") }
        case .pinch(let center, let from, let to, _, let angle, _, _):
            try near(center, "pinch.center")
            try within(farthest, "pinch.from", from)
            try within(farthest, "pinch.to", to)
            try within(farthest, "pinch.angle", angle)
        case .touchUp, .touchCancel, .pointerButton, .key, .penButton, .penAway, .press, .type: break
        }
    }

    private static func seconds(_ value: Double?, or usual: Double, _ place: String) throws(ControlError) -> Double {
        let seconds = (value ?? usual) / 1000
        guard seconds >= 0, seconds <= longest else {
            throw ControlError("must be between 0 and \(Int(clamping: longest * 1000)) milliseconds", at: place)
        }
        return seconds
    }

    private mutating func press(_ codes: [UInt32]) {
        var time = duration
        for code in codes {
            add(.key(code, pressed: true), after: time)
            time += InputPlan.stroke
        }
        for code in codes.reversed() {
            add(.key(code, pressed: false), after: time)
            time += InputPlan.stroke
        }
    }

    private mutating func type(_ text: String) throws(ControlError) {
        for sign in text {
            guard let key = Keyboard.key(writing: sign) else {
                throw ControlError("\"\(sign)\" is on no key of a US keyboard", at: "input.type.text")
            }
            guard duration < InputPlan.longest else {
                throw ControlError("takes longer than \(Int(clamping: InputPlan.longest)) seconds to type", at: "input.type.text")
            }
            press(key.shifted ? [Keyboard.shift, key.code] : [key.code])
        }
    }

    private mutating func drag(
        _ path: [Point], duration: Double, hold: Double, rest: Double, touch: Int32, pointer: Bool, isDown: Bool, staysDown: Bool
    ) throws(ControlError) {
        if !isDown {
            if pointer {
                add(.pointerMotion(path[0]), after: 0)
                add(.pointerButton(InputRequest.Button.left.code, pressed: true), after: 0)
            } else {
                add(.touchDown(touch, path[0]), after: 0)
            }
        }
        for (share, time) in InputPlan.moments(duration) {
            let place = InputPlan.place(on: path, at: share)
            add(pointer ? .pointerMotion(place) : .touchMotion(touch, place), after: hold + time)
        }
        let end = hold + duration + rest
        // The last place again: the request is answered after the rest.
        if staysDown { return add(pointer ? .pointerMotion(path[path.count - 1]) : .touchMotion(touch, path[path.count - 1]), after: end) }
        add(pointer ? .pointerButton(InputRequest.Button.left.code, pressed: false) : .touchUp(touch), after: end)
    }

    private mutating func pinch(
        _ center: Point, from: Double, to: Double, angle: Double, touch: Int32, duration: Double, rest: Double
    ) throws(ControlError) {
        let direction = InputPlan.direction(degrees: angle)
        func finger(_ sign: Double, _ distance: Double) -> Point { center + direction * (sign * distance / 2) }
        guard touch < Int32.max else { throw ControlError("is too large", at: "input.pinch.touch") }
        add(.touchDown(touch, finger(-1, from)), after: 0)
        add(.touchDown(touch &+ 1, finger(1, from)), after: 0)
        for (share, time) in InputPlan.moments(duration) {
            let distance = from + (to - from) * share
            add(.touchMotion(touch, finger(-1, distance)), after: time)
            add(.touchMotion(touch &+ 1, finger(1, distance)), after: time)
        }
        add(.touchUp(touch), after: duration + rest)
        add(.touchUp(touch &+ 1), after: duration + rest)
    }

    /// The times at which a moving finger is reported, each with the share of the path. The last one is the end.
    private static func moments(_ duration: Double) -> [(share: Double, time: Double)] {
        let count = max(1, Int(clamping: (duration / interval).rounded()))
        return (1...count).map { (Double($0) / Double(count), duration * Double($0) / Double(count)) }
    }

    /// The point after a share of the path's length, at constant speed.
    private static func place(on path: [Point], at share: Double) -> Point {
        let end = path[path.count - 1]
        guard share < 1 else { return end }
        let legs = zip(path, path.dropFirst())
        var left = legs.reduce(0) { $0 + $1.0.distance(to: $1.1) } * share
        for (a, b) in legs {
            let length = a.distance(to: b)
            if left < length { return a + (b - a) * (left / length) }
            left -= length
        }
        return end
    }

    private static func direction(degrees: Double) -> Vector {
        let radians = degrees / 180 * .pi
        return Vector(cos(radians), sin(radians))
    }
}
