import Geometry
import OrderedCollections

/// Every window with its place, and which one is active: the state behind multitasking.
///
/// It changes only because the user acts or a window comes or goes (law 1). It knows nothing of drawing or Wayland.
/// The messages to clients follow from a comparison with the last ones (`configures`).
public struct Workspace: Hashable, Codable, Sendable {
    private var byAddress = ByAddress()
    /// The offers of the device family on this screen.
    public internal(set) var idiom: Idiom {
        didSet {
            if idiom.lensRule != oldValue.lensRule { resetLenses() }
            if idiom.depth == nil { gazed = nil }
            screen?.shape(by: idiom)
        }
    }
    /// The idiom before it was reduced for a small screen; nil if it was not.
    @Indirect var whole: Idiom?
    public internal(set) var screen: Screen?
    public internal(set) var windows: OrderedDictionary<WindowID, Window> = [:]

    /// Where the windows stand.
    public internal(set) var arrangement: Arrangement
    /// The arrangements of other idioms, by name: a window stands there again when its idiom comes back.
    var elsewhere: [String: Arrangement] = [:]
    /// The window in full screen over which the upper edge brought the menu bar.
    var barOver: WindowID?
    /// Mapped windows that opened without being asked for, oldest first (W-19).
    public internal(set) var waiting: [WindowID] = []
    /// The window that is shown over the lock screen.
    public internal(set) var overLock: WindowOverLock?
    /// Windows of an emergency call that a person left there.
    public var keptOverLock: [WindowID] = []
    /// The active window. It is always visible.
    public internal(set) var focus: WindowID?
    /// The window at which a person looks (V-02); nil: at none, or the idiom has no depths.
    public internal(set) var gazed: WindowID?

    /// Installed apps, sorted by name for the user.
    public internal(set) var apps: [App] = []
    /// The index of each app in `apps`, by id.
    var appPlaces: [String: Int] = [:]
    public internal(set) var admission: Admission
    /// The programs that the shell started, until their windows have come (W-19).
    public internal(set) var launches = Launches()
    /// Set while a finger holds the divider.
    public internal(set) var dividerDrag: DividerDrag?
    /// Windows with a parent, oldest first.
    private(set) var children: [WindowID] = []
    /// The same, keyed by their parents.
    private(set) var childrenOf: [WindowID: [WindowID]] = [:]
    /// Windows with popups, so that hit tests need not ask every window.
    public private(set) var popupOwners: [WindowID] = []
    /// Windows without a program, oldest first.
    public internal(set) var placeholders: [WindowID] = []
    var nextPlaceholder: UInt32 = 0
    /// The windows that an idiom keeps to if it does not offer opening apps.
    var confinement = Confinement()
    /// Sheets that a person swiped away. They are out of sight, while their apps are asked to close them (M-03).
    public internal(set) var sinking: OrderedSet<WindowID> = []
    /// The share at which a person last saw an app that its place shows in part, by its id (W-11).
    var appLenses: [String: Lens] = [:]
    /// The area of the dock while it is visible.
    var dockArea: Rect?
    /// The height of a menu bar that has grown with the text; nil: it has the idiom's.
    var grownMenuBar: Double?
    /// Where a person last had the windows of apps, the latest last (W-25).
    var freePlaces: [FreePlace] = []
    /// Menus that apps export for the menu bar, by window.
    var exported: [WindowID: [ExportedMenu]] = [:]
    var clock: UInt64 = 0
    var nextSequence: UInt32 = 1

    public init(idiom: Idiom, newWindows: Admission.Policy = .asked, announcing: [PictureInPictureRule] = []) {
        self.idiom = idiom
        arrangement = Arrangement(idiom.arrangement)
        admission = Admission(policy: newWindows, pictureInPicture: PictureInPictureRule.known + announcing)
    }

    // MARK: Reading

    public subscript(_ id: WindowID) -> Window? { windows[id] }

    /// A part of a window. `self[id]` copies the whole window, which costs more than most parts do.
    @inlinable
    public func read<Part>(_ id: WindowID, _ part: (borrowing Window) -> Part) -> Part? {
        guard let index = windows.index(forKey: id) else { return nil }
        return part(windows.values.elements[index])
    }

