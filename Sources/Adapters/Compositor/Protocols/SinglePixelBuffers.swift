import CWlroots
import WaylandServer

#if WLR18

    /// single-pixel-buffer-v1: buffers of one colour without shared memory, implemented by wlroots.
    final class SinglePixelBuffers {
        init?(_ context: Protocols.Context) {
            guard wlr_single_pixel_buffer_manager_v1_create(context.display) != nil else { return nil }
        }
    }

#else

    /// single-pixel-buffer-v1: buffers of one colour without shared memory. wlroots 0.18 has its own implementation.
    final class SinglePixelBuffers: ResourceOwner {
        private var global: Global?

        init?(_ context: Protocols.Context) {
            _ = SinglePixelBuffers.registered
            global = Global(
                context.display, mw_interface_wp_single_pixel_buffer_manager_v1(), version: 1, SinglePixelBuffers.requests, owner: self)
            guard global != nil else { return nil }
        }

        private static let requests = Requests(
            wp_single_pixel_buffer_manager_v1_requests(
                destroy: destroyResource,
                create_u32_rgba_buffer: { client, manager, id, red, green, blue, alpha in
                    func byte(_ channel: UInt32) -> UInt32 { UInt32(UInt64(channel) * 255 / UInt64(UInt32.max)) }
                    let color = byte(alpha) << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue)
                    SinglePixel(color).serve(client, id)
                }))

        /// wlroots registers kinds of buffers once per process, no matter how many servers are created.
        private static let registered: Void = {
            let name: StaticString = "wp_single_pixel_buffer_v1"
            let kind = UnsafeMutablePointer<wlr_buffer_resource_interface>.allocate(capacity: 1)
            kind.initialize(
                to: wlr_buffer_resource_interface(
                    name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
                    is_instance: { wl_resource_instance_of($0, mw_interface_wl_buffer(), SinglePixel.requests.table) != 0 },
                    from_resource: { owner(of: $0, as: SinglePixel.self).buffer }))
            wlr_buffer_register_resource_interface(kind)
        }()
    }

    /// A buffer of one pixel. It lives until both the client's object and the last user of the buffer are gone.
    private final class SinglePixel: ResourceOwner {
        static let requests = Requests(wl_buffer_requests(destroy: destroyResource))

        private let raw = UnsafeMutablePointer<mw_pixel_buffer>.allocate(capacity: 1)
        private var resource: WaylandResource?
        private var released: Listener?

        /// The struct's first member, so both have the same address.
        var buffer: UnsafeMutablePointer<wlr_buffer> { UnsafeMutableRawPointer(raw).assumingMemoryBound(to: wlr_buffer.self) }

        init(_ argb: UInt32) {
            raw.initialize(to: mw_pixel_buffer())
            raw.pointee.argb = argb
            wlr_buffer_init(buffer, SinglePixel.table.pointer, 1, 1)
        }

        func serve(_ client: WaylandClient?, _ id: UInt32) {
            raw.pointee.owner = Unmanaged.passRetained(self).toOpaque()
            resource = makeResource(client, mw_interface_wl_buffer(), version: 1, id: id, SinglePixel.requests, owner: self)
            guard resource != nil else { return wlr_buffer_drop(buffer) }
            released = Listener(buffer.pointer(to: \.events.release)!) { [unowned self] _ in
                if let resource { wl_buffer_send_release(resource) }
            }
        }

        func resourceDestroyed() {
            resource = nil
            wlr_buffer_drop(buffer)
        }

        deinit { raw.deallocate() }

        /// Called by wlroots. Lives as long as the process.
        private static let table = BufferTable()

        private struct BufferTable: @unchecked Sendable { // written once, and only read after that
            let pointer = UnsafeMutablePointer<wlr_buffer_impl>.allocate(capacity: 1)

            init() {
                var table = wlr_buffer_impl()
                table.destroy = { buffer in
                    let raw = UnsafeMutableRawPointer(buffer!).assumingMemoryBound(to: mw_pixel_buffer.self)
                    let pixel = Unmanaged<SinglePixel>.fromOpaque(raw.pointee.owner).takeRetainedValue()
                    pixel.released = nil
                }
                table.begin_data_ptr_access = { buffer, flags, data, format, stride in
                    guard flags & UInt32(WLR_BUFFER_DATA_PTR_ACCESS_WRITE.rawValue) == 0 else { return false }
                    let raw = UnsafeMutableRawPointer(buffer!).assumingMemoryBound(to: mw_pixel_buffer.self)
                    data!.pointee = UnsafeMutableRawPointer(raw.pointer(to: \.argb)!)
                    format!.pointee = 0x3432_5241 // DRM_FORMAT_ARGB8888
                    stride!.pointee = MemoryLayout<UInt32>.size
                    return true
                }
                table.end_data_ptr_access = { _ in }
                pointer.initialize(to: table)
            }
        }
    }
#endif
