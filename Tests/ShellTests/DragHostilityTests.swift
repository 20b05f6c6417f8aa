import Control
import Geometry
import Glibc
import MullionTesting
import Testing

extension RunningShell {
    /// Clients that destroy what they drag, or the origin of the drag (docs/hostility.md).
    @Suite(.serialized) struct DragHostilityTests {
        private let config = "animation-speed = 4\nnew-windows = \"always\"\n"

        /// Starts `drags.py` with these arguments and makes it drag. Returns its output file.
        private func drag(_ shell: ShellUnderTest, _ words: [String]) throws -> String {
            let (_, output) = try shell.start(["python3", "\(TestClient.folder)/drags.py"] + words)
            try shell.wait("its window", within: 20) { try shell.state().windows.count == 1 }
            try shell.settle()
            // Its window may appear below the pointer only after the first press.
            try shell.wait("the drag", within: 20) {
                if words.contains("finger") {
                    try shell.client.input(.touchUp(touch: 0))
                    try shell.client.input(.touchDown(touch: 0, at: Point(590, 410)))
                } else {
                    try shell.client.input(.pointerButton(button: .left, pressed: false))
                    try shell.client.input(.pointerMotion(at: Point(590, 410)))
                    try shell.client.input(.pointerButton(button: .left, pressed: true))
                }
                usleep(200_000)
                return ["dragging", "used already"].contains { shell.text(of: output).contains($0) }
            }
            return output
        }

        /// Drags across the window and out of it, and releases.
        private func letGo(_ shell: ShellUnderTest) throws {
            for place in [Point(610, 400), Point(620, 410), Point(5, 5), Point(600, 400)] {
                try? shell.client.input(.touchMotion(touch: 0, at: place))
                try shell.client.input(.pointerMotion(at: place))
            }
            try? shell.client.input(.touchUp(touch: 0))
            try shell.client.input(.pointerButton(button: .left, pressed: false))
        }

        /// Checks that the drag is over: another app gets the keys.
        private func expectNoDrag(_ shell: ShellUnderTest) throws {
            let other = try TestClient(shell)
            try shell.perform(.focus(window: other.id))
            let mark = try other.mark()
            try shell.client.input(.press(keys: "a"))
            try other.waitFor("wl_keyboard.key", since: mark)
            shell.expectAlive()
        }

        /// wlroots refuses a drag that begins during another, and frees it only with its source, so never if it has
        /// none.
        @Test(arguments: TestSeed.isSlow ? [[], ["other-source"], ["spent"]] : [["other-source"]])
        func dragsBesideADrag(words: [String]) throws {
            try ShellUnderTest.with(config: config) { shell in
                let before = try shell.statistics().memoryBytes
                let output = try drag(shell, words + [ShellUnderTest.isSanitized ? "1000" : "600000"])
                if words == ["spent"] {
                    try letGo(shell)
                    try shell.wait("its source to be cancelled") { shell.text(of: output).contains("cancelled") }
                    try shell.client.input(.pointerMotion(at: Point(590, 410)))
                    try shell.client.input(.pointerButton(button: .left, pressed: true))
                }
                let tries = words == ["spent"] ? 2 : 1
                try shell.wait("it to have tried", within: 60) { shell.text(of: output).matches(of: /tried/).count == tries }
                #expect(try shell.statistics().memoryBytes < before + ShellUnderTest.memoryMargin)
                // The first drag continues.
                try letGo(shell)
                shell.expectAlive()
            }
        }

        /// When a drag starts with the source of the last one, wlroots destroys the source and with it the drag, and
        /// uses both afterwards.
        @Test func oneSourceForTwoDrags() throws {
            try ShellUnderTest.with(config: config) { shell in
                let output = try drag(shell, ["again"])
                try letGo(shell)
                try shell.client.input(.pointerMotion(at: Point(590, 410)))
                try shell.client.input(.pointerButton(button: .left, pressed: true))
                try shell.wait("its end", within: 20) { shell.text(of: output).contains("used already") }
                try letGo(shell)
                try expectNoDrag(shell)
            }
        }

        /// Replacing a selection destroys its source. That would end a drag with it, and the newly focused client
        /// would be offered the source again.
        @Test(arguments: [("selected", "used already"), ("selects", "cancelled")])
        func aSourceThatIsSelectedAndDragged(word: String, ending: String) throws {
            try ShellUnderTest.with(config: config) { shell in
                let output = try drag(shell, [word])
                try shell.wait("its end", within: 20) { shell.text(of: output).contains(ending) }
                try letGo(shell)
                try expectNoDrag(shell)
            }
        }

        /// wlroots' drag continues without the seat that it came from (0.15 reads freed memory then), and without the
        /// grab that would notice its end.
        @Test(arguments: [
            ["with-source", "release-seat"], ["release-seat"], ["finger", "with-source", "release-seat"], ["finger", "release-seat"],
            ["with-source", "popup"], ["popup"],
        ])
        func aDragWhoseEndIsTaken(words: [String]) throws {
            try ShellUnderTest.with(config: config) { shell in
                let output = try drag(shell, words)
                try shell.wait("it to have tried", within: 20) { shell.text(of: output).contains("tried") }
                try letGo(shell)
                try expectNoDrag(shell)
            }
        }

        /// wlroots 0.15 looks up the seat of the focused client when fingers leave the touchpad.
        @Test(arguments: [InputRequest.TouchpadGesture.swipe, .pinch, .hold])
        func aSeatGivenBackDuringAGesture(gesture: InputRequest.TouchpadGesture) throws {
            try ShellUnderTest.with(config: config) { shell in
                let (_, output) = try shell.start(["python3", "\(TestClient.folder)/drags.py", "no-drag", "release-seat"])
                try shell.wait("its window", within: 20) { try shell.state().windows.count == 1 }
                try shell.settle()
                try shell.client.input(.pointerMotion(at: Point(590, 410)))
                try shell.client.input(.touchpad(gesture: gesture, phase: .begin, fingers: 2))
                try shell.client.input(.pointerButton(button: .left, pressed: true))
                try shell.wait("its seat to be given back", within: 20) { shell.text(of: output).contains("tried") }
                try shell.client.input(.touchpad(gesture: gesture, phase: .update, fingers: 2, by: Point(3, 1), scale: 1))
                try shell.client.input(.touchpad(gesture: gesture, phase: .end))
                try shell.client.input(.pointerButton(button: .left, pressed: false))
                try expectNoDrag(shell)
            }
        }
    }
}
