import AudioSessions

extension Window {
    /// Whether the window belongs to an app with sound: by process, by an ancestor of either, else by name.
    public func belongs(to app: AudioApp) -> Bool {
        if let process = facts.lineage.first, process > 0, app.lineage.contains(process) { return true }
        if let process = app.lineage.first, process > 0, facts.lineage.contains(process) { return true }
        return !app.id.isEmpty && (self.app == app.id || facts.appID == app.id)
    }
}

/// Windows by app: which app a window belongs to, and which windows an app has (W-08, W-09).
extension Workspace {
    /// Apps were installed or removed.
    public mutating func setApps(_ new: [App]) {
        apps = new
        appPlaces = Dictionary(new.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        for index in windows.values.indices {
            windows.values[index].app = appID(of: windows.values[index])
        }
    }

    public func app(_ id: String) -> App? { appPlaces[id].map { apps[$0] } }

    /// The installed app of a window; nil if unknown.
    public func app(of window: WindowID) -> App? { windows[window].flatMap { app($0.app) } }

    /// The displayed name of the app: its name, or else the window's own app id or title. A window in a sandbox has the name that
    /// its sandbox engine vouches for, never the app id that it claims; without one it has its title.
    /// A window on the screen of the same process, or of an ancestor of either; names alone do not count.
    public func window(of app: AudioApp) -> Window? {
        windows.values.first { window in
            guard window.isMapped, let process = window.facts.lineage.first, process > 0 else { return false }
            return app.lineage.contains(process) || (app.lineage.first.map(window.facts.lineage.contains) ?? false)
        }
    }

    public func appName(of window: WindowID) -> String {
        let trusted = trustedApp(of: window)
        guard let window = windows[window] else { return "" }
        if let app = app(trusted) { return app.name }
        // For a reversed domain name, use the last part.
        let id = window.facts.sandbox == nil ? window.facts.appID : trusted
        let name = id.split(separator: ".").last.map(String.init) ?? ""
        return name.isEmpty ? window.facts.title : name.prefix(1).uppercased() + name.dropFirst()
    }

    /// An app's windows that have a place or wait, without dialogs, most recently used first.
    public func windows(of app: String) -> [WindowID] {
        let all = windows.values.filter { $0.app == app && $0.isMapped }
        guard !all.isEmpty else { return [] }
        let placed = windowsWithPlace.subtracting(confinement.keptOut)
        return all.filter { placed.contains($0.id) }
            .sorted { ($0.lastFocus, $0.id) > ($1.lastFocus, $1.id) }.map(\.id)
    }

    /// The windows of an app that a program names: those of that app id; else those that a sandbox vouches for, or that the app's
    /// process shows. GTK 3, Electron and X11 programs may call their windows otherwise than themselves.
    ///
    /// - Parameter process: the process that speaks for the app on the bus, if it is known.
    public func windows(of app: String, process: Int32?) -> [WindowID] {
        let named = app.isEmpty ? [] : windows(of: app)
        guard named.isEmpty else { return named }
        let placed = windowsWithPlace
        func last(_ isMeant: (Window) -> Bool) -> [WindowID] {
            windows.values.filter { $0.isMapped && placed.contains($0.id) && isMeant($0) }
                .sorted { ($0.lastFocus, $0.id) > ($1.lastFocus, $1.id) }.map(\.id)
        }
        let vouched = app.isEmpty ? [] : last { $0.facts.sandbox != nil && trustedApp(of: $0.id) == app }
        guard vouched.isEmpty, let process, process > 0 else { return vouched }
        return last { $0.facts.lineage.first == process }
    }

    /// An app's windows that opened without being asked for (W-19).
    public func waitingWindows(of app: String) -> [WindowID] { waiting.filter { windows[$0]?.app == app } }

    /// Apps with a window, most recently used first.
    public var runningApps: [String] {
        var seen: Set<String> = []
        let placed = windowsWithPlace.subtracting(confinement.keptOut)
        // By index, because windows are large to copy.
        let all = windows.values.elements
        return all.indices.filter { all[$0].isMapped && !all[$0].app.isEmpty && placed.contains(all[$0].id) }
            .sorted { (all[$0].lastFocus, all[$0].id) > (all[$1].lastFocus, all[$1].id) }
            .map { all[$0].app }.filter { seen.insert($0).inserted }
    }

    /// The app that a command starts: by the program of an entry, or else the app of a window that the same program opened. That
    /// one may have to run to answer.
    public func app(startedBy command: [String]) -> String? {
        if let app = listedApp(startedBy: command) { return app }
        guard let name = Launches.ownProgram(command) else { return nil }
        return windows.values.last { $0.isMapped && !$0.app.isEmpty && Launches.program($0.command) == name }?.app
    }

    /// The same by the desktop entries alone: a window may have the launch of a command from the program that the command started.
    func listedApp(startedBy command: [String]) -> String? {
        guard let name = Launches.program(command) else { return nil }
        if let app = apps.first(where: { $0.command == command }) { return app.id }
        // `sh` and `python3` run any app: only the words of the entry say which one.
        guard Launches.ownProgram(command) != nil else {
            return apps.first { $0.command.count > 1 && command.starts(with: $0.command) }?.id
        }
        // Of several entries of one program, the one whose words the command has, else the plainest.
        let own = apps.filter { Launches.program($0.command) == name }
        let words = own.filter { command.dropFirst().starts(with: $0.command.dropFirst()) }.max { $0.command.count < $1.command.count }
        return (words ?? own.min { $0.command.count < $1.command.count })?.id
    }

    /// By app id, by the entry's window class, by the last part of a reversed domain name, or by program. Ignores
    /// case, because X11 programs write their class either way.
    ///
    /// Several entries may mean the same windows, as "Emacs" and "Emacs (Client)" do. Then the one counts that starts the window's program.
    func appID(of window: Window) -> String {
        let named = entries(named: window.facts.appID)
        // Java programs have a window class of their own: what the icon started is that app.
        if named.isEmpty, window.facts.isX11, let process = window.facts.lineage.first,
            let app = launches.all.last(where: { $0.process == process })?.app, apps.contains(where: { $0.id == app })
        {
            return app
        }
        guard named.count > 1 else { return named.first.map { apps[$0].id } ?? window.facts.appID }
        let launch = launches.all.last { $0.process.map(window.facts.lineage.contains) ?? false }
        if let app = launch?.app, named.contains(where: { apps[$0].id == app }) { return app }
        let programs = [window.program.map { Substring($0) }, Launches.ownProgram(launch?.command)].compactMap(\.self)
        let own = named.first { index in Launches.ownProgram(apps[index].command).map(programs.contains) ?? false }
        return apps[own ?? named[0]].id
    }

    /// The installed app that a program means by this name; the name itself if none does.
    public func appID(named given: String) -> String { entries(named: given).first.map { apps[$0].id } ?? given }

    /// The entries that a name means best, the one with that id first.
    private func entries(named given: String) -> [Int] {
        let name = given.lowercased()
        guard !name.isEmpty else { return [] }
        var best: (rank: Int, found: [Int]) = (.max, [])
        for (index, app) in apps.enumerated() {
            let rank: Int
            let id = app.id.lowercased()
            if id == name || app.windowClass?.lowercased() == name {
                rank = 0
            } else if id.split(separator: ".").last.map(String.init) == name {
                rank = 1
            } else if name.split(separator: ".").last.map(String.init) == id {
                rank = 2
            } else if app.command.first.map({ $0.lowercased().split(separator: "/").last.map(String.init) ?? "" }) == name {
                rank = 3
            } else {
                continue
            }
            if rank < best.rank { best = (rank, []) }
            if rank == best.rank { if id == name { best.found.insert(index, at: 0) } else { best.found.append(index) } }
        }
        return best.found
    }
}

extension AudioSummary {
    /// Whether the app's audible sound is a video's, or the app says that it plays and asked for the window to be full-screen.
    public func playsVideo(_ window: Window) -> Bool {
        if apps.contains(where: { $0.kind == .video && $0.isSounding && window.belongs(to: $0.app) }) { return true }
        guard let playing, playing.status == .playing, window.belongs(to: playing.app) else { return false }
        return window.commit.wantsFullscreen
    }
}

extension Workspace {
    /// Whether the window's app has the accepted call, and the idiom keeps calls in sight (S-10).
    public func hasCall(_ window: Window, _ heard: AudioSummary) -> Bool {
        guard idiom.keepsInSight, let call = heard.call, call.state == .accepted else { return false }
        return window.belongs(to: call.app)
    }

    /// Whether a person watches a film, even one whose app inhibits nothing.
    public func showsFilm(_ heard: AudioSummary) -> Bool {
        guard family.rest.dimsAfter > 0 else { return false }
        return heard.apps.contains { app in
            app.kind == .video && app.isSounding && shownWindows.contains { windows[$0]?.belongs(to: app.app) ?? false }
        }
    }
}
