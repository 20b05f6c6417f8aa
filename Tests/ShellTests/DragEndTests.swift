import Control
import Geometry
import Glibc
import MullionTesting
import Testing

extension RunningShell {
    /// How a drag ends, and what it leaves of fingers, buttons and keys at the client where it began (P-05).
    @Suite(.serialized) struct DragEndTests {
        private static let config = "launch = []\nreduced-motion = true\nnew-windows = \"always\"\n"
        private static let left = Point(300, 410), right = Point(880, 410)

        /// Two windows side by side. The first drags, and the second takes what is dropped.
        private func pair(_ shell: ShellUnderTest) throws -> (source: TestClient, target: TestClient) {
            let source = try TestClient(shell), target = try TestClient(shell)
            try shell.perform(.splitView(window: target.id, side: .right))
            for client in [source, target] { try client.run("m = bind('wl_data_device_manager'); d = m.get_data_device(seat)") }
            for client in [source, target] { try client.run("d.on('data_offer', lambda o: None)") }
            try target.run("d.on('enter', lambda n, s, x, y, o: (o.accept(n, 'text/plain'), o.set_actions(1, 1)))")
            try shell.perform(.focus(window: source.id))
            return (source, target)
        }

        private func down(_ shell: ShellUnderTest, byPointer: Bool) throws {
            guard byPointer else { return try shell.client.input(.touchDown(touch: 0, at: Self.left)) }
            try shell.client.input(.pointerMotion(at: Self.left))
            try shell.client.input(.pointerButton(pressed: true))
        }

        private func move(_ shell: ShellUnderTest, byPointer: Bool, to place: Point) throws {
            try shell.client.input(byPointer ? .pointerMotion(at: place) : .touchMotion(touch: 0, at: place))
        }

        private func up(_ shell: ShellUnderTest, byPointer: Bool) throws {
            try shell.client.input(byPointer ? .pointerButton(pressed: false) : .touchUp(touch: 0))
        }

        /// Starts a drag with the last press of the source.
        private func drag(_ source: TestClient, hasSource: Bool = true) throws {
            _ = try source.mark()
            if hasSource { try source.run("src = m.create_data_source(); src.offer('text/plain'); src.set_actions(1)") }
            try source.run("d.start_drag(\(hasSource ? "src" : "None"), surface, None, app.press)")
            _ = try source.mark()
        }

        private func key(_ shell: ShellUnderTest, _ name: String, pressed: Bool) throws {
            try shell.client.input(.key(key: try #require(InputRequest.KeyName(name)), pressed: pressed))
        }

        private func keys(_ client: TestClient, since mark: Int) throws -> [[Int]] {
            _ = try client.mark()
            var keys: [[Int]] = []
            for event in try client.events(since: mark, "wl_keyboard.key") {
                if let code = event.a[2]?.integer, let state = event.a[3]?.integer { keys.append([Int(code), Int(state)]) }
            }
            return keys
        }

        /// wlroots swallows the keys during a drag. A key that was released then stayed down in the app.
        @Test(arguments: [false, true]) func keysGoUpAndDownDuringADrag(byPointer: Bool) throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (source, target) = try pair(shell), mark = try source.mark()
                try key(shell, "Control_L", pressed: true)
                try down(shell, byPointer: byPointer)
                try drag(source)
                try move(shell, byPointer: byPointer, to: Self.right)
                try key(shell, "Control_L", pressed: false)
                try key(shell, "a", pressed: true)
                try shell.checkLaws()
                let now = try source.mark()
                #expect(try source.events(since: mark, "wl_keyboard.modifiers").last?.a[1]?.integer == 0, "Control is up")
                try up(shell, byPointer: byPointer)
                try key(shell, "a", pressed: false)
                #expect(try keys(source, since: mark) == [[29, 1], [29, 0], [30, 1], [30, 0]])
                #expect(try source.events(since: now, "wl_data_source.dnd_drop_performed").count == 1)
                _ = target
            }
        }

