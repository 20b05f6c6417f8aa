import Foundation
import Geometry
import Testing
import Windows

private let one = WindowID(1), two = WindowID(2), three = WindowID(3)

/// Windows that are open, each in a space of its own, the last in front.
private func workspace(_ count: UInt32, size: Size = Size(1180, 820), idiom: Idiom = .pad) -> Workspace {
    var workspace = Workspace(idiom: idiom, newWindows: .always)
    workspace.setScreen(Screen(size: size))
    for raw in 1...count {
        workspace.created(WindowID(raw), WindowFacts(client: UInt64(raw)))
        workspace.mapped(WindowID(raw), WindowCommit(size: size), at: .zero)
    }
    return workspace
}

@Suite("Layout")
struct LayoutTests {
    @Test("W-04: a pair fills the room, whatever the share, with no gap and no overlap")
    func pair() {
        for size in [Size(1180, 820), Size(820, 1180), Size(61, 40), Size(1, 1)] {
            for axis in [Axis.horizontal, .vertical] {
                let space = workspace(2, size: size)
                let split = Split(first: one, second: two, portraitAxis: axis)
                for step in 0...20 {
                    let frames = space.splitFrames(split, fraction: Double(step) / 20, on: Screen(size: size))
                    #expect(!frames.first.intersects(frames.second))
                    if split.axis(on: size) == .horizontal {
                        #expect(frames.first.width + frames.second.width == max(0, size.width - 10))
                        #expect(frames.divider.minX == frames.first.maxX && frames.second.minX == frames.divider.maxX)
                    } else {
                        #expect(frames.first.height + frames.second.height == max(0, size.height - 10))
                        #expect(frames.divider.minY == frames.first.maxY && frames.second.minY == frames.divider.maxY)
                    }
                    for frame in [frames.first, frames.second] { #expect(frame == frame.rounded) }
                }
            }
        }
    }

    @Test("the share that puts the divider under a point puts it there")
    func dividerUnderPoint() {
        let space = workspace(2)
        let split = Split(first: one, second: two), screen = Screen(size: Size(1180, 820), reserved: Insets(20, 30, 0, 40))
        for x in stride(from: 60.0, through: 1100, by: 13) {
            let fraction = space.dividerFraction(at: Point(x, 400), axis: .horizontal, on: screen)
            let frames = space.splitFrames(split, fraction: fraction, on: screen)
            #expect(abs(frames.divider.center.x - x) <= 0.5)
        }
        #expect(space.dividerFraction(at: Point(-500, 0), axis: .horizontal, on: screen) == 0)
        #expect(space.dividerFraction(at: Point(5000, 0), axis: .horizontal, on: screen) == 1)
    }

    @Test("W-04: resting places and edges")
    func rests() {
        let space = workspace(2)
        #expect(space.dividerRest(0.1) == nil && space.dividerRest(0.95) == nil)
        #expect(space.dividerRest(0.2) == 1.0 / 3 && space.dividerRest(0.45) == 0.5 && space.dividerRest(0.8) == 2.0 / 3)
    }

    @Test("hidden, the card and its shadow are off the screen, on its side")
    func hiddenCard() {
        let space = workspace(1), screen = Screen(size: Size(1180, 820))
        #expect(space.slideOverCard(on: screen, side: .right, isHidden: true).minX > 1180)
        #expect(space.slideOverCard(on: screen, side: .left, isHidden: true).maxX < 0)
        for side in [Side.left, .right] {
            let card = space.slideOverCard(on: screen, side: side, isHidden: false)
            #expect(screen.bounds.contains(card))
            #expect(space.cardAround(space.cardContent(card)) == card)
        }
    }

    @Test("W-11: a dialog is no larger than its window")
    func dialogs() {
        let space = workspace(1)
        let room = Rect(0, 0, 585, 820)
        #expect(space.dialogFrame(Size(300, 200), over: room, in: room) == Rect(143, 310, 300, 200))
        #expect(space.dialogFrame(Size(1170, 400), over: room, in: room).width == 585)
        // One on another stands on its middle, as large as it is, and within the window.
        #expect(space.dialogFrame(Size(400, 300), over: Rect(0, 0, 200, 100), in: room) == Rect(0, 0, 400, 300))
        #expect(space.dialogFrame(Size(400, 300), over: Rect(193, 360, 200, 100), in: room) == Rect(93, 260, 400, 300))
    }

    @Test("a configure is told once, and numbered in order")
    func configures() {
        var space = workspace(2)
        let first = space.configures()
        #expect(first.count == 2)
        #expect(space.configures() == [])
        try? space.move(two, to: .splitView(.left))
        let sequences = (first + space.configures()).compactMap { if case .configure(_, let c) = $0 { c.sequence } else { nil } }
        #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
    }

    @Test("without a screen no configure is sent")
    func noScreen() {
        var space = Workspace(idiom: .pad)
        space.created(one, WindowFacts())
        #expect(space.configures() == [] && space.frames() == [:])
    }
}

@Suite("Moves")
struct MoveTests {
    @Test("what is not there is refused by name")
    func refusals() {
        var space = workspace(2)
        func reason(_ body: (inout Workspace) throws(Refusal) -> Void) -> String? {
            do { try body(&space) } catch { return error.reason }
            return nil
        }
        #expect(reason { w throws(Refusal) in try w.move(WindowID(9), to: .fullScreen) } == "there is no window 9")
        space.created(three, WindowFacts())
        #expect(reason { w throws(Refusal) in try w.move(three, to: .slideOver) } == "window 3 is not shown by its app yet")
        #expect(reason { w throws(Refusal) in try w.swapSplit() } == "no Split View is in front")
        #expect(reason { w throws(Refusal) in try w.setSlideOverHidden(true) } == "no window is in Slide Over")
        #expect(reason { w throws(Refusal) in try w.setPipCorner(.topLeft) } == "no window is in Picture in Picture")
        #expect(reason { w throws(Refusal) in try w.showSpace(SpaceID(77)) } == "there is no space 77")
        #expect(space.violations() == [])
    }

