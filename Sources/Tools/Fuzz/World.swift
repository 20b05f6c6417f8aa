import Control
import Geometry

/// Sets up the world of a session. Most requests are only meaningful if something is visible and in use.
extension Generator {
    /// Binds globals and shows surfaces. `person`: this client also has the pointer and the keyboard.
    func begin(_ n: Int, person: Bool) {
        guard let client = player.clients[n] else { return }
        var bound: [String: UInt32] = [:]
        let needed: Set = ["wl_compositor", "wl_shm", "xdg_wm_base", "wl_subcompositor", "wl_seat"]
        for global in client.globals where bound[global.interface] == nil && (needed.contains(global.interface) || dice.chance(0.75)) {
            let old = dice.chance(0.1) ? UInt32(dice.number(1..<Int(global.version) + 1)) : nil
            bound[global.interface] = bind(n, global.interface, version: old)
        }
        func number(_ name: String) -> UInt32 { bound[name] ?? 0 }
        let seat = number("wl_seat")
        ask(n, seat, "get_pointer")
        ask(n, seat, "get_keyboard")
        let touch = ask(n, seat, "get_touch")
        if dice.chance(0.5) { ask(n, number("zwp_tablet_manager_v2"), "get_tablet_seat", [Int(seat)]) }
        let device = ask(n, number("wl_data_device_manager"), "get_data_device", [Int(seat)])
        sync(n)
        guard dice.chance(0.85) else { return }
        let window = toplevel(n, bound)
        guard window.surface != 0 else { return }
        for _ in 0..<dice.number(0..<3) { subsurface(n, bound, of: window.surface) }
        if dice.chance(0.4) { layer(n, bound) }
        let picture = dice.chance(0.4) ? picture(n, bound, from: window.surface) : 0
        var press: SerialReference?
        if person { press = hands && dice.chance(0.5) ? finger(n, touch) : act(n, seat: seat, bound, over: window.surface) }
        if picture != 0, let press { ask(n, picture, dice.chance(0.5) ? "move" : "resize", [Int(seat), 10], serial: press) }
        if dice.chance(0.5) {
            let popup = self.popup(n, bound, of: window.role, grabs: press)
            if popup != 0, dice.chance(0.5) { _ = self.popup(n, bound, of: popup, grabs: press) }
        }
        if device != 0, dice.chance(0.6) { selection(n, bound, device: device, window.surface, press) }
        if dice.chance(0.5) { textInput(n, bound, seat: seat) }
        if locks, dice.chance(person ? 0.6 : 0.2) { lock(n, bound) }
        player.play(.flush(n, nil))
    }

    func buffer(_ n: Int, _ bound: [String: UInt32], _ width: Int, _ height: Int) -> UInt32 {
        let size = width * height * 4
        let pool = ask(n, bound["wl_shm"] ?? 0, "create_pool", [size], file: .memory(size))
        return ask(n, pool, "create_buffer", [0, width, height, width * 4, 1])
    }

    /// `role`: its xdg_surface.
    private func toplevel(_ n: Int, _ bound: [String: UInt32]) -> (surface: UInt32, role: UInt32) {
        let surface = ask(n, bound["wl_compositor"] ?? 0, "create_surface")
        let role = ask(n, bound["xdg_wm_base"] ?? 0, "get_xdg_surface", [Int(surface)])
        let toplevel = ask(n, role, "get_toplevel")
        ask(n, toplevel, "set_app_id", text: "org.example.Fuzz")
        if dice.chance(0.2) { ask(n, bound["zxdg_decoration_manager_v1"] ?? 0, "get_toplevel_decoration", [Int(toplevel)]) }
        ask(n, surface, "commit")
        sync(n)
        ask(n, role, "ack_configure", serial: SerialReference(offset: 0, object: role, event: 0))
        ask(n, surface, "attach", [Int(buffer(n, bound, 400, 300)), 0, 0])
        ask(n, surface, "frame")
        ask(n, surface, "commit")
        sync(n)
        return (surface, role)
    }