        /// The keys of a virtual keyboard that goes during a drag go up, and the focus moves as at any other time.
        @Test(arguments: [false, true]) func keyboardsAndTheFocusChangeDuringADrag(byPointer: Bool) throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (source, target) = try pair(shell), mark = try source.mark()
                let (process, output) = try shell.start(["python3", "\(TestClient.folder)/held_keys.py", "30"])
                try shell.wait("its key", within: 20) { shell.text(of: output).contains("held") }
                try down(shell, byPointer: byPointer)
                try drag(source)
                try move(shell, byPointer: byPointer, to: Self.right)
                Glibc.kill(process, SIGKILL)
                try source.waitFor("wl_keyboard.key", since: mark) { $0.a[3]?.integer == 0 }
                #expect(try keys(source, since: mark) == [[30, 1], [30, 0]])
                let other = try target.mark()
                try shell.perform(.focus(window: target.id))
                try target.waitFor("wl_keyboard.enter", since: other)
                try shell.client.input(.press(keys: "b"))
                #expect(try keys(target, since: other) == [[48, 1], [48, 0]])
                try up(shell, byPointer: byPointer)
                #expect(try source.events(since: mark, "wl_keyboard.leave").count == 1)
            }
        }

        @Test(arguments: [false, true]) func aLockCancelsADrag(byPointer: Bool) throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (source, target) = try pair(shell), mark = try source.mark()
                try down(shell, byPointer: byPointer)
                try drag(source)
                try move(shell, byPointer: byPointer, to: Self.right)
                try target.waitFor("wl_data_device.enter")
                let locker = try Locker(shell)
                try source.waitFor("wl_data_source.cancelled", since: mark)
                try up(shell, byPointer: byPointer)
                try locker.unlock()
                try shell.settle()
                _ = try target.mark()
                #expect(try target.events(since: 0, "wl_data_device.leave").count == 1)
                #expect(try target.events(since: 0, "wl_data_device.drop").isEmpty)
            }
        }

        /// What makes a drag by finger go before the finger lifts. wlroots gave the finger back to the client, which had heard of its end.
        enum Loss: CaseIterable { case source, target, window, client }

        @Test(arguments: Loss.allCases) func aFingerWhoseDragIsLostIsOver(loss: Loss) throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (source, target) = try pair(shell)
                // So that the app lives on without its window.
                if loss == .window {
                    func count() throws -> Int { try shell.state().windows.count { $0.place != .unmapped } }
                    let before = try count()
                    try source.tell("open another")
                    try shell.wait("another window") { try count() == before + 1 }
                }
                try shell.settle()
                try shell.perform(.splitView(window: source.id, side: .left))
                try shell.settle()
                try down(shell, byPointer: false)
                let mark = try source.mark()
                try drag(source)
                try source.waitFor("wl_touch.cancel", since: mark)
                try move(shell, byPointer: false, to: Self.right)
                try target.waitFor("wl_data_device.enter")
                switch loss {
                case .source: try source.run("src.destroy()")
                case .target: target.signal(SIGKILL)
                case .window: try source.run("window.close()")
                case .client: source.signal(SIGKILL)
                }
                usleep(300_000)
                try move(shell, byPointer: false, to: Point(280, 420))
                try move(shell, byPointer: false, to: Point(270, 430))
                try up(shell, byPointer: false)
                try shell.settle()
                try shell.checkLaws()
                guard loss != .client else { return }
                _ = try source.mark()
                #expect(try source.events(since: mark, "wl_touch.motion", "wl_touch.up").isEmpty)
                // The next finger is a finger as any other.
                guard loss != .window else { return }
                let next = try source.mark()
                try shell.tap(Point(280, 420))
                try source.waitFor("wl_touch.up", since: next)
            }
        }

        /// wlroots drops when the button that began a drag goes up, and lets the drag go on while another button is down.
        @Test func aDragHasOneDropWithTwoButtonsDown() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (source, target) = try pair(shell), mark = try source.mark()
                try down(shell, byPointer: true)
                try drag(source)
                for x in [880.0, 890] { try move(shell, byPointer: true, to: Point(x, 410)) }
                _ = try target.mark()
                try shell.client.input(.pointerButton(button: .right, pressed: true))
                try up(shell, byPointer: true)
                try source.waitFor("wl_data_source.dnd_drop_performed", since: mark)
                for x in [300.0, 310, 880, 890] { try move(shell, byPointer: true, to: Point(x, 410)) }
                try shell.client.input(.pointerButton(pressed: true))
                try up(shell, byPointer: true)
                try shell.client.input(.pointerButton(button: .right, pressed: false))
                _ = try target.mark()
                _ = try source.mark()
                #expect(try source.events(since: mark, "wl_data_source.dnd_drop_performed").count == 1)
                #expect(try target.events(since: 0, "wl_data_device.drop").count == 1)
                #expect(try target.events(since: 0, "wl_data_device.enter").count == 1)
                // The button that was held is forgotten: the next click is whole.
                let next = try source.mark()
                try shell.click(Self.left)
                _ = try source.mark()
                #expect(try source.events(since: next, "wl_pointer.button").compactMap { $0.a[3]?.integer } == [1, 0])
            }
        }

        /// wlroots gives the window where a finger drags the focus before anybody hears of the drag.
        @Test func aFingersDragWithoutASourceEntersWhereItBegins() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (source, _) = try pair(shell)
                try source.run("d.on('enter', lambda *a: None)")
                let mark = try source.mark()
                try down(shell, byPointer: false)
                try drag(source, hasSource: false)
                for x in [310.0, 320] { try move(shell, byPointer: false, to: Point(x, 410)) }
                try up(shell, byPointer: false)
                try source.waitFor("wl_data_device.drop", since: mark)
                _ = try source.mark()
                let heard = try source.events(
                    since: mark, "wl_data_device.enter", "wl_data_device.motion", "wl_data_device.drop", "wl_data_device.leave")
                #expect(heard.map(\.e).filter { $0 != "motion" } == ["enter", "drop", "leave"])
                #expect(heard.first?.e == "enter")
            }
        }

        /// wlroots takes the finger that went down alone for the one that drags, even after it lifted: the drag never ended.
        @Test func theFingerThatIsLeftDrags() throws {
            try ShellUnderTest.with(config: Self.config) { shell in
                let (source, target) = try pair(shell), mark = try source.mark()
                try shell.client.input(.touchDown(touch: 3, at: Point(200, 300)))
                try down(shell, byPointer: false)
                try shell.client.input(.touchUp(touch: 3))
                try drag(source)
                try move(shell, byPointer: false, to: Self.right)
                try target.waitFor("wl_data_device.enter")
                _ = try target.mark()
                try up(shell, byPointer: false)
                try source.waitFor("wl_data_source.dnd_drop_performed", since: mark)
                try target.waitFor("wl_data_device.drop")
                #expect(try target.events(since: 0, "wl_data_device.drop").count == 1)
            }
        }
    }
}
