import Desktop
import Foundation
import Testing

/// The machine that the tests run on, whatever it has.
@Suite struct MachineTests {
    /// Apps may lack an icon, and icons may lack a file: which ones do is this machine's. What the shell makes of the entries is not.
    @Test func theInstalledAppsMakeSense_X03() {
        let catalogue = AppCatalogue(environment: ProcessInfo.processInfo.environment)
        #expect(Set(catalogue.apps.map(\.id)).count == catalogue.apps.count, "an app is listed twice")
        for app in catalogue.apps {
            #expect(!app.id.isEmpty && !app.name.isEmpty, "\(app)")
            #expect(!app.command.isEmpty && app.command.allSatisfy { !$0.isEmpty }, "\(app.id): \(app.command)")
            #expect(!app.command.contains { ["%f", "%F", "%u", "%U", "%i", "%c", "%k"].contains($0) }, "\(app.id): \(app.command)")
            for action in app.actions { #expect(!action.name.isEmpty && !action.command.isEmpty, "\(app.id): \(action)") }
            guard let icon = app.icon, let file = catalogue.findIcon(icon, 96) else { continue }
            #expect(FileManager.default.isReadableFile(atPath: file), "\(app.id): \(icon) is \(file)")
        }
        #expect(!catalogue.reload(), "nothing changed")
        #expect(catalogue.descriptor < 0 || catalogue.watchedFolders > 0, "it watches, and no folder")
    }
}
