import Geometry
import Seat
import Testing

@Suite("Panels: where they stand")
struct PanelLayoutTests {
    private let screen = Size(1180, 820)

    private func bar(_ anchors: PanelFacts.Anchors, _ size: Size, zone: Double, layer: PanelFacts.Layer = .top) -> PanelFacts {
        PanelFacts(layer: layer, anchors: anchors, size: size, zone: zone)
    }

    @Test("a bar takes its edge, and the next one stands beside it")
    func bars() {
        var seat = Seat()
        seat.panelChanged(PanelID(1), bar([.top, .left, .right], Size(0, 32), zone: 32))
        seat.panelChanged(PanelID(2), bar([.left, .top, .bottom], Size(48, 0), zone: 48))
        let placed = seat.arrange(in: screen)
        #expect(placed.map(\.id) == [PanelID(1), PanelID(2)])
        #expect(placed.map(\.frame) == [Rect(0, 0, 1180, 32), Rect(0, 32, 48, 788)])
        #expect(seat.reserved == Insets(32, 0, 0, 48))
        // Nothing changed: nobody is placed again.
        #expect(seat.arrange(in: screen).isEmpty)
    }

    @Test("without room of its own a panel keeps clear of those that have; with -1 it lies over them")
    func zones() {
        var seat = Seat()
        seat.panelChanged(PanelID(1), bar([.bottom, .left, .right], Size(0, 300), zone: 300))
        seat.panelChanged(PanelID(2), bar([.bottom], Size(200, 40), zone: 0))
        seat.panelChanged(PanelID(3), bar([.top, .bottom, .left, .right], .zero, zone: -1, layer: .background))
        _ = seat.arrange(in: screen)
        #expect(seat.panels[PanelID(2)]?.frame == Rect(490, 480, 200, 40))
        #expect(seat.panels[PanelID(3)]?.frame == Rect(0, 0, 1180, 820))
    }

    @Test("margins move a panel from the edges that it is tied to, and add to its room")
    func margins() {
        var seat = Seat()
        let facts = PanelFacts(layer: .top, anchors: [.right], size: Size(50, 100), margins: Insets(0, 10, 0, 0), zone: 50)
        seat.panelChanged(PanelID(1), facts)
        _ = seat.arrange(in: screen)
        #expect(seat.panels[PanelID(1)]?.frame == Rect(1120, 360, 50, 100))
        #expect(seat.reserved == Insets(0, 60, 0, 0))
    }

    @Test("apps keep a quarter of the screen, whatever panels ask for together")
    func quarter() {
        var seat = Seat()
        for id in 1...6 { seat.panelChanged(PanelID(UInt32(id)), bar([.bottom, .left, .right], Size(0, 400), zone: 400)) }
        _ = seat.arrange(in: screen)
        #expect(seat.reserved == Insets(0, 0, 615, 0))
    }

    @Test("a panel without content, or on a screen that shows nothing, takes no room")
    func unmapped() {
        var seat = Seat()
        var facts = bar([.top, .left, .right], Size(0, 32), zone: 32)
        facts.isMapped = false
        seat.panelChanged(PanelID(1), facts)
        facts.isMapped = true
        facts.isOffScreen = true
        seat.panelChanged(PanelID(2), facts)
        _ = seat.arrange(in: screen)
        #expect(seat.reserved == .zero)
        #expect(seat.panels[PanelID(1)]?.frame == Rect(0, 0, 1180, 32))
    }

    @Test("extreme numbers do no harm", arguments: [-1e9, 0, 1e9])
    func absurd(_ number: Double) {
        var seat = Seat()
        for anchors in UInt32(0)..<16 {
            seat.panelChanged(
                PanelID(anchors),
                PanelFacts(
                    layer: .overlay, anchors: PanelFacts.Anchors(rawValue: anchors), size: Size(max(number, 0), 1),
                    margins: Insets(number, -number, number, number), zone: number))
        }
        for (_, frame) in seat.arrange(in: Size(1, 1)) {
            #expect(frame.width >= 1 && frame.height >= 1 && frame.width < 2e6 && abs(frame.x) < 2e6 && abs(frame.y) < 2e6)
        }
        #expect(seat.violations() == [])
    }
}
