import Geometry

/// How modal windows of apps are presented (M-04, M-06, M-11).
extension WindowHints {
    /// How a modal window stands on its parent.
    public enum Presentation: String, Hashable, Codable, Sendable, CaseIterable {
        /// A card over a part of the window: for short tasks (M-02, M-15).
        case sheet
        /// Covers the whole window: for immersive content and complex work. Only a button dismisses it (M-04, M-15).
        case fullScreen = "full-screen"
        /// Points at the item that it belongs to. A touch elsewhere closes it (M-11).
        case popover
        /// Covers its parent, a pane or a popover, and nothing else (M-06).
        case currentContext = "current-context"

        /// The presentation in a narrow place (M-06):
        ///
        /// | asked for | wide | compact |
        /// | --- | --- | --- |
        /// | sheet | sheet | sheet |
        /// | full screen | full screen | full screen |
        /// | popover | popover | sheet |
        /// | current context | current context | sheet |
        public func adapted(toCompact isCompact: Bool) -> Presentation {
            switch self {
            case .sheet, .fullScreen: self
            case .popover, .currentContext: isCompact ? .sheet : self
            }
        }

        /// Whether it fills a place and has no edge that a finger could pull.
        public var isCovering: Bool {
            switch self {
            case .fullScreen, .currentContext: true
            case .sheet, .popover: false
            }
        }

        /// Whether a swipe dismisses it (M-03, M-04).
        public var isSwipedAway: Bool { self == .sheet }
    }
}

extension WindowFacts {
    /// Whether it is modal to its parent. An app that says how a window is presented says that it is modal. nil: unknown.
    public var modality: Bool? { hints?.presentation != nil ? true : isModal }
}

/// The arrow between a popover and the item that it belongs to.
public struct PopoverArrow: Hashable, Codable, Sendable {
    /// The side of the popover on which it stands.
    public var side: Side
    /// The point at the anchor.
    public var tip: Point

    public init(side: Side, tip: Point) {
        self.side = side
        self.tip = tip
    }
}

extension Workspace {
    /// How a dialog stands on the window at its root.
    func presentation(of id: WindowID, root: WindowID) -> WindowHints.Presentation? {
        guard modality == .sheets, let index = windows.index(forKey: id), let place = modalPlace(of: root) else { return nil }
        let all = windows.values.elements
        if let asked = all[index].facts.hints?.presentation {
            let adapted = asked.adapted(toCompact: idiom.isCompact(place.size))
            return adapted == .popover && all[index].facts.hints?.anchor == nil ? .sheet : adapted
        }
        // An app without a hint: by size. Its present size follows from its place, so only its minimum counts.
        guard all[index].raisedOver == nil, all[index].facts.isModal != false else { return .sheet }
        let least = all[index].commit.minimum
        let fills = least.width >= place.width * Workspace.fillingShare && least.height >= place.height * Workspace.fillingShare
        return fills && least.width <= place.width && least.height <= place.height ? .fullScreen : .sheet
    }

    /// Whether a dialog is a popover where it stands. Most windows ask for no presentation, so this seldom walks to the
    /// root window.
    public func isPopover(_ id: WindowID, _ lines: ModalLines? = nil) -> Bool {
        guard read(id, { $0.facts.hints?.presentation }) == .popover else { return false }
        return presentation(of: id, lines) == .popover
    }

    /// Whether a dialog covers its window or its parent. It asks for that, or its minimum size may fill the place.
    public func isCovering(_ id: WindowID, _ lines: ModalLines? = nil) -> Bool {
        guard let index = windows.index(forKey: id) else { return false }
        let all = windows.values.elements
        guard all[index].facts.hints?.presentation?.isCovering ?? !all[index].commit.minimum.isEmpty else { return false }
        return presentation(of: id, lines)?.isCovering ?? false
    }

    /// A dialog that cannot be smaller than this share of its place, in both directions, covers it.
    static let fillingShare = 0.9

    /// The area of a window for its modal windows; nil if it has no fixed one.
    private func modalPlace(of root: WindowID) -> Rect? {
        guard let screen, pip?.window != root else { return nil }
        if slideOver.stack.contains(root) { return cardContent(slideOverCard(on: screen, side: slideOver.side, isHidden: false)) }
        guard let split = spaces.first(where: { $0.contains(root) })?.split else { return hasPlace(root) ? screen.usable : nil }
        let pair = splitFrames(split, fraction: split.fraction, on: screen)
        return split.first == root ? pair.first : pair.second
    }

