import Geometry
import Interface
import Multitasking
import Windows

/// Everything that can be seen, in one value: what `mullion ctl state` shows and tests check. Lengths are in
/// points of the screen. Fields that do not apply are left out.
public struct StateReport: Hashable, Codable, Sendable {
    /// The shell's clock, in nanoseconds.
    public var at: Moment
    public var idiom: String
    public var screen: Screen?
    /// Whether something is moving or being dragged.
    public var moving: Bool
    /// The active window.
    public var focus: WindowID?
    /// The space in front.
    public var space: SpaceID?
    /// Left to right.
    public var spaces: [Space]
    /// The divider of the Split View in front.
    public var divider: Divider?
    public var slideOver: SlideOver
    public var pictureInPicture: Picture?
    /// Whether the home screen is in front.
    public var home: Bool
    /// Whether a locker holds the session, so that none of this is visible.
    public var locked: Bool
    /// Which of the shell's own views are open: "switcher", "expose", "shelf", "dock", "controls", "menu", "alert",
    /// "keys", "notifications", "control-centre", "search", "launching", "picking".
    public var open: [String]
    /// The search text on the home screen.
    public var search: String?
    /// The current page of the home screen, from 0, and the number of pages.
    public var page: Int
    public var pages: Int
    /// Windows that opened without an act of a person, oldest first (W-19).
    public var waiting: [WindowID]
    /// Sorted by number.
    public var windows: [WindowReport]

    public struct Space: Hashable, Codable, Sendable {
        public var id: SpaceID
        /// One window in full screen; two in Split View, the left or top one first.
        public var windows: [WindowID]
        /// The first window's share of a Split View.
        public var fraction: Double?
        public var current: Bool
    }

    public struct Divider: Hashable, Codable, Sendable {
        /// The drawn frame.
        public var frame: Rect
        /// The area where a finger can grab it.
        public var target: Rect
        /// The first window's share of the available length.
        public var fraction: Double
        public var axis: Axis
        /// Whether a finger holds it.
        public var dragged: Bool
    }

    public struct SlideOver: Hashable, Codable, Sendable {
        /// Front first.
        public var stack: [WindowID]
        public var side: Side
        /// Pushed past the edge.
        public var hidden: Bool
        /// The whole card with its strips, unless it is hidden.
        public var card: Rect?
    }

    public struct Picture: Hashable, Codable, Sendable {
        public var window: WindowID
        public var corner: Corner
        public var width: Double
        /// Width divided by height.
        public var aspect: Double
        /// The edge that it was pushed past, if any.
        public var stashed: Side?
    }

    public subscript(_ id: WindowID) -> WindowReport? { windows.first { $0.id == id } }
}

public struct WindowReport: Hashable, Codable, Sendable {
    public var id: WindowID
    public var appID: String
    public var title: String
    /// The installed app of the window; its own app id if there is none.
    public var app: String
    public var place: PlaceName
    /// The space it is in.
    public var space: SpaceID?
    /// The frame at rest; left out while the window has no place.
    public var frame: Rect?
    /// The frame on the screen right now; left out while the window is invisible.
    public var shownFrame: Rect?
    /// The frame of its own picture right now. Smaller than `shownFrame` if its shape does not fit (W-11).
    public var picture: Rect?
    /// The scale of its picture: 1 = as the app drew it.
    public var scale: Double?
    /// Whether the arrangement shows at least a part of it.
    public var shown: Bool
    public var active: Bool
    /// The size that the app drew.
    public var size: Size
    /// The minimum and maximum sizes that the app set; 0 = no limit.
    public var minimum: Size
    public var maximum: Size
    /// The size of the last configure; 0 by 0 = the app may choose.
    public var told: Size?
    /// The serial of the last configure, and of the last one acked.
    public var configured: UInt32?
    public var answered: UInt32
    /// Whether the app did not answer in time.
    public var late: Bool
    public var parent: WindowID?
    public var pid: Int32?
    public var isX11: Bool
    /// Whether it is modal to its parent (xdg-dialog).
    public var modal: Bool
    /// Whether no program runs for it: its last picture is shown. Left out for others.
    public var placeholder: Bool?
    /// Notes about a presentation that does not fit (M-15). Left out if empty.
    public var notes: [WindowNote]?

    public enum PlaceName: String, Hashable, Codable, Sendable, CaseIterable {
        case full, splitLeft, splitRight, splitTop, splitBottom, slideOver, pictureInPicture, free, minimized, dialog, waiting, unmapped
    }
}

