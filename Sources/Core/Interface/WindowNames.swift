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

    /// The title alone, for a view of one app's windows. The app stands for a title that is missing.
    func title(of window: WindowID) -> String {
        let title = plainTitle(of: window)
        return numbered(title.isEmpty ? workspace.appName(of: window) : title, window)
    }

    /// The title, or the app's name, to be drawn beside those of the app's other windows.
    func label(of window: WindowID) -> Text {
        let title = workspace[window]?.facts.title ?? "", app = workspace.appName(of: window)
        return NameLabels((several[app] ?? []).map { workspace[$0]?.facts.title ?? "" }).text(title.isEmpty ? app : title)
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
struct NameLabels {
    private var beginnings: [Substring: Int] = [:]
    private static let length = 6

    init(_ names: some Sequence<String>) {
        for name in Set(names) { beginnings[name.prefix(Self.length), default: 0] += 1 }
    }

    func text(_ name: String) -> Text { beginnings[name.prefix(Self.length), default: 0] > 1 ? .similar(name) : .verbatim(name) }
}
