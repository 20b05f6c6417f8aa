import Foundation
import Multitasking
import Settings
import Testing

/// Users copy the manual's example: it must be valid, complete and correct.
@Suite struct ConfigDocumentTests {
    private let manual: String
    private let example: String

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        manual = try String(contentsOf: root.appending(path: "docs/config.md"), encoding: .utf8)
        let lines = manual.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "```toml"))
        let end = try #require(lines[start...].firstIndex(of: "```"))
        example = lines[(start + 1)..<end].joined(separator: "\n")
    }

    @Test func exampleSetsTheStandard() throws {
        var settings = try Settings.parse(example, file: "docs/config.md")
        #expect(settings.size != nil)
        #expect(settings.socket != nil)
        #expect(settings.idiom == "automatic")
        settings.idiom = nil
        #expect(settings.launch?.count == 2)
        #expect(settings.preferences.pictureInPicture.count == 2)
        #expect(settings.preferences.prompts == ["org.example.askpass"])
        settings.preferences.prompts = []
        #expect(settings.preferences.audio.rules.map(\.kind) == [.music, .podcast])
        settings.preferences.audio.rules = []
        #expect(settings.preferences.life.grace == 10)
        settings.preferences.life.grace = nil
        #expect(settings.preferences.lock.command == ["swaylock", "--color", "303030"])
        settings.preferences.lock.command = []
        #expect(settings.preferences.lock.emergency == "org.gnome.Calls" && settings.preferences.lock.apps == ["org.gnome.Snapshot"])
        (settings.preferences.lock.emergency, settings.preferences.lock.apps) = ("", [])
        #expect(settings.notifications.isQuiet == false && settings.notifications.apps["org.example.News"]?.manner == .quietly)
        settings.notifications = .init()
        // The example says them, and `dock` leaves the choice to the person.
        #expect(
            settings.preferences.fixed == [
                .appearance, .reducedMotion, .textSize, .scale, .keyClicks, .increasedContrast, .reduceTransparency, .language, .direction,
                .wallpaper, .animationSpeed, .statusBar, .accent, .darkWallpaper, .keyboardLayouts, .keyRepeatDelay, .keyRepeatRate,
                .pointerSpeed, .naturalScrolling, .tapToClick, .lockAfter, .lockOnSleep, .lockPowerButton, .lockKeys,
            ])
        #expect(settings.preferences.fixedLines["audio.key-clicks"] ?? 0 > settings.preferences.fixedLines["accent"] ?? .max)
        settings.preferences.fixed = []
        settings.preferences.fixedLines = [:]
        settings.size = nil
        settings.socket = nil
        settings.launch = nil
        settings.preferences.pictureInPicture = []
        // The order of keys does not matter.
        #expect(Set(settings.preferences.keys) == Set(KeyBinding.standard + [.init("Super+Return", .launch(command: ["foot"]))]))
        settings.preferences.keys = KeyBinding.standard
        #expect(settings == Settings())
    }

    @Test func exampleNamesEveryKeyAndAction() throws {
        // The error for an unknown key lists all known ones.
        var known: [String] = []
        do {
            _ = try Settings.parse("completely-unknown-key = 1", file: "")
        } catch {
            known = error.message.split(separator: "known here: ").last.map { $0.split(separator: ", ").map(String.init) } ?? []
        }
        #expect(known.count > 10)
        for key in known {
            #expect(example.contains("\n\(key) = ") || example.contains("\n[\(key)]"), "\(key) is not in the example")
        }
        for action in ActionNames.all.map(\.name) {
            #expect(example.contains("\n\(action) = "), "\(action) is not in the example")
        }
    }
}
