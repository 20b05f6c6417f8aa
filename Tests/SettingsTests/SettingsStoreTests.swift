import Foundation
import Multitasking
import Settings
import Testing

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
        #expect(SettingsStore.path(option: nil, environment: ["HOME": "/h", "XDG_CONFIG_HOME": "/c"])
            == "/c/mullion/config.toml")
        #expect(SettingsStore.path(option: nil, environment: ["HOME": "/h", "XDG_CONFIG_HOME": "c"])
            == "/h/.config/mullion/config.toml")
    }

    @Test func absentFileIsTheStandardUnlessNamed() throws {
        #expect(try SettingsStore(path: file).settings == Settings())
        #expect(throws: SettingsError.self) { try SettingsStore(path: file, isRequired: true) }
    }

    @Test func fileMadeLaterIsSeen() throws {
        let store = try SettingsStore(path: folder.path + "/a/b/config.toml")
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
        let store = try SettingsStore(path: file)
        for scale in [1.5, 3, 0.5] {
            try write("scale = \(scale)", atomically: atomically)
            #expect(store.drain())
            #expect(store.reload() != .unchanged)
            #expect(store.settings.scale == scale)
        }
    }

    @Test func otherFilesAreNoConcern() throws {
        try write("scale = 2")
        let store = try SettingsStore(path: file)
        try "x".write(toFile: folder.path + "/other", atomically: false, encoding: .utf8)
        #expect(!store.drain())
    }

    @Test func linkedFileIsFollowed() throws {
        let target = folder.path + "/dotfiles.toml"
        try "scale = 2".write(toFile: target, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        let store = try SettingsStore(path: file)
        #expect(store.settings.scale == 2)
        try "scale = 3".write(toFile: target, atomically: true, encoding: .utf8)
        #expect(store.drain())
        _ = store.reload()
        #expect(store.settings.scale == 3)
    }

    @Test func lastGoodSettingsStay() throws {
        try write("scale = 2")
        let store = try SettingsStore(path: file)
        try write("scale = 'x'")
        guard case .invalid(let error) = store.reload() else {
            Issue.record("not refused")
            return
        }
        #expect(error.description == "\(file):1:9: scale: a number from 0.5 to 4.0 is expected")
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
        let store = try SettingsStore(path: file, overrides: { $0.scale = 3 })
        #expect(store.settings.scale == 3)
        try write("scale = 4\nreduced-motion = true")
        _ = store.reload()
        #expect(store.settings.scale == 3)
        #expect(store.settings.preferences.reducedMotion)
    }

    @Test func whatIsNoTextIsRefused() throws {
        try Data([0x61, 0x20, 0x3d, 0x20, 0x31, 0x0a, 0xff, 0xfe]).write(to: URL(filePath: file))
        do {
            _ = try SettingsStore(path: file)
            Issue.record("not refused")
        } catch {
            #expect(error.line == 2)
        }
        #expect(throws: SettingsError.self) { try SettingsStore(path: folder.path) }
    }
}
