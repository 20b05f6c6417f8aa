import ArgumentParser
import Bench

struct BenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure the core, the shell at rest, and the frames of gestures on this machine.",
        discussion: "Prints each figure beside its target. Timings are no tests: the exit status is 0 whatever they are.")

    @Option(help: "Only this part: \(Bench.Part.allCases.map(\.rawValue).joined(separator: ", ")).") var only: Bench.Part?

    func run() throws { try Bench(program: Lab.shell()).run(only.map { [$0] } ?? Set(Bench.Part.allCases)) }
}

extension Bench.Part: ExpressibleByArgument {}
