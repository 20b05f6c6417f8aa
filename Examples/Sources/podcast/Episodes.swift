import Foundation

/// A file to listen to, and how far it was heard.
struct Episode {
    var file: String
    var title: String

    init(file: String) {
        self.file = file
        title = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent.replacingOccurrences(of: "_", with: " ")
    }

    static let endings: Set<String> = ["ogg", "oga", "opus", "mp3", "m4a", "flac", "wav"]

    /// Files, and those in folders; without any, those of the person's folder for podcasts.
    static func all(in arguments: [String]) -> [Episode] {
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        let places = arguments.isEmpty ? ["\(home)/Podcasts"] : arguments
        return places.flatMap { place -> [Episode] in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: place, isDirectory: &isFolder) else { return [] }
            guard isFolder.boolValue else { return [Episode(file: place)] }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            return names.sorted().filter { endings.contains(($0 as NSString).pathExtension.lowercased()) }
                .map { Episode(file: "\(place)/\($0)") }
        }
    }
}

/// Where each episode was left, kept from one start to the next.
struct Places {
    private let path: String
    private var seconds: [String: Double]

    init() {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.local/state"
        path = state + "/mullion-podcast/places.json"
        seconds = FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode([String: Double].self, from: $0) } ?? [:]
    }

    subscript(_ episode: Episode) -> Double { seconds[episode.file] ?? 0 }

    /// Written whole and renamed, so that a crash leaves the old ones.
    mutating func set(_ place: Double, of episode: Episode) {
        seconds[episode.file] = place
        let folder = (path as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard let data = try? JSONEncoder().encode(seconds) else { return }
        try? data.write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}

/// "3:07", "1:02:07".
func clock(_ seconds: Double) -> String {
    let all = Int(seconds.rounded(.down))
    let (hours, minutes, rest) = (all / 3600, all / 60 % 60, all % 60)
    let two = { (n: Int) in n < 10 ? "0\(n)" : "\(n)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}
