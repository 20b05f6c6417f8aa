/// Fingers, the pointer, keys and text fields.
extension WireLaws {
    /// The kinds of focus, each in one place at a time.
    enum Focusing { case pointer, keyboard, textInput, drag }

    func isEntered(_ state: WireObject, _ kind: Focusing) -> Bool {
        switch (state, kind) {
        case (.pointer(let focus?, _), .pointer), (.keyboard(let focus?, _), .keyboard), (.textInput(let focus?), .textInput): !focus.isGone
        case (.dataDevice(let drag), .drag): drag.focus?.isGone == false && !drag.isDropped
        default: false
        }
    }

    /// Checks that only one client has the focus: any other one got its leave.
    mutating func checkOthers(_ law: WireViolation.Law, _ kind: Focusing, _ message: WireMessage) {
        for (client, all) in clients where client != message.client {
            guard let other = all.objects.first(where: { isEntered($0.value.state, kind) }) else { continue }
            fault(law, message, "client \(client) was entered before, and no leave came to its \(other.value.interface)@\(other.key)")
        }
    }

    /// The surface of an enter or leave, which comes after the serial, or alone.
    private func surface(_ message: WireMessage) -> UInt32? { message.object(0) ?? message.object(1) }

    /// Remembers the surface, which may be destroyed before the end comes.
    private mutating func focus(_ surface: UInt32?, _ message: WireMessage) -> WireFocus? {
        guard let surface else { return nil }
        clients[message.client]?.named.insert(surface)
        return WireFocus(surface: surface)
    }

    /// Checks an enter.
    mutating func checkEnter(_ law: WireViolation.Law, _ kind: Focusing, _ message: WireMessage, after focus: WireFocus?) -> WireFocus? {
        if let focus, !focus.isGone { fault(law, message, "surface \(focus.surface) was entered before, and no leave came") }
        checkOthers(law, kind, message)
        return self.focus(surface(message), message)
    }

    /// Checks a leave.
    mutating func checkLeave(_ law: WireViolation.Law, _ message: WireMessage, of focus: WireFocus?) {
        guard let focus else { return fault(law, message, "nothing was entered") }
        guard !focus.isGone, let left = surface(message), left != focus.surface else { return }
        fault(law, message, "it names surface \(left), but surface \(focus.surface) was entered")
    }

    // MARK: Fingers

    mutating func touched(_ message: WireMessage, _ points: [Int32: WireFocus]) {
        var points = points
        switch message.name {
        case "down":
            let id = Int32(truncatingIfNeeded: message.number(3))
            if points[id]?.isGone == false { fault(.touch, message, "finger \(id) is down already") }
            points[id] = focus(message.object(2), message)
        case "up":
            let id = Int32(truncatingIfNeeded: message.number(2))
            if points.removeValue(forKey: id) == nil { fault(.touch, message, "finger \(id) is not down") }
        case "motion", "shape", "orientation":
            let id = Int32(truncatingIfNeeded: message.number(message.name == "motion" ? 1 : 0))
            if points[id] == nil { fault(.touch, message, "finger \(id) is not down") }
        case "cancel": points = [:]
        default: return
        }
        set(message, .touch(points))
    }

    // MARK: The pointer

    mutating func pointed(_ message: WireMessage, _ focus: WireFocus?, _ buttons: Set<UInt32>) {
        var buttons = buttons
        switch message.name {
        case "enter": set(message, .pointer(checkEnter(.pointer, .pointer, message, after: focus), buttons: []))
        case "leave":
            checkLeave(.pointer, message, of: focus)
            set(message, .pointer(nil, buttons: []))
        case "button":
            let button = UInt32(truncatingIfNeeded: message.number(2)), isPressed = message.number(3) != 0
            if focus == nil { fault(.pointer, message, "nothing was entered") }
            if isPressed {
                if !buttons.insert(button).inserted { fault(.pointer, message, "button \(button) is pressed already") }
            } else if buttons.remove(button) == nil {
                fault(.pointer, message, "button \(button) is not pressed")
            }
            set(message, .pointer(focus, buttons: buttons))
        case "motion", "axis": if focus == nil { fault(.pointer, message, "nothing was entered") }
        default: break
        }
    }

    // MARK: Keys

    mutating func typed(_ message: WireMessage, _ focus: WireFocus?, _ keys: Set<UInt32>) {
        var keys = keys
        switch message.name {
        case "enter": set(message, .keyboard(checkEnter(.keyboard, .keyboard, message, after: focus), keys: Set(message.numbers(2))))
        case "leave":
            checkLeave(.keyboard, message, of: focus)
            set(message, .keyboard(nil, keys: []))
        case "key":
            let key = UInt32(truncatingIfNeeded: message.number(2))
            if focus == nil { fault(.keyboard, message, "nothing was entered") }
            switch message.number(3) {
            case 0: if keys.remove(key) == nil { fault(.keyboard, message, "key \(key) is not pressed") }
            case 1: if !keys.insert(key).inserted { fault(.keyboard, message, "key \(key) is pressed already") }
            default: if !keys.contains(key) { fault(.keyboard, message, "key \(key) repeats, but is not pressed") }
            }
            set(message, .keyboard(focus, keys: keys))
        default: break
        }
    }

    // MARK: Text fields

    mutating func wrote(_ message: WireMessage, _ focus: WireFocus?) {
        switch message.name {
        case "enter": set(message, .textInput(checkEnter(.text, .textInput, message, after: focus)))
        case "leave":
            checkLeave(.text, message, of: focus)
            set(message, .textInput(nil))
        case "preedit_string", "commit_string", "delete_surrounding_text":
            if focus == nil { fault(.text, message, "nothing was entered") }
        default: break
        }
    }
}
