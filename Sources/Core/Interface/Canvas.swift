import AudioSessions
import Geometry
import Modality
import Stage
import Windows

/// One of the shell's own controls, as used by touch, pointer, keyboard, screen reader and `mullion ctl` (X-02,
///
public struct ViewControl: Hashable, Codable, Sendable {
    /// Stable for the same thing: "dock/firefox-esr", "controls/close".
    public var id: ControlID
    public var role: Role
    /// The name for screen readers.
    public var name: Text
    /// The visible frame, in points of the screen.
    public var frame: Rect
    /// The touch target: at least 44 points each way.
    public var target: Rect
    public var press: Action?
    /// The action of a long press or the right button.
    public var menu: Action?
    /// The action of the Delete key, or of an upward swipe on a card.
    public var close: Action?
    /// The content of a drag that begins here.
    public var drag: Drag?
    /// For a slider.
    public var slide: Slide?
    public var isChosen = false
    /// Whether it can have the keyboard focus.
    public var isFocusable = true
    /// Whether touch and pointer find it here. Controls on an app's window are found by the stage.
    public var isHittable = true

    public enum Role: String, Hashable, Codable, Sendable, CaseIterable {
        case panel, button, toggle, icon, menuItem, card, label, field, alert, tab, slider
        /// A title of the menu bar: it opens a menu, and is chosen while that is open.
        case menu
    }

    public enum Drag: Hashable, Codable, Sendable {
        case app(String)
        case card(CardID)
        /// It marks a part of the screen for this view.
        case mark(ModalID)
    }

    /// The position of a slider, and the effect of moving it.
    public struct Slide: Hashable, Codable, Sendable {
        /// 0 to 1.
        public var value: Double
        /// The value in words: "50%", "1:05".
        public var text: String
        public var sets: Sets
        /// The track of its knob, in points of the screen.
        public var track: Rect
        /// Whether its maximum is at the left.
        public var isMirrored = false

        public enum Sets: Hashable, Codable, Sendable {
            case volume(VolumeClass)
            case appVolume(String)
            /// In the playing item, which lasts this many seconds.
            case position(duration: Double)
            /// Of the screen.
            case brightness
            /// One of the settings, by its key, in this range.
            case setting(key: String, low: Double, high: Double, step: Double)
        }

        /// The action that sets it to a share of its range.
        public func action(at share: Double) -> Action {
            let share = max(0, min(1, share))
            switch sets {
            case .brightness: return .device(.brightness(share))
            case .setting(let key, let low, let high, let step):
                return .setting(key: key, value: Setting.text(low + ((share * (high - low)) / step).rounded() * step))
            case .volume(let kind): return .audio(.setVolume(share, kind))
            case .appVolume(let app): return .audio(.setAppVolume(share, app: app))
            case .position(let duration): return .audio(.remote(.seek(share * duration), .controlCentre))
            }
        }

        /// The action of one key step or wheel notch, up or down.
        public func action(steps: Int) -> Action {
            switch sets {
            case .brightness: .device(.brightnessStep(steps))
            case .setting(_, let low, let high, let step): action(at: value + Double(steps) * step / (high - low))
            case .volume(let kind): .audio(.volumeStep(steps, kind))
            case .appVolume: action(at: ((value * 16).rounded() + Double(steps)) / 16)
            case .position(let duration): action(at: value + Double(steps) * 10 / max(1, duration))
            }
        }

        /// Whether it takes effect during the drag. A position in an item is sent only at the end, and so is what would move the slider.
        public var isLive: Bool {
            switch sets {
            case .position: false
            case .setting(let key, _, _, _): key != "scale" && key != "text-size"
            default: true
            }
        }

        /// The share for a point of the screen.
        public func share(at point: Point) -> Double {
            let share = (point.x - track.minX) / max(1, track.width)
            return max(0, min(1, isMirrored ? 1 - share : share))
        }
    }

    /// Whether it reacts to a press or a drag.
    public var isOperable: Bool {
        if case .mark = drag { return true }
        return press != nil || slide != nil
    }

