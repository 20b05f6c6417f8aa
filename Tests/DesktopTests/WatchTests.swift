import Desktop
import Foundation
import Testing

/// Apps come and go while the shell runs.
@Suite struct WatchTests {
    let place = Place()

    init() throws { try place.program("tool") }

    @Test func newChangedAndRemovedAppsAreNoticed_X03() throws {
        try place.folder("own/applications")
        let catalogue = place.catalogue()
        #expect(catalogue.apps.isEmpty && catalogue.descriptor >= 0)
        #expect(!catalogue.waitsForChange(0))

        try place.app("own/applications/a", "First")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.name) == ["First"])
        #expect(!catalogue.waitsForChange(50))

        try place.app("own/applications/a", "Second")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.name) == ["Second"])

        // As package managers do it.
        try place.write("own/applications/a.desktop.new", "[Desktop Entry]\nType=Application\nName=Third\nExec=tool\n")
        #expect(!catalogue.waitsForChange(50))
        #expect(rename(place.path("own/applications/a.desktop.new"), place.path("own/applications/a.desktop")) == 0)
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.name) == ["Third"])

        try place.remove("own/applications/a.desktop")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.isEmpty)
    }

    @Test func linkedEntriesAreNoticed_X03() throws {
        try place.folder("own/applications")
        try place.app("store/films", "Films")
        let catalogue = place.catalogue()
        try place.link("own/applications/films.desktop", to: place.path("store/films.desktop"))
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["films"])
    }

    @Test func whatLinkedEntriesLeadToIsNoticed_X03() throws {
        try place.folder("own/applications")
        try place.app("store/1/films", "Films")
        try place.app("store/2/films", "Opera")
        try place.link("own/applications/films.desktop", to: place.path("store/1/films.desktop"))
        let catalogue = place.catalogue()
        #expect(catalogue.apps.map(\.name) == ["Films"])
        try place.app("store/1/films", "Cinema")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.name) == ["Cinema"])
        // A folder on the way is exchanged.
        #expect(rename(place.path("store/1"), place.path("store/old")) == 0 && rename(place.path("store/2"), place.path("store/1")) == 0)
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.name) == ["Opera"])
        #expect(!catalogue.waitsForChange(50))
    }

    @Test func foldersThatComeLaterAreNoticed_X03() throws {
        let catalogue = place.catalogue()
        // Nothing is there: neither the data folder nor the one in it. They come one by one.
        try place.folder("system")
        #expect(catalogue.waitsForChange())
        #expect(!catalogue.reload())
        try place.folder("system/applications")
        #expect(catalogue.waitsForChange())
        #expect(!catalogue.reload())
        try place.app("system/applications/a", "A")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        try place.folder("system/applications/vendor")
        #expect(catalogue.waitsForChange())
        #expect(!catalogue.reload())
        try place.app("system/applications/vendor/b", "B")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["a", "vendor-b"])

        // All at once, with the folder moved into place.
        try place.app("other/applications/c", "C")
        #expect(!catalogue.waitsForChange(50))
        #expect(rename(place.path("other"), place.path("extra")) == 0)
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["a", "vendor-b", "c"])

        // And gone, and there again.
        try place.remove("system/applications")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["c"])
        try place.app("system/applications/d", "D")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["c", "d"])
    }

    @Test func aLinkThatComesToLeadElsewhereIsNoticed_X03() throws {
        try place.app("store/1/share/applications/a", "A")
        try place.app("store/2/share/applications/b", "B")
        try place.link("generation", to: "store/1")
        try place.link("profile", to: place.path("generation"))
        try place.link("system", to: "./profile/share")
        let catalogue = place.catalogue()
        #expect(catalogue.apps.map(\.id) == ["a"])
        try place.link("generation.new", to: "store/2")
        #expect(rename(place.path("generation.new"), place.path("generation")) == 0)
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["b"])
        try place.app("store/2/share/applications/c", "C")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["b", "c"])
    }

    @Test func anEmptyFolderThatGoesAndComesIsNoticed_X03() throws {
        try place.folder("own/applications")
        try place.folder("own/icons")
        try place.folder("own/pixmaps")
        let catalogue = place.catalogue()
        try place.remove("own/applications")
        #expect(catalogue.waitsForChange())
        #expect(!catalogue.reload())
        try place.app("own/applications/a", "A")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(rename(place.path("own"), place.path("moved")) == 0)
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.isEmpty)
    }

    @Test func applicationsThatAreALinkAreNoticed_X03() throws {
        try place.app("store/1/a", "A")
        try place.app("store/2/b", "B")
        try place.folder("own")
        try place.link("own/applications", to: "../store/current")
        try place.link("store/current", to: "1")
        let catalogue = place.catalogue()
        #expect(catalogue.apps.map(\.id) == ["a"])
        try place.link("store/new", to: "2")
        #expect(rename(place.path("store/new"), place.path("store/current")) == 0)
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["b"])
    }

    @Test func watchesThatAreOfNoUseAreGivenBack_X03() throws {
        try place.folder("own/applications")
        let catalogue = place.catalogue()
        let count = catalogue.watchedFolders
        #expect(count > 0)
        for round in 0..<3 {
            try place.app("own/applications/vendor/a", "A")
            #expect(catalogue.waitsForChange())
            #expect(catalogue.reload())
            #expect(catalogue.watchedFolders == count + 1)
            // Moved away rather than removed, so that the kernel does not end the watch by itself.
            #expect(rename(place.path("own/applications/vendor"), place.path("away\(round)")) == 0)
            #expect(catalogue.waitsForChange())
            #expect(catalogue.reload())
            #expect(catalogue.watchedFolders == count)
        }
    }

    @Test func reloadSaysWhetherAnythingIsOther_X03() throws {
        try place.app("own/applications/a", "A")
        let catalogue = place.catalogue()
        #expect(!catalogue.reload())
        try place.app("own/applications/a", "A", more: "Comment=of no interest")
        try place.app("own/applications/hidden", "Hidden", more: "NoDisplay=true")
        #expect(catalogue.waitsForChange())
        #expect(!catalogue.reload())
        #expect(!catalogue.reload())
    }

    @Test func whatIsNoEntryWakesNobody_X03() throws {
        try place.folder("own/applications")
        try place.folder("home")
        let catalogue = place.catalogue()
        try place.write("own/applications/mimeinfo.cache", "x")
        try place.write("own/applications/.a.desktop", "x")
        try place.write("home/letter.txt", "x")
        #expect(!catalogue.waitsForChange(100))
    }

    @Test func aFloodOfChangesIsNoticed_X03() throws {
        try place.folder("own/applications")
        let catalogue = place.catalogue()
        // The kernel's queue keeps 16,384 by default, and drops what comes after.
        try place.write("own/applications/a.txt", "")
        let (a, b) = (place.path("own/applications/a.txt"), place.path("own/applications/b.txt"))
        for _ in 0..<5000 { #expect(rename(a, b) == 0 && rename(b, a) == 0) }
        try place.app("own/applications/n", "N")
        #expect(catalogue.waitsForChange())
        #expect(!catalogue.waitsForChange(0))
        #expect(catalogue.reload())
        #expect(catalogue.apps.map(\.id) == ["n"])
    }

    @Test func iconsThatComeLaterAreNoticed_X03() throws {
        try place.app("own/applications/films", "Films", more: "Icon=films")
        try place.theme(
            "system/icons/hicolor",
            [
                "48x48/apps:Size=48;Context=Applications", "64x64/apps:Size=64;Context=Applications",
            ])
        try place.folder("system/icons/hicolor/48x48/apps")
        let catalogue = place.catalogue()
        #expect(catalogue.findIcon("films", 48) == nil)
        #expect(!catalogue.reload())

        try place.icon("system/icons/hicolor/48x48/apps/films.png")
        #expect(catalogue.waitsForChange())
        // Answers hold until the reload, which then says that there is something to draw anew.
        #expect(catalogue.findIcon("films", 48) == nil)
        #expect(catalogue.reload())
        #expect(catalogue.findIcon("films", 48) == place.path("system/icons/hicolor/48x48/apps/films.png"))
        #expect(!catalogue.reload())

        // A folder that the theme describes and that was not there.
        #expect(catalogue.findIcon("films", 64)?.contains("48x48") == true)
        try place.folder("system/icons/hicolor/64x64")
        #expect(catalogue.waitsForChange())
        #expect(!catalogue.reload())
        try place.folder("system/icons/hicolor/64x64/apps")
        #expect(catalogue.waitsForChange())
        #expect(!catalogue.reload())
        try place.icon("system/icons/hicolor/64x64/apps/films.png")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.findIcon("films", 64)?.contains("64x64") == true)

        // The person's own folder, which was not there at all.
        try place.icon("own/icons/hicolor/64x64/apps/films.png")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.findIcon("films", 64) == place.path("own/icons/hicolor/64x64/apps/films.png"))

        // Another picture under the same name.
        try place.write("own/icons/hicolor/64x64/apps/films.png", "another picture")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        try place.remove("own/icons")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.findIcon("films", 64)?.contains("system") == true)
    }

    @Test func looseIconsAreNoticed_X03() throws {
        try place.icon("own/icons/films.png")
        let catalogue = place.catalogue()
        #expect(catalogue.findIcon("films", 64) == place.path("own/icons/films.png"))
        // The folder is watched for themes that may come, too.
        try place.write("own/icons/films.png", "another picture")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
    }

    @Test func anotherIconThemeIsNoticed_X03() throws {
        for theme in ["Adwaita", "Blue"] {
            try place.theme("system/icons/\(theme)", ["64/apps:Size=64"])
            try place.icon("system/icons/\(theme)/64/apps/films.png")
        }
        let catalogue = place.catalogue()
        #expect(catalogue.findIcon("films", 64)?.contains("Adwaita") == true)
        try place.write("config/gtk-4.0/settings.ini", "[Settings]\ngtk-icon-theme-name=Blue\n")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.findIcon("films", 64)?.contains("Blue") == true)
        try place.write("config/gtk-4.0/settings.ini", "[Settings]\ngtk-icon-theme-name=Adwaita\n")
        #expect(catalogue.waitsForChange())
        #expect(catalogue.reload())
        #expect(catalogue.findIcon("films", 64)?.contains("Adwaita") == true)
    }
}
