import Chrome
import Control
import Glibc
import MullionTesting
import Testing
import Windows

extension RunningShell {
    /// A sensor says how the device is held. The proxy is a stand-in on a bus of its own; machines here have no accelerometer.
    @Suite(.serialized) struct PostureTests {
        /// The share of the screen that is black: nearly all of it on a lowered wrist.
        private func black(_ shell: ShellUnderTest) throws -> Double {
            let pixels = try shell.picture().pixels
            return Double(pixels.count { $0 & 0xffffff == 0 }) / Double(pixels.count)
        }

        @Test(
            "A-24: on a watch the wrist goes down and up as a sensor says; other idioms ask no sensor, and one that returns is asked again")
        func wrist() throws {
            let proxy = try SystemService("sensors.py")
            try ShellUnderTest.with(
                size: "368x448", config: "launch = []\nidiom = \"pad\"\nreduced-motion = true\n", environment: proxy.environment
            ) { shell in
                // The pad turns its screen with the device, unless a person locks that.
                try shell.wait("the pad's claim") { proxy.log == ["is there", "claimed"] }
                try shell.perform(.device(.rotationLock(true)))
                try shell.wait("the end of that claim") { proxy.log.last == "released" }
                usleep(300_000)
                #expect(proxy.log.count == 3, "the pad does not want to know")
                try shell.perform(.idiom("watch"))
                try shell.wait("the claim") { proxy.log.count == 4 && proxy.log.last == "claimed" }
                #expect(try black(shell) < 0.5)
                for (word, isRaised) in [
                    ("AccelerometerOrientation right-up", false), ("AccelerometerOrientation normal", true),
                    ("AccelerometerTilt face-down", false),
                    // The tilt says more than the orientation, but nothing of a wrist here.
                    ("AccelerometerTilt vertical", true),
                ] {
                    try proxy.tell(word)
                    try shell.wait(word) { try (black(shell) < 0.5) == isRaised }
                }
                // The proxy starts anew.
                try proxy.tell("leave")
                try proxy.tell("AccelerometerOrientation left-up")
                try proxy.tell("return")
                try shell.wait("a new claim and what it says at once") {
                    try proxy.log.suffix(2) == ["is there", "claimed"] && black(shell) > 0.5
                }
                try shell.perform(.idiom("pad"))
                try shell.wait("the end of the claim") { proxy.log.last == "released" }
                #expect(try black(shell) < 0.5)
            }
        }
    }
}
