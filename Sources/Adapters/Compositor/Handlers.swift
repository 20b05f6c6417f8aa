import CWlroots
import Geometry
import Logging
import Multitasking
import Seat
import Windows

private func me(_ user: UnsafeMutableRawPointer?) -> Compositor {
    // The pointer was made from the compositor that owns the server, which it outlives.
    Unmanaged<Compositor>.fromOpaque(user!).takeUnretainedValue()
}

private let quiet = ["drmGetDevices2 failed", "Failed to bind socket @/tmp/.X11-unix"]

private func screen(_ info: UnsafePointer<mw_output_info>) -> Screen {
    let i = info.pointee
    return Screen(size: Size(Double(i.width) / i.scale, Double(i.height) / i.scale).rounded, scale: i.scale, turns: Int(i.transform) & 3)
}

private func commit(_ state: UnsafePointer<mw_window_state>) -> WindowCommit {
    let s = state.pointee
    let size = Size(s.width, s.height), input = Rect(s.input.x, s.input.y, s.input.width, s.input.height)
    return WindowCommit(
        size: size, answered: s.answered, minimum: Size(s.min_width, s.min_height),
        maximum: Size(s.max_width, s.max_height), wantsFullscreen: s.fullscreen_wanted,
        input: input == Rect(origin: .zero, size: size) ? nil : input,
        offset: s.offset_x == 0 && s.offset_y == 0 ? nil : Vector(s.offset_x, s.offset_y))
}

/// C calls these handlers. Each turns its arguments into one `Event`, or passes them to the class that serves the protocol.
extension Compositor {
    @discardableResult
    func emit(_ event: Event, _ when: Int64? = nil) -> Bool {
        // Keep events in the order in which they happened.
        reportMapped()
        return sink(event, when.map(Moment.init(nanoseconds:)))
    }

    /// Reports the first window of a turn at once, and those that follow together. A program that opens a hundred
    /// windows then causes a few layouts and configures instead of a hundred.
    private func mapped(_ window: MappedWindow) {
        if hasMapped { return mappedTogether.append(window) }
        emit(.windowMapped(window.id, window.commit))
        hasMapped = true
    }

    /// Reports the windows that wait.
    func reportMapped() {
        guard !mappedTogether.isEmpty else { return }
        let windows = mappedTogether
        mappedTogether.removeAll(keepingCapacity: windows.count < 64)
        _ = sink(.windowsMapped(windows), nil)
    }

    static func handlers() -> mw_handlers {
        var on = mw_handlers()
        outputs(&on)
        panels(&on)
        windows(&on)
        on.protocols_begin = { user, server in
            me(user).protocols = Protocols(server!, me(user))
            return me(user).protocols != nil
        }
        on.protocols_end = { user in me(user).protocols = nil }
        on.lock_screen_changed = { user in me(user).screenMayBeDark() }
        on.lock_drawn = { user, output in me(user).protocols?.lockedSession.drawn(output!) }
        on.lock_output_gone = { user, output in me(user).protocols?.lockedSession.outputGone(output!) }
        on.surface_scaled = { user, surface, scale in me(user).protocols?.fractionalScale.tell(surface!, scale) }
        on.toplevel_listed = { user, window in me(user).protocols?.toplevelList.add(window!) }
        on.toplevel_renamed = { user, window in
            me(user).protocols?.toplevelList.update(window!)
            me(user).protocols?.taskbars.update(window!)
        }
        on.toplevel_unlisted = { user, window in me(user).protocols?.unlist(window!) }
        on.toplevels_locked = { user, locked in
            // In the order in which the windows were made.
            let windows = me(user).windows.sorted { $0.key.raw < $1.key.raw }.map(\.value)
            me(user).protocols?.setLocked(locked, windows)
        }
        on.window_configured = { user, window in me(user).protocols?.taskbars.configured(window!) }
        on.surface_sampled = { user, output, surface in me(user).protocols?.presentation.sampled(surface!, on: output!) ?? false }
        on.output_committed = { user, output, scanned, sequence in
            me(user).protocols?.presentation.committed(output!, scanned: scanned, sequence: sequence)
        }
        on.toplevel_modality = { user, toplevel in (me(user).protocols?.dialogs.isModal(toplevel!)).map { $0 ? 1 : 0 } ?? -1 }
        on.session_active = { user, active in
            me(user).log.info("\(active ? "this console is active" : "another console is active")")
        }
        on.xwayland_end = { user in
            me(user).xwayland?.finish()
            me(user).xwayland = nil
        }
        on.log = { user, priority, text in
            guard let text else { return }
            let line = String(cString: text)
            let message = Logger.Message(stringLiteral: line)
            // wlroots reports these as errors on every machine without a graphics card, where they are harmless.
            if quiet.contains(where: { line.contains($0) }) { return me(user).log.debug(message) }
            switch priority {
            case 0, 1: me(user).log.error(message)
            case 2: me(user).log.info(message)
            default: me(user).log.debug(message)
            }
        }
        return on
    }

