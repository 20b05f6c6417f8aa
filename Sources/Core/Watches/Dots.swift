import Geometry
import Idioms
import OrderedCollections
import Rooms
import Windows

/// When the dots at the top of a window are shown (W-07). They hide while a person types, and after a touch elsewhere in the window, so
/// that the titles below them can be read. They reappear where a person looks for them. Those of a window that fills the screen by its own
/// request show only there. Their hit target always stays.
public struct Dots: Room {
    /// The last arrangement for which the dots of all windows reappeared.
    private var sight: Sight?
    /// Windows that were touched away from their dots, at most a second ago.
    private var touched: OrderedSet<WindowID> = []
    /// Whether a timer runs that will turn dots from light to dark, or back.
    private var isTurning = false

    public init() {}

    /// The window that fills the screen by its own request. nil: none does.
    public var immersed: WindowID? { sight?.immersed }

    /// The dots reappear when any of this changes.
    public struct Sight: Hashable, Codable, Sendable {
        public var content: Space.Content?
        public var card: WindowID?
        public var isCardHidden: Bool
        public var isHome: Bool
        public var isOverviewOpen: Bool
        /// The active window, or the window that the active dialog belongs to.
        public var active: WindowID?
        public var screen: Size?
        public var immersed: WindowID?

        public init(
            content: Space.Content?, card: WindowID?, isCardHidden: Bool, isHome: Bool, isOverviewOpen: Bool, active: WindowID?,
            screen: Size?, immersed: WindowID?
        ) {
            self.content = content
            self.card = card
            self.isCardHidden = isCardHidden
            self.isHome = isHome
            self.isOverviewOpen = isOverviewOpen
            self.active = active
            self.screen = screen
            self.immersed = immersed
        }

        public init(_ workspace: Workspace, isOverviewOpen: Bool) {
            self.init(
                content: workspace.currentSpace?.content, card: workspace.slideOver.front, isCardHidden: workspace.slideOver.isHidden,
                isHome: workspace.showsHome, isOverviewOpen: isOverviewOpen, active: workspace.focus.map { workspace.root(of: $0) },
                screen: workspace.screen?.size, immersed: Sight.immersed(workspace))
        }

        /// A window that fills the screen by its own request, such as a film or a game. Nothing covers it, so that its buffer can be
        /// scanned out, until a person looks for the way out of it: a raw client may draw none.
        private static func immersed(_ workspace: Workspace) -> WindowID? {
            guard workspace.idiom.dressing == .dots, let windows = workspace.currentSpace?.windows, windows.count == 1 else { return nil }
            return workspace.read(windows[0]) { $0.commit.wantsFullscreen } == true ? windows[0] : nil
        }
    }

    public enum Event: Hashable, Sendable {
        /// The window got a touch or a press away from its dots.
        case touched(WindowID)
        case touchIsOld
        case settled(Sight)
        /// Some dots may turn from light to dark, or back, at this moment; nil: none.
        case turns(Moment?)
        case turned
    }

    public enum Outcome: Hashable, Sendable {
        /// The dots of this window and those of its neighbours hide.
        case hides(WindowID)
        /// The dots of the window that fills the screen hide.
        case hidesImmersed(WindowID)
        case showsAll
        /// The timers; nil: they stop.
        case touchTimer(Moment?), turnTimer(Moment?)
    }

    /// - Parameter patience: seconds after a touch until the dots hide.
    public mutating func handle(_ event: Event, in patience: Double, at now: Moment) -> [Outcome] {
        switch event {
        case .touched(let window): return touched.append(window).inserted ? [.touchTimer(now + patience)] : []
        case .touchIsOld:
            defer { touched.removeAll() }
            return touched.map { .hides($0) }
        case .settled(let new):
            guard sight != new else { return [] }
            sight = new
            var out: [Outcome] = []
            if !touched.isEmpty {
                touched.removeAll()
                out.append(.touchTimer(nil))
            }
            out.append(.showsAll)
            if let immersed = new.immersed { out.append(.hidesImmersed(immersed)) }
            return out
        case .turns(let moment?):
            guard !isTurning else { return [] }
            isTurning = true
            return [.turnTimer(moment)]
        case .turns(nil):
            guard isTurning else { return [] }
            isTurning = false
            return [.turnTimer(nil)]
        case .turned:
            isTurning = false
            return []
        }
    }
}
