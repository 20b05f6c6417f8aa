import ArgumentParser
import Shell
import Testing
@testable import mullion

/// `mullion run` reads its usual options itself, which must come to what the reader of command lines makes of them.
@Suite struct PlainStartTests {
    static let plain: [[String]] = [
        [], ["--headless"], ["--no-xwayland", "--headless"], ["--config", "/tmp/a b.toml"], ["--record", "x.jsonl"],
        ["--socket", "wayland-9"], ["--idiom", "pad"], ["--size", "1180x820"], ["--scale", "2"], ["--scale", "0.5"],
        ["--remote-view", "off"], ["--remote-view", "auto"], ["--remote-view", "8080"], ["--audio", "private"],
        ["--headless", "--size", "640x480", "--scale", "1.25", "--audio", "off", "--remote-view", "off", "--socket", "s", "--idiom", "pad",
         "--config", "c", "--record", "r", "--no-xwayland"],
    ]

    @Test("what is read plainly is what the command line says", arguments: plain)
    func same(_ words: [String]) throws {
        let options = try #require(ShellOptions(plainly: words))
        let parsed = try #require(try MullionCommand.parseAsRoot(["run"] + words) as? RunCommand)
        #expect("\(options)" == "\(parsed.shellOptions)")
    }

    @Test("all else is left to the reader of command lines, which judges it", arguments: [
        ["--size"], ["--size", "wide"], ["--size", "0x0"], ["--scale", "9"], ["--scale", "nan"], ["--scale", "-1"], ["--idiom", "desk"], ["--socket", "a/b"],
        ["--socket", ""], ["--config", ""], ["--config", "--headless"], ["--remote-view", "on"], ["--audio", "loud"], ["--headless", "--headless"],
        ["--size", "640x480", "--size", "800x600"], ["--size=1180x820"], ["--backend", "headless"], ["--hand-clock"], ["--quit-after", "1"],
        ["--", "foot"], ["foot"], ["--help"], ["--nonsense"], ["--draw", "wlr"], ["--headless", "foot", "--size", "640x480"],
    ])
    func left(_ words: [String]) { #expect(ShellOptions(plainly: words) == nil, "\(words)") }
}
