import CWlcs

/// The C functions that WLCS calls. Each finds its `ConformanceServer` in the structure that it gets.
@_cdecl("mullion_wlcs_create")
func create(_ argumentCount: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>?>?) -> UnsafeMutablePointer<cw_server>? {
    cw_stay()
    let raw = UnsafeMutablePointer<cw_server>.allocate(capacity: 1)
    var calls = cw_server()
    calls.version = 3
    calls.stop = { owner($0).stop() }
    calls.client_socket = { owner($0).connect() }
    calls.place = { server, client, surface, x, y in owner(server).place(client, surface, x, y) }
    calls.make_pointer = { makePointer(for: owner($0)) }
    calls.make_touch = { makeTouch(for: owner($0)) }
    calls.describe = { _ in cw_describe() }
    calls.run = { server, loop in owner(server).run(calls: loop!) }
    calls.owner = Unmanaged.passRetained(ConformanceServer()).toOpaque()
    raw.initialize(to: calls)
    return raw
}

@_cdecl("mullion_wlcs_destroy")
func destroy(_ server: UnsafeMutablePointer<cw_server>?) {
    guard let server else { return }
    Unmanaged<ConformanceServer>.fromOpaque(server.pointee.owner).release()
    server.deallocate()
}

private func owner(_ server: UnsafeMutablePointer<cw_server>?) -> ConformanceServer {
    Unmanaged<ConformanceServer>.fromOpaque(server!.pointee.owner).takeUnretainedValue()
}

// MARK: Devices

private func owner(_ pointer: UnsafeMutablePointer<cw_pointer>?) -> ConformanceServer {
    Unmanaged<ConformanceServer>.fromOpaque(pointer!.pointee.owner).takeUnretainedValue()
}

private func makePointer(for server: ConformanceServer) -> UnsafeMutablePointer<cw_pointer> {
    let raw = UnsafeMutablePointer<cw_pointer>.allocate(capacity: 1)
    var calls = cw_pointer()
    calls.version = 1
    calls.move_to = { pointer, x, y in owner(pointer).inject(.pointerMotion(point(x, y))) }
    calls.move_by = { pointer, x, y in owner(pointer).movePointer(by: point(x, y)) }
    calls.press = { pointer, button in owner(pointer).inject(.pointerButton(UInt32(bitPattern: button), pressed: true)) }
    calls.release = { pointer, button in owner(pointer).inject(.pointerButton(UInt32(bitPattern: button), pressed: false)) }
    calls.destroy = { $0?.deallocate() }
    calls.owner = Unmanaged.passUnretained(server).toOpaque()
    raw.initialize(to: calls)
    return raw
}

private func owner(_ touch: UnsafeMutablePointer<cw_touch>?) -> ConformanceServer {
    Unmanaged<ConformanceServer>.fromOpaque(touch!.pointee.owner).takeUnretainedValue()
}

private func makeTouch(for server: ConformanceServer) -> UnsafeMutablePointer<cw_touch> {
    let raw = UnsafeMutablePointer<cw_touch>.allocate(capacity: 1)
    var calls = cw_touch()
    calls.version = 1
    calls.down = { touch, x, y in owner(touch).onLoop(.touchDown(touch!.pointee.id, whole(x, y))) }
    calls.move = { touch, x, y in owner(touch).onLoop(.touchMotion(touch!.pointee.id, whole(x, y))) }
    calls.up = { touch in owner(touch).onLoop(.touchUp(touch!.pointee.id)) }
    calls.destroy = { $0?.deallocate() }
    calls.owner = Unmanaged.passUnretained(server).toOpaque()
    calls.id = server.nextTouch()
    raw.initialize(to: calls)
    return raw
}
