import FoundationEssentials
import Glibc
import MullionTesting
import Testing

extension RunningShell.AuditTests {
    /// X-08: every check fails with a client that breaks its rule, and passes with one that keeps it.
    struct Proof: Sendable, CustomTestStringConvertible {
        enum Client: String { case raw = "audited.py", gtk = "audited_gtk.py" }

        var client = Client.raw
        /// What the client does wrong, or does at all.
        var ways: String
        var kept: [String] = []
        var broken: [String] = []
        /// Checks whose gravest verdict is a warning.
        var warned: [String] = []
        /// The client's desktop entry and what else is installed; nil for a plain command.
        var entry: Entry?
        /// Checks that must run before, for what they do.
        var before: [String] = []

        enum Entry { case whole, bare }

        var rules: String { (before + kept + broken + warned).joined(separator: ",") }
        var testDescription: String { "\(client.rawValue) \(ways): \(rules)" }
    }

    private static let good = [
        Proof(
            ways: "animates",
            kept: [
                "desktop-entry", "icon", "appstream", "sound-formats", "start", "unasked-windows", "sound-at-start", "notifications",
                "animation", "new-window", "crashes",
            ], entry: .whole),
        Proof(
            ways: "",
            kept: ["sizes", "rotation", "scales", "same-at-same-size", "answers", "hidden-work", "shown-again", "freeze", "sound-keys"]),
        // After a restart the numbers of windows begin again, also of the window that the check of equal sizes opened.
        Proof(
            ways: "", kept: ["touch", "pointer", "menus", "dialogs", "dialog-over-popover", "presentation", "close", "reboot"],
            before: ["same-at-same-size"]),
        Proof(ways: "plays", kept: ["sound-role", "sound-hidden", "sound-interrupted", "headphones"]),
        Proof(
            client: .gtk, ways: "",
            kept: [
                "names", "targets", "keys", "finger-like-pointer", "dark", "large-text", "lost-work", "right-to-left", "killed", "reboot",
            ]),
        Proof(client: .gtk, ways: "asks", kept: ["close", "lost-work"]),
        // No check is about the picture of a start.
        Proof(client: .gtk, ways: "splash", kept: ["sizes", "names", "dialogs"]),
        // Screen readers read a tooltip where there is no name.
        Proof(client: .gtk, ways: "nameless,described", kept: ["names"]),
    ]

    private static let bad = [
        Proof(ways: "plays", broken: ["desktop-entry", "icon", "sound-at-start"], warned: ["appstream", "sound-formats"], entry: .bare),
        Proof(ways: "ends", broken: ["start"]),
        Proof(ways: "aborts", broken: ["crashes"], before: ["sizes"]),
        Proof(ways: "pours", broken: ["unasked-windows"]),
        Proof(ways: "blinks", broken: ["unasked-windows"]),
        Proof(
            ways: "unasked,stays,deaf,blurred,busy,alarms", broken: ["unasked-windows", "notifications", "hidden-work", "close"],
            warned: ["scales", "touch", "pointer"]),
        Proof(ways: "fixed", broken: ["sizes", "rotation"]),
        Proof(ways: "differs", broken: ["same-at-same-size"]),
        Proof(ways: "mute", broken: ["answers"]),
        Proof(ways: "draws", broken: ["animation"]),
        Proof(ways: "stuck", broken: ["animation"]),
        Proof(ways: "sulks", broken: ["shown-again", "freeze"]),
        Proof(ways: "roleless", warned: ["sound-role"]),
        Proof(ways: "game", broken: ["sound-hidden"]),
        Proof(ways: "eager", broken: ["sound-keys"]),
        Proof(ways: "restarts", broken: ["sound-interrupted", "headphones"]),
        Proof(ways: "deafplayer", warned: ["sound-interrupted", "headphones"]),
        Proof(ways: "hangs", broken: ["close"]),
        Proof(ways: "outside,locked", broken: ["menus", "dialogs"]),
        Proof(ways: "over,open", broken: ["dialog-over-popover"]),
        Proof(ways: "over", warned: ["dialog-over-popover"]),
        Proof(client: .gtk, ways: "untitled,huge", warned: ["dialogs", "presentation"]),
        Proof(ways: "stays", broken: ["new-window"], entry: .whole),
        Proof(client: .gtk, ways: "nameless,tabless", broken: ["names", "keys"]),
        Proof(client: .gtk, ways: "tiny", broken: ["targets"]),
        Proof(client: .gtk, ways: "untouchable", broken: ["finger-like-pointer"]),
        Proof(client: .gtk, ways: "unclickable", broken: ["finger-like-pointer"]),
        Proof(client: .gtk, ways: "bright,still", warned: ["dark", "large-text"]),
        Proof(client: .gtk, ways: "ltr", broken: ["right-to-left"]),
        Proof(client: .gtk, ways: "loses", broken: ["lost-work"], warned: ["killed", "reboot"]),
        Proof(ways: "lost", broken: ["killed"]),
        Proof(ways: "lost", broken: ["reboot"]),
    ]

