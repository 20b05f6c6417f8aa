import Geometry

/// Windows that ask a person for a passphrase or a permission before a program continues (W-19).
///
/// A person who types would not see a prompt that waits. So it comes in front at once: over the window of the program that asked,
/// else over the active window. It gets the keys, and the focus returns when it closes.
public enum Prompts {
    /// App ids and X11 classes of programs whose every window is a prompt, in lower case. `prompts` in the configuration adds more.
    public static let known: Set<String> = [
        // GnuPG.
        "pinentry", "pinentry-gtk-2", "pinentry-gtk", "pinentry-gnome3", "pinentry-qt", "pinentry-qt4", "pinentry-qt5", "pinentry-fltk",
        "pinentry-efl", "pinentry-x11", "org.gnupg.pinentry-qt", "org.gnupg.pinentry-qt5",
        // Keyrings and wallets.
        "gcr-prompter", "gcr4-prompter", "org.gnome.gcr.prompter", "org.gnome.keyring.systemprompter", "kwalletd5", "kwalletd6",
        "org.kde.kwalletd5", "org.kde.kwalletd6",
        // SSH and git.
        "ssh-askpass", "x11-ssh-askpass", "gnome-ssh-askpass", "gnome-ssh-askpass2", "gnome-ssh-askpass3", "gcr4-ssh-askpass",
        "ksshaskpass",
        "org.kde.ksshaskpass", "lxqt-openssh-askpass", "git-gui--askpass",
        // polkit and sudo.
        "polkit-gnome-authentication-agent-1", "polkit-mate-authentication-agent-1", "polkit-kde-authentication-agent-1",
        "org.kde.polkit-kde-authentication-agent-1", "lxqt-policykit-agent", "lxpolkit", "xfce-polkit", "mate-polkit", "lxqt-sudo",
        "kdesu", "org.kde.kdesu",
    ]

    /// How many stand at once. More wait, so that a program cannot bury what it asks about.
    static let most = 4
    /// Seconds after a prompt has appeared in which keys are dropped: a person sees it only after about as long, so they were for
    /// the app below.
    public static let unseen = 0.25
}

/// The state to restore when a prompt closes.
public struct Prompt: Hashable, Codable, Sendable {
    public var since: Moment
    /// The window that was active, which gets the focus back.
    public var before: WindowID?
    /// It came while the home screen was in front, which returns.
    public var wasHome: Bool
}

extension Workspace {
    /// Whether this window came in front by itself, as a prompt.
    public func isPrompt(_ id: WindowID) -> Bool { read(id) { $0.prompt != nil } ?? false }

    /// Whether a key that is pressed now was meant for the window below the prompt.
    public func isUnseen(_ id: WindowID, at now: Moment) -> Bool {
        guard let prompt = read(id, { $0.prompt }) ?? nil, prompt.before != nil else { return false }
        return now - prompt.since < Prompts.unseen
    }

    /// Whether a window is a prompt. An app in a sandbox chooses its app id itself, so none of its windows is.
    func asks(_ window: Window, _ match: Launches.Match? = nil) -> Bool {
        guard window.facts.sandbox == nil, window.facts.parent == nil, window.placeholder == nil else { return false }
        // Counting them last: this is asked of each window that is not mapped yet, after each event.
        guard isPrompter(window.facts.appID) || match == nil && isHelperDialog(window) else { return false }
        return windows.values.count { $0.prompt != nil } < Prompts.most
    }

    private func isHelperDialog(_ window: Window) -> Bool {
        // A dialog of a helper program that the app in front started.
        guard !isConfined, app(window.app) == nil, window.isDialogLike, let focus, let front = windows[focus], front.app != window.app
        else { return false }
        return !front.facts.isX11 && front.facts.lineage.first != window.facts.lineage.first && isDescendant(window, of: front)
    }

    /// The window over which a prompt stands: that of the program that asked, if it is in sight, else the active one.
    func promptBase(of window: Window) -> WindowID? {
        let shown = shownRoots.filter { $0 != pip?.window && $0 != window.id }
        let own = shown.filter { windows[$0].map { isDescendant(window, of: $0) } ?? false }
        let active = focus.map(root)
        if let active, own.contains(active) { return focus }
        if let asker = own.last { return keyHolder(of: asker) }
        return active.map(shown.contains) ?? false ? focus : nil
    }

    /// A prompt is mapped.
    mutating func promptComes(_ id: WindowID, _ match: Launches.Match?, at now: Moment) {
        let prompt = Prompt(since: now, before: focus, wasHome: isHome)
        let base = promptBase(of: windows[id]!)
        if let match { launches.took(match, by: id) }
        edit(id) {
            $0.isAdmitted = true
            $0.prompt = prompt
        }
        guard let base, !leads(base, to: id) else { return findPlace(for: id, at: .fullScreen) }
        edit(id) { $0.raisedOver = base }
        windows[id]!.facts = raised(windows[id]!.facts, of: windows[id]!)
        noteChildren()
        setFocus(id)
    }

    /// Whether a window with this app id is a prompt by its program. It ends with what it asks about, so it never comes back by itself.
    func isPrompter(_ appID: String) -> Bool {
        let name = appID.lowercased()
        return Prompts.known.contains(name) || admission.prompts.contains(name)
    }

    /// Prompts that stand elsewhere, in the order of their coming; nil: there are none.
    public var promptsOutOfSight: [WindowID]? {
        let found = windows.values.filter { $0.prompt != nil && !isShown($0.id) }.map(\.id)
        return found.isEmpty ? nil : found
    }

    /// Prompts that a person sees.
    var promptsInSight: [WindowID] {
        guard windows.values.contains(where: { $0.prompt != nil }) else { return [] }
        return windows.values.filter { $0.prompt != nil && isShown($0.id) }.map(\.id)
    }

    /// A window came in front by itself, such as that of the browser whose start asks for the keyring. Prompts that it would cover
    /// stand over it.
    ///
    /// - Parameter shown: prompts that were in sight before it came.
    mutating func keepInFront(_ shown: [WindowID]) {
        for id in shown where windows[id]?.prompt != nil && !isShown(id) && !waiting.contains(id) {
            guard let front = focus, root(of: front) != id, !leads(front, to: id) else { continue }
            takeOut(id)
            stand(id, over: front)
            edit(id) {
                // The end of the prompt does not send the new window away.
                $0.prompt?.before = front
                $0.prompt?.wasHome = false
            }
            setFocus(id)
        }
    }

    /// A prompt has closed: the window that was in front before it comes to the front again.
    mutating func returnFocus(after prompt: Prompt, wasActive: Bool) {
        guard wasActive else { return }
        if prompt.wasHome {
            try? setHome(true)
        } else if let before = prompt.before, isShown(before) {
            setFocus(before)
        }
    }
}

extension Window {
    /// Whether it is modal without a parent, or cannot be resized.
    fileprivate var isDialogLike: Bool {
        facts.isModal == true || (!commit.minimum.isEmpty && commit.minimum == commit.maximum)
    }
}
