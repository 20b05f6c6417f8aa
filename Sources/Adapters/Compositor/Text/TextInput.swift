import CWlroots
import Glibc
import Multitasking
import Seat
import WaylandServer

/// Text input without a keyboard. An input method (an on-screen keyboard, or one that composes characters) is told
/// about the focused text field, and its text goes to that field.
///
/// Fields get `enter` only while an input method runs, because apps work without it otherwise. `refocus` and `update`
/// derive everything from the current state, so the order in which clients come, go and die does not matter.
final class TextInput {
    /// A client's zwp_text_input_v3.
    final class Field {
        let raw: UnsafeMutablePointer<wlr_text_input_v3>
        fileprivate var listeners: [Listener] = []

        fileprivate init(_ raw: UnsafeMutablePointer<wlr_text_input_v3>) { self.raw = raw }

        fileprivate var isReady: Bool { raw.pointee.focused_surface != nil && raw.pointee.current_enabled }

        fileprivate func has(_ feature: wlr_text_input_v3_features) -> Bool { raw.pointee.active_features & feature.rawValue != 0 }

        /// Clears the state of the field. It has to be enabled again after each enter.
        fileprivate func reset() {
            raw.pointee.current_enabled = false
            raw.pointee.pending_enabled = false
            raw.pointee.active_features = 0
        }
    }

    typealias Method = UnsafeMutablePointer<wlr_input_method_v2>

    private unowned let routing: InputRouting
    private let server: OpaquePointer
    private(set) var popups: InputPopups!
    private var fields: [Field] = []
    /// nil if no input method runs.
    private var method: Method?
    /// The field that the input method types into.
    private(set) var active: Field?
    /// The preedit of that field: the input method has not committed it yet.
    private var composed = ""
    /// The preedit that the field has to show, because its client did not read when the input method changed it. nil: it shows the right one.
    private var owed: Preedit?
    /// Whether a text field of the shell wants the input method, and has it.
    private var shellWanted = false, shellActive = false
    /// The number of `done` events sent to the input method, and the number when it was last activated.
    private var doneCount: UInt32 = 0, activeSince: UInt32 = 0
    /// Whether the input method was last told that it is active.
    private var toldActive = false
    /// Whether the process of the input method can ask for feedback; nil: not looked up yet.
    private var methodAsks: Bool?
    private var listeners: [Listener] = []
    private var methodListeners: [Listener] = []
    private var grabListener: Listener?

    // A field may change its state as often as it likes, each time with 4 KiB of surrounding text. The input method
    // gets only the latest state, a moment later. One that does not read its socket gets nothing until it does.
    private var recentSends = Lately()
    private static let mostSends: UInt32 = 16, stretch: Int64 = 10_000_000
    private var late = Late.nothing
    private lazy var lateTimer = Timer(mw_server_loop(server)) { [unowned self] in sendDelayed() }

    private enum Late: Int { case nothing, state, change }

    private struct Preedit {
        var text = ""
        /// In bytes.
        var begin: Int32 = 0, end: Int32 = 0
    }

    /// Returns nil if out of memory.
    init?(_ routing: InputRouting) {
        self.routing = routing
        server = routing.server
        let display = mw_server_display(server)
        guard let fields = wlr_text_input_manager_v3_create(display), let methods = wlr_input_method_manager_v2_create(display) else {
            return nil
        }
        popups = InputPopups(self, server)
        listeners = [
            Listener(fields.pointer(to: \.events.text_input)!) { [unowned self] data in
                add(data!.assumingMemoryBound(to: wlr_text_input_v3.self))
            },
            Listener(methods.pointer(to: \.events.input_method)!) { [unowned self] data in
                add(data!.assumingMemoryBound(to: wlr_input_method_v2.self))
            },
            Listener(routing.wlr.pointer(to: \.keyboard_state.events.focus_change)!) { [unowned self] _ in refocus() },
        ]
    }

    // MARK: Events to the input method

    private func done(_ method: Method) {
        doneCount &+= 1
        wlr_input_method_v2_send_done(method)
    }

