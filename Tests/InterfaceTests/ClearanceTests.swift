import Geometry
import Interface
import MullionTesting
import Multitasking
import Stage
import Testing
import Windows

@Suite("What floats keeps clear of the dock and of dialogs")
struct ClearanceTests {
    private func dock(_ world: CoreWorld) -> Rect { world.system.views(at: world.now)!.dockArea! }

    @Test("a picture in a lower corner stays above the visible dock", arguments: [Corner.bottomLeft, .bottomRight])
    func pictureAndDock(corner: Corner) {
        for size in [Size(1180, 820), Size(700, 1180)] {
            var world = world(["editor", "terminal"], size: size, installed: catalogue + many(9))
            for app in 0..<9 { world.act(.addToDock(app: "app\(app)")) }
            world.act(.pictureInPicture(window: one))
            world.act(.pipCorner(corner))
            world.rest()
            let place = world.frame(one)!
            for way in [Action.dock, .home] {
                world.act(way)
                world.rest()
                let dock = dock(world), frame = world.frame(one)!
                #expect(dock.intersects(place), "else this says nothing")
                #expect(!dock.intersects(frame) && frame.x == place.x && frame.size == place.size, "\(way): \(frame) and \(dock)")
                #expect(world.workspace.pip?.corner == corner)
                world.act(way == .home ? .home : .dismiss)
                world.rest()
                #expect(world.frame(one) == place)
            }
            #expect(world.finish() == [])
        }
    }

    @Test("a picture keeps clear of a dialog's buttons, in whatever corner")
    func pictureAndDialog() {
        for corner in Corner.allCases {
            var world = world(["editor", "terminal"])
            world.act(.pictureInPicture(window: one))
            world.act(.pipCorner(corner))
            world.rest()
            let place = world.frame(one)!
            world.create(5, facts("terminal", 5, parent: 2))
            world.setNatural(Size(800, 500), of: WindowID(5))
            world.map(5)
            world.rest()
            let dialog = world.frame(WindowID(5))!
            #expect(dialog.intersects(place), "else this says nothing")
            #expect(!dialog.intersects(world.frame(one)!), "\(corner): \(world.frame(one)!) and \(dialog)")
            world.destroy(WindowID(5))
            world.rest()
            #expect(world.frame(one) == place)
            #expect(world.finish() == [])
        }
    }

    @Test("a dialog under the Slide Over card stands beside it", arguments: [Side.left, .right])
    func cardAndDialog(side: Side) {
        var world = world(["editor", "terminal"])
        world.act(.slideOver(window: one))
        world.act(.slideOverSide(side))
        world.create(5, facts("terminal", 5, parent: 2))
        world.setNatural(Size(640, 400), of: WindowID(5))
        world.map(5)
        world.rest()
        let screen = world.workspace.screen!
        let card = world.workspace.slideOverCard(on: screen, side: side, isHidden: false)
        let dialog = world.frame(WindowID(5))!
        #expect(!card.intersects(dialog) && screen.bounds.contains(dialog), "\(card) and \(dialog)")
        world.act(.slideOverHide)
        world.rest()
        #expect(world.frame(WindowID(5))!.center.x == 590)
        #expect(world.finish() == [])
    }

    @Test("a card over the home screen alone stands above the dock")
    func cardAndDock() {
        var world = world(["editor"], installed: catalogue + many(9))
        for app in 0..<9 { world.act(.addToDock(app: "app\(app)")) }
        world.act(.slideOver(window: one))
        world.rest()
        #expect(!world.workspace.cardAround(world.frame(one)!).intersects(dock(world)))
        #expect(world.finish() == [])
    }

    @Test("an icon of the home screen that is dropped, there or elsewhere, goes back and starts nothing")
    func droppedIcon() {
        for way in [Vector(0, 0), Vector(30, 20), Vector(90, 10), Vector(300, 200)] {
            var world = world(["terminal"])
            world.act(.home)
            world.rest()
            let start = world.middle("home/editor")
            world.touch(down: start)
            world.wait(700)
            world.slide(to: start + Vector(200, 100))
            #expect(world.interface.lifted != nil)
            world.slide(to: start + way)
            world.lift()
            #expect(world.launches == [] && world.workspace.isHome && world.interface.lifted == nil, "\(way)")
            #expect(world.finish() == [])
        }
    }

    @Test("pull down to search wherever the finger starts: on an icon, its label, between them")
    func pullToSearch() {
        for milliseconds in [60.0, 200, 450] {
            for way in [Vector(0, 0), Vector(0, 44), Vector(60, 0)] {
                var world = world(["editor"], installed: catalogue + many(60))
                world.act(.home)
                world.rest()
                let start = world.middle("home/terminal") + way
                world.drag(from: start, to: start + Vector(5, 150), over: milliseconds)
                #expect(world.open == ["search"], "from \(start) in \(milliseconds) ms")
                #expect(world.launches == [] && world.finish() == [])
            }
        }
        // Up is nothing, and neither a tap nor a rest is a pull.
        var world = world([], installed: catalogue)
        let icon = world.middle("home/terminal")
        world.drag(from: icon, to: icon + Vector(0, -150))
        #expect(world.open == [] && world.launches == [])
        world.touch(down: icon)
        world.wait(600)
        #expect(world.open == ["menu"])
        world.lift()
        world.act(.dismiss)
        world.tap(at: icon)
        #expect(world.launches == [["terminal"]])
    }

    @Test("turned during a swipe up, what is in the hand is not stretched, and comes back")
    func turned() {
        for (isLifted, isPrompt) in [(false, true), (true, true), (false, false), (true, false)] {
            var world = world(["editor", "terminal"])
            if !isPrompt { world.setManner(.asked, of: two) }
            world.swipe(Vector(0, -300), speed: 900, lifts: isLifted)
            world.send(.screenChanged(Screen(size: Size(820, 1180))))
            for ms in 0..<280 {
                for item in world.system.items(at: world.now) where item.key.part == .cardWindow && item.kind == .window(two) {
                    let size = world.workspace[two]!.contentSize
                    let shape = item.frame.width / item.frame.height, own = size.width / size.height
                    #expect(abs(shape / own - 1) < 0.02, "after \(ms) ms: a picture of \(size) in \(item.frame)")
                }
                world.wait(1)
            }
            world.lift()
            #expect(world.finish() == [])
        }
    }
}
