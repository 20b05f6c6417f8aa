import Chrome
import Control
import Foundation
import Geometry
import Glibc
import MullionTesting
import Multitasking
import Testing
import Windows

extension RunningShell {
    /// Hidden windows cost no memory either: the shell unmaps the buffers that it has read.
    @Suite(.serialized) struct ClientMemoryTests {
        private let still = "launch = []\nreduced-motion = true\n"
        /// The size of a full-screen buffer in KiB.
        private static let whole = 1180 * 820 * 4 / 1024

        /// KiB in the shell's page tables of all memory with this name, and the number of mappings.
        private func resident(_ shell: ShellUnderTest, _ name: String) throws -> (kib: Int, mappings: Int) {
            var kib = 0, mappings = 0, isIts = false
            for line in shell.text(of: "/proc/\(shell.process)/smaps").split(separator: "\n") {
                if line.split(separator: " ", maxSplits: 1)[0].contains("-") {
                    isIts = line.contains("/memfd:\(name) ")
                    if isIts { mappings += 1 }
                } else if isIts, line.hasPrefix("Rss:") {
                    kib += line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                }
            }
            return (kib, mappings)
        }

        /// A buffer in memory with this name (`Clients/memory.py`). The client keeps its descriptor as `fd`.
        private func give(_ client: TestClient, _ name: String, _ colour: String) throws {
            try client.run("give('\(name)', '\(colour)ff')")
        }

        private func wait(_ shell: ShellUnderTest, for colour: UInt32) throws {
            try shell.wait("the colour \(String(colour, radix: 16))") { try shell.picture()[590, 410] == .init(colour) }
        }

        @Test func whatIsOutOfSightIsLetGo() throws {
            try ShellUnderTest.with(config: still) { shell in
                let first = try TestClient(shell, ["--colour", "205080"])
                try give(first, "first", "402010")
                try wait(shell, for: 0x102040)
                // The shell may return memory in between.
                try shell.wait("all of it to be read") {
                    _ = try shell.picture()
                    return try resident(shell, "first").kib >= Self.whole - 8
                }
                let second = try TestClient(shell, ["--colour", "aa2222"])
                try shell.wait("the first one's pages to go") { try resident(shell, "first").kib <= 8 }
                #expect(try resident(shell, "first").mappings == 1, "the buffer is still there")
                // At rest, visible buffers are unmapped too: they are already on the screen.
                try shell.wait("the second one's pages to go") { try resident(shell, "buffer").kib <= 8 }
                #expect(try shell.picture()[590, 410] == .init(0xaa2222))
                // What the app writes meanwhile is shown.
                try first.run("os.pwrite(fd, bytes.fromhex('808020ff') * (size // 4), 0)")
                _ = try first.mark()
                try shell.perform(.focus(window: first.id))
                try wait(shell, for: 0x208080)
                try shell.wait("the second one's pages to go") { try resident(shell, "buffer").kib <= 8 }
                try shell.perform(.focus(window: second.id))
                try wait(shell, for: 0xaa2222)
                // Only a capture of the hidden window reads it, and unmaps it again.
                try shell.wait("the first one's pages to go") { try resident(shell, "first").kib <= 8 }
                #expect(try shell.picture(of: first.id)[590, 410] == .init(0x208080))
                try shell.wait("them to go again") { try resident(shell, "first").kib <= 8 }
            }
        }

        @Test func theMemoryMayGrowMoveAndVanishMeanwhile() throws {
            try ShellUnderTest.with(config: still) { shell in
                let first = try TestClient(shell, ["--colour", "205080"])
                try give(first, "first", "402010")
                try wait(shell, for: 0x102040)
                let second = try TestClient(shell, ["--colour", "aa2222"])
                // While its pages are still mapped, and afterwards.
                try first.run("os.ftruncate(fd, 9 * size); pool.resize(9 * size)")
                _ = try first.mark()
                try shell.wait("the first one's pages to go") { try resident(shell, "first").kib <= 8 }
                try first.run("os.ftruncate(fd, 20 * size); pool.resize(20 * size); pool.destroy()")
                _ = try first.mark()
                try shell.perform(.focus(window: first.id))
                try wait(shell, for: 0x102040)
                // The buffer is destroyed before it is unmapped.
                try shell.perform(.focus(window: second.id))
                try wait(shell, for: 0xaa2222)
                try first.run("own.destroy()")
                _ = try first.mark()
                usleep(600_000)
                try shell.perform(.focus(window: first.id))
                try shell.settle()
                #expect(try shell.picture()[590, 410] != .init(0xaa2222))
                // The file is truncated while nothing reads it, which is the client's own fault.
                try give(first, "cut", "402010")
                try wait(shell, for: 0x102040)
                try shell.perform(.focus(window: second.id))
                try shell.wait("the pages to go") { try resident(shell, "cut").kib <= 8 }
                try first.run("os.ftruncate(fd, 4096)")
                _ = try first.mark()
                try shell.perform(.focus(window: first.id))
                try shell.client.waitUntilGone(first.id)
                try wait(shell, for: 0xaa2222)
                shell.expectAlive()
            }
        }

