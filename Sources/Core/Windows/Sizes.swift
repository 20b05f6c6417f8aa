import Geometry

/// The size for a window's configure in its place (W-11): as large as the place, or as small as its app allows. A
/// larger window is drawn scaled down.
extension Window {
    /// For an arranged window: the size of its place. If the app's minimum width is larger, the height grows in
    /// proportion, so that the scaled window fills the place without bands; the same with a minimum height.
    @inline(__always) // A call would copy the window, and each layout asks every window.
    func filling(_ place: Size) -> Size {
        // Menus of X11 programs must open inside the screen, so their windows must not extend beyond it.
        guard !facts.isX11, !place.isEmpty else { return place }
        let learnt = room == place ? overflow ?? .zero : .zero
        let least = Size(max(commit.minimum.width, learnt.width), max(commit.minimum.height, learnt.height))
        guard least.width > place.width || least.height > place.height else { return place }
        // Where it is not drawn that small, a part of it is out of sight in one direction, and the other one is filled.
        let scale = max(lensRule.least, min(place.width / max(1, least.width), place.height / max(1, least.height)))
        // An app may claim any minimum. Pictures of many times the place's size gain nothing.
        let stretch = 1 / max(scale, 0.25)
        return Size(max(least.width, place.width * stretch), max(least.height, place.height * stretch)).rounded
    }

    /// For a dialog on a window in this area. nil if the app's own choice fits.
    ///
    /// - Parameter fillsWidth: a dialog that can be as wide as the area is (M-06).
    func dialogSize(in room: Size, fillsWidth: Bool = false) -> Size? {
        guard let own = naturalSize, !own.isEmpty, !room.isEmpty else { return nil }
        let canFill = fillsWidth && (commit.maximum.width == 0 || commit.maximum.width >= room.width)
        let natural = Size(canFill ? max(own.width, room.width) : own.width, comfortableHeight(own, in: room))
        let wasTold = lastConfigure.map { !$0.chooses && !$0.arranged } ?? false
        // An X11 program without a minimum may cut off its content.
        guard !facts.isX11 || !commit.minimum.isEmpty else { return nil }
        let scale = max(lensRule.least, min(1, room.width / max(1, commit.minimum.width), room.height / max(1, commit.minimum.height)))
        let stretch = facts.isX11 ? 1 : 1 / max(scale, 0.25)
        func fit(_ natural: Double, _ least: Double, _ room: Double) -> Double { max(least, min(natural, room * stretch)) }
        let size = Size(
            fit(natural.width, commit.minimum.width, room.width), fit(natural.height, commit.minimum.height, room.height)
        ).rounded
        return size == own && !wasTold ? nil : size
    }

    /// GTK 4's file chooser asks for a wide and very low window, in which its list has no room. A resizable dialog that is nearly
    /// as wide as its window and much less high gets a height that suits its width (W-11).
    private func comfortableHeight(_ own: Size, in room: Size) -> Double {
        guard !facts.isX11, commit.maximum.isEmpty, own.width >= room.width * 0.7, own.height < own.width * 0.4 else { return own.height }
        return max(own.height, min(room.height * 0.85, own.width * 0.6)).rounded()
    }

    /// Learns from a commit that the client cannot be as small as its place, if it did not say so. Only after a
    /// resize, because some programs (mpv) ignore their first configure.
    mutating func learnOverflow() {
        guard let lastConfigure, !lastConfigure.chooses, lastConfigure.arranged, wasResized, overflow == nil, !facts.isX11,
            commit.answered >= lastConfigure.sequence
        else { return }
        let size = lastConfigure.frame.size
        guard commit.size.width > size.width || commit.size.height > size.height else { return }
        overflow = Size(
            commit.size.width > size.width ? commit.size.width : 0, commit.size.height > size.height ? commit.size.height : 0)
    }

    /// The window gets a size for a place of this size.
    mutating func note(place: Size) {
        guard room != place else { return }
        if room != nil, isMapped { wasResized = true }
        room = place
        overflow = nil
    }

    /// It answered all that it was sent while a finger drags the divider beside it: its picture is for that place (W-04).
    mutating func noteAnswer() {
        guard commit.answered >= resized, let lastConfigure else { return }
        drawnFor = Rect(origin: lastConfigure.frame.origin, size: room ?? lastConfigure.frame.size)
    }
}