    /// Returns its xx_pip_v1.
    private func picture(_ n: Int, _ bound: [String: UInt32], from origin: UInt32) -> UInt32 {
        let shell = bound["xx_pip_shell_v1"] ?? 0
        guard shell != 0 else { return 0 }
        let surface = ask(n, bound["wl_compositor"] ?? 0, "create_surface")
        let role = ask(n, bound["xdg_wm_base"] ?? 0, "get_xdg_surface", [Int(surface)])
        let picture = ask(n, shell, "get_pip", [Int(role)])
        if dice.chance(0.5) { ask(n, picture, "set_origin", [Int(origin)]) }
        ask(n, picture, "set_app_id", text: "org.example.Fuzz")
        ask(n, surface, "commit")
        sync(n)
        ask(n, role, "ack_configure", serial: SerialReference(offset: 0, object: role, event: 0))
        ask(n, surface, "attach", [Int(buffer(n, bound, 160, 90)), 0, 0])
        ask(n, surface, "commit")
        sync(n)
        return picture
    }

    private func subsurface(_ n: Int, _ bound: [String: UInt32], of parent: UInt32) {
        let surface = ask(n, bound["wl_compositor"] ?? 0, "create_surface")
        let role = ask(n, bound["wl_subcompositor"] ?? 0, "get_subsurface", [Int(surface), Int(parent)])
        ask(n, role, "set_position", [dice.number(-50..<300), dice.number(-50..<200)])
        if dice.chance(0.5) { ask(n, role, "set_desync") }
        ask(n, surface, "attach", [Int(buffer(n, bound, 64, 48)), 0, 0])
        ask(n, surface, "commit")
        ask(n, parent, "commit")
    }

    private func popup(_ n: Int, _ bound: [String: UInt32], of parent: UInt32, grabs: SerialReference?) -> UInt32 {
        let shell = bound["xdg_wm_base"] ?? 0
        let positioner = ask(n, shell, "create_positioner")
        ask(n, positioner, "set_size", [80, 60])
        ask(n, positioner, "set_anchor_rect", [10, 10, 20, 20])
        let surface = ask(n, bound["wl_compositor"] ?? 0, "create_surface")
        let role = ask(n, shell, "get_xdg_surface", [Int(surface)])
        let popup = ask(n, role, "get_popup", [Int(parent), Int(positioner)])
        if let grabs, dice.chance(0.7) { ask(n, popup, "grab", [Int(bound["wl_seat"] ?? 0)], serial: grabs) }
        ask(n, surface, "commit")
        sync(n)
        ask(n, role, "ack_configure", serial: SerialReference(offset: 0, object: role, event: 0))
        ask(n, surface, "attach", [Int(buffer(n, bound, 80, 60)), 0, 0])
        ask(n, surface, "commit")
        sync(n)
        return role
    }

    private func layer(_ n: Int, _ bound: [String: UInt32]) {
        let surface = ask(n, bound["wl_compositor"] ?? 0, "create_surface")
        let role = ask(n, bound["zwlr_layer_shell_v1"] ?? 0, "get_layer_surface", [Int(surface), 0, dice.number(0..<4)], text: "fuzz")
        guard role != 0 else { return }
        ask(n, role, "set_size", [0, 30])
        ask(n, role, "set_anchor", [dice.pick([13, 14])!])
        ask(n, role, "set_exclusive_zone", [30])
        ask(n, role, "set_keyboard_interactivity", [dice.number(0..<3)])
        ask(n, surface, "commit")
        sync(n)
        ask(n, role, "ack_configure", serial: SerialReference(offset: 0, object: role, event: 0))
        ask(n, surface, "attach", [Int(buffer(n, bound, 100, 30)), 0, 0])
        ask(n, surface, "commit")
        sync(n)
    }

