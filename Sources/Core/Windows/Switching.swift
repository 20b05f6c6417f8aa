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
        if let screen { fit(to: screen.size) }
        var next = elsewhere.removeValue(forKey: new.name).flatMap { $0.kind == new.arrangement ? $0 : nil } ?? Arrangement(new.arrangement)
        let windows = old.ask { $0.windows }
        next.change { next in
            for id in Set(next.windows).subtracting(windows) { next.remove(id) }
            if let picture = next.picture, !idiom.places.contains(.pictureInPicture) { next.remove(picture.window) }
        }
        let known = Set(next.ask { $0.windows })
        let strangers = windows.filter { !known.contains($0) }.sorted { (lastFocus(of: $0), $0.raw) < (lastFocus(of: $1), $1.raw) }
        for id in strangers {
            if let picture = old.picture, picture.window == id, next.picture == nil, admits(.pictureInPicture) {
                next.picture = picture
            } else {
                let lastUse = lastFocus(of: id)
                _ = next.change { $0.restore([id], pair: nil, lastUse: lastUse) }
            }
        }
        next.change { next in
            next.spaces.clock = max(next.spaces.clock, clock)
            if next.spaces.current == nil, let any = next.spaces.mostRecent { next.spaces.bringForward(any) }
            if let active, next.contains(active) { next.show(active) }
            next.spaces.isHome = old.spaces.isHome && !next.spaces.list.isEmpty
        }
        arrangement = next
        for id in strangers { findRoom(for: id) }
        if let picture = pip, picture.width == 0, let screen { setPipShape(self[picture.window]?.naturalSize ?? Size(picture.aspect, 1), on: screen) }
        refocus()
    }

    private func lastFocus(of id: WindowID) -> UInt64 { read(id) { $0.lastFocus } ?? 0 }
}