    /// The frame of a dialog that is no sheet; nil for a sheet. `over`: its parent. `place`: the window at its root.
    func presentedFrame(_ id: WindowID, over parent: Rect, in place: Rect, _ lines: ModalLines? = nil) -> Rect? {
        switch presentation(of: id, lines) {
        case .fullScreen: return place.inset(by: Insets(bar(of: id, lines), 0, 0, 0))
        case .currentContext: return parent.inset(by: Insets(bar(of: id, lines), 0, 0, 0))
        case .popover:
            guard let size = windows[id]?.contentSize, !size.isEmpty, let anchor = anchor(of: id, over: parent) else { return nil }
            return Workspace.popover(size, at: anchor, in: place).frame
        case .sheet, nil: return nil
        }
    }

    /// The arrow of a popover whose parent is here; nil if it is none, or covers its anchor.
    public func popoverArrow(of id: WindowID, over parent: Rect, in place: Rect, _ lines: ModalLines? = nil) -> PopoverArrow? {
        guard isPopover(id, lines), let size = windows[id]?.contentSize, !size.isEmpty, let anchor = anchor(of: id, over: parent)
        else { return nil }
        return Workspace.popover(size, at: anchor, in: place).arrow
    }

    /// The rectangle on the screen that a popover points at.
    private func anchor(of id: WindowID, over parent: Rect) -> Rect? {
        guard let window = windows[id], let anchor = window.facts.hints?.anchor, let above = window.facts.parent.flatMap({ windows[$0] })
        else { return nil }
        guard !above.contentSize.isEmpty else { return parent }
        // A part of the parent, whatever its client says.
        let shown = parent.map(anchor, from: Rect(origin: .zero, size: above.contentSize)).intersection(parent)
        return shown.isEmpty ? Rect(center: anchor.center, size: .zero).clamped(to: parent) : shown
    }

    /// Between a popover and its anchor, and between it and the edges of its window.
    public static let popoverGap = 16.0, popoverMargin = 12.0

    /// Beside its anchor, where it fits: below, above, right, left; otherwise where it can be largest. If that is less than
    /// half of it, it lies over its anchor, without an arrow.
    public static func popover(_ size: Size, at anchor: Rect, in place: Rect) -> (frame: Rect, arrow: PopoverArrow?) {
        let room = place.inset(by: min(popoverMargin, place.width / 8, place.height / 8))
        let below = Rect(room.x, anchor.maxY + popoverGap, room.width, room.maxY - anchor.maxY - popoverGap)
        let above = Rect(room.x, room.minY, room.width, anchor.minY - popoverGap - room.minY)
        let right = Rect(anchor.maxX + popoverGap, room.y, room.maxX - anchor.maxX - popoverGap, room.height)
        let left = Rect(room.minX, room.y, anchor.minX - popoverGap - room.minX, room.height)
        var best: (room: Rect, arrow: Side, scale: Double)?
        for (area, arrow) in [(below, Side.top), (above, .bottom), (right, .left), (left, .right)] where area.width > 0 && area.height > 0 {
            let scale = min(1, area.width / size.width, area.height / size.height)
            if scale > best?.scale ?? 0 { best = (area, arrow, scale) }
        }
        guard let best, best.scale >= 0.5 else {
            let scale = min(1, room.width / size.width, room.height / size.height)
            return (Rect(center: anchor.center, size: size * scale).clamped(to: room), nil)
        }
        let shown = best.scale == 1 ? size : size * best.scale, tip: Point, origin: Point
        switch best.arrow {
        case .top:
            tip = Point(anchor.center.x, anchor.maxY)
            origin = Point(anchor.center.x - shown.width / 2, best.room.minY)
        case .bottom:
            tip = Point(anchor.center.x, anchor.minY)
            origin = Point(anchor.center.x - shown.width / 2, best.room.maxY - shown.height)
        case .left:
            tip = Point(anchor.maxX, anchor.center.y)
            origin = Point(best.room.minX, anchor.center.y - shown.height / 2)
        case .right:
            tip = Point(anchor.minX, anchor.center.y)
            origin = Point(best.room.maxX - shown.width, anchor.center.y - shown.height / 2)
        }
        let whole = Point(origin.x.rounded(), origin.y.rounded())
        return (Rect(origin: whole, size: shown).clamped(to: best.room), PopoverArrow(side: best.arrow, tip: tip))
    }

    /// Mapped popovers on a window or on its sheets, that do not go away already.
    public func popovers(on root: WindowID) -> [WindowID] {
        guard hasChildren else { return [] }
        let lines = modalLines()
        return children.filter {
            isPopover($0, lines) && windows[$0]!.isMapped && self.root(of: $0, lines) == root && hiddenBase(of: $0, lines) == nil
        }
    }

    /// Popovers that are shown, and that nothing at this window keeps open.
    public func popovers(outside window: WindowID?) -> [WindowID] {
        guard hasChildren else { return [] }
        return children.filter { id in
            isPopover(id) && isShown(id) && hiddenBase(of: id) == nil && !(window.map { stands($0, on: id) } ?? false)
        }
    }
}
