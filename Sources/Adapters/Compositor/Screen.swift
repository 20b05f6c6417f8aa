import CWlroots
import Geometry
import Multitasking
import Seat
import Windows

/// A change of an output's state, through the API of either wlroots version. Anything not set stays as it is.
private struct OutputChange {
    let output: UnsafeMutablePointer<wlr_output>

    #if WLR18
        private let state: UnsafeMutablePointer<wlr_output_state>

        private init(_ output: UnsafeMutablePointer<wlr_output>) {
            self.output = output
            state = .allocate(capacity: 1)
            state.initialize(to: wlr_output_state())
            wlr_output_state_init(state)
        }

        func setEnabled(_ enabled: Bool) { wlr_output_state_set_enabled(state, enabled) }
        func setMode(_ mode: UnsafeMutablePointer<wlr_output_mode>) { wlr_output_state_set_mode(state, mode) }
        func setSize(_ width: Int32, _ height: Int32, refresh: Int32) {
            wlr_output_state_set_custom_mode(state, width, height, refresh)
        }
        func setScale(_ scale: Double) { wlr_output_state_set_scale(state, Float(scale)) }
        func setTransform(_ transform: wl_output_transform) { wlr_output_state_set_transform(state, transform) }

        private func test() -> Bool { wlr_output_test_state(output, state) }
        private func commit() -> Bool { wlr_output_commit_state(output, state) }
        private func forget() {
            wlr_output_state_finish(state)
            state.deallocate()
        }
        private func finish() { forget() }
    #else
        private init(_ output: UnsafeMutablePointer<wlr_output>) { self.output = output }

        func setEnabled(_ enabled: Bool) { wlr_output_enable(output, enabled) }
        func setMode(_ mode: UnsafeMutablePointer<wlr_output_mode>) { wlr_output_set_mode(output, mode) }
        func setSize(_ width: Int32, _ height: Int32, refresh: Int32) { wlr_output_set_custom_mode(output, width, height, refresh) }
        func setScale(_ scale: Double) { wlr_output_set_scale(output, Float(scale)) }
        func setTransform(_ transform: wl_output_transform) { wlr_output_set_transform(output, transform) }

        private func test() -> Bool { wlr_output_test(output) }
        private func commit() -> Bool { wlr_output_commit(output) }
        private func forget() { wlr_output_rollback(output) }
        private func finish() {}
    #endif

    /// Makes all changes as one. Listeners of the screen hear of it once, when mode, scale and rotation have their new values.
    ///
    /// - Parameters:
    ///   - isTest: only checks whether the change is possible, without applying it.
    ///   - announce: called once the change is known to be possible, before it is made.
    ///   - fill: sets the changes; returns false if that is not possible.
    static func make(
        _ output: UnsafeMutablePointer<wlr_output>, isTest: Bool = false, announce: () -> Void = {}, _ fill: (OutputChange) -> Bool
    ) -> Bool {
        let change = OutputChange(output)
        guard fill(change) else {
            change.forget()
            return false
        }
        if isTest {
            defer { change.forget() }
            return change.test()
        }
        guard change.test() else {
            change.forget()
            return false
        }
        defer { change.finish() }
        announce()
        mw_output_set_changing(output, true)
        defer { mw_output_set_changing(output, false) }
        return change.commit()
    }
}

/// The modes that an output offers.
private func modes(_ output: UnsafeMutablePointer<wlr_output>) -> [UnsafeMutablePointer<wlr_output_mode>] {
    Array(sequence(first: mw_next_mode(output, nil), next: { $0.map { mw_next_mode(output, $0) } }).prefix { $0 != nil }.compactMap { $0 })
}

/// Configures the screen: mode, scale, rotation and power.
extension Compositor {
    /// Returns true if the output accepted the configuration, or would accept it.
    func set(_ wish: ScreenWish, test: Bool) -> Bool {
        guard let output, let wlr = mw_output_wlr(output), let transform = UInt32(exactly: wish.transform),
            transform <= WL_OUTPUT_TRANSFORM_FLIPPED_270.rawValue, wish.scale > 0
        else { return false }
        let wanted = ScreenMode(
            width: Int32(clamping: wish.pixels.width), height: Int32(clamping: wish.pixels.height), refresh: Int32(clamping: wish.refresh))
        let points = points(wanted, wish, wlr)
        let isDone = OutputChange.make(wlr, isTest: test, announce: { protocols?.lockedSession.screenWill(be: points, wlr) }) { change in
            guard resize(change, output, to: wanted) else {
                log.error("output \(String(cString: wlr.pointee.name)) has no mode of \(wanted.width)x\(wanted.height)")
                return false
            }
            if wish.scale != Double(wlr.pointee.scale) { change.setScale(wish.scale) }
            if transform != wlr.pointee.transform.rawValue { change.setTransform(wl_output_transform(rawValue: transform)) }
            return true
        }
        if !test {
            // If the screen refused after all, the locker gets the valid state again.
            protocols?.lockedSession.screenChanged()
            mw_output_schedule(output)
        }
        return isDone
    }

    /// The size of the screen in points after a change.
    private func points(_ mode: ScreenMode, _ wish: ScreenWish, _ wlr: UnsafeMutablePointer<wlr_output>) -> Size {
        let hasMode = mode.width > 0 && mode.height > 0, scale = Double(Float(wish.scale))
        let pixels = hasMode ? (mode.width, mode.height) : (wlr.pointee.width, wlr.pointee.height)
        let size = Size(Double(pixels.0) / scale, Double(pixels.1) / scale)
        return wish.transform % 2 == 0 ? size : Size(size.height, size.width)
    }

