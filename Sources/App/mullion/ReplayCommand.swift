import ArgumentParser
import FoundationEssentials
import Journal

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Run a recording again and say where it comes out differently.",
        discussion: "The recording is made by `mullion run --record FILE`. The exit status is 1 if anything differs.")

    @Argument(help: "The recording.", completion: .file())
    var file: String

    @Flag(help: "Print the state that it ends in, as JSON.")
    var state = false

    func run() throws {
        guard let data = FileManager.default.contents(atPath: file) else { throw Failure("\(file) cannot be read") }
        let replay: Replay
        do {
            replay = try Replay(of: data)
        } catch {
            throw Failure("\(file): \(error)")
        }
        if state {
            print(try JSON(encoding: replay.system).text(pretty: true))
        } else {
            print(replay.summary)
        }
        if !replay.isSame { throw ExitCode.failure }
    }
}
