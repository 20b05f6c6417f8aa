/// The home screen as a person arranges it: apps and folders in an order. It has no cells: rotation, another idiom and larger text each
/// derive their own grid from the order, and change nothing of it.
///
/// An app that is missing for the moment keeps its place. A new one comes at the end.
public struct HomeOrder: Hashable, Sendable {
    public enum Entry: Hashable, Sendable {
        case app(String)
        case folder(Folder)

        public var apps: [String] {
            switch self {
            case .app(let app): [app]
            case .folder(let folder): folder.apps
            }
        }
    }

    public struct Folder: Hashable, Sendable {
        /// The same as long as the folder is there.
        public var id: Int
        /// Empty: it has none yet.
        public var name: String
        public var apps: [String]

        public init(id: Int, name: String, apps: [String]) {
            self.id = id
            self.name = name
            self.apps = apps
        }
    }

    public private(set) var entries: [Entry]
    /// Apps that are not on the home screen. The search finds them.
    public private(set) var hidden: [String]

    /// No more apps than these, and no longer names, in UTF-8 bytes.
    public static let most = 20_000, longestName = 128

    /// Each app has one place: later ones of the same name are left out, and so are empty folders.
    public init(_ entries: [Entry] = [], hidden: [String] = []) {
        var seen: Set<String> = [], numbers: Set<Int> = []
        self.entries = []
        for entry in entries where seen.count < Self.most {
            switch entry {
            case .app(let app): if !app.isEmpty, seen.insert(app).inserted { self.entries.append(entry) }
            case .folder(var folder):
                folder.apps = folder.apps.filter { !$0.isEmpty && seen.insert($0).inserted }
                folder.name = Self.cleaned(folder.name)
                guard !folder.apps.isEmpty else { continue }
                while !numbers.insert(folder.id).inserted { folder.id = (numbers.max() ?? 0) &+ 1 }
                self.entries.append(.folder(folder))
            }
        }
        self.hidden = hidden.filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    private static func cleaned(_ name: String) -> String {
        var name = String(name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f })
        while name.utf8.count > longestName { name.removeLast() }
        return name
    }

    // MARK: Reading

    /// All apps that have a place, in folders or not, or that are hidden.
    public var known: Set<String> { Set(entries.flatMap(\.apps)).union(hidden) }

    /// The entries of apps that are installed; new apps follow in the order of `installed`.
    public func shown(installed: [String]) -> [Entry] {
        let there = Set(installed), known = known
        let old = entries.compactMap { entry -> Entry? in
            switch entry {
            case .app(let app): return there.contains(app) ? entry : nil
            case .folder(var folder):
                folder.apps = folder.apps.filter(there.contains)
                return folder.apps.isEmpty ? nil : .folder(folder)
            }
        }
        return old + installed.filter { !known.contains($0) }.map(Entry.app)
    }

    public func folder(_ id: Int) -> Folder? {
        for case .folder(let folder) in entries where folder.id == id { return folder }
        return nil
    }

    // MARK: Arranging

    /// A place for an app: before another entry, at the end, on an app or in a folder.
    public enum Place: Hashable, Codable, Sendable {
        /// Before this app, or before the folder that it is in.
        case before(String)
        case atEnd
        /// With this app, in its folder or in a new one.
        case with(String)
    }

    /// Moves an app. Throws if the place names no app of the home screen.
    public mutating func move(_ app: String, to place: Place) throws(Refusal) {
        switch place {
        case .before(let other) where other == app, .with(let other) where other == app: return
        case .before(let other), .with(let other):
            guard entries.contains(where: { $0.apps.contains(other) }) else { throw Refusal("\"\(other)\" is not on the home screen") }
        case .atEnd: break
        }
        let home = entries.firstIndex { $0.apps.contains(app) }
        // In its own folder, it moves there.
        if case .before(let other) = place, let home, case .folder(var folder) = entries[home], folder.apps.contains(other) {
            folder.apps.removeAll { $0 == app }
            folder.apps.insert(app, at: folder.apps.firstIndex(of: other) ?? folder.apps.count)
            return entries[home] = .folder(folder)
        }
        if case .with(let other) = place, let home, case .folder(let folder) = entries[home], folder.apps.contains(other) { return }
        take(app)
        switch place {
        case .atEnd: entries.append(.app(app))
        case .before(let other): entries.insert(.app(app), at: entries.firstIndex { $0.apps.contains(other) } ?? entries.count)
        case .with(let other):
            guard let index = entries.firstIndex(where: { $0.apps.contains(other) }) else { return entries.append(.app(app)) }
            switch entries[index] {
            case .app: entries[index] = .folder(Folder(id: nextFolder, name: "", apps: [other, app]))
            case .folder(var folder):
                folder.apps.append(app)
                entries[index] = .folder(folder)
            }
        }
    }

