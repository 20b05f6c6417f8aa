/// The laws of events to clients (P-05): ends follow begins.
///
/// They judge the messages of all connections from the shell, wlroots and libwayland alike. Two kinds of faults are found: an
/// event that may not come now (an end without a begin, a second begin), at once; and an end that is missing, when nothing is held
/// (`missingEnds`). A client that destroys its own object, or the surface that was entered, needs no end.
public struct WireLaws: Sendable {
    /// The input that a person holds now: fingers by their number, buttons and keys by their Linux codes.
    public struct Held: Hashable, Sendable {
        public var fingers: Set<Int32> = []
        public var buttons: Set<UInt32> = []
        public var keys: Set<UInt32> = []

        public init() {}
    }

    public var held = Held()
    var clients: [UInt64: Client] = [:]
    var found: [WireViolation] = []
    /// The ends that were missing when somebody asked last.
    private var missed: Set<WireViolation> = []

    /// One connection.
    struct Client: Sendable {
        var objects: [UInt32: (interface: String, state: WireObject)] = [:]
        /// The `xdg_surface` by each object whose events belong to its configure: its role, and the role's decoration.
        var windows: [UInt32: UInt32] = [:]
        /// The `xdg_surface` of a `wl_surface`.
        var surfaces: [UInt32: UInt32] = [:]
        /// Offers of drags that the client has neither finished nor destroyed.
        var offers: Set<UInt32> = []
        /// Surfaces and outputs that the states of other objects name.
        var named: Set<UInt32> = []
    }

    public init() {}

    /// Whether a law looks at this message. Others need not be passed to `heard`.
    public static func concerns(interface: String, name: String, isEvent: Bool) -> Bool {
        if interface == "wl_display" { return isEvent && name == "delete_id" }
        return isEvent ? followed.contains(interface) : requests[interface]?.contains(name) ?? false
    }

    /// Interfaces with events that a law looks at.
    private static let followed = Set(
        [
            "wl_touch", "wl_pointer", "wl_keyboard", "zwp_text_input_v3", "wl_data_device", "wl_data_source", "xdg_popup", "xdg_surface",
            "xdg_toplevel", "zxdg_toplevel_decoration_v1",
            // They make objects whose ids are used again.
            "zwlr_foreign_toplevel_manager_v1", "ext_foreign_toplevel_list_v1", "zwp_tablet_seat_v2",
        ] + WirePair.all.map(\.interface) + WirePair.lastEvents.keys)

    private static let requests: [String: Set<String>] = [
        "wl_seat": ["get_pointer", "get_touch", "get_keyboard", "release"],
        "wl_surface": ["destroy", "attach"],
        "wl_data_device": ["start_drag"],
        "wl_data_offer": ["finish", "destroy"],
        "xdg_wm_base": ["get_xdg_surface"],
        "xdg_surface": ["get_toplevel", "get_popup"],
        "xdg_popup": ["grab", "reposition", "destroy"],
        "xdg_toplevel": [
            "set_parent", "show_window_menu", "move", "resize", "set_max_size", "set_min_size", "set_maximized", "unset_maximized",
            "set_fullscreen",
            "unset_fullscreen", "set_minimized",
        ],
        "zxdg_toplevel_decoration_v1": ["destroy", "set_mode", "unset_mode"],
        "zxdg_decoration_manager_v1": ["get_toplevel_decoration"],
        "zwlr_foreign_toplevel_handle_v1": ["destroy"],
        "ext_foreign_toplevel_handle_v1": ["destroy"],
    ]

    // MARK: Connections

    public mutating func connected(_ client: UInt64) { clients[client] = Client() }

    /// The connection ends: nothing more is owed to it.
    public mutating func gone(_ client: UInt64) { clients[client] = nil }

    /// The shell decides the size or the states of a window: a configure follows. They may be what they were before, if it decided
    /// twice before the first was sent.
    ///
    /// - Parameter window: the `xdg_surface`.
    public mutating func decided(_ window: UInt32, of client: UInt64) {
        guard clients[client] != nil else { return }
        changeWindow(window, of: client) { $0.hasCause = true }
    }

    // MARK: Messages

    /// Reads a message, just before it is sent or handled. Returns its faults.
    public mutating func heard(_ message: WireMessage) -> [WireViolation] {
        guard clients[message.client] != nil else { return [] }
        found = []
        if message.interface == "wl_display" {
            forget(UInt32(truncatingIfNeeded: message.number(0)), of: message.client)
        } else if message.isEvent {
            sent(message)
        } else {
            asked(message)
        }
        return found
    }