    private func appendState(_ field: Field, to method: Method) {
        let raw = field.raw
        if field.has(WLR_TEXT_INPUT_V3_FEATURE_SURROUNDING_TEXT) {
            let surrounding = raw.pointee.current.surrounding
            wlr_input_method_v2_send_surrounding_text(method, surrounding.text, surrounding.cursor, surrounding.anchor)
        }
        wlr_input_method_v2_send_text_change_cause(method, raw.pointee.current.text_change_cause)
        if field.has(WLR_TEXT_INPUT_V3_FEATURE_CONTENT_TYPE) {
            wlr_input_method_v2_send_content_type(method, raw.pointee.current.content_type.hint, raw.pointee.current.content_type.purpose)
        }
    }

    private var chosen: Field? {
        guard method != nil, !shellWanted else { return nil }
        if let active, active.isReady { return active }
        return fields.first { $0.isReady }
    }

    private func maySend(_ method: Method) -> Bool {
        recentSends.add(at: mw_now(), stretch: Self.stretch) <= Self.mostSends
            && !mw_client_stalled(server, wl_resource_get_client(method.pointee.resource))
    }

    private func sendLater(_ what: Late) {
        lateTimer?.arm(in: 20_000_000)
        if what.rawValue > late.rawValue { late = what }
    }

    /// Tells the input method that its target changed.
    private func sendTarget(_ method: Method) {
        guard late != .change, maySend(method) else { return sendLater(.change) }
        late = .nothing
        if toldActive {
            wlr_input_method_v2_send_deactivate(method)
            done(method)
        }
        toldActive = active != nil || shellActive
        guard toldActive else { return }
        wlr_input_method_v2_send_activate(method)
        if let active {
            appendState(active, to: method)
        } else {
            wlr_input_method_v2_send_content_type(method, 0, 0)
        }
        done(method)
        activeSince = doneCount
    }

    /// Tells the input method the new state of its field.
    private func sendState(_ field: Field, to method: Method) {
        guard late == .nothing, maySend(method) else { return sendLater(.state) }
        appendState(field, to: method)
        done(method)
    }

    private func sendDelayed() {
        let what = late
        late = .nothing
        guard let method else { return }
        switch what {
        case .change: sendTarget(method)
        case .state: if let active { sendState(active, to: method) }
        case .nothing: break
        }
    }

    /// Chooses the target again, and tells the input method if it changed.
    private func update() {
        let next = chosen, shell = method != nil && shellWanted
        guard next !== active || shell != shellActive else { return }
        composed = ""
        owed = nil
        active = next
        shellActive = shell
        popups.changed()
        if let method { sendTarget(method) }
    }

    // MARK: Events to fields

    /// Sends enter to all fields of the client with the keyboard focus, and leave to all others.
    private func refocus() {
        let focus = method != nil && !shellWanted ? routing.wlr.pointee.keyboard_state.focused_surface : nil
        let client = focus.map { wl_resource_get_client($0.pointee.resource) }
        var next: [(Field, Surface)] = []
        for field in fields {
            let wanted = client != nil && wl_resource_get_client(field.raw.pointee.resource) == client ? focus : nil
            if field.raw.pointee.focused_surface == wanted {
                if wanted == nil { field.reset() }
                continue
            }
            field.reset()
            if field.raw.pointee.focused_surface != nil { wlr_text_input_v3_send_leave(field.raw) }
            if let wanted { next.append((field, wanted)) }
        }
        // One client is left before another one is entered (P-05).
        for (field, wanted) in next { wlr_text_input_v3_send_enter(field.raw, wanted) }
        update()
    }

    /// Whether a text field of the shell has the focus.
    func setShellEntry(_ isWanted: Bool) {
        guard shellWanted != isWanted else { return }
        typeComposed()
        shellWanted = isWanted
        refocus()
    }

    // MARK: The preedit

    /// Commits the preedit to its field before that loses the focus: a person sees it there, and it would be lost. The input method
    /// commits it, too, when it hears of the change. That comes too late for the field, and is dropped.
    func typeComposed() {
        let text = composed
        composed = ""
        owed = nil
        guard !text.isEmpty, let active, active.isReady else { return }
        wlr_text_input_v3_send_commit_string(active.raw, text)
        wlr_text_input_v3_send_done(active.raw)
        Compositor.of(server).emit(.typedIntoApp)
    }

