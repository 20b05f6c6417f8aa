/// What one client may have. Generous: the most that real apps were seen with stands beside each. A client that goes beyond
/// is disconnected with `wl_display.error` "implementation", and the log says who and what. Xwayland is exempt: it is many apps.
///
/// The adapter counts, and is told the numbers once.
public enum ClientLimits {
    /// What is counted by the client's objects.
    public enum Counted: CaseIterable, Sendable {
        case surfaces, windows, popups, subsurfaces, pools, buffers, callbacks, feedbacks, offers, inhibitors, devices, layers
        case fields, watches, frames, seatObjects, sessions, sessionWindows
        /// All objects, those of the other kinds as well.
        case objects

        public var most: Int {
            switch self {
            case .surfaces: 4096  // Firefox: 30
            case .windows: 256  // LibreOffice: one for each document
            case .popups: 256  // menus in menus: 10
            case .subsurfaces: 512  // Firefox: 20
            case .pools: 2048  // GTK: one for each buffer, 4 for each window
            case .buffers: 8192
            case .callbacks: 8192  // frames and syncs not yet answered: 1 for each surface
            case .feedbacks: 8192  // of presentation, not yet answered: mpv 3
            case .offers: 4096  // of clipboard and drag: 2
            case .inhibitors: 1024  // of idleness: one for each film
            case .devices: 128  // virtual pointers and keyboards: 1 for each seat
            case .layers: 128  // panels, wallpapers, notifications: 10; each has all arranged anew
            case .fields: 256  // text inputs: one for each seat, GTK one for each window
            case .watches: 256  // for idleness: swayidle 5; all are asked at each press and motion
            case .frames: 1024  // of screencopy: wf-recorder 2
            case .seatObjects: 1024  // GTK: 3
            case .sessions: 64  // of windows that come back: 1
            case .sessionWindows: 512  // objects of windows in those: one for each window
            case .objects: 65536  // Firefox: 600
            }
        }

        /// As the client and the log are told.
        public var text: String {
            switch self {
            case .surfaces: "surfaces"
            case .windows: "windows"
            case .popups: "popups"
            case .subsurfaces: "subsurfaces"
            case .pools: "shm pools"
            case .buffers: "buffers"
            case .callbacks: "unanswered callbacks"
            case .feedbacks: "unanswered presentation feedbacks"
            case .offers: "data offers"
            case .inhibitors: "idle inhibitors"
            case .devices: "virtual input devices"
            case .layers: "layer surfaces"
            case .fields: "text inputs"
            case .watches: "idle notifications"
            case .frames: "frames of recordings"
            case .seatObjects: "pointers, keyboards and touch screens"
            case .sessions: "sessions"
            case .sessionWindows: "windows in sessions"
            case .objects: "objects"
            }
        }

        /// Whose objects count. An interface that is named nowhere counts as an object alone.
        public var interfaces: [String] {
            switch self {
            case .surfaces: ["wl_surface"]
            case .windows: ["xdg_toplevel", "xx_pip_v1"]
            case .popups: ["xdg_popup"]
            case .subsurfaces: ["wl_subsurface"]
            case .pools: ["wl_shm_pool"]
            case .buffers: ["wl_buffer"]
            case .callbacks: ["wl_callback"]
            case .feedbacks: ["wp_presentation_feedback"]
            case .offers:
                ["wl_data_offer", "zwp_primary_selection_offer_v1", "zwlr_data_control_offer_v1", "ext_data_control_offer_v1"]
            case .inhibitors: ["zwp_idle_inhibitor_v1"]
            case .devices: ["zwlr_virtual_pointer_v1", "zwp_virtual_keyboard_v1"]
            case .layers: ["zwlr_layer_surface_v1"]
            case .fields: ["zwp_text_input_v3"]
            case .watches: ["ext_idle_notification_v1"]
            case .frames: ["zwlr_screencopy_frame_v1"]
            case .seatObjects: ["wl_pointer", "wl_keyboard", "wl_touch"]
            case .sessions: ["xdg_session_v1", "xx_session_v1"]
            case .sessionWindows: ["xdg_toplevel_session_v1", "xx_toplevel_session_v1"]
            case .objects: []
            }
        }
    }