    private mutating func sent(_ message: WireMessage) {
        // The shell chooses the ids of its own objects, and tells no end of them.
        if let id = message.made { forget(id, of: message.client) }
        switch message.interface {
        case "xdg_toplevel", "zxdg_toplevel_decoration_v1": return described(message)
        case "xdg_surface": return configured(message)
        default: break
        }
        switch state(of: message) ?? .pairs([]) {
        case .touch(let points): touched(message, points)
        case .pointer(let focus, let buttons): pointed(message, focus, buttons)
        case .keyboard(let focus, let keys): typed(message, focus, keys)
        case .textInput(let focus): wrote(message, focus)
        case .dataDevice(let drag): dragged(message, drag)
        case .source(let source): toldSource(message, source)
        case .popup(let popup): toldPopup(message, popup)
        case .window: break
        case .pairs(let open): paired(message, open)
        case .ended(let last): fault(.end, message, "it comes after \(last)")
        }
    }

    private mutating func asked(_ message: WireMessage) {
        let client = message.client
        if let id = message.made { forget(id, of: client) }
        switch (message.interface, message.name) {
        case ("wl_seat", "get_touch"):
            // A new object hears the end of what the client's others began.
            guard let id = message.made else { return }
            var points: [Int32: WireFocus] = [:]
            for object in clients[client]!.objects.values {
                if case .touch(let more) = object.state { points.merge(more) { old, _ in old } }
            }
            clients[client]!.objects[id] = ("wl_touch", .touch(points.mapValues { WireFocus(surface: $0.surface, isGone: true) }))
        case ("wl_seat", "release"):
            for id in clients[client]!.named { destroys(surface: id, of: client) }
        case ("wl_surface", "destroy"): destroys(surface: message.object, of: client)
        case ("wl_surface", "attach"):
            // Without a buffer the window is unmapped, and begins anew.
            guard message.object(0) == nil, let window = clients[client]!.surfaces[message.object] else { return }
            changeWindow(window, of: client) { $0.hasCause = true }
        case ("wl_data_device", "start_drag"):
            guard let id = message.object(0), case .source(var source)? = state(of: id, "wl_data_source", client) else { return }
            // A source that was refused, and is dragged again.
            source.end = nil
            source.isDragged = true
            source.version = max(source.version, message.version)
            clients[client]!.objects[id] = ("wl_data_source", .source(source))
        case ("wl_data_offer", _): clients[client]!.offers.remove(message.object)
        case ("zwlr_foreign_toplevel_handle_v1", _), ("ext_foreign_toplevel_handle_v1", _): forget(message.object, of: client)
        case ("xdg_popup", "grab"), ("xdg_popup", "destroy"):
            guard case .popup(var popup)? = state(of: message) else { return }
            // wlroots sends popup_done to an object that its client destroys.
            if message.name == "grab" { popup.grabs = true } else { popup.isGone = true }
            set(message, .popup(popup))
        default: askedOfWindow(message)
        }
    }

    // MARK: Objects

    func state(of message: WireMessage) -> WireObject? { state(of: message.object, message.interface, message.client) }

    func state(of id: UInt32, _ interface: String, _ client: UInt64) -> WireObject? {
        clients[client]?.objects[id]?.state ?? WireObject(interface: interface)
    }

    mutating func set(_ message: WireMessage, _ state: WireObject) {
        clients[message.client]?.objects[message.object] = (message.interface, state)
    }

    /// The id is free: whatever has it next is another object.
    private mutating func forget(_ id: UInt32, of client: UInt64) {
        guard clients[client] != nil else { return }
        clients[client]!.objects[id] = nil
        clients[client]!.windows[id] = nil
        clients[client]!.surfaces[id] = nil
        clients[client]!.offers.remove(id)
        guard clients[client]!.named.remove(id) != nil else { return }
        destroys(surface: id, of: client)
        // An output of this id.
        for (number, object) in clients[client]!.objects {
            guard case .pairs(let open) = object.state, open.contains(where: { $0.key == id }) else { continue }
            clients[client]!.objects[number]!.state = .pairs(open.filter { $0.key != id })
        }
    }

