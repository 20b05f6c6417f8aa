import CWlroots
import Glibc
import Seat
import WaylandServer

// C calls these functions before wlroots handles a request that allocates something for a client.

/// A request that was read, in the form that libwayland logs.
typealias Request = UnsafePointer<wl_protocol_logger_message>

extension UnsafePointer<wl_protocol_logger_message> {
    fileprivate var client: WaylandClient? { wl_resource_get_client(pointee.resource) }
    fileprivate var tally: Tally? { Tally.of(client) }

    /// Whether it sets the primary selection and not the clipboard.
    fileprivate var setsPrimary: Bool {
        strcmp(pointee.message.pointee.name, "set_primary_selection") == 0
            || strcmp(wl_resource_get_class(pointee.resource), "zwp_primary_selection_device_v1") == 0
    }

    /// On the server side, an object is the first member of its resource.
    fileprivate func object(_ index: Int) -> WaylandResource? {
        guard index < Int(pointee.arguments_count), let object = pointee.arguments[index].o else { return nil }
        return UnsafeMutableRawPointer(object).assumingMemoryBound(to: wl_resource.self)
    }
}

@_cdecl("mw_counts_pool") func countsPool(_: OpaquePointer, _ request: Request) {
    request.tally?.expectPool(request.pointee.arguments[2].i)
}

@_cdecl("mw_counts_buffer") func countsBuffer(_: OpaquePointer, _ request: Request) { Tally.expectBuffer(of: request.pointee.resource) }

@_cdecl("mw_counts_resize") func countsResize(_: OpaquePointer, _ request: Request) {
    Tally.resize(request.pointee.resource, to: request.pointee.arguments[0].i)
}

@_cdecl("mw_counts_offer") func countsOffer(_: OpaquePointer, _ request: Request) {
    Tally.offer(request.pointee.arguments[0].s, from: request.pointee.resource)
}

@_cdecl("mw_counts_token") func countsToken(_ requests: OpaquePointer, _ request: Request) {
    request.tally?.makeToken()
    guard let client = request.client, let token = wl_resource_get_user_data(request.pointee.resource) else { return }
    Compositor.of(mw_requests_server(requests)).activation?.committing(
        token.assumingMemoryBound(to: wlr_xdg_activation_token_v1.self), by: client)
}

/// wlroots says nothing of tokens that it does not know any more.
@_cdecl("mw_token_shown") func tokenShown(_ requests: OpaquePointer, _ request: Request) {
    guard let name = request.pointee.arguments[0].s, let resource = request.object(1), let surface = wlr_surface_from_resource(resource)
    else { return }
    Compositor.of(mw_requests_server(requests)).activation?.shown(String(cString: name), for: surface)
}

@_cdecl("mw_counts_selection") func countsSelection(_ requests: OpaquePointer, _ request: Request) {
    request.tally?.select(request.object(0), isPrimary: request.setsPrimary)
    guard let routing = InputRouting.of(server: mw_requests_server(requests)) else { return }
    routing.copied?.requested(by: request.client)
    routing.held?.requested(by: request.client)
    // wlroots checks only the serial, and refuses one that the toolkit forgot. Requests of data-control have none.
    if request.pointee.arguments_count > 1, let client = request.client, let serial = routing.serial(for: client) {
        UnsafeMutablePointer(mutating: request.pointee.arguments!)[1].u = serial
    }
}

/// `waiting`: the number of pipes of other pastes that are still open.
@_cdecl("mw_may_paste") func mayPaste(_ request: Request, _ isLocked: Bool, _ waiting: Int) -> Bool {
    request.tally?.paste(request.pointee.arguments[0].s)
    return ClientLimits.mayPaste(isLocked: isLocked, waiting: waiting)
}

@_cdecl("mw_counts_keymap") func countsKeymap(_: OpaquePointer, _ request: Request) { keymapOfVirtualKeyboard(request) }

@_cdecl("mw_counts_region") func countsRegion(_: OpaquePointer, _ request: Request) {
    guard let shape = wlr_region_from_resource(request.pointee.resource) else { return }
    if pixman_region32_n_rects(UnsafeMutablePointer(mutating: shape)) > Int32(ClientLimits.rectangles) {
        request.tally?.refuse("rectangles in a region", most: ClientLimits.rectangles)
    }
}

@_cdecl("mw_counts_subsurface") func countsSubsurface(_: OpaquePointer, _ request: Request) {
    guard let child = request.object(1).flatMap({ wlr_surface_from_resource($0) }),
        let base = request.object(2).flatMap({ wlr_surface_from_resource($0) })
    else { return }
    if height(of: base) + depth(of: child, most: ClientLimits.depth) > ClientLimits.depth {
        request.tally?.refuse("subsurfaces in each other", most: ClientLimits.depth)
    }
}

// MARK: Life cycle

