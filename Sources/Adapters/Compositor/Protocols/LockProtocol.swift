import CWlroots
import WaylandServer

// ext-session-lock-v1, for lock screens. wlroots 0.18 implements it; this is the implementation for 0.15.
// `LockedSession` holds the state.

#if WLR18

    final class LockProtocol {
        private let session: LockedSession
        private var newLock: Listener?
        private var lockers: [UnsafeMutableRawPointer: Locker] = [:]

        init?(_ context: Protocols.Context, _ session: LockedSession) {
            self.session = session
            guard let manager = wlr_session_lock_manager_v1_create(context.display) else { return nil }
            newLock = Listener(manager.pointer(to: \.events.new_lock)!) { [unowned self] data in
                let raw = data!.assumingMemoryBound(to: wlr_session_lock_v1.self)
                let locker = Locker(self, raw)
                lockers[data!] = locker
                session.asked(locker)
            }
        }

        private final class Locker: SessionLocker {
            private let raw: UnsafeMutablePointer<wlr_session_lock_v1>
            private var listeners: [Listener] = []
            fileprivate var surfaces: [UnsafeMutableRawPointer: LockSurface] = [:]

            init(_ all: LockProtocol, _ raw: UnsafeMutablePointer<wlr_session_lock_v1>) {
                self.raw = raw
                let session = all.session
                listeners = [
                    Listener(raw.pointer(to: \.events.new_surface)!) { [unowned self] data in
                        let made = data!.assumingMemoryBound(to: wlr_session_lock_surface_v1.self)
                        let surface = LockSurface(self, session, made)
                        surfaces[data!] = surface
                        session.add(surface, of: self, on: made.pointee.output)
                    },
                    Listener(raw.pointer(to: \.events.unlock)!) { [unowned self] _ in session.unlock(self) },
                    Listener(raw.pointer(to: \.events.destroy)!) { [unowned self, unowned all] _ in
                        session.gone(self)
                        listeners = []
                        all.lockers[UnsafeMutableRawPointer(raw)] = nil
                    },
                ]
            }

            func sendLocked() { wlr_session_lock_v1_send_locked(raw) }

            /// Destroying the lock sends `finished`.
            func refuse() { wlr_session_lock_v1_destroy(raw) }
        }

        private final class LockSurface: SessionLockSurface {
            let surface: Surface
            private let raw: UnsafeMutablePointer<wlr_session_lock_surface_v1>
            private var listeners: [Listener] = []

            init(_ locker: Locker, _ session: LockedSession, _ raw: UnsafeMutablePointer<wlr_session_lock_surface_v1>) {
                self.raw = raw
                surface = raw.pointee.surface
                listeners = [
                    Listener(surface.pointer(to: \.events.map)!) { [unowned self] _ in session.committed(self) },
                    Listener(surface.pointer(to: \.events.commit)!) { [unowned self] _ in session.committed(self) },
                    Listener(raw.pointer(to: \.events.destroy)!) { [unowned self, weak locker] _ in
                        session.remove(self)
                        listeners = []
                        locker?.surfaces[UnsafeMutableRawPointer(raw)] = nil
                    },
                ]
            }

            var isMapped: Bool { surface.pointee.mapped }

            func configure(width: UInt32, height: UInt32) { wlr_session_lock_surface_v1_configure(raw, width, height) }
        }
    }

