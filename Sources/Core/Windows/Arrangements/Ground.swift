import Geometry

/// Where an arrangement stands: the screen, and the measures of the idiom. It computes rectangles in points of the screen.
public struct Ground {
    public var idiom: Idiom
    public var screen: Screen
    /// The area of the dock while it is visible.
    public var dock: Rect?

    /// The height of the menu bar.
    public var menuBar: Double

    public init(_ idiom: Idiom, _ screen: Screen, dock: Rect? = nil, menuBar: Double? = nil) {
        self.menuBar = menuBar ?? idiom.free.menuBar
        self.idiom = idiom
        self.screen = screen
        self.dock = dock
    }

    /// The area for freely stacked windows: below the menu bar, and above a dock that stands.
    public var freeRoom: Rect {
        var room = screen.usable.inset(by: Insets(menuBar, 0, 0, 0))
        // On a screen that is hardly higher than the dock, windows stand behind it.
        if idiom.home.dockStands, let dock, leavesRoom(dock) { room.height = dock.minY - 8 - room.minY }
        return room
    }

    /// Whether a standing dock leaves windows more than half of the height that they would have without it.
    private func leavesRoom(_ dock: Rect) -> Bool {
        let top = screen.usable.minY + menuBar
        return dock.minY - top > (screen.usable.maxY - top) / 2
    }

    /// Whether a dock that stands makes way for windows: an on-screen keyboard leaves no room for both, and a person wants to type. It
    /// comes by its gesture then, as in full screen.
    public var dockMakesWay: Bool { screen.reserved.bottom > 0 && dock.map { !leavesRoom($0) } ?? false }

    /// The two windows of a pair and the divider between them, for a share of the first window.
    public func splitFrames(_ split: Split, fraction: Double) -> (first: Rect, divider: Rect, second: Rect) {
        let room = screen.usable
        let thickness = idiom.split.thickness
        switch split.axis(on: screen.size) {
        case .horizontal:
            let total = max(0, room.width - thickness)
            let a = (total * fraction).rounded()
            return (
                Rect(room.x, room.y, a, room.height),
                Rect(room.x + a, room.y, thickness, room.height),
                Rect(room.x + a + thickness, room.y, total - a, room.height)
            )
        case .vertical:
            let total = max(0, room.height - thickness)
            let a = (total * fraction).rounded()
            return (
                Rect(room.x, room.y, room.width, a),
                Rect(room.x, room.y + a, room.width, thickness),
                Rect(room.x, room.y + a + thickness, room.width, total - a)
            )
        }
    }

    /// The whole card of Slide Over, with its strips. If hidden, past the edge.
    ///
    /// - Parameter isAlone: whether no space is open behind it.
    public func slideOverCard(side: Side, isHidden: Bool, isAlone: Bool) -> Rect {
        let room = screen.usable, measures = idiom.slideOver
        let width = min(measures.width, (room.width - 2 * measures.margin) * 0.62).rounded()
        var height = max(1, room.height - 2 * measures.margin)
        // Over the home screen alone, the card stays above the dock.
        if let dock, isAlone, dock.minY - measures.margin - room.minY > room.height / 2 {
            height = min(height, dock.minY - 2 * measures.margin - room.minY)
        }
        var x = side == .left ? room.minX + measures.margin : room.maxX - measures.margin - width
        // Far enough that its shadow is invisible too.
        if isHidden { x = side == .left ? screen.bounds.minX - width - 40 : screen.bounds.maxX + 40 }
        return Rect(x, room.minY + measures.margin, width, height)
    }

    /// The part of a card for the app.
    public func cardContent(_ card: Rect) -> Rect {
        card.inset(by: Insets(idiom.slideOver.topStrip, 0, idiom.slideOver.bottomStrip, 0))
    }

    /// The mark at the edge past which Slide Over was pushed (W-02).
    func slideOverHandle(side: Side) -> Rect {
        let room = screen.usable
        return Rect(side == .left ? room.minX + 3 : room.maxX - 3 - 12, room.center.y - 34, 12, 68)
    }

    /// The tab at the edge past which Picture in Picture was pushed (W-06); nil: it was not.
    func pictureTab(_ picture: PictureInPicture) -> Rect? {
        guard let side = picture.stashed else { return nil }
        let room = screen.usable, y = pictureFrame(picture).center.y - 36
        return Rect(side == .left ? room.minX - 8 : room.maxX - 22, y, 30, 72)
    }

    /// How a window at a depth is seen (V-02).
    func perspective(at depth: Double, _ measures: DepthMeasures) -> Perspective {
        Perspective(vanishing: screen.usable.center, scale: measures.scale(at: depth))
    }

    /// The frame of Picture in Picture.
    public func pictureFrame(_ picture: PictureInPicture) -> Rect {
        let room = screen.usable.inset(by: idiom.picture.margin)
        let width = pictureWidth(picture.width, aspect: picture.aspect)
        let size = Size(width, width / picture.aspect).rounded
        var x = picture.corner.isLeft ? room.minX : room.maxX - size.width
        if let side = picture.stashed {
            x = side == .left ? screen.bounds.minX - size.width - 40 : screen.bounds.maxX + 40
        }
        return Rect(x, picture.corner.isTop ? room.minY : room.maxY - size.height, size.width, size.height)
    }

    /// The nearest width that Picture in Picture may have.
    func pictureWidth(_ width: Double, aspect: Double) -> Double {
        let side = screen.shorterSide, measures = idiom.picture
        let room = screen.usable.inset(by: measures.margin)
        let largest = max(1, min(side * measures.largest, room.width, room.height * aspect))
        return max(min(side * measures.smallest, largest), min(width, largest)).rounded()
    }
}

/// The purpose of computed rectangles: drawing, or messages to clients.
public struct Purpose: Hashable, Sendable {
    /// For clients: what is hidden past an edge has the size of its place, and a dragged divider is where both windows were last
    /// sent.
    public var isForClients = false
    /// The space whose divider is dragged, and the share that its windows were sent.
    public var dragged: SpaceID?
    public var fraction = 0.0
}
