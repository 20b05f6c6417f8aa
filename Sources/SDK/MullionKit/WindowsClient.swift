import CWindowsClient

/// The shell's window manager on a toolkit's Wayland connection.
enum WindowsClient {
    /// The newest version of the protocol that the kit knows.
    static let version: UInt32 = 2

    /// The manager of a display; nil if its shell has none.
    ///
    /// Asks the shell once and waits for the answer, on a queue of its own, so that waiting dispatches nothing of the toolkit's.
    /// Afterwards `link` hears of capabilities when the toolkit dispatches the display, and once before this function returns
    /// if the shell is of version 2. `link` has to live as long as the manager.
    static func manager(of display: OpaquePointer, _ link: WindowLink) -> OpaquePointer? {
        guard let queue = wl_display_create_queue(display) else { return nil }
        defer { wl_event_queue_destroy(queue) }
        guard let raw = wl_proxy_create_wrapper(UnsafeMutableRawPointer(display)) else { return nil }
        defer { wl_proxy_wrapper_destroy(raw) }
        let wrapper = OpaquePointer(raw)
        wl_proxy_set_queue(wrapper, queue)
        guard let registry = wl_display_get_registry(wrapper) else { return nil }
        defer { wl_registry_destroy(registry) }
        var found = Found()
        let isAnswered = withUnsafeMutablePointer(to: &found) { room in
            wl_registry_add_listener(registry, Listeners.registry, room)
            return wl_display_roundtrip_queue(display, queue) >= 0
        }
        guard isAnswered, found.version > 0,
            let bound = wl_registry_bind(registry, found.name, kit_manager_interface(), min(found.version, version))
        else { return nil }
        let manager = OpaquePointer(bound)
        mullion_window_manager_v1_add_listener(manager, Listeners.manager, Unmanaged.passUnretained(link).toOpaque())
        wl_display_roundtrip_queue(display, queue)
        wl_proxy_set_queue(manager, nil)
        return manager
    }

    /// nil: out of memory, or the shell is of version 1, which needs the xdg_toplevel. `window` has to live as long as the object.
    static func window(of surface: OpaquePointer, _ manager: OpaquePointer, _ window: AppWindow) -> OpaquePointer? {
        guard mullion_window_manager_v1_get_version(manager) >= 2,
            let raw = mullion_window_manager_v1_get_window_of_surface(manager, surface)
        else { return nil }
        mullion_window_v1_add_listener(raw, Listeners.window, Unmanaged.passUnretained(window).toOpaque())
        return raw
    }

    private struct Found {
        var name: UInt32 = 0, version: UInt32 = 0
    }

    private static func object<Object: AnyObject>(_ type: Object.Type, _ data: UnsafeMutableRawPointer?) -> Object {
        Unmanaged<Object>.fromOpaque(data!).takeUnretainedValue()
    }

    /// libwayland keeps pointers to these tables. They are written once and only read.
    private enum Listeners {
        nonisolated(unsafe) static let registry = kept(
            wl_registry_listener(
                global: { data, _, name, interface, version in
                    guard String(cString: interface!) == "mullion_window_manager_v1" else { return }
                    data!.assumingMemoryBound(to: Found.self).pointee = Found(name: name, version: version)
                },
                global_remove: { _, _, _ in }))
        nonisolated(unsafe) static let manager = kept(
            mullion_window_manager_v1_listener(
                capabilities: { data, _, flags in object(WindowLink.self, data).changed(flags) }))
        nonisolated(unsafe) static let window = kept(
            mullion_window_v1_listener(
                answered: { data, _, choice in
                    guard let choice = UnsavedWork.Choice(rawValue: choice) else { return }
                    object(AppWindow.self, data).onUnsavedAnswer(choice)
                },
                pinched: { data, _, id, token in object(AppWindow.self, data).onPinch(id, String(cString: token!)) }))

        private static func kept<T>(_ value: T) -> UnsafeMutablePointer<T> {
            let room = UnsafeMutablePointer<T>.allocate(capacity: 1)
            room.initialize(to: value)
            return room
        }
    }
}
