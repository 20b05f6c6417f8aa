import AudioSessions
import Geometry
import Stage
import Windows

/// One of the shell's own controls, as a finger, the pointer, the keyboard, a screen reader and `mullion ctl` meet it
///
public struct ViewControl: Hashable, Codable, Sendable {
    /// Stays the same for the same thing: "dock/firefox-esr", "controls/close".
    public var id: ControlID
    public var role: Role
    /// What a screen reader says.
    public var name: Text
    /// What is seen of it, in points of the screen.
    public var frame: Rect
    /// Where a finger hits it: at least 44 points each way.
    public var target: Rect
    public var press: Action?
    /// A finger that rests on it, or the right button.
    public var menu: Action?
    /// The Delete key, or a swipe upwards on a card.
    public var close: Action?
    /// What a drag that begins here takes along.
    public var drag: Drag?
    /// Of a slider.
    public var slide: Slide?
    public var isChosen = false
    /// The keyboard can be here.
    public var isFocusable = true
    /// A finger or the pointer finds it here; what lies on an app's window is found by other means.
    public var isHittable = true

    public enum Role: String, Hashable, Codable, Sendable, CaseIterable {
        case panel, button, toggle, icon, menuItem, card, label, field, alert, tab, slider
    }

    public enum Drag: Hashable, Codable, Sendable {
        case app(String)
        case card(CardID)
    }

    /// How far a slider is, and what moving it does.
    public struct Slide: Hashable, Codable, Sendable {
        /// 0 to 1.
        public var value: Double
        /// The same as people say it: "50 %", "1:05".
        public var text: String
        public var sets: Sets
        /// Where its knob runs, in points of the screen.
        public var track: Rect
        /// Its end is at the left.
        public var isMirrored = false

        public enum Sets: Hashable, Codable, Sendable {
            case volume(VolumeClass)
            case appVolume(String)
            /// In the item that plays, which has so many seconds.
            case position(duration: Double)
        }

        /// What people do that puts it at a share of its range.
        public func action(at share: Double) -> Action {
            let share = max(0, min(1, share))
            switch sets {
            case .volume(let kind): return .audio(.setVolume(share, kind))
            case .appVolume(let app): return .audio(.setAppVolume(share, app: app))
            case .position(let duration): return .audio(.remote(.seek(share * duration), .controlCentre))
            }
        }

        /// One step of a key or of a wheel's notch up or down.
        public func action(steps: Int) -> Action {
            switch sets {
            case .volume(let kind): .audio(.volumeStep(steps, kind))
            case .appVolume: action(at: ((value * 16).rounded() + Double(steps)) / 16)
            case .position(let duration): action(at: value + Double(steps) * 10 / max(1, duration))
            }
        }

        /// What is heard while it is in the hand. A place in an item is looked for once, when it is let go.
        public var isLive: Bool { if case .position = sets { false } else { true } }

        /// The share at a point of the screen.
        public func share(at point: Point) -> Double {
            let share = (point.x - track.minX) / max(1, track.width)
            return max(0, min(1, isMirrored ? 1 - share : share))
        }
    }

    /// It does something when it is pressed or moved.
    public var isOperable: Bool { press != nil || slide != nil }
}

/// What the shell shows of its own in one place: things to draw, back to front, and controls to hit, the later ones over
/// the earlier ones. A value that is made anew for every picture.
public struct Canvas: Sendable {
    public private(set) var items: [Item] = []
    public private(set) var controls: [ViewControl] = []
    var opacity = 1.0
    var shift = Vector.zero
    /// People who read from right to left see everything mirrored within this rectangle.
    var mirror: Rect?
    /// Controls are drawn but cannot be operated: they are on their way out.
    var isInert = false
    /// What grounds are cut from; nil: they are opaque.
    var glass: Glass?
    /// The least size of something a finger has to hit.
    let target: Double
    /// The control that the keyboard is at; nil while no key was used.
    let focus: ControlID?
    /// The control under a finger or the pressed pointer.
    let pressed: ControlID?

    /// A picture of the whole screen, and the width of the line around a piece of it.
    struct Glass: Hashable, Sendable {
        var bounds: Rect
        var hairline: Double

