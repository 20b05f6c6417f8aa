import CWlroots
import Glibc

extension Compositor.Options {
    /// The place where the shell draws: a screen of the machine, a window of another compositor, or nowhere.
    ///
    /// The choice stands here and not in the core: it is made once, before there is a core, among means that only wlroots has.
    public enum Backend: String, Sendable, CaseIterable {
        case auto, headless, wayland, x11, drm

        var raw: Int32 {
            switch self {
            case .auto: Int32(MW_BACKEND_AUTO.rawValue)
            case .headless: Int32(MW_BACKEND_HEADLESS.rawValue)
            case .wayland: Int32(MW_BACKEND_WAYLAND.rawValue)
            case .x11: Int32(MW_BACKEND_X11.rawValue)
            case .drm: Int32(MW_BACKEND_DRM.rawValue)
            }
        }

        /// Resolves `auto`: the backend that `WLR_BACKENDS` names, else a window in the session around the shell, else the machine's
        /// screen, else headless. `auto` remains if only wlroots knows the name.
        ///
        /// - Parameters:
        ///   - variable: a variable of the environment.
        ///   - hasScreenDevice: whether the machine has a graphics device with screens. Opening a seat without one
        ///     takes ten seconds to fail.
        public func chosen(_ variable: (String) -> String?, hasScreenDevice: () -> Bool) -> Backend {
            guard self == .auto else { return self }
            func has(_ name: String) -> Bool { !(variable(name) ?? "").isEmpty }
            if let named = variable("WLR_BACKENDS"), !named.isEmpty {
                return [.headless, .wayland, .x11].first { named.contains($0.rawValue) } ?? .auto
            }
            if has("WAYLAND_DISPLAY") || has("WAYLAND_SOCKET") { return .wayland }
            if has("DISPLAY") { return .x11 }
            return hasScreenDevice() ? .drm : .headless
        }

        /// Why the backend cannot be tried; nil: it can. Without a name, libwayland takes wayland-0, which may be the shell's own socket.
        public func objection(_ variable: (String) -> String?) -> String? {
            guard self == .wayland, ["WAYLAND_DISPLAY", "WAYLAND_SOCKET"].allSatisfy({ (variable($0) ?? "").isEmpty }) else { return nil }
            return "cannot open a window on the Wayland compositor: WAYLAND_DISPLAY names none; set it, or run with --headless"
        }
    }
}

extension Compositor {
    /// Whether there is a device such as /dev/dri/card0. This process may still lack permission to use it.
    public static var hasScreenDevice: Bool {
        guard let folder = opendir("/dev/dri") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name.hasPrefix("card") { return true }
        }
        return false
    }
}