    @Test("X-08: every check has a client that passes and one that fails")
    func everyCheckIsProved() throws {
        let list = try audit(words: ["--list"]).output
        let all = Set(
            list.split(separator: "\n").filter { !$0.hasPrefix(" ") }.compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(all.count > 30)
        #expect(Set(Self.good.flatMap(\.kept)) == all)
        #expect(Set(Self.bad.flatMap { $0.broken + $0.warned }) == all)
    }

    @Test("X-08: clients that keep the rules pass every check", .enabled(if: TestSeed.isSlow, "make test-slow"), arguments: good)
    func passes(proof: Proof) throws { try prove(proof) }

    @Test("X-08: a client that breaks a rule fails its check", .enabled(if: TestSeed.isSlow, "make test-slow"), arguments: bad)
    func fails(proof: Proof) throws { try prove(proof) }

    /// Runs the audit of the client, and compares the verdicts.
    private func prove(_ proof: Proof) throws {
        let folder = "/tmp/mullion-audit-proof-\(UInt32.random(in: 0...UInt32.max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let command = "/usr/bin/python3 \(clients)/\(proof.client.rawValue)\(proof.ways.isEmpty ? "" : " --breaks \(proof.ways)")"
        var variables: [String: String] = [:]
        if let entry = proof.entry {
            try install(entry, command: command, in: folder)
            variables["XDG_DATA_DIRS"] = "\(folder):/usr/local/share:/usr/share"
        }
        let run = try audit(
            words: ["--rules", proof.rules, proof.entry == nil ? command : "test.audited"], within: 200, variables: variables)
        for check in proof.kept { #expect(run.has("+", check), "\(check): \(run.output)") }
        for check in proof.broken { #expect(run.has("x", check), "\(check): \(run.output)") }
        for check in proof.warned { #expect(run.has("!", check), "\(check): \(run.output)") }
    }

    /// An app in a folder of its own: with all that it should have, or with as little as it starts with.
    private func install(_ entry: Proof.Entry, command: String, in folder: String) throws {
        func write(_ text: String, to name: String) throws { try ShellUnderTest.write(text, to: "\(folder)/\(name)") }
        try write("#!/bin/sh\nexec \(command)\n", to: "app/audited")
        chmod("\(folder)/app/audited", 0o755)
        let icon =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"128\" height=\"128\"><rect width=\"128\" height=\"128\" fill=\"#36c\"/></svg>"
        let head = "[Desktop Entry]\nType=Application\nName=Audited\nExec=\(folder)/app/audited\n"
        switch entry {
        case .whole:
            try write(icon, to: "icons/hicolor/scalable/apps/test.audited.svg")
            try write("\(head)Icon=test.audited\n", to: "applications/test.audited.desktop")
            try write(
                "<component type=\"desktop-application\"><id>test.audited</id><name>Audited</name><summary>Keeps rules</summary>"
                    + "<metadata_license>CC0-1.0</metadata_license><description><p>It keeps the rules that apps keep.</p></description>"
                    + "<launchable type=\"desktop-id\">test.audited.desktop</launchable></component>\n",
                to: "metainfo/test.audited.metainfo.xml")
            try write("RIFF\0\0\0\0WAVEfmt ", to: "app/click.wav")
        case .bare:
            try write("\(head)Answer=42\n", to: "applications/test.audited.desktop")
            try write("RIFF\0\0\0\0WAVEfmt " + String(repeating: " ", count: 2 << 20), to: "app/song.wav")
        }
    }
}