    /// Another program asks for a screen configuration.
    func askScreen(_ request: UInt32, _ wish: ScreenWish, test: Bool) { emit(.screenAsked(request, wish, test: test)) }

    // MARK: Clients

    func windowDestroyed(_ window: OpaquePointer) {
        guard let id = ids.removeValue(forKey: window) else { return }
        windows[id] = nil
        forgetList()
        emit(.windowDestroyed(id))
    }

    /// The connection of a client has ended.
    func forgetClient(_ client: UInt64) {
        lineages[client] = nil
        emit(.clientGone(client))
        onClientGone(client)
    }

    // MARK: Outputs

    private static func outputs(_ on: inout mw_handlers) {
        on.output_added = { user, output, info in
            let me = me(user)
            guard let info else { return }
            let name = String(cString: info.pointee.name)
            guard me.output == nil else {
                me.log.warning("output \(name) stays dark: only the first output is used")
                return
            }
            me.output = output
            me.forgetList()
            me.log.info("output \(name): \(info.pointee.width)x\(info.pointee.height) at scale \(info.pointee.scale)")
            me.tellOutput(output)
            me.emit(.screenChanged(screen(info)))
            me.emit(.nightLight(.possible(GammaControl.isPossible(on: output!))))
            me.screenMayBeDark()
        }
        on.output_changed = { user, output, info in
            let me = me(user)
            guard me.output == output, let info else { return }
            me.forgetList()
            me.emit(.screenChanged(screen(info)))
        }
        on.output_removed = { user, output in
            let me = me(user)
            guard me.output == output else { return }
            me.output = nil
            me.emit(.nightLight(.possible(false)))
            me.emit(.screenRemoved)
        }
        on.screens_changed = { user in me(user).protocols?.screens.publish() }
        on.output_lit = { user, output in me(user).lightUp(output!) }
        on.output_frame = { user, output, when in
            let me = me(user)
            me.reportMapped()
            if me.output == output { me.onFrame(Moment(nanoseconds: when)) }
        }
    }

    // MARK: Panels

    private static func panels(_ on: inout mw_handlers) {
        on.x11_menus_want_keys = { user, want in me(user).emit(.x11MenusWantKeys(want)) }
    }

    // MARK: Windows

    fileprivate func facts(_ info: UnsafePointer<mw_window_info>) -> WindowFacts {
        let i = info.pointee, x11 = i.x11 ? windows[WindowID(i.id)].map(X11Window.of) : nil
        return WindowFacts(
            appID: i.app_id.map { String(cString: $0) } ?? "", title: i.title.map { String(cString: $0) } ?? "",
            lineage: whereabouts(of: i.client, i.pid, isX11: i.x11).lineage, client: i.client,
            parent: i.parent == 0 ? nil : WindowID(i.parent), isX11: i.x11,
            isModal: i.modal < 0 ? nil : i.modal != 0, isPip: i.picture,
            session: i.toplevel.flatMap { protocols?.sessions.name(of: $0) } ?? "",
            isBare: i.toplevel.map { decorations?.isBare($0) ?? false } ?? i.bare,
            hints: i.toplevel.flatMap { protocols?.windowHints.hints(of: $0) },
            isSplash: x11?.isSplash ?? false, ownSize: x11?.ownSize,
            sandbox: whereabouts(of: i.client, i.pid, isX11: i.x11).sandbox)
    }