        /// The line is one pixel wide, at least half a point where pixels are too small to be seen.
        init(screen: Screen) {
            bounds = screen.bounds
            hairline = max(1 / max(screen.scale, 1), 0.5)
        }
    }

    init(target: Double, focus: ControlID?, pressed: ControlID?) {
        self.target = target
        self.focus = focus
        self.pressed = pressed
    }

    func placed(_ rect: Rect) -> Rect {
        var rect = rect
        if let mirror { rect.x = mirror.minX + mirror.maxX - rect.maxX }
        return rect.offset(by: shift)
    }

    /// FNV-1a over the name: the same thing has the same number in every frame and every run.
    static func number(_ name: ControlID, _ part: UInt8) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return (hash ^ UInt64(part)) &* 0x100_0000_01b3 >> 1 | 1
    }

    // MARK: Drawing

    mutating func add(_ name: ControlID, _ part: UInt8, _ kind: Item.Kind, _ rect: Rect, clip: Rect? = nil, radius: Double = 0, opacity: Double = 1) {
        let visible = opacity * self.opacity
        guard visible > 0.004, !rect.isEmpty else { return }
        items.append(Item(
            view: Canvas.number(name, part), kind, placed(rect), clip: clip.map(placed), radius: radius, opacity: visible))
    }

    mutating func fill(_ name: ControlID, part: UInt8 = 0, _ paint: Paint, _ rect: Rect, radius: Double = 0, opacity: Double = 1) {
        add(name, part, .fill(paint), rect, radius: radius, opacity: opacity)
    }

    /// What a view stands on: glass, or a fill where glass is not wanted. The picture of the glass stays in its place on the
    /// screen while the view moves, as what is behind it does.
    mutating func ground(_ name: ControlID, _ paint: Paint, _ rect: Rect, radius: Double) {
        guard let glass else { return fill(name, paint, rect, radius: radius) }
        let visible = self.opacity
        guard visible > 0.004, !rect.isEmpty else { return }
        fill(name, part: 14, .rim, rect, radius: radius)
        items.append(Item(
            view: Canvas.number(name, 0), .art(.glass(paint), size: glass.bounds.size), glass.bounds,
            clip: placed(rect.inset(by: glass.hairline)), radius: max(0, radius - glass.hairline), opacity: visible))
    }

    mutating func shadow(_ name: ControlID, part: UInt8 = 1, _ rect: Rect, radius: Double, blur: Double = 24, opacity: Double = 0.35) {
        add(name, part, .shadow(blur: blur), rect, radius: radius, opacity: opacity)
    }

    mutating func text(
        _ name: ControlID, part: UInt8 = 2, _ text: Text, _ style: TextStyle, _ tone: Tone, _ rect: Rect,
        _ alignment: TextAlignment = .leading, lines: Int = 1, opacity: Double = 1
    ) {
        add(name, part, .art(.text(text, style, tone, alignment, lines: lines), size: rect.size), rect, opacity: opacity)
    }

    /// In the middle of `rect`, `side` points wide and high.
    mutating func symbol(_ name: ControlID, part: UInt8 = 3, _ symbol: Symbol, _ tone: Tone, in rect: Rect, side: Double = 24) {
        add(name, part, .art(.symbol(symbol, tone), size: Size(side, side)), Rect(center: rect.center, size: Size(side, side)))
    }

    mutating func icon(_ name: ControlID, part: UInt8 = 4, _ icon: AppIcon, _ rect: Rect, size: Double? = nil, opacity: Double = 1) {
        let side = size ?? rect.width
        add(name, part, .art(.icon(icon), size: Size(side, side)), rect, opacity: opacity)
    }

    /// A number on a badge at the upper trailing corner of `rect`.
    mutating func badge(_ name: ControlID, _ count: Int, on rect: Rect, part: UInt8 = 8) {
        guard count > 0 else { return }
        let text = count > 99 ? "99+" : "\(count)"
        let width = max(20, Double(text.count) * 8 + 12)
        let badge = Rect(rect.maxX - width / 2 - 4, rect.minY - 8, width, 20)
        fill(name, part: part, .badge, badge, radius: 10)
        self.text(name, part: part + 1, .verbatim(text), .badge, .onAccent, badge, .center)
    }

    // MARK: Controls

    mutating func control(
        _ id: ControlID, _ role: ViewControl.Role, _ name: Text, _ rect: Rect, press: Action? = nil, menu: Action? = nil,
        close: Action? = nil, drag: ViewControl.Drag? = nil, target: Rect? = nil, chosen: Bool = false, focusable: Bool = true,
        hittable: Bool = true, focusRadius: Double = 12, slide: ViewControl.Slide? = nil
    ) {
        guard !isInert else { return }
        let frame = placed(rect)
        if id == focus, focusable {
            // A ring around what the keyboard is at, and a light line around that, so that it is seen on any wallpaper.
            let ring = rect.inset(by: -5), halo = rect.inset(by: -7)
            add(id, 29, .art(.outline(.pill, radius: focusRadius + 7, width: 2), size: halo.size), halo)
            add(id, 30, .art(.outline(.focus, radius: focusRadius + 5, width: 3), size: ring.size), ring)
        }
        controls.append(ViewControl(
            id: id, role: role, name: name, frame: frame, target: target.map(placed) ?? frame.grown(toAtLeast: self.target),
            press: press, menu: menu, close: close, drag: drag, slide: slide, isChosen: chosen,
            isFocusable: focusable && (press != nil || slide != nil),
            isHittable: hittable))
    }

    /// A line with a knob on it, in the middle of `rect`. Without `sets` it only shows how far something is.
    mutating func slider(
        _ id: ControlID, _ message: Message, of owner: String? = nil, _ value: Double, text: String,
        _ sets: ViewControl.Slide.Sets?, _ rect: Rect,
        thickness: Double = 6, knob: Double = 22, isMuted: Bool = false
    ) {
        let value = max(0, min(1, value.isFinite ? value : 0))
        let knob = sets == nil ? 0 : knob
        let track = Rect(rect.x + knob / 2, rect.center.y - thickness / 2, rect.width - knob, thickness)
        fill(id, part: 10, .track, track, radius: thickness / 2)
        let reach = Rect(track.x, track.y, (track.width * value * 2).rounded() / 2, thickness)
        // Shorter than it is thick it would be no pill.
        if reach.width >= thickness { fill(id, part: 11, isMuted ? .pill : .accent, reach, radius: thickness / 2) }
        guard let sets else {
            return control(id, .label, .detailed(message, text), rect, focusable: false)
        }
        let button = Rect(center: Point(reach.maxX, rect.center.y), size: Size(knob, knob))
        shadow(id, part: 12, button, radius: knob / 2, blur: 6, opacity: 0.3)
        fill(id, part: 13, .knob, button, radius: knob / 2)
        control(
            id, .slider, owner.map { .detailed(message, $0) } ?? .message(message), rect, focusRadius: min(rect.height / 2, 16),
            slide: .init(value: value, text: text, sets: sets, track: placed(track), isMirrored: mirror != nil))
    }

    /// A row or button that shows when it is pressed.
    mutating func press(_ id: ControlID, _ rect: Rect, radius: Double) {
        if id == pressed { fill(id, part: 31, .pressed, rect, radius: radius) }
    }

    mutating func append(_ items: [Item]) {
        for var item in items {
            item.opacity *= opacity
            if item.opacity > 0.004 { self.items.append(item) }
        }
    }

    mutating func append(_ other: Canvas) {
        items += other.items
        controls += other.controls
    }

    // MARK: Hitting

    /// The control under a point; a finger's targets reach further than what is seen. Of several, the one whose middle
    /// is nearest, of those drawn last.
    public func hit(_ point: Point, precise: Bool) -> ViewControl? {
        for control in controls.reversed() where control.role != .panel && control.isHittable && control.frame.contains(point) {
            return control
        }
        guard !precise else { return nil }
        return controls.filter { $0.isOperable && $0.isHittable && $0.target.contains(point) }
            .min { $0.frame.center.distance(to: point) < $1.frame.center.distance(to: point) }
    }

    /// On a panel: a touch there belongs to it, though there is no control.
    public func covers(_ point: Point) -> Bool { controls.contains { $0.role == .panel && $0.frame.contains(point) } }
}