    /// `self[id]?.content`, without a copy of the window. While a person resizes it, what was drawn for an earlier size fills the frame.
    public func content(of id: WindowID) -> WindowContent? {
        read(id) {
            var content = $0.content
            if $0.commit.answered < $0.resized, resizedWindow == id { content.isStretched = true }
            return content
        }
    }

    /// `self[id]?.isAwaited`, without a copy of the window.
    public func isAwaited(_ id: WindowID) -> Bool { read(id) { $0.isAwaited } ?? false }

    /// `self[id]?.isMapped`, without a copy of the window.
    public func isMapped(_ id: WindowID) -> Bool { read(id) { $0.isMapped } ?? false }

    /// Left to right, in the order of swiping.
    public var spaces: [Space] { arrangement.spaces.list }

    /// The space in front; nil if there is none.
    public var current: SpaceID? { arrangement.spaces.current }

    /// The visible space; nil on the home screen.
    public var currentSpace: Space? { arrangement.spaces.front }

    /// A person went to the home screen: neither a space nor Slide Over is visible. `current` is where the person came from.
    public var isHome: Bool { arrangement.spaces.isHome }

    /// Whether nothing covers the home screen.
    public var showsHome: Bool { isHome || (idiom.home.fillsEmptyScreen && spaces.isEmpty) }

    /// The windows in the app switcher, the most recently used first; nil: the switcher shows spaces.
    public var switchedWindows: [WindowID]? {
        guard idiom.switcher.shows == .windows else { return nil }
        return arrangement.ask { $0.windows }.filter { $0 != pip?.window }
            .sorted { (read($0) { $0.lastFocus } ?? 0, $0.raw) > (read($1) { $0.lastFocus } ?? 0, $1.raw) }
    }

    public func space(_ id: SpaceID) -> Space? { arrangement.spaces[id] }

    /// Slide Over, empty where the arrangement has none.
    public var slideOver: SlideOver { arrangement.slideOver }

    public var pip: PictureInPicture? { arrangement.picture }

    /// How dialogs stand on windows here.
    public var modality: ModalStyle { idiom.dialogs }

    /// The windows that the stage draws, back to front, without dialogs. `parts`: `partFrames()`.
    public func placed(_ parts: [WindowID: Rect]) -> [Placed] {
        guard let screen else { return [] }
        var placed = arrangement.placed(on: ground(on: screen)) { frame(of: $0, parts) }
        if idiom.depth != nil { for index in placed.indices { placed[index].presence = presence(of: placed[index].id) } }
        return placed
    }

    /// The same, where the rectangles are not known yet.
    public var placed: [Placed] { placed(partFrames()) }

    /// Where a window floats; nil: the arrangement does not hold it.
    public func layer(of id: WindowID) -> Placed.Layer? { arrangement.layer(of: id) }

    /// The marks at the edges of the screen for windows that were pushed past them.
    public var handles: [Handle] {
        guard arrangement.hasHandles, let screen else { return [] }
        let ground = ground(on: screen)
        return arrangement.ask { $0.handles(on: ground) }
    }

    /// How many windows lie in the stack in which a window lies; 1 outside of stacks.
    public func stackHeight(of id: WindowID) -> Int { arrangement.ask { $0.stackHeight(of: id) } }

    /// Whether anything floats above the spaces, visible or not.
    public var hasFloating: Bool { arrangement.ask { $0.hasFloating } }

    /// Whether a person may put windows at such a place here.
    public func admits(_ destination: Destination) -> Bool { idiom.places.contains(destination.kind) }

    /// Mapped dialogs of a window in the order in which they are drawn: oldest first, but above the others those that keep
    /// them from getting input, because a person has to see the question (M-01, M-02).
    public func dialogs(of window: WindowID) -> [WindowID] {
        // Layouts call this all the time, and dialogs are rare.
        guard !children.isEmpty, let named = childrenOf[window] else { return [] }
        let all = windows.values.elements
        let mapped = named.filter { id in windows.index(forKey: id).map { all[$0].isMapped } ?? false && base(of: id) == window }
        guard mapped.count > 1 else { return mapped }
        let above = mapped.filter { holdsModal($0, depth: 0) }
        return above.isEmpty || above.count == mapped.count ? mapped : mapped.filter { !above.contains($0) } + above
    }

