import AudioSessions
import Geometry
import Modality
import OrderedCollections
import Stage
import Status
import Windows

/// Content that appears and disappears, and how much of it is visible.
public struct Presented<Content: Hashable & Codable & Sendable>: Hashable, Codable, Sendable {
    public var content: Content
    /// Times 100: a spring stops within 0.05 of its target, and without the factor a card would jump over the last 5 % of its way.
    private var level = Animated(0)
    public var isOpen = true
    /// The spring by which it catches up with a finger that has just taken it.
    private var catching: Spring?
    /// Since when a person sees it; nil: it is out of sight, or nothing needs to know.
    public private(set) var seenSince: Moment?

    public init(_ content: Content, at now: Moment, spring: Spring) {
        self.content = content
        comeBack(at: now, spring: spring)
    }

    /// It came into sight, or went out of it.
    public mutating func see(_ isSeen: Bool, at now: Moment) { seenSince = isSeen ? seenSince ?? now : nil }

    /// 0 hidden, 1 visible.
    public func presence(at now: Moment) -> Double { level.value(at: now) / 100 }

    public func isSettled(at now: Moment) -> Bool { level.isSettled(at: now) }

    /// Whether it has disappeared completely. The next event removes it.
    public func isGone(at now: Moment) -> Bool { !isOpen && isSettled(at: now) }

    public mutating func close(at now: Moment, spring: Spring) {
        isOpen = false
        level.retarget(0, at: now, spring: spring)
    }

    public mutating func reopen(_ content: Content, at now: Moment, spring: Spring) {
        self.content = content
        isOpen = true
        seenSince = nil
        comeBack(at: now, spring: spring)
    }

    // MARK: A finger on it

    public mutating func hold(_ presence: Double) { level.set(presence * 100) }

    /// A finger takes it at this presence. `catching`: the spring by which it catches up with a finger that has moved already.
    public mutating func take(at presence: Double, catching: Spring?, now: Moment) {
        level.set(presence * 100)
        self.catching = catching
    }

    /// It follows the finger that took it, or catches up with it.
    public mutating func follow(_ presence: Double, at now: Moment) {
        if let spring = catching {
            level.retarget(presence * 100, at: now, spring: spring)
            catching = nil
        } else {
            level.carry(to: presence * 100)
        }
    }

    /// The finger lets go at this speed, in presence per second.
    public mutating func letGo(speed: Double, at now: Moment) {
        catching = nil
        level.release(at: now, velocity: speed * 100)
    }

    public mutating func comeBack(at now: Moment, spring: Spring) { level.retarget(100, at: now, spring: spring) }
}

extension Optional {
    /// Shows the content, starting from its current presence if it was disappearing.
    public mutating func present<Content>(_ content: Content, at now: Moment, spring: Spring)
    where Wrapped == Presented<Content> {
        if self == nil { self = Presented(content, at: now, spring: spring) } else { self!.reopen(content, at: now, spring: spring) }
    }
}