    @Test("a refused move leaves everything as it was")
    func refusedChangesNothing() {
        var plain = Idiom.pad
        plain.places = .fullScreen
        for destination in [Destination.splitView(.left), .slideOver, .pictureInPicture] {
            var space = workspace(2, idiom: plain)
            let before = space
            #expect(throws: Refusal.self) { try space.move(two, to: destination) }
            #expect(space == before)
        }
    }

    @Test("when a window leaves, the one beside or behind it takes its space")
    func leaving() {
        var space = workspace(3)
        try? space.move(three, to: .splitView(.left))
        let pair = space.currentSpace!.windows
        space.destroyed(three)
        #expect(space.currentSpace?.content == .full(pair.first { $0 != three }!))
        space.destroyed(space.focus!)
        #expect(space.current != nil && space.focus != nil)
        #expect(space.violations() == [])
    }

    @Test("after the last window, the screen is empty and nothing has the focus")
    func last() {
        var space = workspace(1)
        space.destroyed(one)
        #expect(space.spaces.isEmpty && space.current == nil && space.focus == nil)
        #expect(space.violations() == [])
    }

    @Test("closing a dialog gives the keys back to its window")
    func dialogFocus() {
        var space = workspace(2)
        try? space.move(two, to: .splitView(.right))
        space.setFocus(one)
        space.created(three, WindowFacts(client: 1, parent: one))
        space.mapped(three, WindowCommit(size: Size(100, 100)), at: .zero)
        #expect(space.focus == three)
        space.destroyed(three)
        #expect(space.focus == one)
    }

    @Test("a window that had a place keeps it when the one it calls its parent appears (law 1)")
    func lateParent() {
        var space = workspace(1)
        space.created(two, WindowFacts(parent: three))
        space.mapped(two, WindowCommit(size: Size(100, 100)), at: .zero)
        space.created(three, WindowFacts())
        space.mapped(three, WindowCommit(size: Size(100, 100)), at: .zero)
        guard case .full = space.place(of: two), case .full = space.place(of: three) else {
            Issue.record("\(String(describing: space.place(of: two)))")
            return
        }
        #expect(space.dialogs(of: three) == [])
        #expect(space.violations() == [])
    }

    @Test("five hundred windows")
    func many() {
        var space = workspace(500)
        #expect(space.spaces.count == 500)
        for raw in stride(from: 1 as UInt32, to: 500, by: 7) { try? space.move(WindowID(raw), to: .slideOver) }
        #expect(space.violations() == [])
        for raw in 1...500 as ClosedRange<UInt32> { space.destroyed(WindowID(raw)) }
        #expect(space.windows.isEmpty && space.violations() == [])
    }

    @Test("the whole arrangement is written and read")
    func json() throws {
        var space = workspace(4)
        try space.move(two, to: .splitView(.left))
        try space.move(three, to: .slideOver)
        try space.move(one, to: .pictureInPicture)
        _ = space.configures()
        let again = try JSONDecoder().decode(Workspace.self, from: JSONEncoder().encode(space))
        #expect(again == space)
    }
}