    /// The window that its client exported by this handle (xdg-foreign).
    public func window(exportedAs handle: String) -> WindowID? {
        protocols?.foreignWindows.toplevel(handle).flatMap { mw_xdg_window($0.pointee.base) }.flatMap { ids[$0] }
    }

    /// The number by which X11 programs know a window of theirs; nil: it is none of theirs.
    public func x11ID(of id: WindowID) -> UInt32? {
        guard let window = windows[id] else { return nil }
        var info = mw_window_info()
        mw_window_fill_info(window, &info)
        return info.x11 ? X11Window.of(window).number : nil
    }

    /// Reports a change of facts that are not part of `mw_window_info`.
    func reportFacts(of toplevel: UnsafeMutablePointer<wlr_xdg_toplevel>) {
        if let window = mw_xdg_window(toplevel.pointee.base) { reportFacts(of: window) }
    }

    func reportFacts(of window: OpaquePointer) {
        guard let id = ids[window] else { return }
        var info = mw_window_info()
        mw_window_fill_info(window, &info)
        emit(.windowRenamed(id, facts(&info)))
    }

    /// X11 windows of different processes share one connection.
    func lineage(of client: UInt64, _ process: Int32) -> [Int32] { whereabouts(of: client, process, isX11: false).lineage }

    private func whereabouts(of client: UInt64, _ process: Int32, isX11: Bool) -> (process: Int32, lineage: [Int32], sandbox: Identity?) {
        if let known = lineages[client], known.process == process { return known }
        let found = (process, lineage(process), sandbox(client, process, isX11))
        lineages[client] = found
        return found
    }

    private static func windows(_ on: inout mw_handlers) {
        on.window_created = { user, window, info in
            let me = me(user)
            guard let window, let info else { return }
            let id = WindowID(info.pointee.id)
            me.windows[id] = window
            me.ids[window] = id
            me.emit(.windowCreated(id, me.facts(info)))
            if let toplevel = info.pointee.toplevel {
                me.protocols?.windowHints.created(toplevel)
                me.protocols?.menus.created(toplevel)
            }
        }
        on.window_mapped = { user, window, state in
            let me = me(user)
            guard let id = me.ids[window!], let state else { return }
            me.mapped(MappedWindow(id, commit(state)))
            me.protocols?.idle.look()
        }
        on.window_committed = { user, window, state in
            let me = me(user)
            guard let id = me.ids[window!], let state else { return }
            me.emit(.windowCommitted(id, commit(state)))
        }
        on.window_renamed = { user, window, info in
            let me = me(user)
            guard let id = me.ids[window!], let info else { return }
            me.emit(.windowRenamed(id, me.facts(info)))
        }
        on.window_requested = { user, window, kind, value in
            let me = me(user)
            guard let id = me.ids[window!] else { return }
            let request: WindowRequest
            switch UInt32(bitPattern: kind) & 0xff {
            case MW_REQUEST_FULLSCREEN.rawValue: request = .fullscreen(value != 0)
            case MW_REQUEST_MAXIMIZE.rawValue: request = .maximize(value != 0)
            case MW_REQUEST_MINIMIZE.rawValue: request = .minimize
            case MW_REQUEST_MOVE.rawValue: request = .move(by: value < -1 ? nil : value)
            case MW_REQUEST_RESIZE.rawValue: request = .resize(by: value < -1 ? nil : value, border: Border(edges: kind >> 8))
            case MW_REQUEST_ACTIVATE.rawValue: request = .activate(byPerson: value != 0)
            case MW_REQUEST_CLOSE.rawValue: request = .close
            default: return
            }
            me.emit(.windowAsked(id, request))
        }
        on.window_unmapped = { user, window in
            let me = me(user)
            guard let id = me.ids[window!] else { return }
            me.emit(.windowUnmapped(id))
        }
        on.window_destroyed = { user, window in me(user).windowDestroyed(window!) }
        on.popups_changed = { user, window, boxes, count, grabbing in
            let me = me(user)
            guard let id = me.ids[window!] else { return }
            let boxes = UnsafeBufferPointer(start: boxes, count: Int(count)).map { Rect($0.x, $0.y, $0.width, $0.height) }
            me.emit(.popupsChanged(id, boxes: boxes, grab: grabbing))
        }
    }

}
