import Geometry

/// The size that a window is told for its place (W-11): as large as the place, or as small as its app can be. What is
/// larger even so is drawn smaller.
extension Window {
    /// For an arranged window: the place's own size. An app that cannot be so narrow is told a height by which it fills
    /// the place once it is drawn smaller, so that no bands stand above and below; the same for one that cannot be so low.
    func filling(_ place: Size) -> Size {
        // Menus of X11 programs open within the screen, so their windows end there, too.
        guard !facts.isX11, !place.isEmpty else { return place }
        let learnt = room == place ? overflow ?? .zero : .zero
        let least = Size(max(commit.minimum.width, learnt.width), max(commit.minimum.height, learnt.height))
        guard least.width > place.width || least.height > place.height else { return place }
        let scale = min(place.width / max(1, least.width), place.height / max(1, least.height))
        // An app may claim any minimum; nothing is gained by pictures of many times the place's size.
        let stretch = 1 / max(scale, 0.25)
        return Size(max(least.width, place.width * stretch), max(least.height, place.height * stretch)).rounded
    }

    /// For a dialog that stands on a window with this room. nil: its app chooses, because what it chose fits.
    func dialogSize(in room: Size) -> Size? {
        guard let natural = naturalSize, !natural.isEmpty, !room.isEmpty else { return nil }
        let wasTold = lastConfigure.map { !$0.chooses && !$0.arranged } ?? false
        // An X11 program that names no minimum may cut off what it has no room for.
        guard !facts.isX11 || !commit.minimum.isEmpty else { return nil }
        let scale = min(1, room.width / max(1, commit.minimum.width), room.height / max(1, commit.minimum.height))
        let stretch = facts.isX11 ? 1 : 1 / max(scale, 0.25)
        func fit(_ natural: Double, _ least: Double, _ room: Double) -> Double { max(least, min(natural, room * stretch)) }
        let size = Size(
            fit(natural.width, commit.minimum.width, room.width), fit(natural.height, commit.minimum.height, room.height)
        ).rounded
        return size == natural && !wasTold ? nil : size
    }

    /// Learns from a commit what the client did not say: that it cannot be as small as its place. Only of one that was
    /// told another size before, for some (mpv) pass over the size that they are told first.
    mutating func learnOverflow() {
        guard let lastConfigure, !lastConfigure.chooses, lastConfigure.arranged, wasResized, overflow == nil, !facts.isX11,
            commit.answered >= lastConfigure.sequence
        else { return }
        let size = lastConfigure.frame.size
        guard commit.size.width > size.width || commit.size.height > size.height else { return }
        overflow = Size(
            commit.size.width > size.width ? commit.size.width : 0, commit.size.height > size.height ? commit.size.height : 0)
    }

    /// It is told a size for a place of this size.
    mutating func note(place: Size) {
        guard room != place else { return }
        if room != nil, isMapped { resizes = true }
        room = place
        overflow = nil
    }
}
