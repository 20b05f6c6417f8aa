import Callers

/// Limits per client. They are generous: each lists the most that real apps were seen to use. A client that exceeds
/// one is disconnected with `wl_display.error` "implementation", and logged. Xwayland is exempt, because it stands
/// for many apps.
///
/// The adapter counts, compares with these numbers, and decides nothing else. A client that exceeds a limit is no event, because the
/// adapter must disconnect it before wlroots carries out the request.
public enum ClientLimits {
    /// Counted by the client's protocol objects.
    public enum Counted: CaseIterable, Sendable {
        case surfaces, windows, popups, subsurfaces, pools, buffers, callbacks, feedbacks, offers, inhibitors, devices, layers
        case fields, watches, frames, seatObjects, sessions, sessionWindows, states, lives
        /// All objects, including those of the other kinds.
        case objects

        public var most: Int {
            switch self {
            case .surfaces: 4096 // Firefox: 30
            case .windows: 256 // LibreOffice: one for each document
            case .popups: 256 // menus in menus: 10
            case .subsurfaces: 512 // Firefox: 20
            case .pools: 2048 // GTK: one for each buffer, 4 for each window
            case .buffers: 8192
            case .callbacks: 8192 // frames and syncs not yet answered: 1 for each surface
            case .feedbacks: 8192 // of presentation, not yet answered: mpv 3
            case .offers: 4096 // of clipboard and drag: 2
            case .inhibitors: 1024 // of idleness: one for each film
            case .devices: 128 // virtual pointers and keyboards: 1 for each seat
            case .layers: 128 // panels, wallpapers, notifications: 10; each causes a new layout of all
            case .fields: 256 // text inputs: one for each seat, GTK one for each window
            case .watches: 256 // for idleness: swayidle 5; each press and motion checks all of them
            case .frames: 1024 // of screencopy: wf-recorder 2
            case .seatObjects: 1024 // GTK: 3
            case .sessions: 64 // restored sessions: 1
            case .sessionWindows: 512 // windows in sessions: one for each window
            case .states: 64 // of windows: one for each
            case .lives: 64 // background tasks, and who follows the app's life: 16, and 1
            case .objects: 65536 // Firefox: 600
            }
        }