#else

    final class LockProtocol: ResourceOwner {
        fileprivate let context: Protocols.Context
        fileprivate let session: LockedSession
        private var global: Global?

        init?(_ context: Protocols.Context, _ session: LockedSession) {
            self.context = context
            self.session = session
            global = Global(
                context.display, mw_interface_ext_session_lock_manager_v1(), version: 1, LockProtocol.requests, owner: self)
            guard global != nil else { return nil }
        }

        private static let requests = Requests(
            ext_session_lock_manager_v1_requests(
                destroy: destroyResource,
                lock: { client, manager, id in
                    let me = owner(of: manager, as: LockProtocol.self)
                    let locker = Locker(me)
                    locker.resource = makeResource(
                        client, mw_interface_ext_session_lock_v1(), version: wl_resource_get_version(manager), id: id, Locker.requests,
                        owner: locker)
                    if locker.resource != nil { me.session.asked(locker) }
                }))
    }

    /// A client's lock on the session.
    private final class Locker: ResourceOwner, SessionLocker {
        static let requests = Requests(
            ext_session_lock_v1_requests(
                destroy: { _, resource in
                    guard !owner(of: resource, as: Locker.self).hasSentLocked else {
                        return mw_post_error(resource, EXT_SESSION_LOCK_V1_ERROR_INVALID_DESTROY.rawValue, "the session is locked")
                    }
                    wl_resource_destroy(resource)
                },
                get_lock_surface: { client, resource, id, surface, output in
                    owner(of: resource, as: Locker.self).make(client, id, surface, output)
                },
                unlock_and_destroy: { _, resource in
                    let locker = owner(of: resource, as: Locker.self)
                    guard locker.hasSentLocked else {
                        return mw_post_error(
                            resource, EXT_SESSION_LOCK_V1_ERROR_INVALID_UNLOCK.rawValue, "the session was never said to be locked")
                    }
                    locker.all.session.unlock(locker)
                    wl_resource_destroy(resource)
                }))

        var resource: WaylandResource?
        fileprivate let all: LockProtocol
        private var hasSentLocked = false
        fileprivate var surfaces: [LockSurface] = []

        init(_ all: LockProtocol) { self.all = all }

        func sendLocked() {
            hasSentLocked = true
            ext_session_lock_v1_send_locked(resource)
        }

        func refuse() { ext_session_lock_v1_send_finished(resource) }

        func resourceDestroyed() {
            all.session.gone(self)
            // Its surfaces are hidden, though their objects may live on.
            for surface in surfaces { surface.end() }
        }

        private func make(
            _ client: WaylandClient?, _ id: UInt32, _ surfaceResource: WaylandResource?, _ outputResource: WaylandResource?
        ) {
            guard let surface = wlr_surface_from_resource(surfaceResource) else { return }
            let output = wlr_output_from_resource(outputResource)
            let pending = surface.pointee.pending
            let isAttached = pending.committed & WLR_SURFACE_STATE_BUFFER.rawValue != 0 && pending.buffer != nil
            guard !wlr_surface_has_buffer(surface), !isAttached else {
                return mw_post_error(resource, EXT_SESSION_LOCK_V1_ERROR_ALREADY_CONSTRUCTED.rawValue, "the surface has a buffer")
            }
            guard output == nil || !surfaces.contains(where: { $0.output == output }) else {
                return mw_post_error(
                    resource, EXT_SESSION_LOCK_V1_ERROR_DUPLICATE_OUTPUT.rawValue, "the output has a lock surface")
            }
            let made = LockSurface(self, surface, output)
            made.serve(client, version: wl_resource_get_version(resource), id: id)
        }
    }

    /// A lock surface.
    private final class LockSurface: ResourceOwner, SessionLockSurface {
        static let requests = Requests(
            ext_session_lock_surface_v1_requests(
                destroy: destroyResource,
                ack_configure: { _, resource, serial in owner(of: resource, as: LockSurface.self).acknowledge(serial) }))

        private struct Sent {
            let serial: UInt32, width: UInt32, height: UInt32
        }

        let surface: Surface
        private(set) var isMapped = false
        /// nil if its screen is gone.
        private(set) var output: UnsafeMutablePointer<wlr_output>?
        private var resource: WaylandResource?
        private unowned let locker: Locker
        private let all: LockProtocol
        /// Configures without an ack, oldest first.
        private var sent: [Sent] = []
        private var acknowledged: Sent?
        /// Whether the commit that is being made has a buffer. The state that wlroots keeps of the surface gathers the fields of all commits.
        private var bringsPicture = false
        /// How often it was told its size again since its last picture that fits.
        private var reminders = 0
        private static let mostReminders = 3
        private var surfaceGone: Listener?
        private var outputGone: Listener?
        private var isOver = true

        init(_ locker: Locker, _ surface: Surface, _ output: UnsafeMutablePointer<wlr_output>?) {
            self.locker = locker
            self.surface = surface
            self.output = output
            all = locker.all
        }

        func serve(_ client: WaylandClient?, version: Int32, id: UInt32) {
            resource = makeResource(
                client, mw_interface_ext_session_lock_surface_v1(), version: version, id: id, LockSurface.requests, owner: self)
            guard resource != nil else { return }
            let me = Unmanaged.passUnretained(self).toOpaque()
            guard wlr_surface_set_role(surface, LockSurface.role.pointer, me, locker.resource, EXT_SESSION_LOCK_V1_ERROR_ROLE.rawValue)
            else { return }
            isOver = false
            locker.surfaces.append(self)
            surfaceGone = Listener(surface.pointer(to: \.events.destroy)!) { [unowned self] _ in end() }
            if let output {
                outputGone = Listener(output.pointer(to: \.events.destroy)!) { [unowned self] _ in
                    outputGone = nil
                    self.output = nil
                }
            }
            all.session.add(self, of: locker, on: output)
        }

        func configure(width: UInt32, height: UInt32) {
            // If a client acks nothing, drop the oldest configure. It can no longer be acked.
            if sent.count == 8 { sent.removeFirst() }
            let new = Sent(serial: wl_display_next_serial(all.context.display), width: width, height: height)
            sent.append(new)
            ext_session_lock_surface_v1_send_configure(resource, new.serial, width, height)
        }

        /// Ends the lock surface, because its object, its wl_surface or its locker goes away.
        func end() {
            guard !isOver else { return }
            isOver = true
            all.session.remove(self)
            surfaceGone = nil
            outputGone = nil
            if surface.pointee.role_data == Unmanaged.passUnretained(self).toOpaque() { surface.pointee.role_data = nil }
            locker.surfaces.removeAll { $0 === self }
        }

        func resourceDestroyed() { end() }

        private func acknowledge(_ serial: UInt32) {
            guard !isOver else { return }
            guard let index = sent.firstIndex(where: { $0.serial == serial }) else {
                return mw_post_error(
                    resource, EXT_SESSION_LOCK_SURFACE_V1_ERROR_INVALID_SERIAL.rawValue, "no configure of this serial waits")
            }
            acknowledged = sent[index]
            sent.removeSubrange(...index)
        }

        private func commit() {
            func refuse(_ error: ext_session_lock_surface_v1_error, _ why: String) {
                isMapped = false
                all.session.committed(self)
                mw_post_error(resource, error.rawValue, why)
            }
            guard let acknowledged else {
                return refuse(
                    EXT_SESSION_LOCK_SURFACE_V1_ERROR_COMMIT_BEFORE_FIRST_ACK, "committed before the first configure was answered")
            }
            guard wlr_surface_has_buffer(surface) else {
                return refuse(EXT_SESSION_LOCK_SURFACE_V1_ERROR_NULL_BUFFER, "committed without a buffer")
            }
            let current = surface.pointee.current, fits = current.width == acknowledged.width && current.height == acknowledged.height
            // A commit that brings no picture shows the last one, which was right when it came: a locker that asks for a frame callback, or
            // whose next picture is not ready, has done nothing wrong.
            guard fits || !bringsPicture else {
                return refuse(EXT_SESSION_LOCK_SURFACE_V1_ERROR_DIMENSIONS_MISMATCH, "not of the size that was asked for")
            }
            if fits {
                reminders = 0
            } else if sent.isEmpty, reminders < LockSurface.mostReminders {
                // swaylock forgets to draw if both of its buffers are in use when it hears of the size.
                reminders += 1
                configure(width: acknowledged.width, height: acknowledged.height)
            }
            isMapped = true
            all.session.committed(self)
        }

        /// Called by wlroots. Lives as long as the process.
        private static let role = Role()

        private struct Role: @unchecked Sendable { // written once, and only read after that
            let pointer = UnsafeMutablePointer<wlr_surface_role>.allocate(capacity: 1)

            init() {
                let name: StaticString = "ext_session_lock_surface_v1"
                var role = wlr_surface_role()
                role.name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
                role.precommit = { surface in
                    guard let surface, let data = surface.pointee.role_data else { return }
                    Unmanaged<LockSurface>.fromOpaque(data).takeUnretainedValue().bringsPicture =
                        surface.pointee.pending.committed & WLR_SURFACE_STATE_BUFFER.rawValue != 0
                }
                role.commit = { surface in
                    guard let data = surface?.pointee.role_data else { return }
                    Unmanaged<LockSurface>.fromOpaque(data).takeUnretainedValue().commit()
                }
                pointer.initialize(to: role)
            }
        }
    }
#endif