    /// Whether a dialog, or one that stands on it, is modal. It looks as deep as windows may stand in each other.
    private func holdsModal(_ id: WindowID, depth: Int) -> Bool {
        guard isMapped(id), depth < 64 else { return false }
        if read(id, { $0.facts.modality }) == true { return true }
        return childrenOf[id]?.contains { base(of: $0) == id && holdsModal($0, depth: depth + 1) } ?? false
    }

    /// Whether any window has a parent.
    public var hasChildren: Bool { !children.isEmpty }

    mutating func noteChildren() {
        children = windows.values.filter { $0.facts.parent != nil }.map(\.id)
        childrenOf = Dictionary(grouping: children) { windows[$0]!.facts.parent! }
    }

    /// Whether a window is centred on its mapped parent. A window that had its own place before its parent appeared
    /// keeps that place (law 1).
    func isDialog(_ window: Window) -> Bool { base(of: window.id) != nil }

    /// The parent on which a dialog stands; nil for any other window. Layouts walk from dialog to dialog all the time, so
    /// this copies no window.
    func base(of id: WindowID) -> WindowID? {
        guard !children.isEmpty, let index = windows.index(forKey: id) else { return nil }
        let all = windows.values.elements
        guard let parent = all[index].facts.parent, let above = windows.index(forKey: parent), all[above].isMapped, !hasPlace(id) else {
            return nil
        }
        return parent
    }

    /// All windows for which `hasPlace` is true, computed at once.
    var windowsWithPlace: Set<WindowID> {
        Set(waiting).union(confinement.keptOut).union(arrangement.ask { $0.windows })
    }

    func hasPlace(_ id: WindowID) -> Bool {
        arrangement.contains(id) || waiting.contains(id) || confinement.keptOut.contains(id)
    }

    /// The window at the root of a chain of dialogs. The window itself if it is not a dialog.
    public func root(of id: WindowID) -> WindowID {
        var id = id
        while let parent = base(of: id) { id = parent }
        return id
    }

    public func place(of id: WindowID) -> Place? {
        guard let window = windows[id] else { return nil }
        guard window.isMapped else { return .unmapped }
        if waiting.contains(id) { return .waiting }
        if let place = arrangement.place(of: id, on: screen) { return place }
        if isDialog(window), let parent = window.facts.parent { return .dialog(of: parent) }
        return .waiting
    }

    /// Whether it is visible, at least in part.
    public func isShown(_ id: WindowID) -> Bool {
        guard isMapped(id), !waiting.contains(id) else { return false }
        if arrangement.isShown(id) { return true }
        let root = root(of: id)
        return root != id && isShown(root)
    }

    /// The visible windows of the arrangement without dialogs, back to front.
    public var shownRoots: [WindowID] { arrangement.shownRoots }

    /// Every window that is at least partly visible, including dialogs.
    public var shownWindows: [WindowID] {
        var shown = shownRoots
        guard !children.isEmpty else { return shown }
        var index = 0
        while index < shown.count {
            shown += dialogs(of: shown[index])
            index += 1
        }
        return shown
    }

    // MARK: Clients

    public mutating func created(_ id: WindowID, _ facts: WindowFacts) {
        guard windows[id] == nil else { return }
        var window = Window(id: id, facts: withoutCircle(facts, of: id))
        // Usually the app is the same as that of the previous window.
        let last = windows.values.last
        let isSame = last?.facts.appID == facts.appID && last?.facts.lineage == facts.lineage
        if isSame { window.program = last!.program }
        window.app = isSame ? last!.app : appID(of: window)
        windows[id] = window
        windows[id]!.lensRule = idiom.lensRule
        if facts.parent != nil { noteChildren() }
    }

    /// A prominent window stands on the one that it came from until a person moves it (W-14, W-17).
    func raised(_ facts: WindowFacts, of window: Window) -> WindowFacts {
        guard let base = window.raisedOver, facts.parent == nil, windows[base] != nil, !leads(base, to: window.id) else { return facts }
        var facts = facts
        facts.parent = base
        facts.isModal = true
        return facts
    }