    /// The same before a press on a window of the field's client, which may move the caret or choose another field. The input method begins
    /// anew. A press on its own keyboard or list of candidates is none.
    func presses(_ surface: Surface?) {
        guard !composed.isEmpty, let active, let surface,
            wl_resource_get_client(surface.pointee.resource) == wl_resource_get_client(active.raw.pointee.resource)
        else { return }
        typeComposed()
        if let method { sendTarget(method) }
    }

    // MARK: Fields

    private func add(_ raw: UnsafeMutablePointer<wlr_text_input_v3>) {
        let field = Field(raw)
        field.listeners = [
            Listener(raw.pointer(to: \.events.enable)!) { [unowned self, unowned field] _ in
                // A field without focus does not count, and only one field may be enabled at a time.
                let isTaken = active.map { $0 !== field && $0.isReady } ?? false
                if raw.pointee.focused_surface == nil || isTaken { field.reset() }
                update()
            },
            Listener(raw.pointer(to: \.events.commit)!) { [unowned self, unowned field] _ in
                guard let method, active === field else { return }
                sendState(field, to: method)
                popups.changed()
            },
            Listener(raw.pointer(to: \.events.disable)!) { [unowned self] _ in update() },
            Listener(raw.pointer(to: \.events.destroy)!) { [unowned self, unowned field] _ in remove(field) },
        ]
        fields.append(field)
        refocus()
    }

    private func remove(_ field: Field) {
        // Reset first, so that it is not chosen again.
        field.reset()
        if active === field { update() }
        field.listeners = []
        fields.removeAll { $0 === field }
    }

    // MARK: Text from the input method

    /// Whether a commit is meant for the current target. wlroots 0.18 accepts only commits for the latest `done`. A
    /// letter typed while the app was still handling the one before must not be lost, but it must not reach a field
    /// that got the focus since.
    private func isMeant(_ method: Method) -> Bool {
        if late == .change { return false }
        #if WLR18
            return true
        #else
            return method.pointee.current_serial &- activeSince <= doneCount &- activeSince
        #endif
    }

    /// A field whose client does not read its socket gets nothing, as it gets no keys: the text would come when nobody expects it any more, or
    /// an input method could have the client disconnected (P-06). `caughtUp` makes the preedit right.
    private func typeIntoField(_ field: Field, _ state: wlr_input_method_v2_state) {
        let preedit = state.preedit.text.map {
            Preedit(text: String(cString: $0), begin: state.preedit.cursor_begin, end: state.preedit.cursor_end)
        }
        guard !mw_client_stalled(server, wl_resource_get_client(field.raw.pointee.resource)) else { return owed = preedit ?? Preedit() }
        owed = nil
        composed = preedit?.text ?? ""
        if let preedit { wlr_text_input_v3_send_preedit_string(field.raw, preedit.text, preedit.begin, preedit.end) }
        let deletes = state.delete.before_length > 0 || state.delete.after_length > 0
        if deletes { wlr_text_input_v3_send_delete_surrounding_text(field.raw, state.delete.before_length, state.delete.after_length) }
        if let text = state.commit_text { wlr_text_input_v3_send_commit_string(field.raw, text) }
        wlr_text_input_v3_send_done(field.raw)
        if state.commit_text != nil || deletes { Compositor.of(server).emit(.typedIntoApp) }
    }

    /// A client that did not read its socket has caught up. Its field shows what the input method composes now.
    func caughtUp(_ client: WaylandClient) {
        guard let preedit = owed, let active, active.isReady, wl_resource_get_client(active.raw.pointee.resource) == client else { return }
        owed = nil
        composed = preedit.text
        if !preedit.text.isEmpty { wlr_text_input_v3_send_preedit_string(active.raw, preedit.text, preedit.begin, preedit.end) }
        wlr_text_input_v3_send_done(active.raw)
    }

    private func typeIntoShell(_ state: wlr_input_method_v2_state) {
        let compositor = Compositor.of(server)
        if state.delete.before_length > 0 || state.delete.after_length > 0 {
            compositor.emit(.erased(Int(min(state.delete.before_length, 256))))
        }
        guard let text = state.commit_text, text.pointee != 0 else { return }
        compositor.emit(.typed(String(String(cString: text).prefix(256))))
    }

