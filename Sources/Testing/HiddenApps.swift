import Desktop
import FoundationEssentials

/// The machine's apps, hidden from a shell under test. Their data (icons, schemas, themes) stays where programs look for it.
enum HiddenApps {
    private static let ids = DesktopEntries.installed(environment: ProcessInfo.processInfo.environment).map(\.id)

    /// Writes an entry for each app into a user's data folder, which comes before those of the machine.
    static func hide(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/applications", withIntermediateDirectories: true)
        for id in ids { try Data("[Desktop Entry]\nHidden=true\n".utf8).write(to: URL(filePath: "\(folder)/applications/\(id).desktop")) }
    }
}