/// The state of the shell's own views: which are open, and how far they are scrolled. `Views` derives the layout from
/// it.
public struct Interface: Hashable, Codable, Sendable {
    private var byAddress = ByAddress()
    /// The app switcher (S-02) or App Exposé (W-09).
    public var overview: Presented<Overview>?
    /// An app's windows along the bottom (W-08).
    public var shelf: Presented<String>?
    /// The dock over an app.
    public var dock: Presented<Bool>?
    public var popover: Presented<Popover>?
    /// The app whose menu of the menu bar is open; nil: the shell's own one, or none.
    public var barMenuOf: String?
    public var panel: Presented<Panel>?
    /// The page of the control centre.
    public var controlPage = ControlPage.main {
        didSet {
            guard controlPage != oldValue else { return }
            controlPart = 0
            if oldValue == .settings { settingsList = form }
            form = FormState()
            guard controlPage == .settings else { return }
            form = settingsList
            form.writing = nil
        }
    }
    /// Whether the pages are those of the settings, which have a frame of their own.
    public internal(set) var isInSettings = false {
        didSet { if !isInSettings { settingsList = FormState() } }
    }
    /// The list of the settings as a person left it for one of its pages.
    private var settingsList = FormState()
    /// The page of rows that is open.
    public var form = FormState()
    /// The question that is open, as a person answers it.
    public internal(set) var prompt = PromptState()
    /// How often a person asked for the next part of a page that is too long.
    public var controlPart = 0
    /// The menu within the menu of an item of the tray that is shown: the places of the rows that open it.
    public internal(set) var trayPath: [Int] = []
    /// The focus that its pages are about.
    public var editedFocus: EditedFocus?
    /// The volume level that changed. It takes no input.
    public var volume: Presented<VolumeClass>?
    /// The level of the screen's light, likewise.
    public var light: Presented<Bool>?
    /// The controls on the picture of this window.
    public var pipControls: Presented<WindowID>?
    /// The banner of a window that waits (W-19).
    public var banner: Presented<Banner>?
    /// The clock of an unused screen.
    public var rest: Presented<Rest>?
    /// The visible views of notifications.
    public var notices = NoticeViews()
    /// The slider being dragged, and its value.
    public var sliding: Sliding?
    public var home = Home()
    /// Apps that were launched and have no window yet.
    public var launches = LaunchCards()
    /// A window that waits for its partner in Split View, and its side.
    public var picking: Picking?
    /// The control under a finger or the pressed button.
    public var pressed: ControlID?
    /// The keyboard focus among these views.
    public var keyFocus = KeyFocus()
    /// The control with the keyboard focus; nil until a key is used.
    public var focus: ControlID? {
        get { keyFocus.at }
        set { keyFocus.at = newValue }
    }
    /// Views for programs, back to front.
    public var modals: [Presented<ModalView>] = []
    /// How often a person asked an activity view for more apps.
    public var appPages: OrderedDictionary<ModalID, Int> = [:]
    /// An app's icon being dragged.
    public var lifted: LiftedIcon?
    /// The order of the home screen, chosen by the user; nil: by name.
    public var homeOrder: HomeOrder?
    /// Apps in the dock, chosen by the user; nil for those of the configuration.
    public var dockApps: [String]?
    /// Whether the on-screen keyboard is shown; nil: none can be called.
    public var screenKeyboard: Bool?
    /// Input methods that get no text; nil: there was none.
    public var unheardMethods: UnheardMethods?
    /// The picture that views stand on.
    public internal(set) var glassGround = GlassGround()
    /// The message of a locked screen while no locker holds the session.
    public var lockNotice: LockNotice?
    /// The notifications that stand over a locker.
    public var lockCards = LockCards()
    /// The message of an empty screen while the app that the shell starts with is not there.
    public var startNote: StartNote?

    public init() {}

    /// That an app starts, or starts again. `name`: "" if it is not known.
    public struct StartNote: Hashable, Codable, Sendable {
        public var name: String
        public var isAgain: Bool

        public init(name: String, isAgain: Bool) {
            self.name = name
            self.isAgain = isAgain
        }
    }

    /// Why a locked screen shows no locker.
    public enum LockNotice: String, Hashable, Codable, Sendable, CaseIterable {
        /// The configured one is being started.
        case starting
        /// It was started several times.
        case failing
    }

    /// A window that waits. `isNew`: it was just opened; otherwise its app asked to come in front.
    public struct Banner: Hashable, Codable, Sendable {
        public var window: WindowID
        public var isNew: Bool

        public init(window: WindowID, isNew: Bool) {
            self.window = window
            self.isNew = isNew
        }
    }

    public enum Overview: Hashable, Codable, Sendable {
        case switcher
        case expose(app: String)
    }

    public enum Popover: Hashable, Codable, Sendable {
        /// The multitasking controls of a window (W-07).
        case controls(WindowID)
        /// `anchor`: the frame of the app's icon.
        case appMenu(app: String, anchor: Rect)
        case alert(title: Text, message: Text)
        case keyHelp
        /// The apps that listen to a person or see the screen.
        case sensors
        /// Volume and output for a window.
        case volume(WindowID)
        /// Apps, or windows of one, in turn (W-25).
        case switcher(Switcher)
        /// A menu of the menu bar, by its name; after a slash a menu in it.
        case barMenu(String)
        /// The apps that object to the end of the session, and the end of the machine's work that it is for.
        case logOut([Objection], MachineEnd?)
        /// The apps that are still open while the session ends in so many seconds. `turnsOff`: with the machine.
        case sessionEnds([Objection], seconds: Int, turnsOff: Bool)
        /// The number of windows of the last session that stayed closed because the shell had crashed several times (W-20).
        case windowsAside(Int)
        /// The app of this window was asked to close it, and does not answer.
        case unresponsive(WindowID, name: String)
        /// This app ended several times soon after it got its state back (S-04).
        case crashing(app: String, name: String)
        /// This app wants to know where the device is.
        case location(app: String)
        /// Whether to delete what is kept for this app.
        case forgetKept(app: String)
        case power(PowerAlert)
        /// A question of a service or a program (`AgentPrompts`), by its number.
        case prompt(UInt64)