    /// Makes real input: a pointer press on the window, and a key. Returns the source of the press' serial.
    private func act(_ n: Int, seat: UInt32, _ bound: [String: UInt32], over surface: UInt32) -> SerialReference? {
        let keyboard = ask(n, bound["zwp_virtual_keyboard_manager_v1"] ?? 0, "create_virtual_keyboard", [Int(seat)])
        ask(n, keyboard, "keymap", [1, PassedFile.keymapText.utf8.count], file: .keymap)
        ask(n, keyboard, "key", [1, 30, 1])
        ask(n, keyboard, "key", [2, 30, 0])
        let pointer = ask(n, bound["zwlr_virtual_pointer_manager_v1"] ?? 0, "create_virtual_pointer", [Int(seat)])
        guard pointer != 0 else { return nil }
        ask(n, pointer, "motion_absolute", [5, 500 + dice.number(0..<50), 500, 1000, 1000])
        ask(n, pointer, "frame")
        ask(n, pointer, "button", [6, 0x110, 1])
        ask(n, pointer, "frame")
        sync(n)
        guard let client = player.clients[n] else { return nil }
        let pointers = client.objects.values.filter { $0.interface.name == "wl_pointer" }
        return pointers.first.map { SerialReference(offset: 0, object: $0.number, event: 3) }
    }

    /// Puts a finger down on the window and leaves it there. Returns the source of its serial.
    private func finger(_ n: Int, _ touch: UInt32) -> SerialReference? {
        player.play(.flush(n, nil))
        player.play(.input(.touchDown(touch: 0, at: Point(Double(dice.number(300..<880)), Double(dice.number(200..<620))))))
        sync(n)
        return touch != 0 ? SerialReference(offset: 0, object: touch, event: 0) : nil
    }

    /// Sets a selection, or starts a drag.
    private func selection(_ n: Int, _ bound: [String: UInt32], device: UInt32, _ surface: UInt32, _ press: SerialReference?) {
        let source = ask(n, bound["wl_data_device_manager"] ?? 0, "create_data_source")
        ask(n, source, "offer", text: "text/plain")
        if dice.chance(0.5), let press {
            ask(n, source, "set_actions", [3])
            let icon = dice.chance(0.5) ? ask(n, bound["wl_compositor"] ?? 0, "create_surface") : 0
            ask(n, device, "start_drag", [Int(source), Int(surface), Int(icon)], serial: press)
            if dice.chance(0.4),
                let pointer = player.clients[n]?.objects.values.first(where: { $0.interface.name == "zwlr_virtual_pointer_v1" })
            {
                for (time, pressed) in [(20, 0), (21, 1)] {
                    ask(n, pointer.number, "button", [time, 0x110, pressed])
                    ask(n, pointer.number, "frame")
                }
                sync(n)
                ask(n, device, "start_drag", [Int(source), Int(surface), Int(icon)], serial: press)
            }
        } else if let serial = player.clients[n]?.newestReference() {
            ask(n, device, "set_selection", [Int(source)], serial: serial)
        }
        let primary = bound["zwp_primary_selection_device_manager_v1"] ?? 0
        ask(n, primary, "get_device", [Int(bound["wl_seat"] ?? 0)])
        ask(n, ask(n, primary, "create_source"), "offer", text: "text/plain")
        sync(n)
    }

    private func textInput(_ n: Int, _ bound: [String: UInt32], seat: UInt32) {
        let input = ask(n, bound["zwp_text_input_manager_v3"] ?? 0, "get_text_input", [Int(seat)])
        ask(n, input, "enable")
        ask(n, input, "commit")
        let method = ask(n, bound["zwp_input_method_manager_v2"] ?? 0, "get_input_method", [Int(seat)])
        guard method != 0 else { return }
        let surface = ask(n, bound["wl_compositor"] ?? 0, "create_surface")
        ask(n, method, "get_input_popup_surface", [Int(surface)])
        if dice.chance(0.4) { ask(n, method, "grab_keyboard") }
        ask(n, surface, "attach", [Int(buffer(n, bound, 50, 20)), 0, 0])
        ask(n, surface, "commit")
        sync(n)
    }
}
