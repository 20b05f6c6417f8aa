import Geometry
import Seat
import Testing

@Suite("The fingers that clients have")
struct FingersTests {
    private var book = Fingers<String>()

    private mutating func touch(_ id: Int32, _ surface: String = "app", knowsTouch: Bool = true, held: Bool = false) {
        let delivery = book.delivery(knowsTouch: knowsTouch, pointerIsHeld: held)
        book.begin(id, .core, on: surface, at: Point(5, 5), origin: Point(100, 50), delivery)
    }

    @Test("a finger goes as touch to an app that knows touch, whatever the pointer does")
    mutating func touches() {
        touch(1, knowsTouch: true, held: true)
        #expect(book[1]?.delivery == .touch)
    }

    @Test("one finger stands in for the pointer, and only while nothing holds it")
    mutating func standsIn() {
        touch(1, knowsTouch: false, held: true)
        #expect(book[1]?.delivery == .nothing)
        touch(2, knowsTouch: false)
        #expect(book[2]?.delivery == .pointer && book.hasStandIn)
        touch(3, knowsTouch: false)
        #expect(book[3]?.delivery == .nothing)
        #expect(book.end(2) == .pointer)
        #expect(!book.hasStandIn)
        touch(4, knowsTouch: false)
        #expect(book[4]?.delivery == .pointer)
    }

    @Test("X-02: one press has one release: a finger that stands in for the pointer holds back the mouse's presses, and their releases")
    mutating func pressedOnce() {
        let left: UInt32 = 0x110, right: UInt32 = 0x111
        // The macro cannot change what it looks at.
        func expect(_ button: UInt32, _ pressed: Bool, isDelivered: Bool, _ location: SourceLocation = #_sourceLocation) {
            let found = book.delivers(button, pressed: pressed)
            #expect(found == isDelivered, sourceLocation: location)
        }
        expect(left, true, isDelivered: true)
        expect(left, false, isDelivered: true)
        touch(1, knowsTouch: false)
        expect(left, true, isDelivered: false)
        #expect(book.isHeldBack(left))
        expect(right, true, isDelivered: false)
        expect(right, false, isDelivered: false)
        _ = book.end(1)
        // The finger has gone; the press of the left button was held back.
        expect(right, true, isDelivered: true)
        expect(left, false, isDelivered: false)
        expect(right, false, isDelivered: true)
        expect(left, true, isDelivered: true)
        // A button that was down before keeps its release. An app that knows touch gets both.
        touch(2)
        expect(left, false, isDelivered: true)
        expect(left, true, isDelivered: true)
        expect(left, false, isDelivered: true)
    }

    @Test("a motion is told in the surface's coordinates")
    mutating func moves() throws {
        touch(1)
        let told = try #require(book.move(1, to: Point(130, 60)) { _ in false })
        #expect(told.delivery == .touch && told.place == Point(30, 10))
        #expect(book.move(2, to: Point(130, 60)) { _ in false } == nil)
    }

    @Test("a finger without a client moves and ends silently")
    mutating func silent() {
        touch(1, knowsTouch: false, held: true)
        #expect(book.move(1, to: Point(130, 60)) { _ in false } == nil)
        #expect(book.end(1) == .nothing)
    }

    @Test("a stalled app gets the last position once it has caught up")
    mutating func owes() {
        touch(1)
        touch(2, "other")
        #expect(book.move(1, to: Point(130, 60)) { $0 == "app" } == nil)
        #expect(book.move(1, to: Point(140, 70)) { $0 == "app" } == nil)
        #expect(book.takeOwed { $0 == "other" }.isEmpty)
        #expect(book.takeOwed { $0 == "app" }.map(\.place) == [Point(40, 20)])
        #expect(book.takeOwed { $0 == "app" }.isEmpty)
    }

    @Test("a delivered motion clears one that was held back before")
    mutating func catchesUp() {
        touch(1)
        #expect(book.move(1, to: Point(130, 60)) { _ in true } == nil)
        #expect(book.move(1, to: Point(131, 60)) { _ in false } != nil)
        #expect(book.takeOwed { _ in true }.isEmpty)
    }

    @Test("a finger ends once, and is known until it is forgotten")
    mutating func ends() {
        touch(1)
        #expect(book.end(1) == .touch)
        #expect(book.end(1) == nil)
        #expect(book[1]?.owner == .core)
        #expect(book.move(1, to: Point(130, 60)) { _ in false } == nil)
        book.forget(1)
        #expect(book[1] == nil && book.end(1) == nil)
    }

    @Test("the serial of a touch names its finger while it is down on the app that has it")
    mutating func serials() {
        touch(1)
        touch(2)
        book.delivered(1, serial: 7)
        book.delivered(2, serial: 8)
        #expect(book.holder(serial: 7) { $0 == "app" } == 1)
        #expect(book.holder(serial: 7) { $0 == "other" } == nil)
        #expect(book.holder(serial: 9) { _ in true } == nil)
        // The newest, if any will do.
        #expect(book.holder(serial: nil) { _ in true } == 2)
        _ = book.end(1)
        #expect(book.holder(serial: 7) { _ in true } == nil)
    }

    @Test("a number that comes down again is one finger")
    mutating func again() {
        touch(1)
        touch(1, "other")
        #expect(book.all.count == 1 && book[1]?.surface == "other")
    }
}
