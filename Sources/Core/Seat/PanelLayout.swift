import Geometry

/// Places panels, and computes the area that remains for windows.
extension Seat {
    /// The share of each axis that panels must leave to windows.
    static let roomForApps = 0.25

    /// Places every panel on a screen of this size, in points.
    ///
    /// - Returns: the panels whose place changed.
    public mutating func arrange(in size: Size) -> [(id: PanelID, frame: Rect)] {
        let full = Rect(origin: .zero, size: size)
        var usable = full
        var changed: [(id: PanelID, frame: Rect)] = []
        // Panels with exclusive zones come first, from the top layer down, because they determine the space for
        // others.
        for takesRoom in [true, false] {
            for layer in PanelFacts.Layer.allCases.reversed() {
                for (id, panel) in panels where panel.facts.layer == layer && (panel.facts.zone > 0) == takesRoom {
                    let frame = Seat.place(panel.facts, in: panel.facts.zone < 0 ? full : usable)
                    if panel.frame != frame {
                        panels[id]!.frame = frame
                        changed.append((id, frame))
                    }
                    if takesRoom, panel.facts.isMapped, !panel.facts.isOffScreen { Seat.takeZone(of: panel.facts, full, &usable) }
                }
            }
        }
        reserved = Insets(
            max(0, usable.minY), max(0, full.maxX - usable.maxX), max(0, full.maxY - usable.maxY), max(0, usable.minX))
        return changed
    }

    private static func place(_ facts: PanelFacts, in bounds: Rect) -> Rect {
        let x = along(
            facts.size.width, bounds.minX, bounds.width, atStart: facts.anchors.contains(.left), atEnd: facts.anchors.contains(.right),
            before: facts.margins.left, after: facts.margins.right)
        let y = along(
            facts.size.height, bounds.minY, bounds.height, atStart: facts.anchors.contains(.top),
            atEnd: facts.anchors.contains(.bottom), before: facts.margins.top, after: facts.margins.bottom)
        return Rect(x.position, y.position, x.extent, y.extent)
    }

    /// One axis: places something of `size` between `start` and `start + length`.
    private static func along(
        _ size: Double, _ start: Double, _ length: Double, atStart: Bool, atEnd: Bool, before: Double, after: Double
    ) -> (position: Double, extent: Double) {
        // Clients may send any number, so clamp it to a range that is safe for arithmetic.
        func near(_ value: Double, _ low: Double) -> Double { min(max(value, low), far) }
        let extent = near(size == 0 ? length - before - after : size, 1)
        let position =
            if size == 0 || (atStart && !atEnd) {
                start + before
            } else if atStart == atEnd {
                start + (length / 2).rounded(.down) - (size / 2).rounded(.down)
            } else {
                start + length - size - after
            }
        return (near(position, -far), extent)
    }

    private static let far = 1_048_576.0

    private static func takeZone(of facts: PanelFacts, _ full: Rect, _ usable: inout Rect) {
        func zone(_ margin: Double, _ all: Double, _ left: Double) -> Double {
            max(0, min(facts.zone + margin, left - (all * roomForApps).rounded(.down)))
        }
        switch facts.anchors {
        case .top, [.top, .left, .right]:
            let taken = zone(facts.margins.top, full.height, usable.height)
            usable = Rect(usable.minX, usable.minY + taken, usable.width, usable.height - taken)
        case .bottom, [.bottom, .left, .right]:
            usable.height -= zone(facts.margins.bottom, full.height, usable.height)
        case .left, [.left, .top, .bottom]:
            let taken = zone(facts.margins.left, full.width, usable.width)
            usable = Rect(usable.minX + taken, usable.minY, usable.width - taken, usable.height)
        case .right, [.right, .top, .bottom]:
            usable.width -= zone(facts.margins.right, full.width, usable.width)
        default: break
        }
    }
}