    /// The client gives up a surface. The shell may still send the end of events that began there, but need not.
    private mutating func destroys(surface: UInt32, of client: UInt64) {
        func without(_ focus: WireFocus?) -> WireFocus? { focus?.surface == surface ? WireFocus(surface: 0, isGone: true) : focus }
        for (id, object) in clients[client]!.objects {
            let state: WireObject
            switch object.state {
            case .touch(let points) where points.values.contains { $0.surface == surface }:
                state = .touch(points.mapValues { without($0)! })
            case .pointer(let focus, let buttons) where focus?.surface == surface: state = .pointer(without(focus), buttons: buttons)
            case .keyboard(let focus, let keys) where focus?.surface == surface: state = .keyboard(without(focus), keys: keys)
            case .textInput(let focus) where focus?.surface == surface: state = .textInput(without(focus))
            case .dataDevice(var drag) where drag.focus?.surface == surface:
                drag.focus = without(drag.focus)
                state = .dataDevice(drag)
            default: continue
            }
            clients[client]!.objects[id]!.state = state
        }
    }

    mutating func fault(_ law: WireViolation.Law, _ message: WireMessage, _ what: String) {
        found.append(
            WireViolation(law, client: message.client, object: "\(message.interface)@\(message.object)", event: message.name, what))
    }

    // MARK: Pairs

    private mutating func paired(_ message: WireMessage, _ open: Set<WirePair.Open>) {
        if WirePair.lastEvents[message.interface]?.contains(message.name) ?? false { return set(message, .ended(by: message.name)) }
        for pair in WirePair.all where pair.interface == message.interface && (pair.begin == message.name || pair.end == message.name) {
            let key: UInt32 = pair.key.map { message.object($0) ?? 0 } ?? 0
            let one = WirePair.Open(begin: pair.begin, key: key), isBegin = pair.begin == message.name
            if open.contains(one) == isBegin {
                fault(.pair, message, isBegin ? "it had begun, and \(pair.end) did not come" : "no \(pair.begin) came before")
            }
            if key != 0 { clients[message.client]!.named.insert(key) }
            set(message, .pairs(isBegin ? open.union([one]) : open.subtracting([one])))
        }
    }

    // MARK: Missing ends

    /// The missing ends that were not missing when this was last called. An end that came, and is missing again, is a new fault.
    public mutating func newMissingEnds() -> [WireViolation] {
        let missing = missingEnds()
        defer { missed = Set(missing) }
        return missing.filter { !missed.contains($0) }
    }

    /// Ends that are missing although the person holds no finger, button or key; empty if the person holds one of that kind.
    public func missingEnds() -> [WireViolation] {
        var missing: [WireViolation] = []
        let pressesNothing = held.fingers.isEmpty && held.buttons.isEmpty
        let keyClients = clients.filter { $0.value.objects.values.contains { isEntered($0.state, .keyboard) } }.map(\.key)
        for (client, all) in clients.sorted(by: { $0.key < $1.key }) {
            for (id, object) in all.objects.sorted(by: { $0.key < $1.key }) {
                func miss(_ law: WireViolation.Law, _ what: String) {
                    missing.append(WireViolation(law, client: client, object: "\(object.interface)@\(id)", what))
                }
                switch object.state {
                case .touch(let points) where pressesNothing:
                    let left = points.filter { !$0.value.isGone }.keys.sorted()
                    if !left.isEmpty { miss(.touch, "no finger is down, but neither up nor cancel came for \(left)") }
                case .pointer(let focus, let buttons) where pressesNothing && focus?.isGone == false && !buttons.isEmpty:
                    miss(.pointer, "no button is held, but neither released nor leave came for \(buttons.sorted())")
                case .keyboard(let focus, let keys) where held.keys.isEmpty && focus?.isGone == false && !keys.isEmpty:
                    miss(.keyboard, "no key is held, but neither released nor leave came for \(keys.sorted())")
                case .dataDevice(let drag) where pressesNothing && drag.focus?.isGone == false && !drag.isDropped:
                    miss(.drag, "nothing is dragged, but neither leave nor drop came")
                case .source(let source) where pressesNothing && source.isDragged && source.end == nil && source.version >= 3:
                    // The client that got the drop may take its time.
                    if !source.isDropped || clients.values.allSatisfy({ $0.offers.isEmpty }) {
                        miss(.drag, "the drag is over, but neither cancelled nor dnd_finished came")
                    }
                case .popup(let popup)
                where popup.grabs && !popup.isDone && !popup.isGone && !keyClients.isEmpty && !keyClients.contains(client):
                    miss(.popup, "another client has the keyboard, but popup_done did not come to a popup that grabs it")
                default: break
                }
            }
        }
        return missing
    }
}
