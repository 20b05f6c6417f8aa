import Callers
import Windows

/// The content that a program shares, and the targets that a person can choose, in an activity view (M-05).
public struct Sharing: Hashable, Codable, Sendable {
    public struct File: Hashable, Codable, Sendable {
        public var name: String
        /// Its kind first, then the kinds that this is one of: `text/x-python`, `text/plain`.
        public var types: [String]

        public init(_ name: String, types: [String]) {
            self.name = name
            self.types = types
        }
    }

    /// Where it can go.
    public enum Target: Hashable, Codable, Sendable {
        /// An installed app, by its id.
        case app(String)
        case copy, save, mail
    }

    public var files: [File]
    /// The start of the text; empty if there is none.
    public var text: String
    /// The text, if it is an address and nothing else.
    public var address: String?
    /// The app that a person chose for mail, if one was chosen.
    public var mailer: String?
    /// Whether this machine can begin a mail with files in it.
    public var mailsFiles: Bool
    /// In the order in which they are shown: apps first.
    public private(set) var targets: [Target] = []

    public init(files: [File], text: String = "", address: String? = nil, mailer: String? = nil, mailsFiles: Bool = false) {
        self.files = files
        self.text = text
        self.address = address
        self.mailer = mailer
        self.mailsFiles = mailsFiles
    }

    /// The apps that it can go to.
    public var apps: [String] { targets.compactMap { if case .app(let id) = $0 { id } else { nil } } }

    /// Finds the targets, once, so that the view does not change under the finger.
    mutating func findTargets(among apps: [App], but senders: [String]) {
        // Apps for exactly this kind come before those for something broader.
        let able = apps.enumerated().compactMap { index, app in
            senders.contains(app.id) ? nil : rank(of: app).map { (rank: $0, index: index, id: app.id) }
        }
        targets = able.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map { .app($0.id) } + [.copy, .save]
        if mailApp(among: apps) != nil { targets.append(.mail) }
    }

    /// How far off the kinds are that the app opens; nil: it does not open every one of the files.
    private func rank(of app: App) -> Int? {
        guard let place = app.filePlace else { return nil }
        if address != nil, files.isEmpty, !place.takesAddresses { return nil }
        guard place.isMany || files.count <= ModalRules.mostStarts else { return nil }
        var rank = 0
        for types in wanted {
            guard let index = types.firstIndex(where: app.mimeTypes.contains) else { return nil }
            rank = max(rank, index)
        }
        return rank
    }

    private var wanted: [[String]] {
        if !files.isEmpty { return files.map(\.types) }
        if let address { return [["x-scheme-handler/" + address.prefix { $0 != ":" }.lowercased()]] }
        return [["text/plain"]]
    }

    /// The app that gets a mail; nil: there is no way to begin one.
    public func mailApp(among apps: [App]) -> App? {
        guard files.isEmpty || mailsFiles else { return nil }
        let able = apps.filter { $0.mimeTypes.contains("x-scheme-handler/mailto") && $0.filePlace?.takesAddresses == true }
        return able.first { $0.id == mailer } ?? able.first
    }
}

extension ModalView {
    /// The same view with the targets of its content.
    public func findingTargets(among apps: [App]) -> ModalView {
        var view = self
        // An app does not share with itself. The owner may be the program at the head of a process tree; the person sees the app.
        view.sharing?.findTargets(among: apps, but: [Owner.name(ofKey: program)] + (asker.map { [$0] } ?? []))
        return view
    }
}

/// Why something could not be sent where a person wanted it.
public enum SharingTrouble: String, Hashable, Codable, Sendable, CaseIterable {
    /// No space is left.
    case full
    /// The folder may not be written to.
    case forbidden
    /// A file cannot be read any more.
    case unreadable
    /// More than can be copied for an app.
    case tooLarge
    case failed
}
