/// Drags, popups and the configures of windows.
extension WireLaws {
    // MARK: Drags

    mutating func dragged(_ message: WireMessage, _ drag: WireDrag) {
        var drag = drag
        switch message.name {
        case "enter":
            drag = WireDrag(focus: checkEnter(.drag, .drag, message, after: drag.isDropped ? nil : drag.focus))
            if let offer = message.object(4) { clients[message.client]!.offers.insert(offer) }
        case "leave":
            checkLeave(.drag, message, of: drag.focus)
            drag = WireDrag()
        case "drop":
            if drag.focus == nil { fault(.drag, message, "nothing was entered") }
            if drag.isDropped { fault(.drag, message, "it was dropped before") }
            drag.isDropped = true
        case "motion":
            if drag.focus == nil { fault(.drag, message, "nothing was entered") }
            if drag.isDropped { fault(.drag, message, "it was dropped before") }
        default: return
        }
        set(message, .dataDevice(drag))
    }

    mutating func toldSource(_ message: WireMessage, _ source: WireSource) {
        var source = source
        source.version = message.version
        if let end = source.end { fault(.drag, message, "it comes after \(end)") }
        switch message.name {
        case "dnd_drop_performed":
            if source.isDropped { fault(.drag, message, "it was dropped before") }
            source.isDropped = true
        case "cancelled", "dnd_finished": source.end = message.name
        default: break
        }
        set(message, .source(source))
    }

    // MARK: Popups

    mutating func toldPopup(_ message: WireMessage, _ popup: WirePopup) {
        var popup = popup
        if popup.isDone, !popup.isGone { fault(.popup, message, "it comes after popup_done") }
        if message.name == "popup_done" { popup.isDone = true }
        set(message, .popup(popup))
        if message.name == "configure" { described(message) }
    }

    // MARK: Configures

    /// A request that makes a role or its decoration, or that a configure may answer.
    mutating func askedOfWindow(_ message: WireMessage) {
        let client = message.client
        switch (message.interface, message.name) {
        case ("xdg_wm_base", "get_xdg_surface"):
            if let id = message.made, let surface = message.object(1) { clients[client]!.surfaces[surface] = id }
        case ("xdg_surface", "get_toplevel"), ("xdg_surface", "get_popup"):
            guard let role = message.made else { return }
            clients[client]!.windows[role] = message.object
            changeWindow(message.object, of: client) { $0 = WireWindow() }
        case ("zxdg_decoration_manager_v1", "get_toplevel_decoration"):
            guard let id = message.made, let role = message.object(1), let window = clients[client]!.windows[role] else { return }
            clients[client]!.windows[id] = window
            changeWindow(window, of: client) { $0.hasCause = true }
        default:
            if let window = clients[client]!.windows[message.object] { changeWindow(window, of: client) { $0.hasCause = true } }
        }
    }

    mutating func changeWindow(_ id: UInt32, of client: UInt64, _ change: (inout WireWindow) -> Void) {
        guard case .window(var window)? = state(of: id, "xdg_surface", client) else { return }
        change(&window)
        clients[client]!.objects[id] = ("xdg_surface", .window(window))
    }

    /// An event that the next configure belongs to.
    mutating func described(_ message: WireMessage) {
        guard let window = clients[message.client]!.windows[message.object],
            message.name.hasPrefix("configure") || message.name == "wm_capabilities"
        else { return }
        changeWindow(window, of: message.client) { $0.content["\(message.interface).\(message.name)"] = message.arguments }
    }

    mutating func configured(_ message: WireMessage) {
        guard case .window(var window)? = state(of: message) else { return }
        // Of a role that the laws do not follow, such as xx-pip, the content is unknown.
        if !window.hasCause, !window.content.isEmpty, let last = window.last, last == window.content {
            fault(.configure, message, "it repeats the last one without a cause")
        }
        window.last = window.content
        window.hasCause = false
        set(message, .window(window))
    }
}
