import Windows

/// The icons on the pages of the home screen: the order of a person with the apps that are installed, or the results of a search.
///
/// It is made when apps, their order or the typed text change, and not for each frame: with thousands of apps it takes milliseconds.
public struct HomeShown: Hashable, Sendable {
    private let apps: [App]
    private let order: HomeOrder?
    private let search: String?
    let entries: [HomeOrder.Entry]
    /// The labels of all pages, which tell alike names apart.
    let labels: NameLabels
    /// The names of the apps as a search compares them; empty as long as nothing is searched.
    private let folded: [SearchText]

    /// - Parameter before: what was shown until now. The next letter of a search need not fold the names again.
    init(_ workspace: Workspace, order: HomeOrder?, search: String?, before: HomeShown? = nil) {
        (apps, self.order, self.search) = (workspace.apps, order, search)
        let known = before.flatMap { $0.apps == workspace.apps ? $0.folded : nil } ?? []
        folded = known.isEmpty && search != nil ? apps.map { SearchText($0.name) } : known
        if let search {
            entries = Self.find(SearchText(search), in: apps, folded).map(HomeOrder.Entry.app)
        } else {
            let installed = apps.map(\.id)
            entries = order?.shown(installed: installed) ?? installed.map(HomeOrder.Entry.app)
        }
        labels = NameLabels(entries.lazy.map { if case .app(let app) = $0 { workspace.app(app)?.name ?? app } else { "" } })
    }

    func holds(_ workspace: Workspace, order: HomeOrder?, search: String?) -> Bool {
        self.search == search && self.order == order && apps == workspace.apps
    }

    /// First matches at the beginning of the name, then inside the name, then in keywords.
    private static func find(_ search: SearchText, in apps: [App], _ names: [SearchText]) -> [String] {
        let words = search.words
        guard let first = words.first else { return apps.map(\.id) }
        var ranked: [(rank: Int, index: Int)] = []
        for (index, app) in apps.enumerated() {
            let name = names[index]
            let others = words.filter { !name.contains($0) }
            guard others.isEmpty || others.allSatisfy({ $0.isIn(app.id) || app.keywords.contains(where: $0.isIn) }) else { continue }
            let rank = name.begins(with: search) ? 0 : name.hasWord(first) ? 1 : name.contains(search) ? 2 : 3
            ranked.append((rank, index))
        }
        return ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map { apps[$0.index].id }
    }
}

extension Interface {
    /// Whether apps, their order or the typed text changed since the icons were found.
    public func isHomeStale(_ workspace: Workspace) -> Bool {
        home.shown.map { !$0.holds(workspace, order: homeOrder, search: home.query) } ?? true
    }

    /// Finds the icons anew if they are stale. The call alone counts as a change of what is drawn: ask `isHomeStale` with each event.
    public mutating func followHome(_ workspace: Workspace) {
        guard isHomeStale(workspace) else { return }
        home.shown = HomeShown(workspace, order: homeOrder, search: home.query, before: home.shown)
    }
}

extension Views {
    var homeShown: HomeShown {
        let home = interface.home
        if let shown = home.shown, shown.holds(workspace, order: interface.homeOrder, search: home.query) { return shown }
        return HomeShown(workspace, order: interface.homeOrder, search: home.query)
    }

    /// Everything on the pages.
    var homeItems: [HomeOrder.Entry] { homeShown.entries }

    /// The apps on the pages: all of them, or the search results.
    public var homeApps: [App] {
        guard interface.home.query != nil else { return workspace.apps }
        return homeItems.compactMap { if case .app(let app) = $0 { workspace.app(app) } else { nil } }
    }
}
