import Desktop
import Foundation
import Testing

/// Icon names become files (Icon Theme Specification).
@Suite struct IconTests {
    let place = Place()

    private func find(_ name: String, _ pixels: Int) -> String? {
        place.catalogue().findIcon(name, pixels).map { String($0.dropFirst(place.root.count + 1)) }
    }

    @Test func theSizeThatSuitsBestIsChosen_X03() throws {
        try place.theme(
            "system/icons/hicolor",
            [
                "16x16/apps:Size=16;Type=Fixed", "32x32/apps:Size=32;Type=Fixed", "64x64/apps:Size=64",
                "128x128/apps:Size=128", "48x48@2/apps:Size=48;Scale=2",
            ])
        for size in ["16x16", "32x32", "64x64", "128x128", "48x48@2"] {
            try place.icon("system/icons/hicolor/\(size)/apps/a.png")
        }
        for (pixels, size) in [
            (32, "32x32"), (33, "64x64"), (64, "64x64"), (65, "48x48@2"), (96, "48x48@2"),
            (97, "128x128"), (500, "128x128"), (1, "16x16"), (-5, "16x16"),
        ] {
            #expect(find("a", pixels) == "system/icons/hicolor/\(size)/apps/a.png", "\(pixels) pixels")
        }
    }

    @Test func aDrawingIsPreferredWhereItIsLarge_X03() throws {
        try place.theme(
            "system/icons/hicolor",
            [
                "32x32/apps:Size=32;Type=Fixed", "64x64/apps:Size=64;Type=Fixed",
                "scalable/apps:Size=128;MinSize=8;MaxSize=512;Type=Scalable",
                "tiny/apps:Size=16;MinSize=8;MaxSize=32;Type=Scalable",
                "symbolic/apps:Size=16;MinSize=8;MaxSize=512;Type=Scalable",
            ])
        for file in [
            "32x32/a.png", "64x64/a.png", "scalable/a.svg", "tiny/b.svg", "64x64/b.png",
            "symbolic/c-symbolic.svg", "symbolic/c.svg", "32x32/d.svg", "32x32/d.png",
        ] {
            try place.icon("system/icons/hicolor/" + file.replacing("/", with: "/apps/"))
        }
        let folder = "system/icons/hicolor/"
        #expect(find("a", 64) == folder + "scalable/apps/a.svg")
        #expect(find("a", 48) == folder + "scalable/apps/a.svg")
        #expect(find("a", 32) == folder + "32x32/apps/a.png")
        #expect(find("a", 40) == folder + "scalable/apps/a.svg")
        // Drawn to be small.
        #expect(find("b", 64) == folder + "64x64/apps/b.png")
        #expect(find("b", 20) == folder + "tiny/apps/b.svg")
        // A symbolic icon only answers to its own name.
        #expect(find("c", 64) == nil)
        #expect(find("c-symbolic", 64) == folder + "symbolic/apps/c-symbolic.svg")
        #expect(find("d", 32) == folder + "32x32/apps/d.svg")
    }

    @Test func themesInherit_X03() throws {
        try place.theme("own/icons/Mine", inherits: "Parent,Absent", ["64/apps:Size=64"])
        try place.theme("system/icons/Parent", inherits: "Grand,Mine", ["64/apps:Size=64"])
        try place.theme("system/icons/Grand", inherits: "Parent", ["16/apps:Size=16"])
        try place.theme("system/icons/Adwaita", ["64/apps:Size=64"])
        try place.theme("system/icons/hicolor", ["64/apps:Size=64"])
        place.more = ["MULLION_ICON_THEME": "Mine"]
        for (folder, names) in [
            ("own/icons/Mine/64", "a"), ("system/icons/Parent/64", "ab"), ("system/icons/Grand/16", "abc"),
            ("system/icons/Adwaita/64", "abcd"), ("system/icons/hicolor/64", "abcde"),
            // The theme's description is in one place, its files may be in another.
            ("system/icons/Mine/64", "f"),
        ] {
            for name in names { try place.icon("\(folder)/apps/\(name).png") }
        }
        #expect(find("a", 64) == "own/icons/Mine/64/apps/a.png")
        #expect(find("b", 64) == "system/icons/Parent/64/apps/b.png")
        #expect(find("c", 64) == "system/icons/Grand/16/apps/c.png")
        #expect(find("d", 64) == "system/icons/Adwaita/64/apps/d.png")
        #expect(find("e", 64) == "system/icons/hicolor/64/apps/e.png")
        #expect(find("f", 64) == "system/icons/Mine/64/apps/f.png")
        #expect(find("g", 64) == nil)
    }

