import Chrome
import Geometry
import Glibc
import PixbufLibrary
import WaylandClientLibrary

/// The menu of the Share button.
struct ShareMenu {
    enum What {
        case copyFile, copyPath
        case open(App)
    }

    struct Row {
        var label: String
        var what: What
    }

    let rows: [Row]
    let absolutePath: String

    static let rowHeight = 48.0
    private static let mostApps = 5

    init(path: String, in language: Language) {
        absolutePath = Self.absolute(path)
        let apps = App.forFile(named: absolutePath).prefix(Self.mostApps)
        rows =
            [Row(label: language.words(.fileCopy), what: .copyFile), Row(label: language.words(.fileCopyPath), what: .copyPath)]
            + apps.map { Row(label: language.words(.fileOpenIn, $0.name), what: .open($0)) }
    }

    static func absolute(_ path: String) -> String {
        guard let whole = realpath(path, nil) else { return path }
        defer { free(whole) }
        return String(cString: whole)
    }

    /// Below the Share button.
    func frame(in size: Size) -> Rect {
        let width = min(280, size.width - 24)
        return Rect(size.width - 12 - width, 60, width, Double(rows.count) * Self.rowHeight)
    }

    func row(at place: Point, in size: Size) -> Int? {
        let frame = frame(in: size)
        guard frame.contains(place) else { return nil }
        return min(rows.count - 1, Int(clamping: (place.y - frame.minY) / Self.rowHeight))
    }
}

/// An installed app that says that it opens files of a kind.
final class App {
    let name: String
    private let info: OpaquePointer

    private init(_ info: OpaquePointer) {
        self.info = info
        name = g_app_info_get_display_name(info).map { String(cString: $0) } ?? "App"
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(info)) }

    /// The kind is guessed by the file's name: its bytes are not for this process.
    static func forFile(named path: String) -> [App] {
        guard let type = g_content_type_guess(path, nil, 0, nil) else { return [] }
        defer { g_free(type) }
        var apps: [App] = []
        let list = g_app_info_get_recommended_for_type(type)
        var next = list
        while let node = next {
            // Mullion's own entry would open this window again.
            let info = OpaquePointer(node.pointee.data!)
            let id = g_app_info_get_id(info).map { String(cString: $0) } ?? ""
            if id == "org.mullion.View.desktop" { g_object_unref(UnsafeMutableRawPointer(info)) } else { apps.append(App(info)) }
            next = node.pointee.next
        }
        g_list_free(list)
        return apps
    }

    func open(_ path: String) {
        let file = g_file_new_for_path(path)
        var list: UnsafeMutablePointer<GList>?
        list = g_list_append(list, UnsafeMutableRawPointer(file))
        g_app_info_launch(info, list, nil, nil)
        g_list_free(list)
        g_object_unref(UnsafeMutableRawPointer(file))
    }
}

/// Files and texts for the clipboard, for as long as the window is open.
final class Clipboard {
    private let connection: Connection
    private var source: OpaquePointer?
    private var path = ""

    init(_ connection: Connection) {
        self.connection = connection
        // Otherwise offers of other clients pile up.
        if let device = connection.clipboardDevice { wl_data_device_add_listener(device, Self.device, nil) }
    }

    func offer(path: String, asFile: Bool) {
        guard let manager = connection.clipboardManager, let device = connection.clipboardDevice else { return }
        if let source { wl_data_source_destroy(source) }
        self.path = path
        source = wl_data_device_manager_create_data_source(manager)
        wl_data_source_add_listener(source, Self.source, Unmanaged.passUnretained(self).toOpaque())
        if asFile {
            wl_data_source_offer(source, "text/uri-list")
            wl_data_source_offer(source, "x-special/gnome-copied-files")
        }
        for type in ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING"] { wl_data_source_offer(source, type) }
        wl_data_device_set_selection(device, source, connection.serial)
    }

    fileprivate func send(_ type: String, to file: Int32) {
        defer { close(file) }
        var text = path
        if type == "text/uri-list" || type == "x-special/gnome-copied-files", let address = g_filename_to_uri(path, nil, nil) {
            text = (type == "text/uri-list" ? "" : "copy\n") + String(cString: address) + (type == "text/uri-list" ? "\r\n" : "")
            g_free(address)
        }
        // The text fits into the buffer of a pipe, so the write does not wait for the reader.
        let bytes = Array(text.utf8.prefix(4096))
        _ = fcntl(file, F_SETFL, O_NONBLOCK)
        _ = write(file, bytes, bytes.count)
    }

    fileprivate func cancelled(_ which: OpaquePointer?) {
        if let which { wl_data_source_destroy(which) }
        if which == source { source = nil }
    }

    nonisolated(unsafe) private static let source = {
        var calls = wl_data_source_listener()
        calls.target = { _, _, _ in }
        calls.send = { data, _, type, file in object(Clipboard.self, data).send(String(cString: type!), to: file) }
        calls.cancelled = { data, source in object(Clipboard.self, data).cancelled(source) }
        calls.dnd_drop_performed = { _, _ in }
        calls.dnd_finished = { _, _ in }
        calls.action = { _, _, _ in }
        return kept(calls)
    }()
    nonisolated(unsafe) private static let device = {
        var calls = wl_data_device_listener()
        calls.data_offer = { _, _, offer in if let offer { wl_data_offer_destroy(offer) } }
        calls.enter = { _, _, _, _, _, _, _ in }
        calls.leave = { _, _ in }
        calls.motion = { _, _, _, _, _ in }
        calls.drop = { _, _ in }
        calls.selection = { _, _, _ in }
        return kept(calls)
    }()
}