    /// A window that its app opens prominently is about to be placed: it stands on the app's active window, or on the one in
    /// which a person pinched it open, which makes it prominent whatever its style (W-21). `wayBack`: the window that it would cover
    /// without a way back.
    mutating func raise(prominent id: WindowID, pinchedFrom: WindowID?, wayBack: WindowID? = nil) {
        guard let window = windows[id], window.facts.parent == nil,
            (pinchedFrom ?? wayBack) != nil || window.facts.hints?.resolvedStyle == .prominent,
            modality == .sheets, let base = pinchedFrom.flatMap({ isShown($0) && $0 != id ? $0 : nil }) ?? peer(of: window)
        else { return }
        windows[id]!.raisedOver = base
        windows[id]!.facts = raised(window.facts, of: windows[id]!)
        noteChildren()
    }

    /// The window that a new window of the same app comes from: the active one.
    func peer(of window: Window) -> WindowID? {
        // A picture that stands for a window opens none.
        guard let focus, focus != window.id, isShown(focus), let peer = windows[focus], peer.placeholder == nil,
            peer.facts.client == window.facts.client && !peer.facts.isX11 || (!window.app.isEmpty && peer.app == window.app)
        else { return nil }
        return focus
    }

    /// Removes a parent that would close a cycle.
    private func withoutCircle(_ facts: WindowFacts, of id: WindowID) -> WindowFacts {
        guard let parent = facts.parent, leads(parent, to: id) else { return facts }
        var facts = facts
        facts.parent = nil
        return facts
    }

    /// Whether a window, or one that it stands on by its parents, is the other one: this one would stand on itself with it as parent.
    func leads(_ window: WindowID, to id: WindowID) -> Bool {
        var above: WindowID? = window
        while let next = above, next != id { above = windows[next]?.facts.parent }
        return above == id
    }

    /// The client changed its title, app id or parent.
    ///
    /// - Parameter now: nil: its place stays the same, whatever its title.
    public mutating func renamed(_ id: WindowID, _ facts: WindowFacts, at now: Moment? = nil) {
        guard let window = windows[id] else { return }
        defer { if let now, window.isMapped, window.facts.title != facts.title { sortRestored(id, at: now) } }
        let facts = withoutCircle(raised(facts, of: window), of: id)
        windows[id]!.facts = facts
        if facts.appID != window.facts.appID || facts.lineage != window.facts.lineage { windows[id]!.app = appID(of: windows[id]!) }
        if facts.parent != window.facts.parent { noteChildren() }
        guard window.isMapped else { return }
        if confinement.keptOut.contains(id) { return keptOutChanged(id) }
        guard facts.parent != window.facts.parent else {
            if facts.modality != window.facts.modality { refocus() }
            return
        }
        if !sinking.isEmpty { sinking.remove(id) }
        // It became a dialog, or is no longer one.
        if let parent = facts.parent, windows[parent]?.isMapped == true {
            takeOut(id)
            dialogCame(id)
        } else if !hasPlace(id) {
            findPlace(for: id, at: nil)
        }
        refocus()
    }

    public mutating func committed(_ id: WindowID, _ commit: WindowCommit) {
        edit(id) { window in
            if commit.answered > window.commit.answered || commit.size != window.commit.size { window.isLate = false }
            window.commit = commit
            if window.drawnFor != nil { window.noteAnswer() }
            if let lastConfigure = window.lastConfigure, lastConfigure.chooses, commit.answered >= lastConfigure.sequence,
                !commit.size.isEmpty
            {
                window.naturalSize = commit.size
            }
            window.learnOverflow()
        }
        findRoomAfterFullScreen(for: id)
        if pip?.window == id, let natural = windows[id]?.naturalSize, let screen {
            setPipShape(natural, on: screen)
        }
    }

    /// Changes a window in place. Access by key would move it out of the dictionary and back.
    mutating func edit(_ id: WindowID, _ change: (inout Window) -> Void) {
        guard let index = windows.index(forKey: id) else { return }
        change(&windows.values[index])
    }

    public mutating func popupsChanged(_ id: WindowID, boxes: [Rect], grab: Bool) {
        guard let index = windows.index(forKey: id) else { return }
        windows.values[index].popups = boxes.filter { !$0.isEmpty }
        windows.values[index].popupGrab = grab
        popupOwners.removeAll { $0 == id }
        if !windows.values[index].popups.isEmpty { popupOwners.append(id) }
    }