        /// A message for a person.
        public var isAlert: Bool {
            switch self {
            case .alert, .logOut, .sessionEnds, .windowsAside, .unresponsive, .crashing, .location, .forgetKept, .power, .prompt: true
            case .controls, .appMenu, .keyHelp, .sensors, .volume, .switcher, .barMenu: false
            }
        }
    }

    /// An app that does not want the session to end.
    public struct Objection: Hashable, Codable, Sendable {
        public var icon: AppIcon
        /// The app.
        public var name: String
        public var reason: Text
        /// Where a person answers it; nil if it has no window.
        public var window: WindowID?

        public init(icon: AppIcon, name: String, reason: Text, window: WindowID? = nil) {
            self.icon = icon
            self.name = name
            self.reason = reason
            self.window = window
        }
    }

    public struct Sliding: Hashable, Codable, Sendable {
        /// The control.
        public var id: ControlID
        /// 0 to 1.
        public var value: Double

        public init(id: ControlID, value: Double) {
            self.id = id
            self.value = value
        }
    }

    public enum Panel: Hashable, Codable, Sendable {
        case notifications, controlCentre
        /// A folder of the home screen, by its number.
        case folder(Int)
    }

    public struct Home: Hashable, Codable, Sendable {
        /// In points, across all pages.
        public var scroll = Animated(0)
        public var page = 0
        /// The search text; nil while not searching.
        public var search: String?
        /// nil: it is made when it is needed. It follows from the rest, and is not kept.
        var shown: HomeShown?

        public init() {}

        /// The typed text; nil: there is none.
        var query: String? { search.flatMap { $0.isEmpty ? nil : $0 } }

        private enum CodingKeys: CodingKey {
            case scroll, page, search
        }

