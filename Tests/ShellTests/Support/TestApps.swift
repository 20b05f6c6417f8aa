import Control
import Foundation
import MullionTesting
import Windows

/// An app that a test installs: a desktop entry, and usually a client of one colour.
struct TestApp {
    var id: String
    var name: String
    var command: String
    var icon: String?
    /// More lines of the entry.
    var more: String

    /// By default each start opens a window of this colour.
    init(_ id: String, _ name: String, colour: String = "3366cc", icon: String? = nil, more: String = "") {
        self.init(id, name, command: TestApp.window(id, name, colour: colour), icon: icon, more: more)
    }

    init(_ id: String, _ name: String, command: String, icon: String? = nil, more: String = "") {
        self.id = id
        self.name = name
        self.command = command
        self.icon = icon
        self.more = more
    }

    /// The command that opens a window; its title is the app's name.
    static func window(_ id: String, _ title: String, colour: String = "3366cc") -> String {
        "python3 \(TestClient.folder)/window.py --app-id \(id) --title \"\(title)\" --colour \(colour)"
    }

    /// Whether the shell lists it.
    var isListed: Bool { !more.contains("NoDisplay=true") }

    /// The path of its entry.
    var path: String { "system/applications/\(id).desktop" }

    var entry: String {
        "[Desktop Entry]\nType=Application\nName=\(name)\nExec=\(command)\n" + (icon.map { "Icon=\($0)\n" } ?? "") + more + "\n"
    }

    /// A picture of one colour with a mark, so that it differs from all others.
    static func svg(_ colour: String, mark: String = "ffffff") -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#\(colour)"/>\
        <circle cx="32" cy="32" r="14" fill="#\(mark)"/></svg>
        """
    }

    /// Red, Green and Blue: enough for most tests.
    static let three = [
        TestApp("test.red", "Red", colour: "aa2222", icon: "{room}/red.svg"),
        TestApp("test.green", "Green", colour: "22aa22", icon: "{room}/green.svg"),
        TestApp("test.blue", "Blue", colour: "2222aa", icon: "{room}/blue.svg"),
    ]
    static let icons = ["red.svg": svg("aa2222"), "green.svg": svg("22aa22"), "blue.svg": svg("2222aa")]
}

extension ShellUnderTest {
    /// A shell with exactly these apps installed.
    static func with<R>(
        apps: [TestApp], size: String = "1180x820", scale: Double = 1,
        config: String = "launch = []\nwallpaper = \"#232b3a\"\nanimation-speed = 3\n", files: [String: String] = [:],
        environment: [String: String] = [:], audio: String = "off", _ body: (ShellUnderTest) throws -> R
    ) throws -> R {
        var all = TestApp.icons.merging(files) { $1 }
        for app in apps { all[app.path] = app.entry }
        return try with(
            size: size, scale: scale, config: config,
            environment: ["XDG_DATA_DIRS": "{room}/system"].merging(environment) { $1 }, files: all, audio: audio
        ) { shell in
            // It answers before it has read them.
            if apps.contains(where: \.isListed) { try shell.wait("the apps", within: 5) { try !shell.installed().isEmpty } }
            return try body(shell)
        }
    }

    func install(_ app: TestApp) throws {
        let room = room
        try ShellUnderTest.write(
            app.entry.split(separator: "{room}", omittingEmptySubsequences: false).joined(separator: room), to: "\(room)/\(app.path)")
    }

    func remove(_ app: TestApp) throws { try FileManager.default.removeItem(atPath: "\(room)/\(app.path)") }

    func installed() throws -> [App] { try client.ask(.get(.apps), for: [App].self) }

    /// Opens an app by name and waits for its window. Several starts open several windows.
    @discardableResult
    func openApp(_ app: String, to destination: Destination? = nil) throws -> WindowReport {
        let newest = try state().windows.map(\.id).max() ?? WindowID(0)
        try client.perform(.newWindow(app: app, to: destination))
        let window = try waitForWindow(after: newest, timeout: 20_000)
        try settle()
        return try self.window(window.id)
    }
}