@_cdecl("mw_limits_init") func limitsInit(_ server: OpaquePointer) -> Bool {
    Compositor.of(server).counts = ClientCounts(server)
    Compositor.of(server).captures = CaptureWatch(Compositor.of(server), mw_server_loop(server))
    return true
}

/// Called after all clients and their objects are gone.
@_cdecl("mw_limits_finish") func limitsFinish(_ server: OpaquePointer) {
    Compositor.of(server).captures = nil
    Compositor.of(server).counts = nil
}

@_cdecl("mw_limits_configures") func limitsConfigures(_ client: OpaquePointer?, _ unanswered: UnsafeRawPointer) {
    let list = unanswered.assumingMemoryBound(to: wl_list.self)
    if wl_list_length(list) > Int32(ClientLimits.configures) {
        Tally.of(client)?.refuse("unanswered configures of a surface", most: ClientLimits.configures)
    }
}

func countKeymap(of client: WaylandClient?) { Tally.of(client)?.setKeymap() }

/// Disconnects a client that exceeded a limit that is counted elsewhere.
func refuse(_ client: WaylandClient?, _ what: String, most: Int) { Tally.of(client)?.refuse(what, most: most) }

/// Lifts the limits for a client, for example Xwayland, which stands for many apps, or one that is about to be
/// disconnected.
func exemptFromLimits(_ client: WaylandClient?) { Tally.of(client)?.exempt() }

private func resource(_ raw: UnsafeMutableRawPointer?) -> WaylandResource? { raw?.assumingMemoryBound(to: wl_resource.self) }

private func owner(_ raw: UnsafeMutableRawPointer?) -> Tally? { resource(raw).flatMap { Tally.of(wl_resource_get_client($0)) } }

// MARK: Surfaces

/// Called after each request that adds damage. Damage of too many rectangles becomes its extents. This function and
/// the next run in every commit, so they must not allocate.
@_cdecl("mw_limits_damage") func limitsDamage(_ surface: UnsafeMutableRawPointer?) {
    guard let surface = wlr_surface_from_resource(resource(surface)) else { return }
    limit(surface.pointer(to: \.pending.surface_damage)!)
    limit(surface.pointer(to: \.pending.buffer_damage)!)
}

private func limit(_ region: UnsafeMutablePointer<pixman_region32>) {
    guard pixman_region32_n_rects(region) > Int32(ClientLimits.damageRectangles) else { return }
    var box = pixman_region32_extents(region).pointee
    pixman_region32_reset(region, &box)
}

/// Called before a commit. wlroots keeps commits that wait for a parent, each with copies of its regions.
@_cdecl("mw_limits_cached") func limitsCached(_ raw: UnsafeMutableRawPointer?) {
    guard let surface = wlr_surface_from_resource(resource(raw)) else { return }
    let list = surface.pointer(to: \.cached)!
    guard list.pointee.next != list else { return }
    let states = elements(of: list, by: \wlr_surface_state.cached_state_link)
    var rectangles = 0
    for state in states {
        for region in [
            state.pointer(to: \.opaque)!, state.pointer(to: \.input)!, state.pointer(to: \.surface_damage)!,
            state.pointer(to: \.buffer_damage)!,
        ] { rectangles += Int(pixman_region32_n_rects(region)) }
    }
    if states.count > ClientLimits.cachedCommits {
        owner(raw)?.refuse("commits of a subsurface that wait for its parent's", most: ClientLimits.cachedCommits)
    } else if rectangles > ClientLimits.cachedRectangles {
        owner(raw)?.refuse("rectangles in commits that wait", most: ClientLimits.cachedRectangles)
    }
}

private func subsurface(_ surface: Surface) -> UnsafeMutablePointer<wlr_subsurface>? {
    #if WLR18
        return wlr_subsurface_try_from_wlr_surface(surface)
    #else
        return wlr_surface_is_subsurface(surface) ? wlr_subsurface_from_wlr_surface(surface) : nil
    #endif
}

/// The number of ancestors that `surface` has as a subsurface.
private func height(of surface: Surface) -> Int {
    var height = 0
    var next = subsurface(surface)
    while let parent = next?.pointee.parent, height <= ClientLimits.depth {
        height += 1
        next = subsurface(parent)
    }
    return height
}

/// The depth of the subsurface tree below `surface`, `surface` included. Stops counting at `most`.
private func depth(of surface: Surface, most: Int) -> Int {
    guard most > 0 else { return 1 }
    let lists = [surface.pointer(to: \.pending.subsurfaces_above)!, surface.pointer(to: \.pending.subsurfaces_below)!]
    let children = lists.flatMap { elements(of: $0, by: \wlr_subsurface.pending.link) }
    return 1 + (children.map { depth(of: $0.pointee.surface, most: most - 1) }.max() ?? 0)
}
