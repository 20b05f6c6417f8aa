import Foundation
import Glibc
import Multitasking
import Testing

@testable import Settings

@Suite struct SettingsStoreTests {
    /// A folder that is removed together with this object.
    final class Folder {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "mullion-settings-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let folder: Folder
    private var file: String { folder.path + "/config.toml" }

    init() throws { folder = try Folder() }

    private func write(_ text: String, atomically: Bool = true) throws {
        try text.write(toFile: file, atomically: atomically, encoding: .utf8)
    }

    @Test func pathFollowsOptionThenEnvironment() {
        #expect(SettingsStore.path(option: "x.toml", environment: ["HOME": "/h"]) == "x.toml")
        #expect(
            SettingsStore.path(option: nil, environment: ["HOME": "/h", "XDG_CONFIG_HOME": "/c"])
                == "/c/mullion/config.toml")
        #expect(
            SettingsStore.path(option: nil, environment: ["HOME": "/h", "XDG_CONFIG_HOME": "c"])
                == "/h/.config/mullion/config.toml")
    }

    @Test func absentFileIsTheStandardUnlessNamed() throws {
        let plain = SettingsStore(path: file)
        #expect(plain.settings == Settings() && plain.fault == nil && !plain.isUnknown)
        let named = SettingsStore(path: file, isRequired: true)
        #expect(named.fault?.error.message == "there is no such file" && named.isUnknown)
    }

    @Test func fileMadeLaterIsSeen() throws {
        let store = SettingsStore(path: folder.path + "/a/b/config.toml")
        #expect(!store.drain())
        try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        #expect(store.drain())
        #expect(store.reload() == .unchanged)
        try "scale = 2".write(toFile: store.path, atomically: true, encoding: .utf8)
        #expect(store.drain())
        guard case .changed(let settings) = store.reload() else {
            Issue.record("not changed")
            return
        }
        #expect(settings.scale == 2)
        #expect(!store.drain())
    }

    @Test(arguments: [true, false])
    func everyRewriteIsSeen(atomically: Bool) throws {
        try write("scale = 2")
        let store = SettingsStore(path: file)
        for scale in [1.5, 3, 0.5] {
            try write("scale = \(scale)", atomically: atomically)
            #expect(store.drain())
            #expect(store.reload() != .unchanged)
            #expect(store.settings.scale == scale)
        }
    }

    @Test func otherFilesAreNoConcern() throws {
        try write("scale = 2")
        let store = SettingsStore(path: file)
        try "x".write(toFile: folder.path + "/other", atomically: false, encoding: .utf8)
        #expect(!store.drain())
    }

    @Test func linkedFileIsFollowed() throws {
        let target = folder.path + "/dotfiles.toml"
        try "scale = 2".write(toFile: target, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        let store = SettingsStore(path: file)
        #expect(store.settings.scale == 2)
        try "scale = 3".write(toFile: target, atomically: true, encoding: .utf8)
        #expect(store.drain())
        _ = store.reload()
        #expect(store.settings.scale == 3)
    }

    @Test func lastGoodSettingsStay() throws {
        try write("scale = 2")
        let store = SettingsStore(path: file)
        try write("scale = 'x'")
        guard case .invalid(let error) = store.reload() else {
            Issue.record("not refused")
            return
        }
        #expect(error.description == "\(file):1:9: scale: a number from 0.5 to 8.0 is expected")
        #expect(store.settings.scale == 2)
        try FileManager.default.removeItem(atPath: file)
        #expect(store.reload() == .unchanged)
        #expect(store.settings.scale == 2)
        try write("scale = 4")
        #expect(store.reload() != .unchanged)
        #expect(store.settings.scale == 4)
    }

    @Test func commandLineGoesBeforeTheFile() throws {
        try write("scale = 2\nidiom = 'pad'")
        let store = SettingsStore(path: file, overrides: { $0.scale = 3 })
        #expect(store.settings.scale == 3)
        try write("scale = 4\nreduced-motion = true")
        _ = store.reload()
        #expect(store.settings.scale == 3)
        #expect(store.settings.preferences.reducedMotion)
    }

    // MARK: Files that are wrong

    /// Each kind of file that cannot be used, and a word of what is said.
    private static let kinds: [(kind: String, line: Int, word: String)] = [
        ("a typing error", 2, "number"), ("an unknown key", 2, "unknown"), ("no TOML", 2, "key"), ("not UTF-8", 2, "UTF-8"),
        ("mode", 0, "denied"),
        ("folder", 0, "regular"), ("fifo", 0, "regular"), ("socket", 0, "cannot be read"), ("huge", 0, "larger"),
        ("dead link", 0, "leads to nothing"),
        ("link to itself", 0, "leads to nothing"), ("control character", 2, "control"), ("folder that is closed", 0, "denied"),
    ]

    private func make(_ kind: String) throws {
        try? FileManager.default.removeItem(atPath: file)
        switch kind {
        case "a typing error": try write("idiom = 'tv'\nscale = 'x'\nreduced-motion = true")
        case "an unknown key": try write("idiom = 'tv'\ncolour = 3\nreduced-motion = true")
        case "no TOML": try write("idiom = 'tv'\n= = =\nreduced-motion = true")
        case "not UTF-8":
            try Data(Array("idiom = 'tv'\nscale = ".utf8) + [0xff, 0xfe, 0x0a] + Array("reduced-motion = true".utf8)).write(
                to: URL(filePath: file))
        case "control character": try write("idiom = 'tv'\nscale = \u{1}2\nreduced-motion = true")
        case "mode":
            try write("scale = 4")
            chmod(file, 0)
        case "folder": try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        case "fifo": mkfifo(file, 0o600)
        case "socket":
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { room in
                file.utf8CString.withUnsafeBytes { room.copyBytes(from: $0.prefix(107)) }
            }
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
            close(number)
        case "huge": try write(String(repeating: "# much\n", count: 60_000))
        case "dead link": symlink("nowhere", file)
        case "link to itself": symlink("config.toml", file)
        default:
            try write("scale = 4")
            chmod(folder.path, 0)
        }
    }

    private func canBeMade(_ kind: String) -> Bool { geteuid() != 0 || (kind != "mode" && kind != "folder that is closed") }

    @Test("law 5: whatever is wrong, the last correct version holds, over restarts, and the correction holds at once", arguments: kinds)
    func lastGood(kind: String, line: Int, word: String) throws {
        guard canBeMade(kind) else { return }
        let kept = LastGood(folder: folder.path + "-kept/last-good")
        defer {
            chmod(folder.path, 0o700)
            try? FileManager.default.removeItem(atPath: folder.path + "-kept")
        }
        try write("scale = 2\nidiom = 'phone'")
        #expect(SettingsStore(path: file, lastGood: kept).fault == nil)
        try make(kind)
        for _ in 0..<2 {
            let store = SettingsStore(path: file, isRequired: true, lastGood: kept, overrides: { $0.reducedMotionForTest = true })
            #expect(store.settings.scale == 2 && store.settings.idiom == "phone", "\(kind)")
            #expect(
                store.fault?.inEffect == .lastGood && store.fault?.error.line == line && !store.isUnknown,
                "\(store.fault?.description ?? "none")")
            #expect(store.fault?.description.contains(word) ?? false, "\(store.fault?.description ?? "none")")
            #expect(store.settings.preferences.reducedMotion, "the command line counts")
            let isRefused = if case .invalid = store.reload() { true } else { false }
            #expect(isRefused, "\(kind) is taken")
        }
        let store = SettingsStore(path: file, lastGood: kept)
        _ = store.drain()
        chmod(folder.path, 0o700)
        try? FileManager.default.removeItem(atPath: file)
        try write("scale = 3")
        #expect(store.drain())
        let isTaken = if case .changed = store.reload() { true } else { false }
        #expect(isTaken, "the correction is not taken")
        #expect(store.settings.scale == 3 && store.settings.idiom == nil && store.fault == nil)
        #expect(SettingsStore(path: file, lastGood: kept).settings.scale == 3)
    }

    @Test("law 5: without a version that held, what is right in the file holds, else the standard", arguments: kinds)
    func rest(kind: String, line: Int, word: String) throws {
        guard canBeMade(kind) else { return }
        defer { chmod(folder.path, 0o700) }
        try make(kind)
        let store = SettingsStore(path: file)
        #expect(store.fault?.inEffect == (line > 0 ? .rest : .standard))
        #expect(store.settings.idiom == (line > 0 ? "tv" : nil) && store.settings.preferences.reducedMotion == (line > 0), "\(kind)")
    }

    @Test(
        "law 5: any line of a long configuration may be wrong: the others hold as they were written",
        arguments: ["!", "scale = 'x", "x = [", "[", "[life", "\"\"\"", "a = {"])
    func everyLine(wrong: String) throws {
        let right = ["idiom = 'tv'", "scale = 2", "launch = ['foot']", "[life]", "grace = 5", "[keys]", "home = 'Super+H'"]
        for place in 0...right.count {
            var lines = right
            lines.insert(wrong, at: place)
            try write(lines.joined(separator: "\n") + "\n")
            let store = SettingsStore(path: file)
            guard store.fault != nil else { continue }
            // Nothing has a meaning that nobody gave it.
            #expect(store.settings.idiom == "tv" || store.settings.idiom == nil, "\(wrong) at \(place)")
            #expect(store.settings.scale == 2 || store.settings.scale == 1, "\(wrong) at \(place)")
            #expect(store.settings.launch == [["foot"]] || store.settings.launch == nil, "\(wrong) at \(place)")
            if wrong == "!" {
                #expect(store.settings.idiom == "tv" && store.settings.scale == 2 && store.settings.launch == [["foot"]], "at \(place)")
            }
        }
    }

    @Test("each file has its own last version, and what a person removed is gone")
    func files() throws {
        let kept = LastGood(folder: folder.path + "/kept"), other = folder.path + "/trial.toml"
        try write("scale = 2")
        try "scale = 3".write(toFile: other, atomically: true, encoding: .utf8)
        for path in [file, other] { #expect(SettingsStore(path: path, lastGood: kept).fault == nil) }
        for path in [file, other] { try "!".write(toFile: path, atomically: true, encoding: .utf8) }
        #expect(
            SettingsStore(path: file, lastGood: kept).settings.scale == 2 && SettingsStore(path: other, lastGood: kept).settings.scale == 3)
        try FileManager.default.removeItem(atPath: file)
        #expect(SettingsStore(path: file, lastGood: kept).settings.scale == 1)
        try write("!")
        #expect(SettingsStore(path: file, lastGood: kept).settings.scale == 1)
        // There is an end to what is kept, and damage in it is no configuration.
        for number in 0..<60 {
            let path = folder.path + "/\(number).toml"
            try "scale = 3".write(toFile: path, atomically: true, encoding: .utf8)
            _ = SettingsStore(path: path, lastGood: kept)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/kept")
        #expect(names.count <= LastGood.most && names.allSatisfy { !$0.hasPrefix(".") })
        for name in names { try Data([0xff, 0, 1]).write(to: URL(filePath: folder.path + "/kept/\(name)")) }
        try "!".write(toFile: folder.path + "/59.toml", atomically: true, encoding: .utf8)
        #expect(SettingsStore(path: folder.path + "/59.toml", lastGood: kept).fault?.inEffect == .standard)
    }
}

extension Settings {
    fileprivate var reducedMotionForTest: Bool {
        get { preferences.reducedMotion }
        set { preferences.reducedMotion = newValue }
    }
}
