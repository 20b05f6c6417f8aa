import Geometry
import Interface
import Multitasking
import Windows

/// Everything there is to see, in one value: what `mullion ctl state` shows and what tests look at.
/// Lengths are points of the screen; what does not apply is left out.
public struct StateReport: Hashable, Codable, Sendable {
    /// The shell's clock, in nanoseconds.
    public var at: Moment
    public var idiom: String
    public var screen: Screen?
    /// Something is on its way, or in somebody's hand.
    public var moving: Bool
    /// The active window.
    public var focus: WindowID?
    /// The space in front.
    public var space: SpaceID?
    /// Left to right.
    public var spaces: [Space]
    /// Of the Split View in front.
    public var divider: Divider?
    public var slideOver: SlideOver
    public var pictureInPicture: Picture?
    /// The home screen is in front.
    public var home: Bool
    /// A locker holds the session: nothing of all this is seen.
    public var locked: Bool
    /// Which of the shell's own views are open: "switcher", "expose", "shelf", "dock", "controls", "menu", "alert",
    /// "keys", "notifications", "control-centre", "search", "launching", "picking".
    public var open: [String]
    /// What is looked for on the home screen.
    public var search: String?
    /// Page of the home screen, from 0, and how many there are.
    public var page: Int
    public var pages: Int
    /// Windows nobody asked for, oldest first (W-19).
    public var waiting: [WindowID]
    /// In order of their numbers.
    public var windows: [WindowReport]

    public struct Space: Hashable, Codable, Sendable {
        public var id: SpaceID
        /// One in full screen; two in Split View, the left or top one first.
        public var windows: [WindowID]
        /// The first window's share of a Split View.
        public var fraction: Double?
        public var current: Bool
    }

    public struct Divider: Hashable, Codable, Sendable {
        /// Where it is drawn right now.
        public var frame: Rect
        /// Where a finger can grab it.
        public var target: Rect
        /// The first window's share of the room.
        public var fraction: Double
        public var axis: Axis
        /// A finger holds it.
        public var dragged: Bool
    }

    public struct SlideOver: Hashable, Codable, Sendable {
        /// Front first.
        public var stack: [WindowID]
        public var side: Side
        /// Pushed past the edge.
        public var hidden: Bool
        /// The whole card with its strips, when it is not hidden.
        public var card: Rect?
    }

    public struct Picture: Hashable, Codable, Sendable {
        public var window: WindowID
        public var corner: Corner
        public var width: Double
        /// Width over height.
        public var aspect: Double
        /// The edge it was pushed past.
        public var stashed: Side?
    }

    public subscript(_ id: WindowID) -> WindowReport? { windows.first { $0.id == id } }
}

public struct WindowReport: Hashable, Codable, Sendable {
    public var id: WindowID
    public var appID: String
    public var title: String
    /// The installed app it belongs to; its own app id if there is none.
    public var app: String
    public var place: PlaceName
    /// The space it is in.
    public var space: SpaceID?
    /// Where it will rest; left out while it has no place.
    public var frame: Rect?
    /// Where it is on the screen right now; left out while nothing is seen of it.
    public var shownFrame: Rect?
    /// Where its own picture is right now: less than `shownFrame` if its shape does not fit (W-11).
    public var picture: Rect?
    /// How large its picture is drawn: 1 = as the app drew it.
    public var scale: Double?
    /// The arrangement shows it, at least in part.
    public var shown: Bool
    public var active: Bool
    /// What the app drew.
    public var size: Size
    /// The least and the largest size that the app takes; 0 = no limit.
    public var minimum: Size
    public var maximum: Size
    /// The size that it was last told; 0 by 0 = it may choose.
    public var told: Size?
    /// Number of the last configure it was sent, and of the last that it answered.
    public var configured: UInt32?
    public var answered: UInt32
    /// It did not answer in time.
    public var late: Bool
    public var parent: WindowID?
    public var pid: Int32?
    public var isX11: Bool
    /// It says that its parent waits for it (xdg-dialog).
    public var modal: Bool

    public enum PlaceName: String, Hashable, Codable, Sendable, CaseIterable {
        case full, splitLeft, splitRight, splitTop, splitBottom, slideOver, pictureInPicture, dialog, waiting, unmapped
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
            let frame = system.stage.dividerBar(workspace, at: now).map(WindowReport.legible)
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

    /// The same without what changes by itself while things move.
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
        picture = system.seenPicture(of: window.id, at: now).map(WindowReport.legible)
        if let picture, window.pictureSize.width > 0 { scale = picture.width / window.pictureSize.width }
        shown = workspace.isShown(window.id)
        active = workspace.focus == window.id
        size = window.pictureSize
        minimum = window.commit.minimum
        maximum = window.commit.maximum
        told = window.lastConfigure?.frame.size
        configured = window.lastConfigure?.sequence
        answered = window.commit.answered
        late = window.isLate
        parent = window.facts.parent
        pid = window.facts.lineage.first.flatMap { $0 > 0 ? $0 : nil }
        isX11 = window.facts.isX11
        modal = window.facts.isModal
    }

    /// To a thousandth of a point: springs come to rest in ever smaller steps that nobody wants to read.
    static func legible(_ r: Rect) -> Rect {
        func near(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        return Rect(near(r.x), near(r.y), near(r.width), near(r.height))
    }
}

extension WindowReport.PlaceName {
    init(_ place: Place) {
        self = switch place {
        case .full: .full
        case .split(_, .left): .splitLeft
        case .split(_, .right): .splitRight
        case .split(_, .top): .splitTop
        case .split(_, .bottom): .splitBottom
        case .slideOver: .slideOver
        case .pictureInPicture: .pictureInPicture
        case .dialog: .dialog
        case .waiting: .waiting
        case .unmapped: .unmapped
        }
    }
}

extension WaitRequest.Condition {
    /// The window that was waited for is there; nil for the other conditions and while it is not.
    func window(in report: StateReport) -> WindowReport? {
        guard case .window(let appID, let title, let after) = self else { return nil }
        return report.windows.first { window in
            window.place != .unmapped && (appID.map { $0 == window.appID } ?? true)
                && (title.map { window.title.contains($0) } ?? true) && (after.map { $0 < window.id } ?? true)
        }
    }

    /// In a person's words, for the error when the time is up.
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