    /// Whether it is there to be used, but not now: an entry of a menu that means nothing at the moment, or a switch that a file has set.
    public var isDisabled: Bool {
        switch role {
        case .button, .toggle, .icon, .menuItem, .menu, .card, .tab, .slider: !isOperable
        case .panel, .label, .field, .alert: false
        }
    }
}

/// A part of the shell's own views: items to draw, back to front, and controls to hit, where later ones lie over
/// earlier ones. Made anew for every frame.
public struct Canvas: Sendable {
    public private(set) var items: [Item] = []
    public private(set) var controls: [ViewControl] = []
    var opacity = 1.0
    var shift = Vector.zero
    /// Everything within this rectangle is mirrored for right-to-left languages.
    var mirror: Rect?
    /// Nothing is drawn outside this rectangle of the screen, and a control there cannot be operated: a list scrolls behind its edges.
    var window: Rect?
    /// Whether controls are drawn but inactive, because they are disappearing.
    var isInert = false
    /// The glass from which backgrounds are cut; nil if they are opaque.
    var glass: Glass?
    /// The minimum size of a touch target, in points of the screen.
    let target: Double
    /// Points of the screen for each point of this canvas, and how much larger text is than that (`ViewMeasures`).
    let growth: Double
    let textGrowth: Double
    let focusRing: Double
    /// How much larger symbols are for a person who needs large text.
    var symbolGrowth = 1.0
    /// The control with the keyboard focus; nil until a key is used.
    let focus: ControlID?
    /// The control under a finger or the pressed pointer button.
    let pressed: ControlID?

    /// A picture of the whole screen, and the width of the outline around a cut-out.
    struct Glass: Hashable, Sendable {
        var bounds: Rect
        var hairline: Double
        /// Of which opening of views it shows the screen (`GlassGround`); nil: it shows the wallpaper alone.
        var opening: Int?

        func art(_ paint: Paint) -> Art { opening.map { .glassOver(paint, opening: $0) } ?? .glass(paint) }

        /// The outline is one pixel wide, but at least half a point on screens with very small pixels.
        init(screen: Screen, opening: Int?) {
            self.opening = opening
            bounds = screen.bounds
            hairline = max(1 / max(screen.scale, 1), 0.5)
        }
    }

    init(target: Double, growth: Double = 1, textGrowth: Double = 1, focusRing: Double = 3, focus: ControlID?, pressed: ControlID?) {
        self.target = target
        self.growth = growth
        self.textGrowth = textGrowth
        self.focusRing = focusRing
        self.focus = focus
        self.pressed = pressed
    }

    func placed(_ rect: Rect) -> Rect {
        var rect = rect
        if let mirror { rect.x = mirror.minX + mirror.maxX - rect.maxX }
        rect = rect.offset(by: shift)
        // Nothing is multiplied where a point is a point, so that no rectangle changes by a rounding error.
        return growth == 1 ? rect : Rect(rect.x * growth, rect.y * growth, rect.width * growth, rect.height * growth)
    }

    /// Pictures stand on whole points, so that each of their pixels is one of the screen.
    private func placedPicture(_ rect: Rect) -> Rect { growth == 1 ? placed(rect) : placed(rect).rounded }