        /// The text for the client and the log.
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
            case .states: "states of windows"
            case .lives: "background tasks"
            case .objects: "objects"
            }
        }

        /// The interfaces whose objects count. Objects of other interfaces count only as objects.
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
            case .frames: ["zwlr_screencopy_frame_v1", "zwlr_export_dmabuf_frame_v1"]
            case .seatObjects: ["wl_pointer", "wl_keyboard", "wl_touch"]
            case .sessions: ["xdg_session_v1", "xx_session_v1"]
            case .sessionWindows: ["xdg_toplevel_session_v1", "xx_toplevel_session_v1"]
            case .states: ["mullion_window_state_v1"]
            case .lives: ["mullion_background_task_v1", "mullion_app_life_v1"]
            case .objects: []
            }
        }
    }

    // MARK: Other limits

    /// Depth of nested subsurfaces and popups: 3. Tree walks are recursive.
    public static let depth = 64
    /// Commits of a subsurface that wait for its parent's: 2; and rectangles of all their regions.
    public static let cachedCommits = 1024, cachedRectangles = 65536
    /// Bytes of all pools that the client has not destroyed. A 4K window: 100 MiB.
    public static let poolBytes = 4 << 30
    /// Bytes of the MIME types of one selection, plus 16 for each: LibreOffice 2 KiB.
    public static let types = 64 << 10
    /// The same for all selections set in a second, plus 512 for each: one per frame while text is being selected.
    public static let selections = 128 << 10
    /// The buffer space of an event besides its text: for a selection, and for a paste request.
    public static let selectionRoom: UInt32 = 512, pasteRoom: UInt32 = 128
    /// The same for each type of a selection.
    public static let typeRoom: UInt32 = 16
    /// The time over which requests are counted, in nanoseconds: of activation tokens (their lifetime), and of all others.
    public static let tokenStretch: Int64 = 30_000_000_000, stretch: Int64 = 1_000_000_000
    /// Bytes of MIME types requested in a second, plus 128 for each: clipboard managers 2 KiB.
    public static let pastes = 64 << 10
    /// Configures of one surface without an ack: 2. Beyond this limit, the shell delays further configures, which is
    /// not an error.
    public static let heldConfigures = 64
    /// The same, if the client itself causes more and more of them.
    public static let configures = 1024
    /// Activation tokens in the 30 s of their life: one for each launch.
    public static let tokens = 256
    /// Keymaps of virtual keyboards per second: wtype 1.
    public static let keymaps = 16
    /// Rectangles of one region: rounded corners 40.
    public static let rectangles = 8192
    /// Damage rectangles of one commit. More are merged into their extents, which is not an error.
    public static let damageRectangles = 1024
    /// Security contexts per process. An engine needs 1 for each app. Each has four descriptors.
    public static let securityContextsOfOneProcess = 64
    /// Security contexts of all processes. Beyond this limit, those whose process is gone end.
    public static let securityContexts = 256
    /// Sessions of all apps, and window names per session. Beyond this limit, the oldest unused ones are forgotten.
    public static let rememberedSessions = 256, rememberedNames = 256
    /// The name of a window in a session, in bytes.
    public static let longestName = 256

    /// Whether the content of the clipboard may be written into a client's pipe. A locked session gives nothing away. The pipes of pastes
    /// from X11 programs stay open until the program answers, possibly forever: `waiting` of them are.
    public static func mayPaste(isLocked: Bool, waiting: Int) -> Bool { !isLocked && waiting < unansweredPastes }
    private static let unansweredPastes = 64

    /// Whether a paste waits for an app that was frozen, beside so many others. One that does not gets nothing.
    public static func mayHold(waiting: Int) -> Bool { waiting < unansweredPastes }

    /// Whether the shell asks an X11 program for what it copied, of which so many do not answer: the same holds for those pipes.
    public static func mayRead(waiting: Int) -> Bool { waiting < 8 }

    // MARK: Reading and sending

    /// Bytes of a client that are read in one turn of the loop, which limits what a flooding client costs the others.
    public static let bytesAtOnce: UInt32 = 4096
    /// After so many turns in a row with events but without a request, some client is stuck in a message that does not fit.
    public static let stuckTurns: UInt32 = 8
    /// A client whose socket had space has it for this many more events. Asking the kernel costs as much as sending one.
    public static let eventsPerCheck: UInt32 = 16
    /// The buffer of a client's socket. It costs nothing until it is used, and the kernel limits it to its maximum.
    public static let socketBytes: UInt32 = 1 << 20

    // MARK: Connections

    /// The longest wait, in nanoseconds, for a connection of a sandboxed app that was pending and is gone.
    public static let acceptPatience: Int64 = 5_000_000
    /// Connections per process. Chromium: 2.
    public static let connectionsOfOneProcess = 128
    /// Descriptors reserved for uses other than client connections.
    private static let filesKept = 256
    /// A connection uses two descriptors itself. The rest is for descriptors that it shares.
    private static let filesPerConnection = 4

    /// The maximum number of clients for the available descriptors. Without a free one, accepting fails and would be
    /// retried in a busy loop.
    ///
    /// - Parameter openFiles: this process's descriptor limit; nil: unlimited.
    public static func clients(openFiles: Int?) -> Int {
        guard let openFiles else { return Int(Int32.max) }
        return min(max((openFiles - filesKept) / filesPerConnection, 16), Int(Int32.max))
    }

    /// Why a new client is turned away.
    public struct TurnedAway: Hashable, Sendable {
        /// The messages for the client and for the log.
        public let error: String, reason: String
    }

    /// Decides whether a new client may stay.
    ///
    /// - Parameters:
    ///   - ofProcess: the connections of its process, including this one; 0 if the process is unknown.
    ///   - owner: whose it is (P-06), and `ofOwner`: the connections of its owner, including this one.
    ///   - all: all connections, including this one.
    ///   - most: the maximum number of connections.
    /// - Returns: nil if it may stay.
    public static func turnedAway(ofProcess: Int, owner: Owner = .user, ofOwner: Int = 0, all: Int, most: Int) -> TurnedAway? {
        func answer(_ limit: Int, _ text: String) -> TurnedAway {
            TurnedAway(error: "limit: \(limit) \(text)", reason: "more than \(limit) \(text)")
        }
        if ofProcess > connectionsOfOneProcess { return answer(connectionsOfOneProcess, "connections of one process") }
        // One owner cannot take all places, however many processes it starts. The last eighth is for owners that have few.
        let share = owner == .nameless ? max(most / 4, 8) : max(most / 2, 16)
        if ofOwner > share { return answer(share, owner == .nameless ? "clients of sandboxes without a name" : "clients of one app") }
        let room = ofOwner > connectionsKept ? most - most / 8 : most
        return all > room ? answer(room, "clients at once") : nil
    }

    /// Connections that an owner may have until the very last place is taken.
    public static let connectionsKept = 8

    /// The reason for a user whose programs may not connect.
    public static func turnedAway(user: UInt32) -> TurnedAway {
        TurnedAway(error: "this session belongs to another user", reason: "it belongs to user \(user)")
    }
}
