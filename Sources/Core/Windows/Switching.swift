import Geometry
import OrderedCollections

/// Another idiom begins while windows are open.
extension Workspace {
    /// The idiom as its data say, before it is reduced to a small screen.
    public var family: Idiom { whole ?? idiom }

    /// Arranges all windows by another idiom. Every window keeps its state. Where its own places were kept, a window stands there
    /// again; else the ones that were used last come last, in front. The active window stays active and comes into sight.
    public mutating func setIdiom(_ new: Idiom) {
        guard new != family else { return }
        let old = arrangement, active = focus.map { root(of: $0) }
        elsewhere[family.name] = old
        (whole, idiom) = (nil, new)
        screen?.round = new.round?.inset
        if let screen { fit(to: screen.size) }
        var next = elsewhere.removeValue(forKey: new.name).flatMap { $0.kind == new.arrangement ? $0 : nil } ?? Arrangement(new.arrangement)
        // Windows that came unasked stay out of every arrangement.
        let windows = old.ask { $0.windows } + (isConfined ? [] : takeKeptOut())
        next.change { next in
            for id in Set(next.windows).subtracting(windows) { next.remove(id) }
            if let picture = next.picture, !idiom.places.contains(.pictureInPicture) { next.remove(picture.window) }
        }
        arrangement = next
        let strangers = windows.filter { !next.contains($0) }
        adopt(strangers, from: old)
        arrangement.change { next in
            next.spaces.clock = max(next.spaces.clock, clock)
            if next.spaces.current == nil, let any = next.spaces.mostRecent { next.spaces.bringForward(any) }
            if let active, next.contains(active) { next.show(active) }
            // Where no home screen is offered, a person could not leave it.
            next.spaces.isHome = old.spaces.isHome && !next.spaces.list.isEmpty && new.offers.contains(.home)
        }
        sizePlaceholders()
        for id in strangers { findRoom(for: id) }
        if let picture = pip, let screen {
            let natural = self[picture.window]?.naturalSize
            if natural != nil || picture.width == 0 { setPipShape(natural ?? Size(picture.aspect, 1), on: screen) }
        }
        holdDividers()
        confine()
        refocus()
    }

    /// Takes windows in that stand nowhere here: the ones that were used last come last, in front, and a picture stays one.
    ///
    /// - Parameter old: the arrangement in which they stand.
    mutating func adopt(_ strangers: [WindowID], from old: Arrangement?) {
        for id in strangers.sorted(by: { (lastFocus(of: $0), $0.raw) < (lastFocus(of: $1), $1.raw) }) {
            if let picture = old?.picture, picture.window == id, pip == nil, admits(.pictureInPicture) {
                arrangement.picture = picture
            } else {
                let lastUse = lastFocus(of: id)
                _ = arrangement.change { $0.restore([id], pair: nil, lastUse: lastUse) }
            }
        }
    }

    /// A person touches a window, or types into it. A touch that may become a swipe along the edge is none.
    public mutating func isUsed(_ id: WindowID) { arrangement.isUsed(root(of: id)) }

    func lastFocus(of id: WindowID) -> UInt64 { read(id) { $0.lastFocus } ?? 0 }
}
