import Geometry
import Multitasking
import Windows

/// A list of ops that broke a rule, as short as it could be made.
public struct CoreFailure: Sendable, CustomStringConvertible {
    public var seed: UInt64?
    public var ops: [CoreOp]
    public var problems: [String]

    public var description: String {
        let origin = seed.map { "seed \($0)\n" } ?? ""
        return origin + problems.prefix(6).joined(separator: "\n") + "\nafter:\n"
            + ops.map { "  .\(CoreFailure.swift($0))," }.joined(separator: "\n")
    }
}

extension CoreFailure {
    /// Returns the op in the form that a test would contain.
    private static func swift(_ op: CoreOp) -> String {
        var text = "\(op)"
        for module in ["Geometry.", "Windows.", "Multitasking.", "MullionTesting."] {
            text = text.split(separator: module, omittingEmptySubsequences: false).joined()
        }
        return text
    }
}

/// Runs lists of ops on a fresh world.
public enum CoreRun {
    /// Random ops until something is wrong or `count` of them went well. Every `stretch` ops everything is let go of and
    /// must come to rest; the replay of each stretch is compared.
    ///
    /// - Parameter switching: whether every now and then another idiom begins.
    public static func random(seed: UInt64, count: Int, stretch: Int = 120, switching: Bool = false, looksAtFrames: Bool = false)
        -> CoreFailure?
    {
        var generator = CoreGenerator(seed: seed, switchesIdioms: switching)
        var done = 0
        while done < count {
            // A new world for each stretch keeps lists short enough to be shrunk.
            let ops = (0..<min(stretch, count - done)).map { _ in generator.next() }
            generator.forget()
            done += ops.count
            let problems = problems(of: ops, looksAtFrames: looksAtFrames)
            if !problems.isEmpty {
                let short = shrink(ops) { CoreRun.problems(of: $0, looksAtFrames: looksAtFrames) }
                return CoreFailure(seed: seed, ops: short, problems: CoreRun.problems(of: short, looksAtFrames: looksAtFrames))
            }
        }
        return nil
    }

    public static func world() -> CoreWorld {
        var world = CoreWorld()
        world.manner = .asked
        CoreOp.apps(5).apply(to: &world)
        world.send(.idiomsKnown(Idiom.allAndPlaces))
        return world
    }

    /// Returns the problems after these ops, or after everything has come to rest; empty: none.
    public static func problems(of ops: [CoreOp], looksAtFrames: Bool = false) -> [String] {
        var world = world()
        world.looksAtFrames = looksAtFrames
        for op in ops {
            op.apply(to: &world)
            if !world.problems.isEmpty { return world.problems }
        }
        world.liftAll()
        world.rest()
        return world.problems + world.restProblems() + world.replayProblems()
    }

    /// Leaves out ops, many at first, as long as something stays wrong.
    public static func shrink(_ ops: [CoreOp], _ problems: ([CoreOp]) -> [String]) -> [CoreOp] {
        var ops = ops
        var length = ops.count / 2
        while length > 0 {
            var start = 0
            while start < ops.count {
                var fewer = ops
                fewer.removeSubrange(start..<min(start + length, ops.count))
                if problems(fewer).isEmpty { start += length } else { ops = fewer }
            }
            length = length == 1 ? 0 : length / 2
        }
        return ops
    }
}