    /// FNV-1a of the name, so that the same thing has the same number in every frame and every run.
    static func number(_ name: ControlID, _ part: UInt8) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.rawValue.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return (hash ^ UInt64(part)) &* 0x100_0000_01b3 >> 1 | 1
    }

    // MARK: Drawing

    mutating func add(
        _ name: ControlID, _ part: UInt8, _ kind: Item.Kind, _ rect: Rect, clip: Rect? = nil, radius: Double = 0, opacity: Double = 1
    ) {
        let visible = opacity * self.opacity
        guard visible > 0.004, !rect.isEmpty else { return }
        guard growth != 1 else {
            return items.append(
                Item(
                    view: Canvas.number(name, part), kind, placed(rect), clip: clip.map(placed) ?? window, radius: radius, opacity: visible)
            )
        }
        var kind = kind, frame = placed(rect), detail = 1.0
        switch kind {
        case .shadow(let blur): kind = .shadow(blur: blur * growth)
        case .art(let art, let size):
            detail = growth
            if case .text = art { detail *= textGrowth }
            // A picture in its own size is painted for exactly the pixels that it covers.
            if size == rect.size {
                frame = placedPicture(rect)
                kind = .art(art, size: frame.size * (1 / detail))
            } else if case .text = art {
                kind = .art(art, size: size * (1 / textGrowth))
            }
        default: break
        }
        var item = Item(
            view: Canvas.number(name, part), kind, frame, clip: clip.map(placed) ?? window, radius: radius * growth, opacity: visible)
        item.detail = detail
        items.append(item)
    }

    mutating func fill(_ name: ControlID, part: UInt8 = 0, _ paint: Paint, _ rect: Rect, radius: Double = 0, opacity: Double = 1) {
        add(name, part, .fill(paint), rect, radius: radius, opacity: opacity)
    }

    /// The background of a view: glass, or a fill without glass. The glass picture keeps its position on the screen
    /// while the view moves, like the wallpaper behind it.
    mutating func ground(_ name: ControlID, _ paint: Paint, _ rect: Rect, radius: Double) {
        guard let glass else { return fill(name, paint, rect, radius: radius) }
        let visible = self.opacity
        guard visible > 0.004, !rect.isEmpty else { return }
        fill(name, part: 14, .rim, rect, radius: radius)
        items.append(
            Item(
                view: Canvas.number(name, 0), .art(glass.art(paint), size: glass.bounds.size), glass.bounds,
                clip: placed(rect.inset(by: glass.hairline)), radius: max(0, radius - glass.hairline) * growth, opacity: visible))
    }

    mutating func shadow(_ name: ControlID, part: UInt8 = 1, _ rect: Rect, radius: Double, blur: Double = 24, opacity: Double = 0.35) {
        add(name, part, .shadow(blur: blur), rect, radius: radius, opacity: opacity)
    }

    mutating func text(
        _ name: ControlID, part: UInt8 = 2, _ text: Text, _ style: TextStyle, _ tone: Tone, _ rect: Rect,
        _ alignment: TextAlignment = .leading, lines: Int = 1, opacity: Double = 1, shrunk: Double = 1
    ) {
        // `shrunk` below 1: painted in its own size and drawn smaller, where a cut text would be worse than a small one.
        add(name, part, .art(.text(text, style, tone, alignment, lines: lines), size: rect.size * (1 / shrunk)), rect, opacity: opacity)
    }

    /// Draws a symbol of `side` points in the middle of `rect`. It grows with the text beside it, as far as `rect` has room.
    mutating func symbol(_ name: ControlID, part: UInt8 = 3, _ symbol: Symbol, _ tone: Tone, in rect: Rect, side: Double = 24) {
        let side = max(side, min((side * symbolGrowth).rounded(), min(rect.width, rect.height).rounded(.down)))
        add(name, part, .art(.symbol(symbol, tone), size: Size(side, side)), Rect(center: rect.center, size: Size(side, side)))
    }

    mutating func icon(_ name: ControlID, part: UInt8 = 4, _ icon: AppIcon, _ rect: Rect, size: Double? = nil, opacity: Double = 1) {
        let side = size ?? rect.width
        add(name, part, .art(.icon(icon), size: Size(side, side)), rect, opacity: opacity)
    }

    /// Draws a number on a badge at the upper trailing corner of `rect`.
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
        let whole = placed(rect), frame = window.map { whole.intersection($0) } ?? whole
        guard !frame.isEmpty || rect.isEmpty else { return }
        if id == focus, focusable {
            // A ring around the focused control, and a light line around it, so that it is visible on any wallpaper.
            let width = focusRing, ring = rect.inset(by: -2 - width), halo = rect.inset(by: -4 - width)
            add(id, 29, .art(.outline(.pill, radius: focusRadius + 4 + width, width: 2), size: halo.size), halo)
            add(id, 30, .art(.outline(.focus, radius: focusRadius + 2 + width, width: width), size: ring.size), ring)
        }
        controls.append(
            ViewControl(
                id: id, role: role, name: name, frame: frame, target: target.map(placed) ?? frame.grown(toAtLeast: self.target),
                press: press, menu: menu, close: close, drag: drag, slide: slide, isChosen: chosen,
                isFocusable: focusable && (press != nil || slide != nil),
                isHittable: hittable))
    }

    /// Adds a line with a knob in the middle of `rect`. Without `sets` it only displays a value.
    mutating func slider(
        _ id: ControlID, _ message: Message, of owner: String? = nil, _ value: Double, text: String,
        _ sets: ViewControl.Slide.Sets?, _ rect: Rect,
        thickness: Double = 6, knob: Double = 22, isMuted: Bool = false
    ) {
        let name: Text = sets == nil ? .detailed(message, text) : owner.map { .detailed(message, $0) } ?? .message(message)
        slider(id, name, value, text: text, sets, rect, thickness: thickness, knob: knob, isMuted: isMuted)
    }

    mutating func slider(
        _ id: ControlID, _ name: Text, _ value: Double, text: String, _ sets: ViewControl.Slide.Sets?, _ rect: Rect, thickness: Double = 6,
        knob: Double = 22, isMuted: Bool = false
    ) {
        let value = max(0, min(1, value.isFinite ? value : 0))
        let knob = sets == nil ? 0 : knob
        let track = Rect(rect.x + knob / 2, rect.center.y - thickness / 2, rect.width - knob, thickness)
        fill(id, part: 10, .track, track, radius: thickness / 2)
        let reach = Rect(track.x, track.y, (track.width * value * 2).rounded() / 2, thickness)
        // A pill shorter than its thickness would be distorted.
        if reach.width >= thickness { fill(id, part: 11, isMuted ? .pill : .accent, reach, radius: thickness / 2) }
        guard let sets else {
            return control(id, .label, name, rect, focusable: false)
        }
        let button = Rect(center: Point(reach.maxX, rect.center.y), size: Size(knob, knob))
        shadow(id, part: 12, button, radius: knob / 2, blur: 6, opacity: 0.3)
        fill(id, part: 13, .knob, button, radius: knob / 2)
        control(
            id, .slider, name, rect, focusRadius: min(rect.height / 2, 16),
            slide: .init(value: value, text: text, sets: sets, track: placed(track), isMirrored: mirror != nil))
    }

    /// Draws a switch at the trailing end of a row: a person sees that the row is one, and whether it is on.
    mutating func toggle(_ id: ControlID, part: UInt8 = 25, isOn: Bool, isFixed: Bool = false, in row: Rect) {
        let size = Canvas.toggleSize * max(1, min(symbolGrowth, row.height / (Canvas.toggleSize.height + 12)))
        let track = Rect(row.maxX - 8 - size.width, row.center.y - size.height / 2, size.width, size.height), radius = size.height / 2
        let knob = Rect(isOn ? track.maxX - size.height + 2 : track.x + 2, track.y + 2, size.height - 4, size.height - 4)
        fill(id, part: part, isOn ? .accent : .track, track, radius: radius, opacity: isFixed ? 0.5 : 1)
        fill(id, part: part + 1, .knob, knob, radius: radius - 2, opacity: isFixed ? 0.7 : 1)
    }

    /// The size of a switch at the usual size of text, and the room that it takes at the end of a row.
    static let toggleSize = Size(46, 28)
    var toggleRoom: Double { Canvas.toggleSize.width * max(1, symbolGrowth) + 20 }

    /// Draws the pressed state of a row or button.
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

    // MARK: Hit testing

    /// The control under a point. Touch targets extend beyond the visible frames. Among several, the one with the
    /// nearest centre wins, later ones first.
    public func hit(_ point: Point, precise: Bool) -> ViewControl? {
        for control in controls.reversed() where control.role != .panel && control.isHittable && control.frame.contains(point) {
            return control
        }
        guard !precise else { return nil }
        return controls.filter { $0.isOperable && $0.isHittable && $0.target.contains(point) }
            .min { $0.frame.center.distance(to: point) < $1.frame.center.distance(to: point) }
    }

    /// The control or the panel of this canvas that a touch reaches; nil: neither is here.
    public func reached(at point: Point, precise: Bool) -> Hit? {
        if let control = hit(point, precise: precise), control.isOperable { return .view(control.id) }
        return covers(point) ? .panel : nil
    }

    /// Whether the point is on a panel. A touch there belongs to the panel even without a control.
    public func covers(_ point: Point) -> Bool { controls.contains { $0.role == .panel && $0.frame.contains(point) } }
}
