import Desktop
import Foundation
import Testing

/// The machine that the tests run on, whatever it has.
@Suite struct MachineTests {
    @Test func whatTheMachineHasMakesSense_X03() {
        let clock = ContinuousClock()
        var catalogue = AppCatalogue(environment: ProcessInfo.processInfo.environment)
        let reading = clock.measure { catalogue = AppCatalogue(environment: ProcessInfo.processInfo.environment) }
        var files: [String: String?] = [:]
        let finding = clock.measure {
            for app in catalogue.apps { files[app.id] = app.icon.flatMap { catalogue.findIcon($0, 96) } }
        }
        let reloading = clock.measure { #expect(!catalogue.reload()) }
        print("\(catalogue.apps.count) apps in \(reading), icons in \(finding), again in \(reloading), \(catalogue.watchedFolders) watches")
        for app in catalogue.apps {
            print("\(app.id) | \(app.name) | \(app.command) | \(app.keywords)", terminator: "")
            print(" | \(app.icon ?? "-") | \((files[app.id] ?? nil) ?? "no file")\(app.isSingleWindow ? " | single" : "")")
            for action in app.actions { print("    \(action.id) | \(action.name) | \(action.command)") }
        }
        #expect(Set(catalogue.apps.map(\.id)).count == catalogue.apps.count)
        #expect(catalogue.apps.allSatisfy { !$0.name.isEmpty && !$0.command.isEmpty })
    }
}