    // MARK: What is counted otherwise

    /// Subsurfaces that stand on each other, and popups: 3. Every walk of a tree recurses.
    public static let depth = 64
    /// Commits of one subsurface that wait for its parent's: 2; and rectangles of all regions in those.
    public static let cachedCommits = 1024, cachedRectangles = 65536
    /// Of all pools that the client has not destroyed, in bytes. A 4K window: 100 MiB.
    public static let poolBytes = 4 << 30
    /// Bytes of the types of one selection, and 16 for each: LibreOffice 2 KiB.
    public static let types = 64 << 10
    /// The same of all that are set in a second, and 512 for each: one for each frame in which text is marked.
    public static let selections = 128 << 10
    /// What an event takes of the room that the kernel keeps for a client, beside its text: of a selection, and of a request for one.
    public static let selectionRoom: UInt32 = 512, pasteRoom: UInt32 = 128
    /// Bytes of types that are asked for in a second, and 128 for each: clipboard managers 2 KiB.
    public static let pastes = 64 << 10
    /// Configures of one surface that are not answered yet: 2. Past these, what the shell itself would tell it waits, which is no
    /// error.
    public static let heldConfigures = 64
    /// The same, if the client asks for more and more of them.
    public static let configures = 1024
    /// Tokens of activation in the 30 s that one lives: one for each launch.
    public static let tokens = 256
    /// Keymaps of virtual keyboards in a second: wtype 1.
    public static let keymaps = 16
    /// Rectangles of one region: rounded corners 40.
    public static let rectangles = 8192
    /// Rectangles of damage of one commit. More become their extents, which is no error.
    public static let damageRectangles = 1024
    /// Of sandboxes, of one process; an engine needs 1 for each app. Each has four descriptors.
    public static let securityContextsOfOneProcess = 64
    /// Of all processes: before there are more, those whose process is gone end.
    public static let securityContexts = 256
    /// Sessions of all apps, and windows' names in one: past these, what nobody uses is forgotten, oldest first.
    public static let rememberedSessions = 256, rememberedNames = 256
    /// Of a window in a session, in bytes.
    public static let longestName = 256

    // MARK: Connections

    /// Of one process. Chromium: 2.
    public static let connectionsOfOneProcess = 128
    /// Descriptors that are no clients' connections, at least.
    private static let filesKept = 256
    /// A connection has two descriptors itself, and the rest for what it shares.
    private static let filesPerConnection = 4

    /// As many clients as there are descriptors for: without one more, accepting fails, and would be tried again without sleep.
    ///
    /// - Parameter openFiles: how many descriptors this process may have; nil: any number.
    public static func clients(openFiles: Int?) -> Int {
        guard let openFiles else { return Int(Int32.max) }
        return min(max((openFiles - filesKept) / filesPerConnection, 16), Int(Int32.max))
    }

    /// Why a new client is turned away.
    public struct TurnedAway: Hashable, Sendable {
        /// What the client is told, and what the log says.
        public let error: String, reason: String
    }

    /// Whether a client may stay that has just connected.
    ///
    /// - Parameters:
    ///   - ofProcess: connections of its process, this one as well; 0 if the process is not known.
    ///   - all: connections of all, this one as well.
    ///   - most: how many there may be at once.
    /// - Returns: nil if it may.
    public static func turnedAway(ofProcess: Int, all: Int, most: Int) -> TurnedAway? {
        let (limit, text) =
            ofProcess > connectionsOfOneProcess ? (connectionsOfOneProcess, "connections of one process") : (most, "clients at once")
        guard ofProcess > connectionsOfOneProcess || all > most else { return nil }
        return TurnedAway(error: "limit: \(limit) \(text)", reason: "more than \(limit) \(text)")
    }

    /// The same for one of a user whose programs may not connect.
    public static func turnedAway(user: UInt32) -> TurnedAway {
        TurnedAway(error: "this session belongs to another user", reason: "it belongs to user \(user)")
    }
}
