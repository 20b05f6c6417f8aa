import FoundationEssentials
import Glibc

/// Compares the shell's descriptors after each chapter with those after the first one.
struct DescriptorWatch {
    /// With an empty desk, after the first chapter.
    private var first: (descriptors: Descriptors, hadXwayland: Bool)?
    /// Once started, Xwayland keeps running and has its own descriptors: as a client, and as the server of the
    /// shell's window manager, each twice because the loop keeps a copy. While it runs, the loop does not watch the
    /// two sockets for X11 programs. On wlroots 0.18, the memory of its cursor stays open.
    private static let xwayland = ["socket": 2, "memfd xwayland-shared": 1]

    /// For an empty desk. A closed app may take a moment to exit.
    mutating func check(_ guide: Guide) throws {
        // The baseline must not include an app that is about to exit.
        if first == nil { guide.pause(1500) }
        var now = try DescriptorWatch.descriptors(of: guide.shell)
        if let first {
            var growth: [String] = []
            _ = try guide.eventually(within: 8) {
                now = try DescriptorWatch.descriptors(of: guide.shell)
                let needs = !first.hadXwayland && DescriptorWatch.hasXwayland(guide.shell) ? DescriptorWatch.xwayland : [:]
                growth = now.growth(since: first.descriptors, allowing: needs)
                return growth.isEmpty
            }
            guide.check(
                "of each kind it has no more open than after the first chapter", growth.isEmpty,
                growth.isEmpty ? "\(now.targets.count)" : growth.joined(separator: "; "))
        } else {
            first = (now, DescriptorWatch.hasXwayland(guide.shell))
        }
        guide.equal("its standard input is the null device", now.targets[0] ?? "closed", "/dev/null")
        let kinds = now.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        guide.note("open: \(kinds.joined(separator: ", "))")
    }

    private static func descriptors(of shell: TourShell) throws -> Descriptors {
        guard let found = Descriptors(of: try shell.shellProcess) else { throw Trouble("the descriptors of the shell cannot be read") }
        return found
    }

    /// Xwayland is not a child of the shell. It is recognized by its runtime directory.
    private static func hasXwayland(_ shell: TourShell) -> Bool {
        let room = Data("XDG_RUNTIME_DIR=\(shell.room)/run".utf8)
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { process in
            guard process.first?.isNumber == true,
                (try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8))?.trimmed == "Xwayland"
            else { return false }
            return FileManager.default.contents(atPath: "/proc/\(process)/environ")?.split(separator: 0).contains(room) == true
        }
    }
}
