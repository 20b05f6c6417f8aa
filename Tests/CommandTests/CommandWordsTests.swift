import ArgumentParser
import Settings
import Testing

@testable import mullion

/// Slips on the command line are named, with what was probably meant.
@Suite struct CommandWordsTests {
    @Test(
        "the shell may be named before the command",
        arguments: [
            (["ctl", "--shell", "X", "windows"], ["ctl", "windows", "--shell", "X"]),
            (["ctl", "--shell=X", "split", "left"], ["ctl", "split", "--shell=X", "left"]),
            (["ctl", "--shell", "X", "wait", "idle"], ["ctl", "wait", "idle", "--shell", "X"]),
            (["ctl", "--shell", "X", "dock"], ["ctl", "dock", "--shell", "X"]),
            (["ctl", "--shell", "X", "launch", "foot", "--server"], ["ctl", "launch", "--shell", "X", "foot", "--server"]),
            (["ctl", "windows", "--shell", "X"], ["ctl", "windows", "--shell", "X"]),
            (["ctl", "settings", "set", "pointer-speed", "-0.5"], ["ctl", "settings", "set", "pointer-speed", "--", "-0.5"]),
            (["ctl", "settings", "set", "scale", "--", "-1"], ["ctl", "settings", "set", "scale", "--", "-1"]),
            (["ctl", "pip", "--by", "-3"], ["ctl", "pip", "--by", "-3"]),
            (["run", "--headless", "foot"], ["run", "--headless", "foot"]),
            (["ctl"], ["ctl"]), ([], []), (["--help"], ["--help"]), (["help", "run"], ["help", "run"]),
        ])
    func order(words: [String], read: [String]) throws { #expect(try CommandWords.prepared(words) == read) }

    @Test(
        "what is put in order is read",
        arguments: [
            ["ctl", "--shell", "X", "windows"], ["ctl", "--shell", "X", "wait", "idle"],
            ["ctl", "--shell", "X", "launch", "foot", "--server"],
            ["ctl", "--shell", "X", "audio", "volume", "0.5"],
            ["ctl", "--shell", "X", "settings", "set", "pointer-speed", "-0.5"],
        ])
    func isRead(words: [String]) throws { _ = try MullionCommand.parseAsRoot(try CommandWords.prepared(words)) }

    @Test(
        "an unknown command is named with the likely one",
        arguments: [
            (["runn"], "There is no command \"runn\". Did you mean \"run\"?"),
            (["ctl", "splt", "left"], "There is no command \"splt\". Did you mean \"split\"?"),
            (["ctl", "windwos"], "There is no command \"windwos\". Did you mean \"windows\"?"),
            (["ctl", "--shell", "X", "windws"], "There is no command \"windws\". Did you mean \"windows\"?"),
            (["ctl", "wait", "idel"], "There is no command \"idel\". Did you mean \"idle\"?"),
            (["entirely-else"], "There is no command \"entirely-else\"."),
        ])
    func slips(words: [String], message: String) throws {
        let error = #expect(throws: (any Error).self) { try CommandWords.prepared(words) }
        #expect(MullionCommand.message(for: try #require(error)).contains(message))
    }

    @Test(
        "the usage after a mistake is that of the group in which it stands",
        arguments: [
            (["runn"], "mullion"), (["ctl", "splt"], "mullion ctl"), (["ctl", "--shell", "X", "windws"], "mullion ctl"),
            (["ctl", "wait", "idel"], "mullion ctl wait"),
        ])
    func usage(words: [String], group: String) throws {
        let error = #expect(throws: UnknownCommand.self) { try CommandWords.prepared(words) }
        #expect(try #require(error).lines.contains("\nUsage: \(group) <subcommand>\n  See '\(group) --help'"))
    }

    @Test(
        "help is answered in every group of commands",
        arguments: [
            (["ctl", "help"], "OVERVIEW: Look into a running shell"), (["ctl", "help", "split"], "side"),
            (["ctl", "dock", "help"], "remove"),
            (["ctl", "help", "dock", "remove"], "Take an app out"), (["ctl", "audio", "help"], "SUBCOMMANDS"),
        ])
    func help(words: [String], says: String) throws {
        let error = #expect(throws: CleanExit.self) { try CommandWords.prepared(words) }
        #expect(MullionCommand.fullMessage(for: try #require(error)).contains(says))
    }

    @Test(
        "the word help is what it is where no command stands",
        arguments: [
            ["ctl", "search", "help"], ["ctl", "launch", "help"], ["ctl", "type", "help"], ["run", "help"], ["help"], ["help", "ctl"],
        ])
    func noHelp(words: [String]) throws { #expect(try CommandWords.prepared(words) == words) }

    @Test(
        "a wrong value is refused with what may stand there",
        arguments: [
            (["--size", "99999x3"], "from 64 to 8192"), (["--size", "wide"], "from 64 to 8192"),
            (["--remote-view", "80000"], "a port from 1 to 65535"), (["--remote-view", "0"], "a port from 1 to 65535"),
            (["--headles"], "Did you mean \"--headless\"?"), (["--sise", "800x600"], "Did you mean \"--size\"?"),
        ])
    func values(words: [String], message: String) throws {
        let error = #expect(throws: (any Error).self) { try MullionCommand.parseAsRoot(["run"] + words) }
        #expect(MullionCommand.fullMessage(for: try #require(error)).contains(message))
    }
}