    @Test(arguments: [
        (["MULLION_ICON_THEME": "One"], "One"), ([:], "Two"), (["XDG_CONFIG_HOME": "/nowhere"], "Adwaita"),
        (["MULLION_ICON_THEME": "../One"], "Two"), (["MULLION_ICON_THEME": "Absent"], "Adwaita"),
    ])
    func theThemeIsWhatThePersonChose_X03(environment: [String: String], theme: String) throws {
        for theme in ["One", "Two", "Three", "Adwaita"] {
            try place.theme("system/icons/\(theme)", ["64/apps:Size=64"])
            try place.icon("system/icons/\(theme)/64/apps/a.png")
        }
        try place.write(
            "config/gtk-4.0/settings.ini", "[Other]\ngtk-icon-theme-name=One\n[Settings]\ngtk-icon-theme-name = Two\n")
        try place.write("config/gtk-3.0/settings.ini", "[Settings]\ngtk-icon-theme-name=Three\n")
        place.more = environment
        #expect(find("a", 64) == "system/icons/\(theme)/64/apps/a.png")
    }

    @Test func placesOutsideOfThemesComeLast_X03() throws {
        try place.theme("system/icons/hicolor", ["64/apps:Size=64"])
        try place.icon("system/icons/hicolor/64/apps/a.png")
        for file in [
            "system/pixmaps/a.png", "system/pixmaps/b.png", "system/pixmaps/b.svg", "extra/icons/c.png",
            "system/pixmaps/d.xpm",
        ] {
            try place.icon(file)
        }
        #expect(find("a", 64) == "system/icons/hicolor/64/apps/a.png")
        #expect(find("b", 64) == "system/pixmaps/b.svg")
        #expect(find("b", 16) == "system/pixmaps/b.png")
        #expect(find("c", 64) == "extra/icons/c.png")
        #expect(find("d", 64) == nil)
    }

    @Test func namesWithExtensionsAndPathsAreUnderstood_X03() throws {
        try place.theme("system/icons/hicolor", ["64/apps:Size=64"])
        try place.icon("system/icons/hicolor/64/apps/a.png")
        try place.icon("system/icons/hicolor/64/apps/org.example.svg.png")
        try place.icon("opt/b.png")
        try place.icon("opt/a.xpm")
        try place.folder("opt/folder.png")
        mkfifo(place.path("opt/pipe.png"), 0o600)
        #expect(find("a.png", 64) == "system/icons/hicolor/64/apps/a.png")
        #expect(find("a.xpm", 64) == "system/icons/hicolor/64/apps/a.png")
        #expect(find("org.example.svg", 64) == "system/icons/hicolor/64/apps/org.example.svg.png")
        #expect(find(place.path("opt/b.png"), 64) == "opt/b.png")
        // Of no kind that can be drawn, or gone: the theme may have it.
        #expect(find(place.path("opt/a.xpm"), 64) == "system/icons/hicolor/64/apps/a.png")
        for name in [
            "", "/", ".", "..", "../../opt/b", "hicolor/64/apps/a", "a\0", place.path("opt/folder.png"),
            place.path("opt/pipe.png"), "/dev/zero", String(repeating: "a", count: 5000),
        ] {
            #expect(find(name, 64) == nil, "\(name.prefix(40))")
        }
    }

    @Test func brokenThemesAreSurvived_X03() throws {
        try place.theme(
            "system/icons/Adwaita", inherits: "Adwaita,hicolor,../..,.,",
            [
                "../../secret:Size=64", "64/../../../secret:Size=64", "/etc:Size=64", "none:Size=no", "missing:Size=8",
                "64/apps:Size=64;Scale=99999999999",
                "zero:Size=-3;MinSize=9;MaxSize=1;Type=Scalable", "huge:Size=9223372036854775807;Scale=9223372036854775807",
            ])
        try place.icon("system/icons/Adwaita/64/apps/a.png")
        try place.icon("system/secret/b.png")
        try place.icon("system/icons/Adwaita/none/b.png")
        try place.icon("system/icons/Adwaita/zero/c.svg")
        try place.link("system/icons/Adwaita/64/apps/d.png", to: "/nowhere")
        // Without a description, as on a machine whose apps brought the folder.
        try place.icon("own/icons/hicolor/256x256/apps/e.png")
        try place.icon("own/icons/NoDescription/64/apps/f.png")
        #expect(find("a", 64) == "system/icons/Adwaita/64/apps/a.png")
        #expect(find("b", 64) == nil)
        #expect(find("c", 64) == "system/icons/Adwaita/zero/c.svg")
        #expect(find("d", 64) == nil)
        #expect(find("e", 64) == "own/icons/hicolor/256x256/apps/e.png")
        #expect(find("f", 64) == nil)
    }
}
