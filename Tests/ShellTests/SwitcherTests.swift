import Chrome
import Control
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Rule S-02: the app switcher shows every window live, in its group. Each can be shown and closed from there.
    @Suite(.serialized) struct SwitcherTests {
        typealias Way = ShellUnderTest.Way
        private static let config = "launch = []\nwallpaper = \"#232b3a\"\nanimation-speed = 3\n"

        /// A pair, two more, two in Slide Over and one picture.
        private final class Room {
            let left, right, third, fourth, front, back, picture: TestClient
            let shell: ShellUnderTest

            init(_ shell: ShellUnderTest) throws {
                self.shell = shell
                third = try TestClient(shell, ["--app-id", "test.third", "--colour", "887722"])
                fourth = try TestClient(shell, ["--app-id", "test.fourth", "--colour", "227788"])
                left = try TestClient(shell, ["--app-id", "test.left", "--colour", "aa2222"])
                right = try TestClient(shell, ["--app-id", "test.right", "--colour", "22aa22"], to: .splitView(.right))
                back = try TestClient(shell, ["--app-id", "test.back", "--colour", "2222aa"], to: .slideOver)
                front = try TestClient(shell, ["--app-id", "test.front", "--colour", "aa22aa"], to: .slideOver)
                picture = try TestClient(shell, ["--app-id", "test.picture", "--colour", "dddd33"], to: .pictureInPicture)
            }

            /// Brought in from outside of the screen if it stands there.
            func card(of client: TestClient) throws -> ViewReport {
                let window = try client.report
                let id = window.place == .slideOver ? "switcher/window/\(window.id.raw)" : "switcher/space/\(window.space!.raw)"
                for step in [0, 1, -1, -1] {
                    if step != 0 { try shell.perform(.scroll(step)) }
                    if let view = try shell.find(id), ShellUnderTest.whole.contains(view.frame, tolerance: 1) { return view }
                }
                return try shell.view(id)
            }

            func pixel(_ at: Point) throws -> Picture.Pixel? { try shell.picture().pixel(at: at) }

            /// Waits until its card has this colour.
            func expectColour(_ hex: UInt32, of client: TestClient, at share: Double = 0.5) throws {
                let frame = try card(of: client).frame
                let place = Point(frame.minX + frame.width * share, frame.minY + frame.height * 0.7)
                try shell.wait("\(client.id) in its colour") { try pixel(place)?.distance(to: .init(hex)) ?? 255 < 8 }
            }
        }

        private func with(_ body: (ShellUnderTest, Room) throws -> Void) throws {
            try ShellUnderTest.with(config: Self.config) { try body($0, Room($0)) }
        }

        private func cards(_ shell: ShellUnderTest) throws -> [ViewReport] {
            try shell.views().filter { $0.role == .card }
        }

        // MARK: What it shows

        @Test func everythingThatIsOpen_S02() throws {
            try with { shell, room in
                try shell.press("Super+A")
                #expect(try shell.state().open == ["switcher"])
                let first = try cards(shell)
                #expect(try room.card(of: room.left).id == room.card(of: room.right).id, "a pair is one card")
                #expect(try room.card(of: room.left).chosen, "it stands for what is in front")
                try shell.perform(.scroll(1))
                let cards = try cards(shell)
                #expect(Set((first + cards).map(\.id)).count == 5)
                for card in cards {
                    #expect(card.frame.width > 60 && card.frame.height > 60, "\(card)")
                    for other in cards where other.id != card.id { #expect(!card.frame.intersects(other.frame)) }
                }
                // The pair side by side in its card, as on the screen.
                try room.expectColour(0xaa2222, of: room.left, at: 0.25)
                try room.expectColour(0x22aa22, of: room.left, at: 0.75)
                try room.expectColour(0x887722, of: room.third)
                try room.expectColour(0x227788, of: room.fourth)
                try room.expectColour(0xaa22aa, of: room.front)
                try room.expectColour(0x2222aa, of: room.back)
                // Most recently used first; Slide Over has its own row.
                let row = try room.card(of: room.front).frame
                #expect(try room.card(of: room.back).frame.y == row.y && room.card(of: room.left).frame.maxY < row.minY)
                // Every window has a name and a way to close it.
                for client in [room.left, room.right, room.third, room.fourth, room.front, room.back] {
                    _ = try room.card(of: client)
                    let close = try shell.view("switcher/close/\(client.id.raw)")
                    #expect(close.name.contains(try client.report.appID.split(separator: ".").last!.capitalized), "\(close.name)")
                }
                try shell.keepPicture("switcher")
                try shell.press("Escape")
                #expect(try shell.state().open == [] && room.front.report.shown)
            }
        }

        /// A video continues over the switcher, with its own controls.
        @Test func pictureInPictureStaysOverIt_W06() throws {
            try with { shell, room in
                try shell.perform(.appSwitcher)
                let frame = try #require(try room.picture.report.shownFrame)
                #expect(try room.pixel(frame.center)?.distance(to: .init(0xdddd33)) ?? 255 < 8)
                let mark = try room.picture.mark()
                try shell.tap(frame.center)
                _ = try room.picture.mark()
                #expect(try room.picture.events(since: mark, "wl_touch.down").isEmpty)
                #expect(try shell.isOpen("picture-controls"))
                try shell.drag(Point(frame.minX + 12, frame.center.y), Point(200, 150))
                #expect(try shell.state().pictureInPicture?.corner == .topLeft)
                #expect(try shell.isOpen("switcher"))
            }
        }

        /// Cards show the windows themselves, including what an app draws now.
        @Test func itsPicturesAreAlive_S02() throws {
            try with { shell, room in
                try shell.perform(.appSwitcher)
                try room.expectColour(0x887722, of: room.third)
                for (client, colour) in [(room.third, "ff8800"), (room.back, "00ff88"), (room.left, "8800ff")] {
                    try client.tell("colour \(colour)")
                    try room.expectColour(UInt32(colour, radix: 16)!, of: client, at: client === room.left ? 0.25 : 0.5)
                }
                // A window that asks for frames gets them here, although nothing else shows it; and not any longer
                // afterwards.
                let mark = try room.fourth.mark()
                try room.fourth.tell("animate")
                try shell.wait("its frames") { try room.fourth.events(since: mark, "client.frame").count > 10 }
                try shell.perform(.dismiss)
                usleep(300_000)
                let after = try room.fourth.mark()
                usleep(400_000)
                #expect(try room.fourth.events(since: after, "client.frame").isEmpty)
                try room.fourth.tell("still")
            }
        }

        // MARK: Showing and closing

        @Test(arguments: Way.allCases) func aCardShowsItsWindow_X02(way: Way) throws {
            try with { shell, room in
                // Each at a place where nothing covers it.
                for (client, colour, place) in [
                    (room.third, 0x887722, Point(100, 700)), (room.left, 0xaa2222, Point(100, 700)), (room.back, 0x2222aa, Point(980, 200)),
                ] as [(TestClient, UInt32, Point)] {
                    try shell.perform(.appSwitcher)
                    try shell.operate(room.card(of: client).id, by: way)
                    #expect(try shell.state().open == [], "\(way)")
                    let report = try client.report
                    #expect(report.shown && (report.active || client === room.left), "\(report.appID) by \(way)")
                    try shell.wait("its colour") { try room.pixel(place)?.distance(to: .init(colour)) ?? 255 < 8 }
                }
                #expect(try shell.state().slideOver.stack.first == room.back.id)
            }
        }

        @Test func closing_S02() throws {
            try with { shell, room in
                try shell.perform(.appSwitcher)
                // Up and away.
                let card = try room.card(of: room.third).frame
                try shell.drag(card.center, Point(card.center.x, card.center.y - 260), duration: 150, rest: 0)
                try shell.waitUntilGone(room.third.id)
                // Its close button.
                try shell.touch("switcher/close/\(room.front.id.raw)")
                try shell.waitUntilGone(room.front.id)
                // The Delete key closes both windows of a pair.
                try shell.goTo(room.card(of: room.left).id)
                try shell.press("Delete")
                try shell.waitUntilGone(room.left.id)
                try shell.waitUntilGone(room.right.id)
                try shell.settle()
                #expect(try cards(shell).count == 2 && shell.isOpen("switcher"))
                try room.expectColour(0x227788, of: room.fourth)
                // A short distance upwards is not enough.
                let other = try room.card(of: room.fourth).frame
                try shell.drag(other.center, Point(other.center.x, other.center.y - 40), duration: 300, rest: 200)
                #expect(try room.card(of: room.fourth).frame.isNear(other))
                try shell.click(try shell.view("switcher/close/\(room.fourth.id.raw)").frame.center)
                try shell.waitUntilGone(room.fourth.id)
                try shell.settle()
                try shell.perform(.press(view: ControlID(.switcher, "close/\(room.back.id.raw)")))
                try shell.waitUntilGone(room.back.id)
                try shell.settle()
                #expect(try shell.find("switcher/empty") != nil && cards(shell).isEmpty)
                #expect(try shell.state().windows.map(\.id) == [room.picture.id])
                try shell.tap(Point(300, 200))
                try shell.settle()
                #expect(try shell.state().open == [] && shell.state().home)
            }
        }

        /// An app may ask a question first: its window returns.
        @Test func oneThatDoesNotCloseComesBack_S02() throws {
            try with { shell, room in
                try room.third.tell("refuse")
                try shell.perform(.appSwitcher)
                let id = try room.card(of: room.third).id
                let card = try shell.view(id).frame
                try shell.drag(card.center, Point(card.center.x, card.center.y - 260), duration: 150, rest: 0)
                try room.third.waitFor("client.refused")
                #expect(try shell.find(id) == nil, "out of sight for a moment")
                try shell.wait("it to come back", within: 3) { try shell.find(id) != nil }
                try shell.settle()
                try room.expectColour(0x887722, of: room.third)
                #expect(try shell.view(id).frame.isNear(card))
                try room.third.tell("agree")
                _ = try room.third.mark()
                try shell.goTo(id)
                try shell.press("Delete")
                try shell.waitUntilGone(room.third.id)
            }
        }

        /// A window opens and another closes while the switcher is open.
        @Test func windowsComeAndGo_S02() throws {
            try with { shell, room in
                try shell.perform(.appSwitcher)
                // Asked to end; a program that is killed out of sight keeps its place (S-04).
                room.fourth.signal(SIGTERM)
                try shell.waitUntilGone(room.fourth.id)
                try shell.settle()
                #expect(try cards(shell).count == 4 && shell.isOpen("switcher"))
                // The pair's other window keeps the card for itself.
                room.left.signal(SIGTERM)
                try shell.waitUntilGone(room.left.id)
                try shell.settle()
                try room.expectColour(0x22aa22, of: room.right)
                try shell.perform(.rotate(1))
                for card in try cards(shell) { #expect(Rect(0, 0, 820, 1180).contains(card.frame), "\(card)") }
                try shell.perform(.rotate(0))
                // A window that the user opens now is shown at once.
                let new = try TestClient(shell, ["--colour", "335577"])
                #expect(try new.report.place == .full)
                try shell.expectNothingOpen()
            }
        }

        /// While large cards move, they are drawn roughly, or as placeholders for pictures that are not ready. At
        /// rest, the screen equals a picture made without time pressure.
        @Test func whatHasComeToRestIsDrawnWell_S02() throws {
            try ShellUnderTest.require("grim", of: "grim")
            try ShellUnderTest.with(apps: TestApp.three, size: "2360x1640", scale: 2, config: Self.config) { shell in
                for app in TestApp.three { try shell.openApp(app.id) }
                for way in 0..<2 {
                    try shell.press("Super+A")
                    try shell.settle()
                    try shell.wait("the last picture", within: 3) { try shell.picture().isDrawn() }
                    let path = "\(shell.room)/grim.png"
                    try shell.wait("the screen to show it well", within: 3) {
                        let (status, output) = try shell.run(["grim", path])
                        guard status == 0 else { throw ShellUnderTest.Failure("grim: \(output)") }
                        return try PNG.read(path).pixelsDifferent(from: try shell.picture(), rim: 0) == 0
                    }
                    try shell.press(way == 0 ? "Super+A" : "Escape")
                    try shell.settle()
                }
            }
        }

        /// Thirty windows: every one can be reached, and nothing hangs.
        @Test func thirtyWindows_S02() throws {
            try ShellUnderTest.with(config: Self.config + "new-windows = \"always\"\n") { shell in
                _ = try TestClient.started(shell, ["--count", "30", "--title", "Leaf", "--animate"])
                try shell.wait("all of them", within: 30) { try shell.state().windows.filter { $0.place == .full }.count == 30 }
                let begin = ContinuousClock.now
                try shell.press("Super+A")
                var seen: Set<String> = []
                for _ in 0..<20 {
                    for card in try cards(shell) where ShellUnderTest.whole.intersects(card.frame) { seen.insert(card.id) }
                    if seen.count == 30 { break }
                    try shell.press("Page_Down")
                }
                #expect(seen.count == 30, "by pages")
                // Back by finger.
                for _ in 0..<12 { try shell.drag(Point(200, 30), Point(1150, 30), duration: 120, rest: 0) }
                let first = try #require(try cards(shell).min { $0.frame.minX < $1.frame.minX })
                #expect(first.frame.minX >= 0)
                try shell.client.input(.pointerMotion(at: Point(590, 30)))
                try shell.client.input(.pointerAxis(value: 100))
                try shell.settle()
                #expect(try cards(shell).first { $0.id == first.id }.map { $0.frame.minX < first.frame.minX } ?? true, "by the wheel")
                // Arrows scroll to the selected card.
                for _ in 0..<10 { try shell.press("Right") }
                let focused = try #require(try shell.views().first(where: \.focused))
                #expect(ShellUnderTest.whole.contains(focused.frame, tolerance: 1))
                try shell.press("Return")
                #expect(try shell.state().open == [])
                let time = ContinuousClock.now - begin
                #expect(time < .seconds(60), "\(time)")
                shell.expectAlive()
            }
        }
    }
}