    /// Whether this commit is the same as the last one.
    public func isKnown(_ commit: WindowCommit, of id: WindowID) -> Bool {
        guard let index = windows.index(forKey: id) else { return false }
        return windows.values[index].commit == commit
    }

    /// Whether this commit of a mapped window only answers a configure, and is otherwise the same as the last one.
    public func isAnswerAlone(_ commit: WindowCommit, of id: WindowID) -> Bool {
        guard let index = windows.index(forKey: id), windows.values[index].isMapped, windows.values[index].lastConfigure?.chooses == false
        else { return false }
        var known = windows.values[index].commit
        known.answered = commit.answered
        return known == commit
    }

    /// The number of mapped windows.
    public var mappedCount: Int {
        let all = windows.values.elements
        return all.indices.count { all[$0].isMapped }
    }

    /// The newest mapped windows for which `isWanted` returns true, at most `count`, oldest first.
    public func newestMapped(_ count: Int, where isWanted: (WindowID) -> Bool) -> [WindowID] {
        var found: [WindowID] = []
        let all = windows.values.elements
        for index in all.indices.reversed() where found.count < count && all[index].isMapped && isWanted(all[index].id) {
            found.append(all[index].id)
        }
        return found.reversed()
    }

    /// - Parameter now: nil: no other window of its program gets its place.
    public mutating func unmapped(_ id: WindowID, at now: Moment? = nil) {
        guard windows[id]?.isMapped == true else { return }
        if let now {
            passPlaceOn(from: id, at: now)
            returnPlace(from: id, at: now)
        }
        // Its dialogs stay open, on its own parent or as independent windows: an app may close its main window first.
        rememberPlace(of: id)
        let orphans = dialogs(of: id)
        let heir = isDialog(windows[id]!) ? windows[id]!.facts.parent : nil
        let wasShown = isShown(id)
        let prompt = windows[id]!.prompt, wasActive = focus == id
        edit(id) {
            $0.isMapped = false
            $0.prompt = nil
            $0.isAdmitted = false
            $0.launch = nil
            $0.restored = nil
            $0.closing = nil
            $0.heldSize = nil
            ($0.heldFor, $0.drawnFor) = (nil, nil)
            $0.wasResized = false
        }
        popupsChanged(id, boxes: [], grab: false)
        takeOut(id)
        leavesConfinement(id)
        for orphan in orphans {
            windows[orphan]!.facts.parent = heir
            if heir == nil { sinking.remove(orphan) }
            if heir == nil { findPlace(for: orphan, at: nil) }
        }
        if !orphans.isEmpty { noteChildren() }
        // The window that the user was looking at stays visible.
        if wasShown, heir == nil, let last = orphans.last { try? activate(last) }
        refocus()
        if let prompt { returnFocus(after: prompt, wasActive: wasActive) }
    }

    public mutating func destroyed(_ id: WindowID, at now: Moment? = nil) {
        unmapped(id, at: now)
        placeholders.removeAll { $0 == id }
        windows[id] = nil
        if !exported.isEmpty { exported[id] = nil }
        arrangement.change { $0.forget(id) }
        for name in elsewhere.keys {
            elsewhere[name]!.change { arrangement in
                arrangement.remove(id)
                arrangement.forget(id)
            }
        }
        popupOwners.removeAll { $0 == id }
        if gazed == id { gazed = nil }
        guard !children.isEmpty else { return }
        for other in childrenOf[id] ?? [] where windows[other]?.facts.parent == id { windows[other]!.facts.parent = nil }
        noteChildren()
    }

    /// Sets the windows of frozen apps. When an app is thawed, its windows get the changes that they missed in one configure.
    ///
    /// - Returns: whether an app of one of the windows was thawed.
    public mutating func setSuspended(_ suspended: Set<WindowID>) -> Bool {
        var isAnyFreed = false
        for index in windows.values.indices where windows.values[index].isSuspended != suspended.contains(windows.values[index].id) {
            windows.values[index].isSuspended.toggle()
            if !windows.values[index].isSuspended { isAnyFreed = true }
        }
        return isAnyFreed
    }

    /// An adapter kept its picture under this name.
    public mutating func pictureKept(_ id: WindowID, _ name: String) { edit(id) { $0.picture = name } }
}