        @Test func theAppSwitcherShowsWhatItAveraged() throws {
            try ShellUnderTest.with(config: still) { shell in
                let first = try TestClient(shell, ["--colour", "205080"])
                try give(first, "first", "402010")
                try wait(shell, for: 0x102040)
                let second = try TestClient(shell, ["--colour", "aa2222"])
                try shell.wait("the first one's pages to go") { try resident(shell, "first").kib <= 8 }
                try shell.perform(.appSwitcher)
                let space = try first.report.space!.raw
                let frame = try shell.view("switcher/space/\(space)").frame
                func colour() throws -> Picture.Pixel? {
                    try shell.picture().pixel(at: Point(frame.center.x, frame.minY + frame.height * 0.7))
                }
                try shell.wait("its card") { try colour()?.distance(to: .init(0x102040)) ?? 255 < 8 }
                try shell.wait("both buffers to be let go") { try resident(shell, "first").kib + resident(shell, "buffer").kib <= 16 }
                #expect(try colour()?.distance(to: .init(0x102040)) ?? 255 < 8)
                try first.run(
                    "os.pwrite(fd, bytes.fromhex('808020ff') * (size // 4), 0); surface.attach(own, 0, 0); surface.damage_buffer(0, 0, 1180, 820); surface.commit()"
                )
                try shell.wait("its card in another colour") { try colour()?.distance(to: .init(0x208080)) ?? 255 < 8 }
                try shell.perform(.focus(window: second.id))
                try wait(shell, for: 0xaa2222)
                try shell.wait("the first one's pages to go") { try resident(shell, "first").kib <= 8 }
            }
        }

        /// KiB of the shell's mappings of unnamed files in a folder, and KiB of them in its page tables.
        private func nameless(_ shell: ShellUnderTest, in folder: String) -> (kib: Int, resident: Int) {
            var kib = 0, resident = 0, isIts = false
            for line in shell.text(of: "/proc/\(shell.process)/smaps").split(separator: "\n") {
                func number() -> Int { line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
                if line.split(separator: " ", maxSplits: 1)[0].contains("-") {
                    isIts = line.contains(" \(folder)/#") && line.hasSuffix("(deleted)")
                } else if isIts, line.hasPrefix("Size:") {
                    kib += number()
                } else if isIts, line.hasPrefix("Rss:") {
                    resident += number()
                }
            }
            return (kib, resident)
        }

        /// A file in a folder would be mapped, too.
        private func isInMemory(_ folder: String) throws -> Bool {
            let process = Process(), output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/stat")
            process.arguments = ["--file-system", "--format", "%T", folder]
            process.standardOutput = output
            try process.run()
            let name = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            return name.hasPrefix("tmpfs") || name.hasPrefix("ramfs")
        }

        /// Waits until nothing else is mapped, because icons may still arrive.
        private func wallpaper(of shell: ShellUnderTest) throws -> [Picture.Pixel] {
            let picture = try shell.picture()
            return (0..<82).map { picture[4, 10 * $0] }
        }

        /// The kernel can reclaim its pages then, and no other process can reach them.
        @Test func theWallpaperLiesInAFile() throws {
            try ShellUnderTest.with(config: "launch = []\nlog-level = \"debug\"\n") { shell in
                let cache = "\(shell.room)/cache"
                try shell.wait("the first rest", within: 10) { shell.log.contains("at rest:") }
                guard try !isInMemory(cache) else {
                    return #expect(nameless(shell, in: cache).kib == 0, "it would be in memory there, too")
                }
                let whole = (Self.whole + 3) / 4 * 4
                #expect(nameless(shell, in: cache) == (whole, 0))
                #expect(try FileManager.default.contentsOfDirectory(atPath: cache).isEmpty)
                let before = try wallpaper(of: shell)
                #expect(nameless(shell, in: cache).resident > whole / 2, "it was read")
                // Another look uses another file; the first one is removed.
                try shell.perform(.darkAppearance(true))
                try shell.wait("another wallpaper") { try wallpaper(of: shell) != before }
                try shell.perform(.darkAppearance(false))
                try shell.wait("the first wallpaper again") { try wallpaper(of: shell) == before }
                try shell.wait("it to lie in a file") { nameless(shell, in: cache) == (whole, 0) }
                #expect(try wallpaper(of: shell) == before)
            }
        }

        @Test(arguments: ["/proc", "/nowhere"]) func aWallpaperThatCannotBeWrittenStaysInMemory(folder: String) throws {
            try ShellUnderTest.with(
                config: "launch = []\nlog-level = \"debug\"\n", environment: ["XDG_CACHE_HOME": folder, "HOME": "/nowhere"]
            ) { shell in
                let before = try wallpaper(of: shell)
                try shell.wait("the first rest", within: 10) { shell.log.contains("0 KiB of pictures in a file") }
                #expect(try wallpaper(of: shell) == before)
                shell.expectAlive()
            }
        }

        /// wlroots 0.15 leaked the old rectangles of each opaque buffer: 32 MB here.
        @Test func opaqueRegionsAreFreed() throws {
            try ShellUnderTest.with(config: still) { shell in
                func total() -> Int {
                    shell.text(of: "/proc/\(shell.process)/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
                }
                func round() throws {
                    let (_, output) = try shell.run(["python3", "\(TestClient.folder)/abuse.py", "opaque-regions"], within: 60)
                    #expect(output.contains("\"ended\": false"), "\(output)")
                }
                // The first round also reads code and fonts for the first time.
                try round()
                let before = total()
                try round()
                #expect((total() - before) * 4 < 16 * 1024, "KiB")
            }
        }
    }
}