extension StateReport {
    public init(_ system: System, at now: Moment) {
        let workspace = system.workspace
        let frames = workspace.frames()
        at = now
        idiom = workspace.idiom.name
        screen = workspace.screen
        moving = system.isMoving(at: now) || system.isCarrying
        focus = workspace.focus
        space = workspace.current
        spaces = workspace.spaces.map {
            Space(id: $0.id, windows: $0.windows, fraction: $0.split?.fraction, current: $0.id == workspace.current)
        }
        if let screen = workspace.screen, let split = workspace.currentSpace?.split {
            let axis = split.axis(on: screen.size)
            let frame =
                system.stage.dividerBar(workspace, at: now).map(WindowReport.legible)
                ?? workspace.splitFrames(split, fraction: split.fraction, on: screen).divider
            divider = Divider(
                frame: frame, target: frame.grown(toAtLeast: workspace.idiom.target), fraction: split.fraction,
                axis: axis, dragged: workspace.dividerDrag != nil)
        }
        slideOver = SlideOver(
            stack: workspace.slideOver.stack, side: workspace.slideOver.side, hidden: workspace.slideOver.isHidden)
        if let screen = workspace.screen, !workspace.slideOver.stack.isEmpty, !workspace.slideOver.isHidden {
            slideOver.card = workspace.slideOverCard(on: screen, side: workspace.slideOver.side, isHidden: false)
        }
        pictureInPicture = workspace.pip.map {
            Picture(window: $0.window, corner: $0.corner, width: $0.width, aspect: $0.aspect, stashed: $0.stashed)
        }
        waiting = workspace.waiting
        home = workspace.showsHome
        locked = system.isLocked
        open = system.interface.openNames
        search = system.interface.home.search
        page = system.interface.home.page
        pages = system.views(at: now)?.pageCount ?? 1
        windows = workspace.windows.values.sorted { $0.id < $1.id }.map { window in
            WindowReport(window, in: system, frame: frames[window.id], at: now)
        }
    }

    /// The report without values that change by themselves during motion.
    public var atRest: StateReport {
        var report = self
        report.at = .zero
        for index in report.windows.indices {
            report.windows[index].shownFrame = nil
            report.windows[index].picture = nil
            report.windows[index].scale = nil
        }
        report.divider?.frame = .zero
        report.divider?.target = .zero
        return report
    }
}

extension WindowReport {
    init(_ window: Window, in system: System, frame: Rect?, at now: Moment) {
        let workspace = system.workspace
        id = window.id
        appID = window.facts.appID
        title = window.facts.title
        app = window.app
        let place = workspace.place(of: window.id)
        self.place = place.map(PlaceName.init) ?? .unmapped
        switch place {
        case .full(let id), .split(let id, _): space = id
        default: space = nil
        }
        self.frame = frame
        shownFrame = system.seenFrame(of: window.id, at: now).map(WindowReport.legible)
        picture = system.seenContent(of: window.id, at: now).map(WindowReport.legible)
        if let picture, window.contentSize.width > 0 { scale = picture.width / window.contentSize.width }
        shown = workspace.isShown(window.id)
        active = workspace.focus == window.id
        size = window.contentSize
        minimum = window.commit.minimum
        maximum = window.commit.maximum
        told = window.lastConfigure?.frame.size
        configured = window.lastConfigure?.sequence
        answered = window.commit.answered
        late = window.isLate
        parent = window.facts.parent
        pid = window.facts.lineage.first.flatMap { $0 > 0 ? $0 : nil }
        isX11 = window.facts.isX11
        modal = window.facts.modality ?? false
        placeholder = window.placeholder == nil ? nil : true
        let notes = system.notes(of: window.id)
        self.notes = notes.isEmpty ? nil : notes
    }

    /// Rounds to a thousandth of a point, because springs settle in much smaller steps.
    static func legible(_ r: Rect) -> Rect {
        func near(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        return Rect(near(r.x), near(r.y), near(r.width), near(r.height))
    }
}

extension WindowReport.PlaceName {
    init(_ place: Place) {
        self =
            switch place {
            case .full: .full
            case .split(_, .left): .splitLeft
            case .split(_, .right): .splitRight
            case .split(_, .top): .splitTop
            case .split(_, .bottom): .splitBottom
            case .slideOver: .slideOver
            case .pictureInPicture: .pictureInPicture
            case .free: .free
            case .minimized: .minimized
            case .dialog: .dialog
            case .waiting: .waiting
            case .unmapped: .unmapped
            }
    }
}

extension WaitRequest.Condition {
    /// The window that the wait was for; nil for other conditions, and while there is none.
    func window(in report: StateReport) -> WindowReport? {
        guard case .window(let appID, let title, let after) = self else { return nil }
        return report.windows.first { window in
            window.place != .unmapped && window.placeholder == nil && (appID.map { $0 == window.appID } ?? true)
                && (title.map { window.title.contains($0) } ?? true) && (after.map { $0 < window.id } ?? true)
        }
    }

    /// A message for the error on timeout.
    var wish: String {
        switch self {
        case .idle: return "everything to come to rest"
        case .window(let appID, let title, let after):
            var text = "a window"
            if let appID { text += " of \"\(appID)\"" }
            if let title { text += " with \"\(title)\" in its title" }
            if let after { text += " opened after \(after)" }
            return text
        case .gone(let id): return "\(id) to be gone"
        case .sound: return "an output of sound"
        }
    }
}
