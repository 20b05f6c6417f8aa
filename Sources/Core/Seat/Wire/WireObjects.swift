/// The events that one object of a client got, and whose end it has not got.
enum WireObject: Hashable, Sendable {
    case touch([Int32: WireFocus])
    case pointer(WireFocus?, buttons: Set<UInt32>)
    case keyboard(WireFocus?, keys: Set<UInt32>)
    case textInput(WireFocus?)
    case dataDevice(WireDrag)
    case source(WireSource)
    case popup(WirePopup)
    case window(WireWindow)
    /// The pairs that have begun. The key tells apart what one object has several of: the outputs of a surface.
    case pairs(Set<WirePair.Open>)
    /// The name of the event after which nothing may follow.
    case ended(by: String)

    /// The fields of an object that the laws follow; nil: none was told yet.
    init?(interface: String) {
        switch interface {
        case "wl_touch": self = .touch([:])
        case "wl_pointer": self = .pointer(nil, buttons: [])
        case "wl_keyboard": self = .keyboard(nil, keys: [])
        case "zwp_text_input_v3": self = .textInput(nil)
        case "wl_data_device": self = .dataDevice(WireDrag())
        case "wl_data_source": self = .source(WireSource())
        case "xdg_popup": self = .popup(WirePopup())
        case "xdg_surface": self = .window(WireWindow())
        default: return nil
        }
    }
}

/// A surface that was entered or pressed.
struct WireFocus: Hashable, Sendable {
    var surface: UInt32
    /// The client destroys the surface: the end may be sent, and does not have to be.
    var isGone = false
}

/// A drag over the surfaces of a client.
struct WireDrag: Hashable, Sendable {
    var focus: WireFocus?
    /// It was dropped; a leave may follow.
    var isDropped = false
}

/// The data that a client offers to drag.
struct WireSource: Hashable, Sendable {
    var version = 1
    var isDragged = false
    /// It was dropped: the client that got it says when it is done.
    var isDropped = false
    /// The last event: cancelled, or dnd_finished.
    var end: String?
}

struct WirePopup: Hashable, Sendable {
    var grabs = false
    var isDone = false
    /// The client destroys it: it may still be told that it is done.
    var isGone = false
}

/// The configures of an `xdg_surface` and of its role.
struct WireWindow: Hashable, Sendable {
    /// The last values of each event, by the event's name: those that the client has, with those that wait for the configure.
    var content: [String: [WireMessage.Argument]] = [:]
    var last: [String: [WireMessage.Argument]]?
    /// Since the last configure the client asked for something, or the shell decided something.
    var hasCause = false
}

/// Two events of an object that follow each other in turn.
struct WirePair: Hashable, Sendable {
    var interface: String, begin: String, end: String
    /// The place of the argument by which one object has several; nil: it has one.
    var key: Int?

    struct Open: Hashable, Sendable {
        var begin: String
        var key: UInt32
    }

    init(_ interface: String, _ begin: String, _ end: String, by key: Int? = nil) {
        (self.interface, self.begin, self.end, self.key) = (interface, begin, end, key)
    }

    static let all = [
        WirePair("wl_surface", "enter", "leave", by: 0),
        WirePair("zwp_keyboard_shortcuts_inhibitor_v1", "active", "inactive"),
        WirePair("zwp_locked_pointer_v1", "locked", "unlocked"),
        WirePair("zwp_confined_pointer_v1", "confined", "unconfined"),
        WirePair("ext_idle_notification_v1", "idled", "resumed"),
        WirePair("org_kde_kwin_idle_timeout", "idle", "resumed"),
        WirePair("zwp_tablet_tool_v2", "proximity_in", "proximity_out"),
        WirePair("zwp_tablet_tool_v2", "down", "up"),
        WirePair("zwp_pointer_gesture_swipe_v1", "begin", "end"),
        WirePair("zwp_pointer_gesture_pinch_v1", "begin", "end"),
        WirePair("zwp_pointer_gesture_hold_v1", "begin", "end"),
        WirePair("zwlr_foreign_toplevel_handle_v1", "output_enter", "output_leave", by: 0),
    ]

    /// Interfaces, with the events after which an object is silent.
    static let lastEvents: [String: Set<String>] = [
        "zwlr_layer_surface_v1": ["closed"],
        "ext_session_lock_v1": ["finished"],
        "xdg_activation_token_v1": ["done"],
        "zwp_primary_selection_source_v1": ["cancelled"],
        "zwlr_data_control_source_v1": ["cancelled"],
        "ext_data_control_source_v1": ["cancelled"],
        "zwlr_foreign_toplevel_handle_v1": ["closed"],
        "ext_foreign_toplevel_handle_v1": ["closed"],
        "zwlr_screencopy_frame_v1": ["ready", "failed"],
        "wp_presentation_feedback": ["presented", "discarded"],
    ]
}
