import Desktop
import Foundation
import Testing

/// The files of the desktop that the settings read and write.
@Suite("X-03: default apps, layouts and folders") struct DefaultAppsTests {
    private func with(_ text: String?, _ body: (DefaultApps, String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "mullion-mime-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/mimeapps.list"
        if let text { try text.write(toFile: file, atomically: true, encoding: .utf8) }
        try body(
            DefaultApps(environment: ["HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_CONFIG_DIRS": folder, "XDG_DATA_DIRS": folder]), file)
    }

    @Test("an app becomes the default, and everything else in the file stays as it was")
    func sets() throws {
        let old =
            "# mine\n[Added Associations]\ntext/plain=a.desktop;\n\n[Default Applications]\ntext/html=old.desktop\nimage/png=p.desktop\n\n[X]\ntext/html=no\n"
        try with(old) { apps, file in
            #expect(apps.apps(for: "text/html").first == "old")
            #expect(apps.set("new", for: ["text/html", "x-scheme-handler/https"]) == nil)
            #expect(apps.apps(for: "text/html").first == "new")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(
                text
                    == "# mine\n[Added Associations]\ntext/plain=a.desktop;\n\n[Default Applications]\ntext/html=new.desktop\nx-scheme-handler/https=new.desktop\nimage/png=p.desktop\n\n[X]\ntext/html=no\n"
            )
            #expect(apps.set(nil, for: ["text/html", "x-scheme-handler/https"]) == nil)
            #expect(apps.apps(for: "text/html") == [])
            #expect(Set(apps.apps(for: "image/png")) == ["p"])
        }
    }

    @Test("a file that is missing is made; a link stays one; one that is no file is an error in words")
    func places() throws {
        try with(nil) { apps, file in
            #expect(apps.set("a", for: ["text/plain"]) == nil)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "[Default Applications]\ntext/plain=a.desktop\n")
            try FileManager.default.moveItem(atPath: file, toPath: file + ".real")
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file + ".real")
            #expect(apps.set("b", for: ["text/plain"]) == nil)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file) == file + ".real")
            #expect(apps.apps(for: "text/plain").first == "b")
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
            #expect(apps.set("b", for: ["text/plain"])?.contains("mimeapps.list") ?? false)
        }
    }

    @Test("the layouts of the system, with variants behind their layout")
    func layouts() throws {
        let all = KeyboardLayouts.all(), names = all.map(\.name)
        #expect(names.contains("us") && names.contains("kr") && names.contains("us(dvorak)") && !names.contains("custom"))
        let us = try #require(names.firstIndex(of: "us")), dvorak = try #require(names.firstIndex(of: "us(dvorak)"))
        #expect(dvorak > us && all[us].title == "English (US)" && all[dvorak].title == "English (Dvorak)")
        #expect(Set(names).count == names.count && KeyboardLayouts.all(in: "/nowhere").isEmpty)
    }

    @Test("the folder for videos is the person's own, or the usual one")
    func folders() throws {
        try with(nil) { _, file in
            let home = (file as NSString).deletingLastPathComponent, environment = ["HOME": home, "XDG_CONFIG_HOME": home]
            #expect(UserFolder.path("VIDEOS", or: "Videos", environment: environment) == "\(home)/Videos")
            try "XDG_VIDEOS_DIR=\"$HOME/Filme\"\nXDG_MUSIC_DIR=\"$HOME\"\n".write(
                toFile: "\(home)/user-dirs.dirs", atomically: true, encoding: .utf8)
            #expect(UserFolder.path("VIDEOS", or: "Videos", environment: environment) == "\(home)/Filme")
            #expect(UserFolder.path("MUSIC", or: "Music", environment: environment) == "\(home)/Music", "the home folder is none")
        }
    }
}
