import ArgumentParser
import Compositor
import Geometry
import Settings
import Shell
import Testing

@testable import mullion

/// What the options of `mullion run` mean to the shell.
@Suite struct RunCommandTests {
    private func options(_ words: [String]) throws -> ShellOptions {
        try #require(try MullionCommand.parseAsRoot(["run"] + words) as? RunCommand).shellOptions
    }

    @Test("every option reaches the shell") func allOptions() throws {
        let options = try options([
            "--size", "640x480", "--scale", "1.25", "--audio", "off", "--remote-view", "8080", "--socket", "s", "--idiom", "pad",
            "--config", "/tmp/a b.toml", "--record=r", "--no-xwayland", "--headless", "--hand-clock", "--check-laws", "--quit-after", "1.5",
            "--draw", "wlr",
            "foot", "--size", "1x1",
        ])
        #expect(options.size == Size(parsing: "640x480"))
        #expect(options.scale == 1.25)
        #expect(options.audio == .off)
        #expect(options.remoteView == .port(8080))
        #expect(options.socket == "s")
        #expect(options.idiom == "pad")
        #expect(options.config == "/tmp/a b.toml")
        #expect(options.record == "r")
        #expect(!options.xwayland)
        #expect(options.backend == .headless)
        #expect(options.handClock)
        #expect(options.checksLaws)
        #expect(options.quitAfter == 1.5)
        #expect(options.drawsThroughRenderer)
        #expect(options.commands == [["foot", "--size", "1x1"]])
        #expect(options.iconPainter != nil && options.viewServer != nil)
    }

    @Test("without options everything follows the configuration") func noOptions() throws {
        var expected = ShellOptions()
        expected.iconPainter = RunCommand.iconPainter
        expected.viewServer = RunCommand.viewServer
        expected.keepsWindows = true
        #expect("\(try options([]))" == "\(expected)")
    }

    @Test("every scale that a screen may have can be given", arguments: ["0.5", "4.5", "8"])
    func scales(_ scale: String) throws {
        #expect(try options(["--scale", scale]).scale == Double(scale))
    }

    @Test(
        "a wrong option is refused and named",
        arguments: [
            (["--size"], "--size"), (["--scale", "9"], "from 0.5 to 8"), (["--scale", "nan"], "from 0.5 to 8"),
            (["--idiom", "desk"], "pad"), (["--socket", "a/b"], "--socket"), (["--socket", ""], "--socket"),
            (["--config", "--headless"], "--config"), (["--remote-view", "on"], "a port from 1 to 65535"),
            (["--audio", "loud"], "private"),
            (["--headless", "--backend", "wayland"], "contradict"), (["--nonsense"], "--nonsense"),
        ])
    func refused(words: [String], message: String) throws {
        let error = #expect(throws: (any Error).self) { try MullionCommand.parseAsRoot(["run"] + words) }
        #expect(MullionCommand.fullMessage(for: try #require(error)).contains(message))
    }
}