    private func resize(_ change: OutputChange, _ output: OpaquePointer, to wish: ScreenMode) -> Bool {
        var info = mw_output_info()
        mw_output_info(output, &info)
        let wlr = change.output, own = modes(wlr)
        let resize = ScreenResize(
            from: ScreenMode(width: wlr.pointee.width, height: wlr.pointee.height, refresh: wlr.pointee.refresh), to: wish,
            modes: own.map { ScreenMode(width: $0.pointee.width, height: $0.pointee.height, refresh: $0.pointee.refresh) },
            kind: mw_output_is_virtual(wlr) ? .virtual : info.can_resize ? .nested : .fixed)
        switch resize {
        case .nothing: break
        case .mode(let index): change.setMode(own[index])
        case .custom(let mode): change.setSize(mode.width, mode.height, refresh: mode.refresh)
        case .impossible: return false
        }
        return true
    }

    /// Reports the output's description of itself (W-25).
    func tellOutput(_ output: OpaquePointer?) {
        guard let output, let wlr = mw_output_wlr(output) else { return }
        #if WLR18
            func text(_ field: UnsafeMutablePointer<CChar>?) -> String { field.map { String(cString: $0) } ?? "" }
        #else
            // Arrays of characters that end with zero.
            func text(_ field: some Any) -> String {
                withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            }
        #endif
        let maker = text(wlr.pointee.make).oneLine(64), model = text(wlr.pointee.model).oneLine(64)
        emit(
            .hardware(
                .output(
                    Hardware.Output(
                        name: String(cString: wlr.pointee.name), model: [maker, model].filter { !$0.isEmpty }.joined(separator: " "),
                        serial: text(wlr.pointee.serial).oneLine(64), width: mw_output_is_virtual(wlr) ? 0 : wlr.pointee.phys_width,
                        height: wlr.pointee.phys_height))))
    }

    /// The configuration or a key asks for another size, scale or rotation.
    func configureScreen(_ size: Size?, _ scale: Double?, _ rotation: Int?) {
        guard let output else { return }
        var info = mw_output_info()
        mw_output_info(output, &info)
        let shape = ScreenShape(width: info.width, height: info.height, scale: info.scale, transform: info.transform).changed(
            width: size?.width, height: size?.height, scale: scale, rotation: rotation.map(Int32.init), canResize: info.can_resize)
        let pixels = Size(Double(shape.mode.width), Double(shape.mode.height))
        if !set(ScreenWish(pixels: pixels, refresh: 0, scale: shape.scale, transform: Int(shape.transform)), test: false) {
            log.error("the screen does not support \(shape.width)x\(shape.height) at scale \(shape.scale), rotation \(shape.transform)")
        }
    }

    /// Another program switches an output on or off.
    func setPower(_ output: OpaquePointer, _ isOn: Bool) {
        guard let wlr = mw_output_wlr(output), wlr.pointee.enabled != isOn else { return }
        let isDone = OutputChange.make(wlr) { change in
            change.setEnabled(isOn)
            if isOn, let mode = wlr.pointee.current_mode { change.setMode(mode) }
            return true
        }
        guard isDone else {
            return log.error("output \(String(cString: wlr.pointee.name)) cannot be switched \(isOn ? "on" : "off")")
        }
        if isOn { mw_output_damage_all(output) } else { mw_output_forget_schedule(output) }
        screenMayBeDark()
    }

    /// Whether the shell has the console of the machine, and its screens and buttons.
    public var ownsConsole: Bool { mw_server_session(server) != nil }

    /// The screen was resized, switched on or off, or removed, or another console is in front.
    func screenMayBeDark() {
        protocols?.lockedSession.screenChanged()
        guard protocols != nil, mw_server_is_dark(server) == isSeen else { return }
        isSeen.toggle()
        emit(.screenLit(isSeen))
    }

    /// Switches on a new output in a mode that it accepts. Returns false if it accepts none.
    func lightUp(_ output: OpaquePointer) -> Bool {
        guard let wlr = mw_output_wlr(output), switchOn(output, wlr) else { return false }
        var width: Int32 = 0, height: Int32 = 0
        if mw_output_asked_size(output, &width, &height) {
            _ = OutputChange.make(wlr) { change in
                change.setSize(width, height, refresh: 0)
                return true
            }
        }
        return true
    }

    private func switchOn(_ output: OpaquePointer, _ wlr: UnsafeMutablePointer<wlr_output>) -> Bool {
        let width = Int32(clamping: options.size.width.rounded()), height = Int32(clamping: options.size.height.rounded())
        let scale = options.scale > 0 ? options.scale : 1
        let isOn = OutputChange.make(wlr) { change in
            change.setEnabled(true)
            if mw_output_is_nested(output), width > 0, height > 0 {
                change.setSize(width, height, refresh: 0)
            } else if let mode = wlr_output_preferred_mode(wlr) {
                change.setMode(mode)
            }
            if scale != Double(wlr.pointee.scale) { change.setScale(scale) }
            return true
        }
        // An output may refuse its preferred mode. Then any mode that it accepts will do.
        return isOn
            || modes(wlr).contains { mode in
                OutputChange.make(wlr) { change in
                    change.setEnabled(true)
                    change.setMode(mode)
                    change.setScale(scale)
                    return true
                }
            }
    }
}
