import CWlroots
import WaylandServer

#if WLR18

    /// ext-foreign-toplevel-list: lists all mapped windows for programs that show or record them. Implemented by wlroots.
    final class ToplevelList {
        private let list: UnsafeMutablePointer<wlr_ext_foreign_toplevel_list_v1>
        private var handles: [OpaquePointer: UnsafeMutablePointer<wlr_ext_foreign_toplevel_handle_v1>] = [:]

        init?(_ context: Protocols.Context) {
            guard let list = wlr_ext_foreign_toplevel_list_v1_create(context.display, 1) else { return nil }
            self.list = list
        }

        /// Lists a window that was mapped and is not listed yet.
        func add(_ window: OpaquePointer) {
            guard handles[window] == nil else { return }
            var state = names(of: window)
            handles[window] = wlr_ext_foreign_toplevel_handle_v1_create(list, &state)
        }

        /// The window's title or app id changed.
        func update(_ window: OpaquePointer) {
            guard let handle = handles[window] else { return }
            var state = names(of: window)
            wlr_ext_foreign_toplevel_handle_v1_update_state(handle, &state)
        }

        func remove(_ window: OpaquePointer) {
            if let handle = handles.removeValue(forKey: window) { wlr_ext_foreign_toplevel_handle_v1_destroy(handle) }
        }

        private func names(of window: OpaquePointer) -> wlr_ext_foreign_toplevel_handle_v1_state {
            var info = mw_window_info()
            mw_window_fill_info(window, &info)
            return wlr_ext_foreign_toplevel_handle_v1_state(title: info.title, app_id: info.app_id)
        }
    }

#else

    /// ext-foreign-toplevel-list: lists all mapped windows for programs that show or record them. wlroots 0.18 has its
    /// own implementation.
    final class ToplevelList {
        private var global: Global?
        /// Newest first, without stopped ones.
        fileprivate var lists: [List] = []
        private var entries: [OpaquePointer: Entry] = [:]
        /// Random for each run of the shell.
        fileprivate let session = UInt64.random(in: .min ... .max)
        /// A window that unmaps and maps again gets a new number.
        private var last: UInt64 = 0

        init?(_ context: Protocols.Context) {
            global = Global(context.display, mw_interface_ext_foreign_toplevel_list_v1(), version: 1) { [unowned self] binding in
                let list = List(self)
                guard list.serve(binding) else { return }
                lists.insert(list, at: 0)
                // In the order in which the windows were made.
                for entry in entries.values.sorted(by: { $0.window < $1.window }) { entry.appear(in: list) }
            }
            guard global != nil else { return nil }
        }

        /// Lists a window that was mapped and is not listed yet.
        func add(_ window: OpaquePointer) {
            guard entries[window] == nil else { return }
            last += 1
            let entry = Entry(window, identifier: hexadecimal(session) + hexadecimal(last))
            entries[window] = entry
            for list in lists { entry.appear(in: list) }
        }

        /// The window's title or app id changed.
        func update(_ window: OpaquePointer) { entries[window]?.update() }

        func remove(_ window: OpaquePointer) { entries.removeValue(forKey: window)?.close() }

        private func hexadecimal(_ number: UInt64) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }

        /// A client's list of all windows.
        fileprivate final class List: ResourceOwner {
            static let requests = Requests(
                ext_foreign_toplevel_list_v1_requests(
                    stop: { _, resource in
                        owner(of: resource, as: List.self).forget()
                        ext_foreign_toplevel_list_v1_send_finished(resource)
                    },
                    destroy: destroyResource))

            private unowned let all: ToplevelList
            private(set) var resource: WaylandResource?

            init(_ all: ToplevelList) { self.all = all }

            func serve(_ binding: Global.Binding) -> Bool {
                resource = makeResource(
                    binding.client, mw_interface_ext_foreign_toplevel_list_v1(), version: binding.version, id: binding.id,
                    List.requests, owner: self)
                return resource != nil
            }

            func resourceDestroyed() { forget() }

            private func forget() { all.lists.removeAll { $0 === self } }
        }

        /// A listed window.
        private final class Entry {
            private let raw: OpaquePointer
            private let identifier: String
            /// The window's number, counted in the order of creation.
            let window: UInt64
            private var handles: [Handle] = []

            init(_ raw: OpaquePointer, identifier: String) {
                self.raw = raw
                self.identifier = identifier
                var info = mw_window_info()
                mw_window_fill_info(raw, &info)
                window = UInt64(info.id)
            }

            func appear(in list: List) {
                let handle = Handle(self)
                guard handle.serve(list) else { return }
                handles.insert(handle, at: 0)
                ext_foreign_toplevel_list_v1_send_toplevel(list.resource, handle.resource)
                ext_foreign_toplevel_handle_v1_send_identifier(handle.resource, identifier)
                sendNames(handle)
            }

            func update() {
                for handle in handles { sendNames(handle) }
            }

            func close() {
                let all = handles
                handles = []
                for handle in all { ext_foreign_toplevel_handle_v1_send_closed(handle.resource) }
            }

            func forget(_ handle: Handle) { handles.removeAll { $0 === handle } }

            private func sendNames(_ handle: Handle) {
                var info = mw_window_info()
                mw_window_fill_info(raw, &info)
                ext_foreign_toplevel_handle_v1_send_title(handle.resource, info.title)
                ext_foreign_toplevel_handle_v1_send_app_id(handle.resource, info.app_id)
                ext_foreign_toplevel_handle_v1_send_done(handle.resource)
            }
        }

        /// A client's handle for one window.
        private final class Handle: ResourceOwner {
            static let requests = Requests(ext_foreign_toplevel_handle_v1_requests(destroy: destroyResource))

            private weak var entry: Entry?
            private(set) var resource: WaylandResource?

            init(_ entry: Entry) { self.entry = entry }

            func serve(_ list: List) -> Bool {
                // The server chooses the object id.
                resource = makeResource(
                    wl_resource_get_client(list.resource), mw_interface_ext_foreign_toplevel_handle_v1(),
                    version: wl_resource_get_version(list.resource), id: 0, Handle.requests, owner: self)
                return resource != nil
            }

            func resourceDestroyed() { entry?.forget(self) }
        }
    }
#endif
