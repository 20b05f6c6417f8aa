import Clocks
import FoundationEssentials
import Geometry
import Glibc
import Windows

/// Walks through real apps at random, under the laws P-01 to P-05 and the invariants of the core, and shortens the way to a violation
/// (docs/tour.md).
public struct Walk {
    public var seed: UInt64
    /// The folder for findings. Created if it does not exist.
    public var out: String
    /// Of all idioms together, without the shortening.
    public var minutes = 10.0
    /// For each finding.
    public var shrinkMinutes = 5.0
    public var idioms = ["pad", "phone", "mac", "tv"]
    /// Names of apps; empty for all.
    public var apps: [String] = []
    /// The file of `mullion`, which is driven.
    public var program: String
    public var say: (String) -> Void = { line in
        print(line)
        fflush(nil)
    }

    public init(program: String, seed: UInt64, out: String) { (self.program, self.seed, self.out) = (program, seed, out) }

    public static var appNames: [String] { App.walkers.map(\.id) }
    public static var idiomNames: [String] { Idiom.all.map(\.name) }

    /// Steps from the start of a shell to its end.
    private static let length = 150

    /// Returns whether nothing broke. Throws if the walk cannot begin.
    public func run() throws -> Bool {
        try checkNames()
        let apps = installed()
        guard !apps.isEmpty else {
            throw Trouble("none of these apps is installed: \((self.apps.isEmpty ? Walk.appNames : self.apps).joined(separator: ", "))")
        }
        let folder = out.hasPrefix("/") ? out : "\(FileManager.default.currentDirectoryPath)/\(out)"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Trouble("the folder \(folder) cannot be made: \(error)")
        }
        var found = 0
        for idiom in idioms {
            if try !walk(in: idiom, apps, until: Clocks.monotonicSeconds + minutes * 60 / Double(idioms.count), folder) { found += 1 }
        }
        say(found == 0 ? "nothing broke" : "\(found) of \(idioms.count) idioms: something broke")
        return found == 0
    }

    func checkNames() throws {
        for idiom in idioms where !Walk.idiomNames.contains(idiom) {
            throw Trouble("there is no idiom \"\(idiom)\"; there are \(Walk.idiomNames.joined(separator: ", "))")
        }
        for app in apps where !Walk.appNames.contains(app) {
            throw Trouble("there is no app \"\(app)\"; there are \(Walk.appNames.joined(separator: ", "))")
        }
    }

    private func installed() -> [String] {
        let wanted = App.walkers.filter { apps.isEmpty || apps.contains($0.id) }
        return wanted.filter { walker in
            if TourShell.isInstalled(walker.app.program) { return true }
            say("without \(walker.app.name): \(walker.app.package) is not installed")
            return false
        }.map(\.id)
    }

    // MARK: One idiom

    private func walk(in idiom: String, _ apps: [String], until end: Double, _ folder: String) throws -> Bool {
        let name = "walk-\(idiom)-\(seed)"
        var shells = 0, steps = 0, checks = 0, restless = 0
        defer {
            say("\(idiom): \(steps) steps in \(shells) shells, \(checks) times at rest, \(restless) of them while something still moved")
        }
        while Clocks.monotonicSeconds < end {
            // The first shell of a seed has the seed's own steps.
            let own = seed &+ UInt64(shells) &* 1_000_003
            var generator = WalkGenerator(seed: own, idiom: idiom, size: WalkStage.size(of: idiom), apps: apps, idioms: Walk.idiomNames)
            let plan = generator.steps(Walk.length)
            shells += 1
            let stage = try WalkStage(program: program, out: folder, name: name, idiom: idiom, apps: apps)
            defer { stage.clear() }
            var played: [WalkStep] = [], finding: WalkFinding?
            for step in plan where finding == nil && !stage.isOver && Clocks.monotonicSeconds < end {
                played.append(step)
                finding = stage.play(step)
            }
            (steps, checks, restless) = (steps + played.count, checks + stage.checks, restless + stage.restless)
            guard let finding else { continue }
            stage.shoot("\(folder)/\(name)-first.png")
            stage.quit()
            try keep(stage.recording, as: "\(folder)/\(name)-first-session.jsonl")
            say("\(idiom), seed \(seed), shell \(shells), after \(played.count) steps:")
            for what in finding.what { say("  \(what)") }
            try shorten(played, to: finding, in: idiom, apps, name, folder)
            return false
        }
        for end in ["session.jsonl", "shell.log"] { unlink("\(folder)/\(name)-\(end)") }
        return true
    }

    private func keep(_ file: String, as copy: String) throws {
        try? FileManager.default.removeItem(atPath: copy)
        try? FileManager.default.copyItem(atPath: file, toPath: copy)
    }

    /// Finds the shortest way to the finding, and leaves its steps, its recording and a picture.
    private func shorten(
        _ steps: [WalkStep], to finding: WalkFinding, in idiom: String, _ apps: [String], _ name: String, _ folder: String
    ) throws {
        let end = Clocks.monotonicSeconds + shrinkMinutes * 60
        var tries = 0
        let shortest = try Shrinking.shortest(
            steps, opening: WalkGenerator.opening(of: steps), isOver: { Clocks.monotonicSeconds > end },
            fails: { part in
                tries += 1
                let stage = try WalkStage(program: program, out: folder, name: "\(name)-try", idiom: idiom, apps: apps)
                defer { stage.clear() }
                guard let again = stage.play(part), again.isLike(finding) else { return false }
                stage.shoot("\(folder)/\(name).png")
                stage.quit()
                try keep(stage.recording, as: "\(folder)/\(name)-session.jsonl")
                return true
            })
        for end in ["session.jsonl", "shell.log"] { unlink("\(folder)/\(name)-try-\(end)") }
        let lines = (shortest ?? steps).map(\.description)
        try (lines.joined(separator: "\n") + "\n").write(toFile: "\(folder)/\(name)-steps.txt", atomically: true, encoding: .utf8)
        if shortest == nil { try keep("\(folder)/\(name)-first-session.jsonl", as: "\(folder)/\(name)-session.jsonl") }
        say(
            shortest == nil
                ? "It did not happen again in \(tries) tries. All steps:" : "The shortest of \(tries) tries:")
        for line in lines { say("  \(line)") }
        say("\(folder)/\(name)-session.jsonl, -steps.txt" + (shortest == nil ? ", -first.png" : ", .png"))
    }
}
