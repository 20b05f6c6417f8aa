import Foundation
import Glibc
import Testing
import Watching

/// Each way in which what a path leads to can change, told or not.
@Suite struct PathWatchTests {
    private final class Room {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "mullion-watch-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ file: String, _ text: String = "x") throws {
            let full = "\(path)/\(file)"
            try FileManager.default.createDirectory(atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: full, atomically: false, encoding: .utf8)
        }

        /// In one step, as `ln -sfn` is not.
        func link(_ place: String, to target: String) {
            unlink("\(path)/link.new")
            symlink(target, "\(path)/link.new")
            rename("\(path)/link.new", "\(path)/\(place)")
        }

        func move(_ from: String, _ to: String) { rename("\(path)/\(from)", "\(path)/\(to)") }
    }

    /// The folders of two configurations behind a chain of links: home/.config/mullion -> home/dotfiles/mullion -> store/current/mullion.
    private func chain() throws -> Room {
        let room = try Room()
        for number in 1...2 { try room.write("store/generation-\(number)/mullion/config.toml", "\(number)") }
        try room.write("home/.config/other/file")
        try room.write("home/dotfiles/file")
        room.link("store/current", to: "generation-1")
        room.link("home/dotfiles/mullion", to: "../../store/current/mullion")
        room.link("home/.config/mullion", to: "../dotfiles/mullion")
        return room
    }

    private func text(_ room: Room) -> String? {
        try? String(contentsOfFile: room.path + "/home/.config/mullion/config.toml", encoding: .utf8)
    }

    private static let changes: [(name: String, change: @Sendable (String) -> Void)] = [
        (
            "the file, in place",
            { try? "2".write(toFile: "\($0)/store/generation-1/mullion/config.toml", atomically: false, encoding: .utf8) }
        ),
        (
            "the file, replaced",
            { try? "2".write(toFile: "\($0)/store/generation-1/mullion/config.toml", atomically: true, encoding: .utf8) }
        ),
        (
            "the first link",
            {
                symlink("../../store/generation-2/mullion", "\($0)/new")
                rename("\($0)/new", "\($0)/home/.config/mullion")
            }
        ),
        (
            "the first link, not in one step",
            {
                unlink("\($0)/home/.config/mullion")
                symlink("../../store/generation-2/mullion", "\($0)/home/.config/mullion")
            }
        ),
        (
            "the middle link",
            {
                symlink("../../store/generation-2/mullion", "\($0)/new")
                rename("\($0)/new", "\($0)/home/dotfiles/mullion")
            }
        ),
        (
            "the last link",
            {
                symlink("generation-2", "\($0)/new")
                rename("\($0)/new", "\($0)/store/current")
            }
        ),
        (
            "a folder on the target's way",
            {
                rename("\($0)/store/generation-1", "\($0)/store/old")
                rename("\($0)/store/generation-2", "\($0)/store/generation-1")
            }
        ),
        (
            "a folder on the link's way",
            {
                try? FileManager.default.createDirectory(atPath: "\($0)/other", withIntermediateDirectories: true)
                symlink("../../store/generation-2/mullion", "\($0)/other/mullion")
                rename("\($0)/home/dotfiles", "\($0)/home/old")
                rename("\($0)/other", "\($0)/home/dotfiles")
            }
        ),
        ("two folders exchanged", { _ = exchange("\($0)/store/generation-1", "\($0)/store/generation-2") }),
        (
            "the whole store",
            {
                rename("\($0)/store", "\($0)/old")
                try? FileManager.default.createDirectory(atPath: "\($0)/store/current/mullion", withIntermediateDirectories: true)
                try? "2".write(toFile: "\($0)/store/current/mullion/config.toml", atomically: true, encoding: .utf8)
            }
        ),
        (
            "a folder in place of a link",
            {
                unlink("\($0)/home/.config/mullion")
                try? FileManager.default.createDirectory(atPath: "\($0)/home/.config/mullion", withIntermediateDirectories: true)
                try? "2".write(toFile: "\($0)/home/.config/mullion/config.toml", atomically: true, encoding: .utf8)
            }
        ),
        (
            "a link in place of the file",
            {
                try? "2".write(toFile: "\($0)/target", atomically: true, encoding: .utf8)
                unlink("\($0)/store/generation-1/mullion/config.toml")
                symlink("../../../target", "\($0)/store/generation-1/mullion/config.toml")
            }
        ),
        (
            "a hard link in place of the file",
            {
                unlink("\($0)/store/generation-1/mullion/config.toml")
                link("\($0)/store/generation-2/mullion/config.toml", "\($0)/store/generation-1/mullion/config.toml")
            }
        ),
    ]

    @Test("a change of whatever leads to the file is told, each after each", arguments: changes.indices)
    func links(first: Int) throws {
        for second in Self.changes.indices where second != first {
            let room = try chain()
            let watch = PathWatch(owner: "test")
            func set() {
                watch.begin()
                watch.follow(room.path + "/home/.config/mullion/config.toml", as: .file)
                watch.finish()
            }
            set()
            #expect(watch.isComplete && !watch.drain() && text(room) == "1")
            for index in [first, second] {
                let before = text(room)
                Self.changes[index].change(room.path)
                var isTold = false
                // As an owner does: again until nothing is told.
                while watch.drain() {
                    isTold = true
                    set()
                }
                #expect(
                    isTold || text(room) == before,
                    "\(Self.changes[index].name), \(index == first ? "first" : "after \(Self.changes[first].name)")")
                if index == first { #expect(isTold && text(room) == "2", "\(Self.changes[first].name)") }
            }
        }
    }

    @Test("what does not exist yet is told as it comes, through links to nothing, too")
    func later() throws {
        let room = try Room()
        room.link("config", to: "nowhere/deep")
        let watch = PathWatch(owner: "test")
        func set() {
            watch.begin()
            watch.follow(room.path + "/config/mullion/config.toml", as: .file)
            watch.finish()
        }
        set()
        #expect(!watch.drain())
        for folder in ["nowhere", "nowhere/deep", "nowhere/deep/mullion"] {
            mkdir("\(room.path)/\(folder)", 0o700)
            #expect(watch.drain(), "\(folder)")
            set()
        }
        try room.write("nowhere/deep/mullion/config.toml")
        #expect(watch.drain())
        set()
        chmod(room.path + "/nowhere/deep/mullion/config.toml", 0o400)
        #expect(watch.drain(), "a correction of the permissions")
    }

    @Test("neighbours, and files in folders on the way, tell nothing")
    func others() throws {
        let room = try chain()
        let watch = PathWatch(owner: "test")
        watch.begin()
        watch.follow(room.path + "/home/.config/mullion/config.toml", as: .file)
        watch.finish()
        for file in [
            "file", "home/file", "home/.config/file", "home/.config/other/file", "home/dotfiles/new", "store/x", "store/generation-1/y",
            "store/generation-1/mullion/z",
        ] {
            try room.write(file)
            #expect(!watch.drain(), "\(file)")
        }
        try room.write("store/generation-2/mullion/config.toml", "3")
        #expect(!watch.drain())
    }

    @Test("links in a circle, and very many, come to an end")
    func circles() throws {
        let room = try Room()
        room.link("a", to: "b")
        room.link("b", to: "a")
        var last = "x"
        for number in 0..<60 {
            room.link("l\(number)", to: last)
            last = "l\(number)"
        }
        let watch = PathWatch(owner: "test")
        watch.begin()
        for path in ["a/c", "l59", "a", ".", "..", "", "x/../../../../../../../..", "./."] {
            watch.follow("\(room.path)/\(path)", as: .file)
        }
        watch.follow("/", as: .folder)
        watch.follow("/", as: .file)
        watch.finish()
        #expect(watch.isComplete)
        unlink(room.path + "/a")
        #expect(watch.drain())
    }
}

/// In one step. Swift does not import `renameat2`.
private func exchange(_ one: String, _ other: String) -> Bool {
    typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    guard let symbol = dlsym(nil, "renameat2") else { return false }
    return unsafeBitCast(symbol, to: Rename.self)(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
}