        public static func == (a: Home, b: Home) -> Bool { a.scroll == b.scroll && a.page == b.page && a.search == b.search }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(scroll)
            hasher.combine(page)
            hasher.combine(search)
        }
    }

    public struct LaunchCard: Hashable, Codable, Sendable {
        public var app: String
        public var icon: AppIcon
        public var frame: AnimatedRect
        public var opacity = Animated(1)
        public var isLeaving = false

        public init(app: String, icon: AppIcon, from: Rect, to: Rect, at now: Moment, spring: Spring) {
            self.app = app
            self.icon = icon
            frame = AnimatedRect(from)
            frame.retarget(to, at: now, spring: spring)
        }
    }

    public struct Picking: Hashable, Codable, Sendable {
        public var window: WindowID
        public var side: Side

        public init(window: WindowID, side: Side) {
            self.window = window
            self.side = side
        }
    }

    public struct LiftedIcon: Hashable, Codable, Sendable {
        public var app: String
        public var center: Point
        /// Shows where it would go on the home screen, in points of the screen.
        public var mark: Rect?

        /// The other icons wobble: they make room for it.
        public var wobbles: Bool
        /// It was taken from the dock: its icon on the home screen stays in sight.
        public var isFromDock: Bool

        public init(app: String, center: Point, mark: Rect? = nil, wobbles: Bool = false, isFromDock: Bool = false) {
            self.isFromDock = isFromDock
            self.wobbles = wobbles
            self.app = app
            self.center = center
            self.mark = mark
        }
    }

    public var isOverviewOpen: Bool { overview?.isOpen ?? false }
    public var isPopoverOpen: Bool { popover?.isOpen ?? false }
    public var isPanelOpen: Bool { panel?.isOpen ?? false }
    public var isShelfOpen: Bool { shelf?.isOpen ?? false }
    public var isDockOpen: Bool { dock?.isOpen ?? false }
    /// Whether the dock is visible: on the home screen, or opened over an app.
    public func showsDock(over workspace: Workspace) -> Bool { workspace.showsHome || isDockOpen || workspace.hasStandingDock }
    public var isPipControlsOpen: Bool { pipControls?.isOpen ?? false }
    public var isHelpSeen: Bool { popover?.content == .keyHelp }
    /// Whether a view takes all touches and keys until it is closed.
    public var isModal: Bool { isOverviewOpen || isPopoverOpen || isPanelOpen }

    public enum Part: Hashable, Sendable, CaseIterable {
        case overview, shelf, dock, popover, panel
    }

    /// Makes a view disappear.
    public mutating func close(_ part: Part, at now: Moment, spring: Spring) {
        switch part {
        case .overview: overview?.close(at: now, spring: spring)
        case .shelf: shelf?.close(at: now, spring: spring)
        case .dock: dock?.close(at: now, spring: spring)
        case .popover: popover?.close(at: now, spring: spring)
        case .panel: panel?.close(at: now, spring: spring)
        }
    }

    public func isMoving(at now: Moment) -> Bool {
        func moves<C>(_ presented: Presented<C>?) -> Bool { presented.map { !$0.isSettled(at: now) } ?? false }
        return modals.contains { !$0.isSettled(at: now) } || moves(overview) || moves(shelf) || moves(dock) || moves(popover)
            || moves(panel) || moves(volume)
            || moves(pipControls) || moves(banner) || moves(rest) || notices.isMoving(at: now)
            || !home.scroll.isSettled(at: now) || isPanelOpen && !form.scroll.isSettled(at: now)
            || launches.isMoving(at: now) || lifted?.wobbles ?? false
    }

    /// Removes views that have disappeared.
    public mutating func forgetFinished(_ workspace: Workspace, at now: Moment) {
        func isGone<C>(_ presented: Presented<C>?) -> Bool { presented?.isGone(at: now) ?? false }
        if isGone(overview) { overview = nil }
        if isGone(shelf) { shelf = nil }
        if isGone(dock) { dock = nil }
        if isGone(popover) { popover = nil }
        if isGone(panel) { panel = nil }
        if isGone(volume) { volume = nil }
        if isGone(light) { light = nil }
        if isGone(pipControls) { pipControls = nil }
        if isGone(banner) { banner = nil }
        if isGone(rest) { rest = nil }
        notices.forgetFinished(at: now)
        if !modals.isEmpty { modals.removeAll { $0.isGone(at: now) } }
        launches.forgetFinished(at: now)
        if let picking, workspace[picking.window]?.isMapped != true { self.picking = nil }
        home.scroll.stopIfSettled(at: now)
        form.scroll.stopIfSettled(at: now)
    }
}

extension Interface {
    /// The names of the open views.
    public var openNames: [String] {
        var names: [String] = []
        if isResting { names.append("rest") }
        if let overview, overview.isOpen { names.append(overview.content == .switcher ? "switcher" : "expose") }
        if isShelfOpen { names.append("shelf") }
        if isDockOpen { names.append("dock") }
        if isPipControlsOpen { names.append("picture-controls") }
        if let popover, popover.isOpen {
            switch popover.content {
            case .controls: names.append("controls")
            case .appMenu: names.append("menu")
            case .alert: names.append("alert")
            case .keyHelp: names.append("keys")
            case .sensors: names.append("sensors")
            case .volume: names.append("volume")
            case .switcher: names.append("switch")
            case .barMenu: names.append("menu-bar")
            case .logOut, .sessionEnds: names.append("log-out")
            case .windowsAside: names.append("windows-aside")
            case .unresponsive: names.append("unresponsive")
            case .crashing: names.append("crashing")
            case .location: names.append("location")
            case .forgetKept: names.append("forget-kept")
            case .power: names.append("power-alert")
            case .prompt: names.append("prompt")
            }
        }
        if let panel, panel.isOpen {
            switch panel.content {
            case .notifications: names.append("notifications")
            case .controlCentre: names.append("control-centre")
            case .folder: names.append("folder")
            }
        }
        if isPanelOpen, panel?.content == .controlCentre, controlPage != .main { names.append("control-centre/\(controlPage.rawValue)") }
        for modal in modals where modal.isOpen { names.append(modal.content.kind.rawValue) }
        if banner?.isOpen ?? false { names.append("banner") }
        if notices.isBannerOpen { names.append("notice") }
        if home.search != nil { names.append("search") }
        if !launches.waiting.isEmpty { names.append("launching") }
        if picking != nil { names.append("picking") }
        return names
    }
}