    private var nextFolder: Int {
        (entries.compactMap { if case .folder(let folder) = $0 { folder.id } else { nil } }.max() ?? 0) &+ 1
    }

    /// Takes an app from its place. A folder with one app is that app.
    private mutating func take(_ app: String) {
        hidden.removeAll { $0 == app }
        guard let index = entries.firstIndex(where: { $0.apps.contains(app) }) else { return }
        switch entries[index] {
        case .app: entries.remove(at: index)
        case .folder(var folder):
            folder.apps.removeAll { $0 == app }
            entries[index] = folder.apps.count > 1 ? .folder(folder) : .app(folder.apps.first ?? "")
            if folder.apps.isEmpty { entries.remove(at: index) }
        }
    }

    public mutating func hide(_ app: String) {
        take(app)
        hidden.append(app)
    }

    /// A hidden app comes back, at the end.
    public mutating func show(_ app: String) throws(Refusal) {
        guard hidden.contains(app) else { throw Refusal("\"\(app)\" is not hidden") }
        take(app)
        entries.append(.app(app))
    }

    public mutating func rename(_ id: Int, _ name: String) throws(Refusal) {
        guard let index = entries.firstIndex(where: { if case .folder(let folder) = $0 { folder.id == id } else { false } }),
            case .folder(var folder) = entries[index]
        else { throw Refusal("there is no folder \(id)") }
        folder.name = Self.cleaned(name)
        entries[index] = .folder(folder)
    }

    /// The order in which everything that is shown stands now, so that a first move changes nothing else.
    public func completed(installed: [String]) -> HomeOrder {
        let known = known
        return HomeOrder(entries + installed.filter { !known.contains($0) }.map(Entry.app), hidden: hidden)
    }

    public var isPossible: Bool { self == HomeOrder(entries, hidden: hidden) }
}

/// As a person reads it in a file: an app is its name, and a folder an object.
extension HomeOrder: Codable {
    private enum Key: String, CodingKey {
        case entries, hidden
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            try values.decode([Entry].self, forKey: .entries), hidden: try values.decodeIfPresent([String].self, forKey: .hidden) ?? [])
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(entries, forKey: .entries)
        if !hidden.isEmpty { try values.encode(hidden, forKey: .hidden) }
    }
}

extension HomeOrder.Entry: Codable {
    private enum Key: String, CodingKey {
        case folder, id, apps
    }

    public init(from decoder: any Decoder) throws {
        if let app = try? decoder.singleValueContainer().decode(String.self) {
            self = .app(app)
            return
        }
        let values = try decoder.container(keyedBy: Key.self)
        self = .folder(
            .init(
                id: try values.decodeIfPresent(Int.self, forKey: .id) ?? 1, name: try values.decode(String.self, forKey: .folder),
                apps: try values.decode([String].self, forKey: .apps)))
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .app(let app):
            var value = encoder.singleValueContainer()
            try value.encode(app)
        case .folder(let folder):
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(folder.name, forKey: .folder)
            try values.encode(folder.id, forKey: .id)
            try values.encode(folder.apps, forKey: .apps)
        }
    }
}

/// An act of a person on the home screen.
public enum HomeAct: Hashable, Codable, Sendable {
    case move(app: String, to: HomeOrder.Place)
    /// Takes an app off the home screen; it stays installed, and the search finds it.
    case hide(app: String)
    case show(app: String)
    case rename(folder: Int, to: String)
    /// Opens a folder, or closes it.
    case folder(Int)
    /// The whole order, from a file.
    case replace(HomeOrder)
    /// By name, as at first.
    case reset
}
