import Geometry
import Windows

/// The bar below a window at a depth: it moves the window, and controls hang at its sides (V-01, V-02). It keeps its size at every
/// depth, so that a finger finds it.
extension Stage {
    /// The bar of a window that is drawn at `frame`; nil: it has none. At the lower edge of the screen it lies over the window.
    func spaceBar(of id: WindowID, _ frame: Rect, _ workspace: Workspace) -> Rect? {
        guard workspace.idiom.dressing == .barBelow, let measures = workspace.idiom.depth, let room = workspace.screen?.usable,
            workspace.isFree(id)
        else { return nil }
        let width = max(40, min(measures.barWidth, frame.width / 2)), side = measures.control
        let line = workspace.idiom.homeLine.map { $0.rise + 6 } ?? 4
        let y = max(room.minY + side / 2, min(frame.maxY + measures.barGap, room.maxY - line - side / 2 - measures.barHeight / 2))
        let x = max(room.minX + 2 * side, min(room.maxX - 2 * side - width, frame.center.x - width / 2))
        return Rect(x.rounded(), y.rounded(), width, measures.barHeight)
    }

    /// The controls beside the bar.
    func spaceControls(_ bar: Rect, _ measures: DepthMeasures) -> [(control: BarControl, frame: Rect)] {
        let side = Size(measures.control, measures.control), gap = 12 + measures.control / 2
        return mirrored(
            [
                (.close, Rect(center: Point(bar.minX - gap, bar.center.y), size: side)),
                (.zoom, Rect(center: Point(bar.maxX + gap, bar.center.y), size: side)),
            ], in: bar)
    }

    /// Only a window that a person looks at or uses shows its controls.
    private func showsSpaceControls(_ id: WindowID, _ workspace: Workspace) -> Bool {
        workspace.gazed == id || workspace.focus.map { workspace.root(of: $0) } == id
    }

    func addSpaceBar(_ id: WindowID, _ frame: Rect, _ opacity: Double, _ workspace: Workspace, to items: inout [Item]) {
        guard let bar = spaceBar(of: id, frame, workspace), let measures = workspace.idiom.depth else { return }
        let isNear = showsSpaceControls(id, workspace)
        let clear = opacity * (isNear ? 1 : 0.55)
        items.append(Item(.grip, id, .fill(.controls), bar.inset(by: -4), radius: measures.barHeight / 2 + 4, opacity: clear))
        items.append(Item(.gripDot0, id, .fill(.gripOnDark), bar, radius: measures.barHeight / 2, opacity: clear))
        guard isNear else { return }
        for (control, frame) in spaceControls(bar, measures) {
            let parts: (ground: Item.Part, symbol: Item.Part) = control == .close ? (.gripDot1, .sheetClose) : (.gripDot2, .barZoom)
            items.append(Item(parts.ground, id, .fill(.controls), frame, radius: frame.width / 2, opacity: clear))
            let size = Size(18, 18)
            items.append(
                Item(
                    parts.symbol, id, .art(.symbol(control.symbol, .onDark), size: size), Rect(center: frame.center, size: size),
                    opacity: clear))
        }
    }

    /// The target of a finger or the pointer on the bar and beside it.
    func spaceBarHit(_ point: Point, _ id: WindowID, _ frame: Rect, _ workspace: Workspace, precise: Bool) -> Hit? {
        guard read(id, { $0.base }) == .some(nil), let bar = spaceBar(of: id, frame, workspace), let measures = workspace.idiom.depth else {
            return nil
        }
        let reach = precise ? 4 : max(0, (workspace.idiom.target - measures.control) / 2 - 6)
        if showsSpaceControls(id, workspace),
            let control = spaceControls(bar, measures).first(where: { $0.frame.inset(by: -min(reach, 6)).contains(point) })?.control
        {
            return .view(ControlID(.sheet, "\(id.raw)/\(control.rawValue)"))
        }
        let side = max(measures.control, bar.height)
        let target = Rect(center: bar.center, size: Size(bar.width, side)).inset(by: Insets(-reach, -2, -reach, -2))
        return target.contains(point) ? .window(id, .grip) : nil
    }

    /// The window whose bar or control is at a point.
    public func windowOfBar(at point: Point, _ workspace: Workspace, at now: Moment) -> WindowID? {
        order.last { id in frame(of: id, at: now).map { spaceBarHit(point, id, $0, workspace, precise: true) != nil } ?? false }
    }

    /// A person looks at a window, or away from it: it becomes clearer, or less clear.
    public mutating func showPresence(of id: WindowID, _ workspace: Workspace, at now: Moment, spring: Spring) {
        guard let index = shown.index(forKey: id), shown.values[index].level != .leaving else { return }
        let presence = workspace.presence(of: shown.values[index].base ?? id)
        guard shown.values[index].presence != presence else { return }
        shown.values[index].presence = presence
        shown.values[index].opacity.retarget(presence, at: now, spring: spring)
    }
}
