import OrderedCollections
import Stage
import Windows

/// The names of windows for screen readers: two windows never sound the same (P-07).
struct WindowNames {
    private let workspace: Workspace
    /// The windows of each app that has several, oldest first.
    private var several: [String: [WindowID]] = [:]

    init(_ workspace: Workspace) {
        self.workspace = workspace
        // By index, because windows are large to copy.
        let all = workspace.windows.values.elements
        guard all.count > 1 else { return }
        for index in all.indices where all[index].isMapped {
            several[workspace.appName(of: all[index].id), default: []].append(all[index].id)
        }
        several = several.filter { $0.value.count > 1 }
    }

    /// The name of the app, and the title where the app has several windows; after it a number, if even that is the same.
    func of(_ window: WindowID) -> String {
        let app = workspace.appName(of: window)
        guard several[app] != nil else { return app }
        return numbered([app, plainTitle(of: window)].filter { !$0.isEmpty }.joined(separator: ", "), window)
    }

    func isOneOfSeveral(_ window: WindowID) -> Bool { several[workspace.appName(of: window)] != nil }

    /// The title alone, for a view of one app's windows. The app stands for a title that is missing.
    func title(of window: WindowID) -> String {
        let title = plainTitle(of: window)
        return numbered(title.isEmpty ? workspace.appName(of: window) : title, window)
    }

    /// The title, or the app's name, to be drawn beside those of the app's other windows.
    func label(of window: WindowID) -> Text {
        let title = workspace[window]?.facts.title ?? "", app = workspace.appName(of: window)
        guard !title.isEmpty else { return .verbatim(app) }
        let titles = (several[app] ?? []).map { workspace[$0]?.facts.title ?? "" }, end = Self.sharedEnd(of: titles)
        return NameLabels(titles.map { $0.dropLast(end) }).text(String(title.dropLast(end)))
    }

    /// How many characters at the end of each title say nothing that tells them apart: "Letter — Editor", "Notes — Editor". 0 if a title
    /// ends otherwise.
    private static func sharedEnd(of titles: [String]) -> Int {
        guard titles.count > 1, let first = titles.first else { return 0 }
        for separator in [" — ", " – ", " - ", " | "] {
            guard let place = first.ranges(of: separator).last?.lowerBound, place > first.startIndex else { continue }
            let end = first[place...]
            if titles.allSatisfy({ $0.hasSuffix(end) && $0.count > end.count }) { return end.count }
        }
        return 0
    }

    /// "" for a title that says no more than the app.
    private func plainTitle(of window: WindowID) -> String {
        let title = workspace[window]?.facts.title ?? ""
        return title == workspace.appName(of: window) ? "" : title
    }

    private func numbered(_ name: String, _ window: WindowID) -> String {
        let title = plainTitle(of: window)
        let same = (several[workspace.appName(of: window)] ?? []).filter { plainTitle(of: $0) == title }.sorted { $0.raw < $1.raw }
        guard let index = same.firstIndex(of: window), index > 0 else { return name }
        return "\(name), \(index + 1)"
    }
}

/// The labels of names that one view shows side by side: those that begin alike keep their ends when they are cut (P-07).
struct NameLabels: Hashable, Sendable {
    private var beginnings: [Substring: Int] = [:]
    private static let length = 6

    init(_ names: some Sequence<some StringProtocol>) {
        for name in Set(names.map { String($0) }) { beginnings[name.prefix(Self.length), default: 0] += 1 }
    }

    /// Words of the shell stay as they are.
    func text(_ text: Text) -> Text {
        guard case .verbatim(let name) = text else { return text }
        return self.text(name)
    }

    func text(_ name: String) -> Text { beginnings[name.prefix(Self.length), default: 0] > 1 ? .similar(name) : .verbatim(name) }
}
