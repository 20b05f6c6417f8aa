import ArgumentParser
import Bench

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure the core, the shell at rest, and the frames of gestures on this machine.",
        discussion: "Prints each figure beside its target. Timings are no tests: the exit status is 0 whatever they are.")

    func run() throws { try Bench().run() }
}
