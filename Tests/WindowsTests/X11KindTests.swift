import Geometry
import Testing
import Windows

@Suite("X-02: which windows of X11 programs the shell manages")
struct X11KindTests {
    private let screen = Rect(0, 0, 1280, 800)

    @Test(
        "P-04: a menu that fills the screen is a window, until it is unmapped",
        arguments: [
            (Rect(0, 0, 1280, 800), true), (Rect(-20, -10, 1400, 900), true), (Rect(0, 0, 1280, 799), false),
            (Rect(1, 0, 1280, 800), false),
            (Rect(0, 1, 1280, 800), false), (Rect(400, 300, 200, 100), false), (Rect(0, 0, 0, 0), false),
        ])
    func fillsScreen(frame: Rect, fills: Bool) {
        var kind = X11Kind()
        #expect(kind.isMenu(isOwn: true) && !kind.isMenu(isOwn: false))
        #expect(kind.lies(at: frame, isOwn: true, on: screen) == fills)
        #expect(kind.isMenu(isOwn: true) == !fills)
        #expect(!kind.lies(at: frame, isOwn: true, on: screen) || !fills, "it is said once")
        // It shrinks: a window stays one.
        #expect(!kind.lies(at: Rect(400, 300, 200, 100), isOwn: true, on: screen) && kind.isMenu(isOwn: true) == !fills)
        kind.unmapped()
        #expect(kind.isMenu(isOwn: true))
    }

    @Test("a window that the shell manages anyway, and a screen that is not there, change nothing")
    func others() {
        var kind = X11Kind()
        #expect(!kind.lies(at: screen, isOwn: false, on: screen) && !kind.lies(at: screen, isOwn: true, on: nil))
        #expect(!kind.lies(at: screen, isOwn: true, on: Rect(0, 0, 0, 0)) && kind.isMenu(isOwn: true))
    }

    @Test("tool windows that name none, the root or themselves as their parent belong to the group")
    func group() {
        for (parent, isOfGroup) in [(nil, false), (0, true), (7, true), (42, true), (43, false)] as [(UInt32?, Bool)] {
            #expect(X11Kind.isOfGroup(parent: parent, root: 7, own: 42) == isOfGroup)
        }
    }

    @Test("a tooltip holds no pointer; a menu without a type does, if it is of its window's process")
    func grabs() {
        #expect(X11Kind.mayGrab(isMenuType: true, isOfOwnersProcess: false) && !X11Kind.mayGrab(isMenuType: false, isOfOwnersProcess: true))
        #expect(X11Kind.mayGrab(isMenuType: nil, isOfOwnersProcess: true) && !X11Kind.mayGrab(isMenuType: nil, isOfOwnersProcess: false))
    }
}
