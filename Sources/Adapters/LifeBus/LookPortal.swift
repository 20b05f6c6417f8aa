import MessageBus

/// The look of the shell, as apps follow it.
public struct PortalLook: Hashable, Sendable {
    public var isDark: Bool
    public var increasedContrast: Bool
    public var reducedMotion: Bool
    /// Red, green and blue, from 0 to 1.
    public var accent: SIMD3<Double>

    public init(isDark: Bool, increasedContrast: Bool, reducedMotion: Bool, accent: SIMD3<Double>) {
        self.isDark = isDark
        self.increasedContrast = increasedContrast
        self.reducedMotion = reducedMotion
        self.accent = accent
    }
}

/// The backend of the Settings portal (`org.freedesktop.impl.portal.Settings`): toolkits read it at their start, and hear of changes.
final class LookPortal {
    static let interface = "org.freedesktop.impl.portal.Settings"
    private static let space = "org.freedesktop.appearance"
    private static let keys = ["accent-color", "color-scheme", "contrast", "reduced-motion"]

    /// nil: the shell has not said yet.
    private(set) var look: PortalLook?

    func export(on bus: BusConnection) {
        bus.export(
            Self.interface, below: PortalService.path,
            [
                .method("ReadAll", takes: "as", gives: "a{sa{sv}}"), .method("Read", takes: "ss", gives: "v"),
                .signal("SettingChanged", "ssv"), .property("version", "u"),
            ])
    }

    func tell(_ look: PortalLook, on bus: BusConnection?) {
        let before = self.look
        self.look = look
        guard let before, let bus else { return }
        for key in Self.keys where Self.text(key, look) != Self.text(key, before) {
            bus.emit(PortalService.path, Self.interface, "SettingChanged") {
                $0.string(Self.space)
                $0.string(key)
                Self.write(key, look, in: &$0)
            }
        }
    }

    func method(_ call: Incoming) -> Int32 {
        guard let look else { return call.refuse("NotSupported", "the look is not known yet") }
        switch call.member {
        case "ReadAll":
            guard let names = call.wholeArray(of: "s", limit: 64, { call.string() }) else {
                return call.refuse("InvalidArgs", "a list of namespaces is expected")
            }
            // None, or an empty one, means all; "a.b.*" means all below.
            let isMeant =
                names.isEmpty
                || names.contains { name in
                    name.isEmpty || name == Self.space || name.hasSuffix(".*") && Self.space.hasPrefix(name.dropLast())
                }
            return call.reply {
                $0.container(.array, "{sa{sv}}") { all in
                    guard isMeant else { return }
                    all.container(.entry, "sa{sv}") {
                        $0.string(Self.space)
                        $0.container(.array, "{sv}") { table in
                            for key in Self.keys {
                                table.container(.entry, "sv") {
                                    $0.string(key)
                                    Self.write(key, look, in: &$0)
                                }
                            }
                        }
                    }
                }
            }
        case "Read":
            guard let space = call.string(), let key = call.string(), space == Self.space, Self.keys.contains(key) else {
                return call.refuse(BusError(name: "org.freedesktop.portal.Error.NotFound", text: "there is no such setting"))
            }
            return call.reply { Self.write(key, look, in: &$0) }
        default: return -95
        }
    }

    private static func text(_ key: String, _ look: PortalLook) -> String {
        switch key {
        case "accent-color": "\(look.accent)"
        case "color-scheme": "\(look.isDark)"
        case "contrast": "\(look.increasedContrast)"
        default: "\(look.reducedMotion)"
        }
    }

    private static func write(_ key: String, _ look: PortalLook, in message: inout Outgoing) {
        switch key {
        case "accent-color":
            message.container(.variant, "(ddd)") {
                $0.container(.structure, "ddd") { for part in 0..<3 { $0.double(look.accent[part]) } }
            }
        // 1: apps should be dark, 2: light.
        case "color-scheme": message.container(.variant, "u") { $0.uint32(look.isDark ? 1 : 2) }
        case "contrast": message.container(.variant, "u") { $0.uint32(look.increasedContrast ? 1 : 0) }
        default: message.container(.variant, "u") { $0.uint32(look.reducedMotion ? 1 : 0) }
        }
    }
}