    private func committed(_ method: Method) {
        let isMeant = isMeant(method)
        // Take the state over: 0.15 does not free the strings of the previous commit, and the callbacks may change
        // anything.
        let state = method.pointee.current
        method.pointee.current = wlr_input_method_v2_state()
        defer {
            free(state.preedit.text)
            free(state.commit_text)
        }
        guard isMeant, shellActive || active != nil else { return }
        let hasTyped = state.commit_text.map { $0.pointee != 0 } ?? false || state.delete.before_length > 0 || state.delete.after_length > 0
        Compositor.of(server).activation?.noteTokens()
        // The core has no event for composed text.
        Compositor.of(server).protocols?.idle.activity()
        if shellActive {
            typeIntoShell(state)
        } else if let active {
            typeIntoField(active, state)
        }
        // The text may have ended the input method.
        guard hasTyped, self.method == method, let client = wl_resource_get_client(method.pointee.resource) else { return }
        let asks = methodAsks ?? FeedbackLibrary.isLoaded(by: Clients.process(of: client))
        methodAsks = asks
        Compositor.of(server).typed(by: client, asks: asks)
    }

    // MARK: Keyboard grab

    /// The input method's grab of this keyboard; nil if its keys go to the app. `client`: of a virtual keyboard,
    /// otherwise nil.
    func grab(of keyboard: UnsafeMutablePointer<wlr_keyboard>, client: WaylandClient?) -> UnsafeMutablePointer<
        wlr_input_method_keyboard_grab_v2
    >? {
        // The input method gets keys only while it has a target. It returns unused keys through a virtual keyboard,
        // and those go on to the app.
        guard let method, let grab = method.pointee.keyboard_grab, active != nil || shellActive,
            client == nil || client != wl_resource_get_client(method.pointee.resource), keyboard.pointee.keymap_string != nil
        else { return nil }
        if grab.pointee.keyboard != keyboard { wlr_input_method_keyboard_grab_v2_set_keyboard(grab, keyboard) }
        return grab
    }

    private func begins(_ grab: UnsafeMutablePointer<wlr_input_method_keyboard_grab_v2>) {
        grabListener = Listener(grab.pointer(to: \.events.destroy)!) { [unowned self] _ in
            grabListener = nil
            // Send modifiers that changed in the meantime.
            guard let keyboard = wlr_seat_get_keyboard(routing.wlr), keyboard == grab.pointee.keyboard else { return }
            wlr_seat_keyboard_send_modifiers(routing.wlr, keyboard.pointer(to: \.modifiers))
        }
        if let keyboard = wlr_seat_get_keyboard(routing.wlr), keyboard.pointee.keymap_string != nil {
            wlr_input_method_keyboard_grab_v2_set_keyboard(grab, keyboard)
        }
    }

    // MARK: Input methods

    /// A person who starts a second one has to learn why it does nothing.
    private func tellUnheard(_ new: Method, besides method: Method) {
        let client = wl_resource_get_client(new.pointee.resource), present = wl_resource_get_client(method.pointee.resource)
        // A program that asks twice gets its text by the first one.
        guard let client, client != present else { return }
        let name = Clients.name(of: Clients.process(of: client)), other = Clients.name(of: Clients.process(of: present))
        let compositor = Compositor.of(server)
        compositor.log.warning("the input method \(name) gets no text: \(other) has the text fields, and there can be only one")
        compositor.emit(.inputMethodUnheard(name, client: mw_client_identity(client), present: other))
    }

    private func add(_ new: Method) {
        if let method {
            tellUnheard(new, besides: method)
            return wlr_input_method_v2_send_unavailable(new)
        }
        method = new
        methodAsks = nil
        doneCount = 0
        activeSince = 0
        methodListeners = [
            Listener(new.pointer(to: \.events.commit)!) { [unowned self] _ in committed(new) },
            Listener(new.pointer(to: \.events.grab_keyboard)!) { [unowned self] data in
                begins(data!.assumingMemoryBound(to: wlr_input_method_keyboard_grab_v2.self))
            },
            Listener(new.pointer(to: \.events.new_popup_surface)!) { [unowned self] data in
                popups.add(data!.assumingMemoryBound(to: wlr_input_popup_surface_v2.self))
            },
            Listener(new.pointer(to: \.events.destroy)!) { [unowned self] _ in
                typeComposed()
                methodListeners = []
                method = nil
                toldActive = false
                late = .nothing
                // Fields get `leave`, which also ends the preedit.
                refocus()
            },
        ]
        refocus()
    }
}
